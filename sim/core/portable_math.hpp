/// Functions whose last digit is the same on every machine: they add, multiply, divide and take square roots alone, in a fixed order.
///
///   log x          k ln 2 + f - s (f - R)      x = 2^k (1 + f), s = f / (2 + f), R = 2 s^2/3 + 2 s^4/5 + ... : 2 artanh s
///   exp x          2^n (1 + r + r^2/2! + ...)  n the nearest to x / ln 2, r = x - n ln 2
///   pow(x, y)      by squaring for whole y up to 64, else exp(y log x)
///   gamma x        Stirling's series from 20 on, below it divided by x (x + 1) ...
///   cos_turns v    cos 2 pi v, v in [0, 1)
///   normal(u, v)   sqrt(-2 log u) cos 2 pi v: standard normal, of u and v that are uniform in (0, 1)
///
///   s, f, k, n, r  1  as above, |s| <= 0.172, |r| <= 0.347; series end where the next term is below half of the last digit
///
/// Those of the system's library differ: glibc takes fused multiply-adds where the processor has them, wasi-libc never does, and their
/// cosines and roots are other algorithms. Of 200,000 arguments log differs for 28, exp for 143, cos for 6,190, cbrt for 113,767 - and log for
/// 28 between two computers with glibc. Simulated times, draws and models use these, which the ctest architecture.math_is_portable holds;
/// compilers are kept from fusing multiplications and additions in the root's CMakeLists.txt.
///
/// Source   series: Abramowitz & Stegun, Handbook of mathematical functions, 1964, 4.1.27, 4.2.1, 4.3.65, 4.3.66, 6.1.41; splitting ln 2: Cody &
///          Waite, Software manual for the elementary functions, 1980; normal: Box & Muller, Ann. Math. Stat. 29, 1958
/// Valid    log, exp, cbrt within 1 unit of the last digit, log2 within 2, expm1 within 4, pow within 2 max(1, |y log x|); cos_turns within 2e-16;
///          gamma of [1, 170] within 3e-13 of itself
/// Checked  tests/unit/core/portable_math_test.cpp; the bits in a browser: tests/web/same_bits.mjs
#pragma once

namespace orrery::portable {

double log(double x);   ///< of more than 0
double log2(double x);  ///< exact for powers of two
double exp(double x);
double expm1(double x);  ///< exp(x) - 1
double pow(double x, double y);
double cbrt(double x);
double gamma(double x);
double cos_turns(double v);
double normal(double u, double v);

}  // namespace orrery::portable
