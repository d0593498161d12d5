/// Text that a terminal shows and does not obey. Names of files, keys and people are not ours: all text goes through it.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// The text with each character that drives a terminal as "\x1b" or "\u202e": control characters but line ends and tabs,
/// marks that change the direction of writing, and bytes that are no UTF-8. JSON stays JSON of the same values.
std::string visible(std::string_view text);

/// `visible` for a message with a user's text in it: tabs are escaped, too, and words of more than 60 bytes are cut to
/// those and "...". A word is what lies between blanks, quotes, commas, slashes and brackets: paths and lists stay
/// whole.
std::string printable(std::string_view message);

}  // namespace orrery
