/// Messages for people: progress, notes and errors, on standard error.
///
///   tell("written: {}\n", file);
///
/// What cannot be written there (closed, a full disk) is dropped: nobody is left to tell, and results are not at stake.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace orrery {

template <class... Arguments>
void tell(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  std::fputs(fmt::format(text, std::forward<Arguments>(arguments)...).c_str(), stderr);
}

}  // namespace orrery
