/// The numerical kernels whose rate is measured: each makes its data once and is then run as often as asked.
///
///   kernel    one iteration                           flops        bytes of its data        work
///   axpy      y += a x                                2 n          2 n w                    daxpy
///   dot       sum of x y                              2 n          2 n w                    ddot
///   scal      x = a x                                 n            n w                      dscal
///   copy      y = x                                   0: n counted 2 n w                    copy
///   swap      x and y change places                   0: n counted 2 n w                    generic
///   asum      sum of |x|                              n            n w                      generic
///   nrm2      root of the sum of x^2                  2 n          n w                      generic
///   stencil   five-point Laplacian of m x m points    6 m^2        2 (m + 2)^2 w            stencil
///   dgemm     C += A B, m x m, by the BLAS found      2 m^3        3 m^2 w                  dgemm
///
///   n, m  elements, order      w  8 bytes (d...) or 4 (s...) of an element
///
/// BLAS-1 kernels have a prefix for the precision (daxpy, saxpy). All are loops here but dgemm, which needs a BLAS at
/// build time and says so without one. What moves and computes nothing counts an operation for each element, so that
/// rates compare.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, sections 4.1 and 4.2 (single precision, ATLAS)
/// Differs  loops as the compiler makes them instead of ATLAS: what a kernel of a simulated program is
/// Checked  tests/unit/validation/compute_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::rates {

/// Data in place, ready to be run.
class PreparedKernel {
 public:
  virtual ~PreparedKernel() = default;
  virtual void run(std::uint64_t iterations) = 0;
  /// Something of the result, so that no run is optimised away and tests can see it.
  virtual double check() const = 0;
};

struct RateKernel {
  std::string name, work, summary;
  std::function<double(std::uint64_t n)> flops, bytes;  ///< of one iteration on n elements (order n)
  std::function<std::uint64_t(double bytes)> size;      ///< the largest n whose data takes so many bytes, 1 at least
  std::function<std::unique_ptr<PreparedKernel>(std::uint64_t n)> make;
};

/// All that this build has.
const std::vector<RateKernel>& rate_kernels();
/// Throws InputError with the known names, and for dgemm without a BLAS with what is missing.
const RateKernel& rate_kernel(std::string_view name, std::string_view where);
/// The file of the library that dgemm is of; empty: none.
std::string blas_name();

/// Seconds that so many iterations take, by the steady clock.
double seconds_of(PreparedKernel& kernel, std::uint64_t iterations);

}  // namespace orrery::rates
