/// Work of a product C = A B of n x n matrices with a share s of non-zeros, column by column of B.
///
///   of a column j of B           expected                  drawn
///   given[j]      non-zeros      s n                       those of B
///   collected[j]  of C           n (1 - exp(-s^2 n))       rows that any A[., k] with B[k, j] != 0 has
///   products[j]                  s^2 n^2                   sum of the non-zeros of those A[., k]
///   searched[j]   comparisons    s n^2 log2(1 + s n)       non-zeros of A, times log2(1 + given[j])
///
/// Randomized matrices have round(s n^2) non-zeros each, at uniformly random places without replacement, from `seed`; A
/// and B differ. The same seed gives the same matrices everywhere: it uses integers only.
///
/// Source   Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 4.2: "we randomly
///          generate two sparse matrices with a specified sparseness [...] and a seed parameter, for repeatability"
/// Checked  tests/unit/kernels/spmm_test.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

struct ProductCounts {
  double of_a = 0.0;  ///< non-zeros
  /// [n + 1] sum over the columns before: given[j] is given_before[j + 1] - given_before[j].
  std::vector<double> given_before, collected_before, products_before, searched_before;
};

/// Cached for later calls with the same arguments. Throws InputError if it would take minutes.
std::shared_ptr<const ProductCounts> drawn_product(std::uint32_t n, double density, std::uint64_t seed);

}  // namespace orrery
