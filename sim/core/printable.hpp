/// Text without characters that a terminal obeys. File names, keys and users' names are untrusted: all pass here.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// The text with each character that drives a terminal as "\x1b" or "\u202e": control characters except line ends and
/// tabs, marks that change the direction of writing, and bytes that are not UTF-8. JSON keeps its values.
std::string visible(std::string_view text);

/// `visible` for a message that contains a user's text: tabs are escaped, too, and words of more than 60 bytes are cut
/// to 60 bytes and "...". Words are separated by blanks, quotes, commas, slashes and brackets, so paths and lists stay
/// whole.
std::string printable(std::string_view message);

}  // namespace orrery
