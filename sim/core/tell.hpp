/// Text for people. Both escape characters that drive a terminal (sim/core/printable.hpp): a file may have any name.
///
///   tell("written: {}\n", file);     progress, notes and errors, on standard error
///   say("{}: a platform\n", file);   the requested output, on standard output
///
/// What cannot be written on standard error (closed, a full disk) is dropped: there is no other place for it, and
/// results are not affected. Failure to write standard output throws, as with fmt::print.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace orrery {

void tell_text(std::string_view text);
void say_text(std::string_view text);

/// To standard output byte for byte: text that another program reads (JSON), and tables with our own colours.
void say_as_it_is(std::string_view text);

template <class... Arguments>
void tell(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  tell_text(fmt::format(text, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  say_text(fmt::format(text, std::forward<Arguments>(arguments)...));
}

}  // namespace orrery
