/// How messages quote what a user wrote, and 'Did you mean ...?': the known name nearest to a wrong one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/refusal.hpp"

namespace orrery {

/// As a message quotes it: control characters as '?', no more than 60 characters.
std::string shown(std::string_view text);

/// Nearest of `known` by edit distance, if near enough to be meant (a third of the length, at least 2).
std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known);

/// "(known: a, b, c). Did you mean 'b'?" - the end of every error about a name.
Advice known_names(std::string_view wrong, std::span<const std::string> known);

/// "(there are a, b, c). Rename 'b'?" or "Add it?" - the end of every error about a name that is wanted.
Advice present_names(std::string_view missing, std::span<const std::string> present);

}  // namespace orrery
