/// Quotes a user's text in messages, and 'Did you mean ...?': the known name nearest to a wrong one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/refusal.hpp"

namespace orrery {

/// The text as a message quotes it: control characters as '?', at most 60 characters.
std::string shown(std::string_view text);

/// The nearest of `known` by edit distance, if the distance is at most a third of the length (or 2).
std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known);

/// "(known: a, b, c). Did you mean 'b'?" - the end of every error about a name.
Advice known_names(std::string_view wrong, std::span<const std::string> known);

/// "(there are a, b, c). Rename 'b'?" or "Add it?" - the end of every error about a missing name.
Advice present_names(std::string_view missing, std::span<const std::string> present);

}  // namespace orrery
