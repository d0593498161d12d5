/// One unit and one number of decimals for all times of a table or a chart, so that they are easy to compare.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery::show {

struct TimeFormat {
  double unit_s = 1.0;
  const char* unit = "s";
  int decimals = 3;

  std::string operator()(double t_s) const;
  std::string operator()(const std::optional<Seconds>& t) const { return t ? (*this)(t->si()) : "-"; }
};

/// The unit and decimals that show four digits of the median.
TimeFormat time_format(std::vector<double> times_s);

}  // namespace orrery::show
