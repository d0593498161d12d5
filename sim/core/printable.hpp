/// A message with a user's text in it as a terminal may show it.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// Control characters but line ends as "\x1b" (escapes would drive the terminal); words of more than 60 bytes cut to
/// those and "...". A word is what lies between blanks, quotes, commas, slashes and brackets: paths and lists stay
/// whole.
std::string printable(std::string_view message);

}  // namespace orrery
