/// Regimes of a time by size: straight lines between break points, as many as the points speak for.
///
///   T(x) = a_r + b_r x       for sizes of regime r; each has three points at least
///   number of regimes        least  N ln(RSS / N) + q ln N,  q = 3 R - 1 parameters (a line each, and the breaks)
///   RSS                      sum of ((T(x_i) - t_i) / t_i)^2: relative, as times span decades
///
///   N  measured points   R  regimes   b_r  seconds per unit of size: 1 / b_r is the rate of the regime
///
/// All divisions are tried, by dynamic programming over the points: O(R N^2) lines. Two things keep noise from making
/// regimes of its own: a relative RSS below `noise`^2 N counts as that much, and the penalty is Schwarz's.
///
/// Source   segmented regression: Bai & Perron, J. Applied Econometrics 18(1), 2003 (dynamic programming over breaks);
///          Schwarz, Annals of Statistics 6(2), 1978 (the penalty). Meyer's thesis, section 4.3, asks for "separate
///          compute-rate entries for distinct intervals" and leaves finding them to people
/// Checked  tests/unit/validation/compute_test.cpp
#pragma once

#include <vector>

#include "validation/compute/sampling.hpp"

namespace orrery::rates {

struct Regime {
  double from = 0.0, to = 0.0;  ///< first and last measured size
  Line line;                    ///< seconds by size
  double error = 0.0;           ///< root of the mean squared relative deviation
  std::size_t points = 0;
};

/// `points` ascending in x with positive y, three at least. `noise`: relative deviation that says nothing.
std::vector<Regime> regimes_of(const std::vector<Point>& points, double noise = 0.01, std::size_t regimes_max = 6);

}  // namespace orrery::rates
