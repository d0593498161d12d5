/// A bound as messages print it: short if the short form is exact, else with all digits. "1e+15", "4294967295".
///
/// Checked  tests/unit/core/bound_text_test.cpp
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace orrery {

inline std::string bound_text(double bound) {
  const std::string brief = fmt::format("{:g}", bound);
  double read = 0.0;
  std::from_chars(brief.data(), brief.data() + brief.size(), read);
  return read == bound ? brief : fmt::format("{}", bound);
}

}  // namespace orrery
