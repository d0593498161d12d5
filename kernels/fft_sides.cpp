#include "kernels/fft_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

/// N = 2^m on 2^k ranks, as HPCC chooses the sides.
std::array<std::uint64_t, 3> split(std::uint32_t m, std::uint32_t ranks) {
  if (!std::has_single_bit(ranks))
    throw InputError("fft: 'log2-points' on {} ranks (a power of two). Give 'nx', 'ny' and 'nz'?", ranks);
  const std::uint32_t p = static_cast<std::uint32_t>(std::bit_width(ranks)) - 1;
  const std::uint32_t z = std::max(p, (m + 1) / 3), x = m > z ? std::max(p, (m - z + 1) / 2) : p;
  if (x + z > m)
    throw InputError("fft: 'log2-points' is {} on {} ranks (at least {}). Write '{}'?", m, ranks, 2 * p,
                     std::max(2 * p, 2u));
  return {std::uint64_t{1} << x, std::uint64_t{1} << (m - x - z), std::uint64_t{1} << z};
}

}  // namespace

std::array<std::uint64_t, 3> fft_sides(const Parameters& parameters, std::uint32_t ranks) {
  if (parameters.text("form") == "six-step")
    if (const auto m = parameters.integer("log2-points"); m > 0) return split(static_cast<std::uint32_t>(m), ranks);
  std::array<std::uint64_t, 3> sides{};
  for (std::size_t d = 0; d < 3; ++d)
    sides[d] = static_cast<std::uint64_t>(parameters.integer(std::string("n") + "xyz"[d]));
  return sides;
}

}  // namespace orrery
