#include "sim/core/portable_math.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace orrery::portable {

namespace {

// ln 2 in two parts, the first with zeros at its end: its product with a whole number up to 2,000 is exact.
constexpr double ln2 = 0.693147180559945309417, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
constexpr double half_pi = 1.57079632679489661923, ln_two_pi = 1.83787706640934548356;

/// 1 / (2 i + 1), i = 0, 1, ...: artanh s = s (1 + s^2/3 + ...).
template <std::size_t N>
constexpr std::array<double, N> odd_reciprocals() {
  std::array<double, N> of{};
  for (std::size_t i = 0; i < N; ++i) of[i] = 1.0 / (2.0 * static_cast<double>(i) + 1.0);
  return of;
}
/// 1 / i!, exact factorials up to 18!.
template <std::size_t N>
constexpr std::array<double, N> factorial_reciprocals() {
  std::array<double, N> of{};
  double factorial = 1.0;
  for (std::size_t i = 0; i < N; ++i) {
    of[i] = 1.0 / factorial;
    factorial *= static_cast<double>(i) + 1.0;
  }
  return of;
}
constexpr auto odd = odd_reciprocals<12>();
constexpr auto inverse = factorial_reciprocals<19>();

/// x = 2^k (1 + f), with 1 + f in [sqrt(1/2), sqrt 2); log(1 + f) = f - rest.
struct Split {
  int k;
  double f, rest;
};
Split split(double x) {
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --k;
  }
  const double f = m - 1.0, s = f / (2.0 + f), z = s * s;
  double sum = odd.back();
  for (std::size_t i = odd.size() - 1; i-- > 1;) sum = odd[i] + z * sum;
  return {k, f, s * (f - 2.0 * z * sum)};
}

/// 2^n (1 + less), with less = exp(r) - 1.
struct Power {
  int n;
  double less;
};
Power power(double x) {
  const double n = std::floor(x / ln2 + 0.5), r = (x - n * ln2_high) - n * ln2_low;
  double sum = inverse[14];
  for (std::size_t i = 14; i-- > 2;) sum = inverse[i] + r * sum;
  return {static_cast<int>(n), r + r * r * sum};
}

}  // namespace

double log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  const auto [k, f, rest] = split(x);
  return k * ln2_high - ((rest - k * ln2_low) - f);
}

double log2(double x) {
  if (!(x > 0.0) || std::isinf(x)) return log(x);
  const auto [k, f, rest] = split(x);
  return k + (f - rest) / ln2;
}

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 710.0) return std::numeric_limits<double>::infinity();
  if (x < -746.0) return 0.0;
  const auto [n, less] = power(x);
  return std::ldexp(1.0 + less, n);
}

double expm1(double x) {
  if (!(x < 710.0) || x < -746.0) return exp(x) - 1.0;
  const auto [n, less] = power(x);
  return n == 0 ? less : std::ldexp(1.0 + less, n) - 1.0;
}

double pow(double x, double y) {
  constexpr double squared_up_to = 64.0;
  if (std::floor(y) == y && std::abs(y) <= squared_up_to) {
    double product = 1.0, square = x;
    for (int left = static_cast<int>(std::abs(y)); left > 0; left /= 2) {
      if (left % 2 == 1) product *= square;
      square *= square;
    }
    return y < 0.0 ? 1.0 / product : product;
  }
  if (y == 0.5) return std::sqrt(x);
  if (x == 0.0) return y > 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  return exp(y * log(x));
}

double cbrt(double x) {
  if (x == 0.0 || !std::isfinite(x)) return x;
  const double a = std::abs(x), first = exp(log(a) / 3.0);
  const double root = first - (first * first * first - a) / (3.0 * first * first);  // one step of Newton's
  return x < 0.0 ? -root : root;
}

double gamma(double x) {
  double below = 1.0;
  for (; x < 20.0; x += 1.0) below *= x;
  const double z = 1.0 / (x * x);
  const double rest = (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z / 1188.0)))) / x;
  return exp((x - 0.5) * log(x) - x + 0.5 * ln_two_pi + rest) / below;
}

double cos_turns(double v) {
  const double quarter = std::floor(4.0 * v + 0.5), angle = (4.0 * v - quarter) * half_pi, z = angle * angle;
  const int q = static_cast<int>(quarter) & 3;
  const std::size_t first = q % 2 == 0 ? 0 : 1;  // cosine: terms of even powers; sine: of odd ones
  double sum = inverse[16 + first];
  for (std::size_t i = 16 + first; i > first;) sum = inverse[i -= 2] - z * sum;
  if (first == 1) sum *= angle;
  return q == 1 || q == 2 ? -sum : sum;
}

double normal(double u, double v) { return std::sqrt(-2.0 * log(u)) * cos_turns(v); }

}  // namespace orrery::portable
