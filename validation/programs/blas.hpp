/// The BLAS that was found when this was built, on one thread: ranks are as many as cores.
#pragma once

#include <cstddef>

namespace orrery::programs::blas {

/// Throws InputError with the package that is missing where this was built without a BLAS. `where`: who needs it.
void require(const char* where);

/// One part of a matrix by columns: `at` its first element, `next` from one column to the next.
struct Part {
  double* at = nullptr;
  std::size_t next = 0;
};
struct ConstPart {
  const double* at = nullptr;
  std::size_t next = 0;

  ConstPart(const double* first, std::size_t to_next) : at(first), next(to_next) {}
  ConstPart(Part part) : at(part.at), next(part.next) {}
};

/// C += sign A B;  C is m x n, A m x k
void multiply(std::size_t m, std::size_t n, std::size_t k, double sign, ConstPart a, ConstPart b, Part c);
/// X = L^-1 X;  L lower triangular of order m with ones on its diagonal, X m x n
void solve_lower(std::size_t m, std::size_t n, ConstPart l, Part x);
/// x = U^-1 x;  U upper triangular of order n
void solve_upper(std::size_t n, ConstPart u, double* x);
/// y += sign A x;  A m x n
void multiply_vector(std::size_t m, std::size_t n, double sign, ConstPart a, const double* x, double* y);
/// Where the element of the greatest magnitude is.
std::size_t greatest(std::size_t n, const double* x);

/// The file of the library, "" without one.
const char* name();

}  // namespace orrery::programs::blas
