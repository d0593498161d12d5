/// 'Did you mean ...?': the known name nearest to a wrong one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// Nearest of `known` by edit distance, if near enough to be meant (a third of the length, at least 2).
std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known);

/// " (known: a, b, c). Did you mean 'b'?" - the tail of every error about a name.
std::string known_names(std::string_view wrong, std::span<const std::string> known);

}  // namespace orrery
