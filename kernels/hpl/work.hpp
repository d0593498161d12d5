/// Local work of HPL as compute steps: kind, flops, shape and memory traffic of each routine it calls.
///
///   dgemm    M x N += M x K K x N        2 M N K     shape M, N, K
///   dtrsm    M x M, N right-hand sides   N M^2       shape M, N
///   dtrsv    N x N                       N^2         shape N, N
///   dgemv    M x N                       2 M N       shape M, N     (also the rank-1 update dger)
///   dscal, idamax, daxpy  M              M, M, 2 M   shape M, 1
///   dlacpy, dlatcpy, dlaswp*             0           shape M, N: copies
///
/// The caller leaves out a step of no elements: `if (any(place, m, n)) co_yield ...`.
#pragma once

#include "kernels/hpl/plan.hpp"

namespace orrery::hpl {

/// Whether there is work of this size at all.
inline bool any(const GridPosition& place, double m, double n = 1.0) {
  return place.plan.computes && m > 0.0 && n > 0.0;
}

inline Step dgemm(double m, double n, double k) {
  return compute(Work::dgemm, Flops(2.0 * m * n * k), {m, n, k}, doubles(2.0 * m * n + m * k + k * n));
}
/// `right_sides` rows (or columns) solved with a triangle of order n.
inline Step dtrsm(double right_sides, double n) {
  return compute(Work::dtrsm, Flops(right_sides * n * n), {n, right_sides},
                 doubles(2.0 * right_sides * n + n * n / 2.0));
}
inline Step dtrsv(double n) { return compute(Work::dtrsv, Flops(n * n), {n, n}, doubles(n * n / 2.0)); }
inline Step dgemv(double m, double n) { return compute(Work::dgemv, Flops(2.0 * m * n), {m, n}, doubles(m * n)); }
inline Step dscal(double m) { return compute(Work::dscal, Flops(m), {m, 1.0}, doubles(2.0 * m)); }
inline Step idamax(double m) { return compute(Work::idamax, Flops(m), {m, 1.0}, doubles(m)); }
inline Step daxpy(double m) { return compute(Work::daxpy, Flops(2.0 * m), {m, 1.0}, doubles(3.0 * m)); }
inline Step copy_rows(Work work, double m, double n) { return compute(work, Flops(0.0), {m, n}, doubles(2.0 * m * n)); }

}  // namespace orrery::hpl
