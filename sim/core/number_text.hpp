/// A number as messages print the end of a range: short where that is exact, else in all its digits, so that whoever
/// takes the printed value is inside.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace orrery {

inline std::string number_text(double value) {
  const std::string brief = fmt::format("{:g}", value);
  return std::strtod(brief.c_str(), nullptr) == value ? brief : fmt::format("{}", value);
}

}  // namespace orrery
