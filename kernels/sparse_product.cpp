#include "kernels/sparse_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery {

namespace {

constexpr double products_max = 1e10, entries_max = 1e8;  // half a minute, a gigabyte

/// splitmix64: Steele, Lea & Flood, OOPSLA 2014.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Rows of the non-zeros, column by column.
struct SparseMatrix {
  std::vector<std::uint64_t> begin;  ///< [columns + 1]
  std::vector<std::uint32_t> rows;

  std::uint64_t in_column(std::uint64_t j) const { return begin[j + 1] - begin[j]; }
};

SparseMatrix drawn(std::uint32_t n, std::uint64_t entries, std::uint64_t stream) {
  std::vector<std::uint64_t> places;
  std::uint64_t draw = 0;
  while (places.size() < entries) {  // those drawn twice are drawn again
    for (std::uint64_t left = entries - places.size(); left > 0; --left) {
      const std::uint64_t bits = mixed(stream + draw++);
      // Upper halves of 32 random bits times n, for column and row: all cells alike, to n / 2^32.
      const std::uint64_t column = ((bits >> 32) * n) >> 32, row = ((bits & 0xffffffffu) * n) >> 32;
      places.push_back(column * n + row);
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }
  SparseMatrix matrix{std::vector<std::uint64_t>(std::size_t{n} + 1, 0), {}};
  matrix.rows.reserve(places.size());
  for (const std::uint64_t place : places) {
    ++matrix.begin[place / n + 1];
    matrix.rows.push_back(static_cast<std::uint32_t>(place % n));
  }
  for (std::uint32_t j = 0; j < n; ++j) matrix.begin[j + 1] += matrix.begin[j];
  return matrix;
}

ProductCounts counts_of(const SparseMatrix& a, const SparseMatrix& b, std::uint32_t n) {
  ProductCounts counts{static_cast<double>(a.rows.size()), {0.0}, {0.0}, {0.0}, {0.0}};
  std::vector<std::uint32_t> seen(n, n);  // the last column of C that has this row
  for (std::uint32_t j = 0; j < n; ++j) {
    std::uint64_t products = 0, filled = 0;
    for (std::uint64_t at = b.begin[j]; at < b.begin[j + 1]; ++at) {
      const std::uint32_t k = b.rows[at];
      products += a.in_column(k);
      for (std::uint64_t i = a.begin[k]; i < a.begin[k + 1]; ++i) {
        filled += seen[a.rows[i]] != j;
        seen[a.rows[i]] = j;
      }
    }
    const auto given = static_cast<double>(b.in_column(j));
    counts.given_before.push_back(counts.given_before.back() + given);
    counts.collected_before.push_back(counts.collected_before.back() + static_cast<double>(filled));
    counts.products_before.push_back(counts.products_before.back() + static_cast<double>(products));
    counts.searched_before.push_back(counts.searched_before.back() + counts.of_a * portable::log2(1.0 + given));
  }
  return counts;
}

}  // namespace

std::shared_ptr<const ProductCounts> drawn_product(std::uint32_t n, double density, std::uint64_t seed) {
  const double size = n, entries = density * size * size, products = density * density * size * size * size;
  if (products > products_max || entries > entries_max)
    throw InputError(
        "spmm: matrices with 'seed' are drawn, and with {} columns and a density of {:g} have "
        "{:.2g} non-zeros and {:.2g} products (at most {:g} and {:g}). Leave 'seed' at 0 for "
        "expected counts?",
        n, density, entries, products, entries_max, products_max);
  using Key = std::tuple<std::uint32_t, double, std::uint64_t>;
  static std::mutex guard;
  static std::vector<std::pair<Key, std::shared_ptr<const ProductCounts>>> kept;
  constexpr std::size_t kept_max = 4;
  const Key key{n, density, seed};
  const std::lock_guard lock(guard);
  for (const auto& [known, counts] : kept)
    if (known == key) return counts;
  const auto whole = static_cast<std::uint64_t>(std::llround(entries));
  auto counts = std::make_shared<const ProductCounts>(
      counts_of(drawn(n, whole, mixed(2 * seed)), drawn(n, whole, mixed(2 * seed + 1)), n));
  if (kept.size() == kept_max) kept.erase(kept.begin());
  kept.emplace_back(key, counts);
  return counts;
}

}  // namespace orrery
