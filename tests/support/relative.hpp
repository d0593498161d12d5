/// Numbers of a test compared by their ratio: the one way tests compare numbers that are rounded.
///
///   CHECK(time == near(1.3_us));            same to 1e-9 of the value, whatever the unit
///   CHECK(mean == near(32.0 / 6.0, 0.05));  to 5 %: say why in the test
///   CHECK(load == near(0.0, Absolute{0.01}));
///
/// equal when |actual - expected| <= tolerance |expected|; so beside an expected 0 only 0 is equal, and nothing equals
/// a value that is no number. What doctest offers compares beside a scale of 1 and takes 0 for a microsecond: the
/// architecture test forbids it.
#pragma once

#include <cmath>
#include <ostream>

#include "sim/core/units.hpp"

namespace orrery::test {

/// How far a number may be off in its own unit, where a ratio says nothing: beside 0, or for a sum that cancels.
struct Absolute {
  double value = 0.0;
};

template <class T>
class Near {
 public:
  Near(T expected, double relative) : Near(expected, Absolute{relative * std::abs(si(expected))}) {}
  Near(T expected, Absolute bound) : expected_(expected), bound_(bound.value) {}

  friend bool operator==(T actual, const Near& near) {
    near.actual_ = si(actual);
    const double difference = std::abs(si(actual) - si(near.expected_));
    return difference <= near.bound_;  // false for what is no number
  }

  /// Both numbers, since doctest cannot print a quantity.
  friend std::ostream& operator<<(std::ostream& out, const Near& near) {
    const auto digits = out.precision(12);
    out << si(near.expected_) << " within " << near.bound_ << " (is " << near.actual_ << ")";
    out.precision(digits);
    return out;
  }

 private:
  static double si(double value) { return value; }
  template <int S, int B, int F>
  static double si(Quantity<S, B, F> value) {
    return value.si();
  }

  T expected_;
  double bound_;
  mutable double actual_ = 0.0;  ///< what it was last compared with, for the message
};

/// Room for the rounding of some thousand additions: nothing physical is that close to something else.
constexpr double rounding = 1e-9;

inline Near<double> near(double expected, double relative = rounding) { return {expected, relative}; }
inline Near<double> near(double expected, Absolute bound) { return {expected, bound}; }

template <int S, int B, int F>
Near<Quantity<S, B, F>> near(Quantity<S, B, F> expected, double relative = rounding) {
  return {expected, relative};
}
template <int S, int B, int F>
Near<Quantity<S, B, F>> near(Quantity<S, B, F> expected, Absolute bound) {
  return {expected, bound};
}

}  // namespace orrery::test
