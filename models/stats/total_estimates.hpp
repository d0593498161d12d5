/// Totals of many runs from some of the runs, while a search tries parameters.
///
///   T(v) = T(b) * sum_i n_i t_i(v) / w_i / sum_i n_i t_i(b) / w_i
///
///   v, b   parameters that are tried out; those at which all runs were simulated last, where the estimate is exact
///   t_i    s  of run i      w_i  s  what it took when it was drawn
///   n_i    1  how often it was drawn: `drawn_most` times in all, systematically, by its part of the total
///
/// So runs that make up most of the total are simulated, and runs of which hundreds make up a thousandth of it are not.
/// A total of at most `drawn_most` runs is simulated whole.
///
/// Source   Cochran, Sampling Techniques, 3rd ed., Wiley, 1977, chapters 6 (ratio estimates) and 9A (by size)
/// Valid    parameters that change most runs of a total by nearly the same factor; how far it errs is seen where `begin_at`
///          simulates all of them
/// Checked  tests/unit/study/total_estimates_test.cpp
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery {

class TotalEstimates {
 public:
  /// [runs] times of these runs with these parameters.
  using Simulate =
      std::function<std::vector<Seconds>(const std::vector<std::size_t>& runs, const std::vector<double>& values)>;
  static constexpr std::size_t drawn_most = 100;

  /// totals  [totals] the runs of each. Selects runs systematically, by their times with these values.
  TotalEstimates(const std::vector<std::vector<std::size_t>>& totals, Simulate simulate,
                 const std::vector<double>& values);

  /// Simulates all runs with these values.
  void begin_at(const std::vector<double>& values);
  /// In the order of the times.
  std::vector<Seconds> times(const std::vector<double>& values);

 private:
  struct Drawn {
    std::size_t point = 0;
    double weight = 0.0;  ///< n_i / w_i
  };
  struct Total {
    std::vector<std::size_t> points;
    std::vector<Drawn> drawn;  ///< empty: simulated whole
    double exact = 0.0, of_drawn = 0.0;
  };
  static std::vector<Drawn> drawn(const std::vector<std::size_t>& points, const std::vector<Seconds>& times);

  Simulate simulate_;
  std::vector<Total> totals_;
};

}  // namespace orrery
