/// Whole numbers of rows for processors that should end at the same time, by a line through the origin.
///
///   x_i / s_i(x_i) = T  for all i,  sum x_i = n
///   that is: points of the curves s_i on one straight line through the origin
///
///   x_i  rows  1     of processor i
///   s_i  rows/s      its speed on so many rows
///   T    s           common time, the inverse of the line's slope
///   n    rows  1     to divide
///
/// T is bisected towards the least value at which the rows that end within it reach n. The rows that fit into T are
/// also found by bisection, among integers and between those for the last shorter and the last longer T. Rows beyond n
/// at that T are taken from the highest number down.
///
/// O(p log n) evaluations while the brackets shrink together, and p for each bisection of T after that.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007 (a line through the origin cuts the curves)
/// Valid    where the time x / s(x) grows with x; then no division into whole rows ends earlier
/// Differs  the source halves the angle between two lines and rounds at the end; here rows are whole throughout
/// Checked  tests/unit/models/partition/geometric_test.cpp, exact_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace orrery {

/// time(i, x): seconds of processor i for x >= 1 rows; infinite if it cannot. `takes_part[i]` false: none for i. Throws
/// DomainError that begins with `partitioner` if no time lets them cover n.
std::vector<std::uint32_t> balanced_rows(std::uint32_t n, const std::vector<bool>& takes_part,
                                         const std::function<double(std::size_t, std::uint32_t)>& time,
                                         const std::string& partitioner);

}  // namespace orrery
