#include "sim/core/tell.hpp"

#include <cstdio>
#include <string>

#include "sim/core/printable.hpp"

namespace orrery {

void tell_text(std::string_view text) {
  const std::string shown = visible(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void say_text(std::string_view text) { say_as_it_is(visible(text)); }

void say_as_it_is(std::string_view text) { fmt::print("{}", text); }

}  // namespace orrery
