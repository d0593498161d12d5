/// Quantities whose unit is checked by the compiler: time, data and work.
///
///   Seconds t = 2.0 * o + L + (m - 1_B) * G;      L + m * bandwidth does not compile
///
/// A `Quantity<s, b, f>` is second^s * byte^b * flop^f. `.si()` unwraps; it belongs in replay, report and fits only.
#pragma once

#include <compare>

namespace orrery {

template <int S, int B, int F>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double si) : si_(si) {}

  constexpr double si() const { return si_; }

  constexpr Quantity& operator+=(Quantity other) { return si_ += other.si_, *this; }
  constexpr Quantity& operator-=(Quantity other) { return si_ -= other.si_, *this; }
  constexpr Quantity& operator*=(double factor) { return si_ *= factor, *this; }
  constexpr Quantity& operator/=(double divisor) { return si_ /= divisor, *this; }
  constexpr Quantity operator-() const { return Quantity(-si_); }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }
  friend constexpr Quantity operator*(double factor, Quantity a) { return Quantity(factor * a.si_); }
  friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity(a.si_ * factor); }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity(a.si_ / divisor); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.si_ / b.si_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double si_ = 0.0;
};

template <int S1, int B1, int F1, int S2, int B2, int F2>
constexpr auto operator*(Quantity<S1, B1, F1> a, Quantity<S2, B2, F2> b) {
  if constexpr (S1 + S2 == 0 && B1 + B2 == 0 && F1 + F2 == 0)
    return a.si() * b.si();
  else
    return Quantity<S1 + S2, B1 + B2, F1 + F2>(a.si() * b.si());
}

template <int S1, int B1, int F1, int S2, int B2, int F2>
constexpr auto operator/(Quantity<S1, B1, F1> a, Quantity<S2, B2, F2> b) {
  return Quantity<S1 - S2, B1 - B2, F1 - F2>(a.si() / b.si());
}

using Seconds = Quantity<1, 0, 0>;
using Bytes = Quantity<0, 1, 0>;
using Flops = Quantity<0, 0, 1>;
using BytesPerSecond = Quantity<-1, 1, 0>;
using PerSecond = Quantity<-1, 0, 0>;
using SecondsPerByte = Quantity<1, -1, 0>;
using FlopsPerSecond = Quantity<-1, 0, 1>;

/// Electric power. No model formula combines it with time, data or work, so it is no Quantity.
class Watts {
 public:
  constexpr Watts() = default;
  constexpr explicit Watts(double si) : si_(si) {}
  constexpr double si() const { return si_; }
  friend constexpr auto operator<=>(Watts, Watts) = default;

 private:
  double si_ = 0.0;
};

inline namespace literals {
constexpr Seconds operator""_s(long double v) { return Seconds(static_cast<double>(v)); }
constexpr Seconds operator""_s(unsigned long long v) { return Seconds(static_cast<double>(v)); }
constexpr Seconds operator""_ms(long double v) { return Seconds(static_cast<double>(v) * 1e-3); }
constexpr Seconds operator""_ms(unsigned long long v) { return Seconds(static_cast<double>(v) * 1e-3); }
constexpr Seconds operator""_us(long double v) { return Seconds(static_cast<double>(v) * 1e-6); }
constexpr Seconds operator""_us(unsigned long long v) { return Seconds(static_cast<double>(v) * 1e-6); }
constexpr Bytes operator""_B(unsigned long long v) { return Bytes(static_cast<double>(v)); }
constexpr Bytes operator""_KiB(unsigned long long v) { return Bytes(static_cast<double>(v) * 1024.0); }
constexpr Bytes operator""_MiB(unsigned long long v) { return Bytes(static_cast<double>(v) * 1048576.0); }
constexpr BytesPerSecond operator""_GBps(long double v) { return BytesPerSecond(static_cast<double>(v) * 1e9); }
constexpr BytesPerSecond operator""_GBps(unsigned long long v) { return BytesPerSecond(static_cast<double>(v) * 1e9); }
constexpr Flops operator""_flop(unsigned long long v) { return Flops(static_cast<double>(v)); }
}  // namespace literals

}  // namespace orrery
