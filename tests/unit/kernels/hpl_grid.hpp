// Grids of HPL in tests: shares of the matrix counted one block at a time, and what a program of it sends.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"

namespace orrery::test::hpl {

struct Grid {
  std::uint32_t n, nb, p, q;

  Words words(const Words& more = {}) const {
    Words all{{"order", std::to_string(n)},
              {"block", std::to_string(nb)},
              {"p", std::to_string(p)},
              {"q", std::to_string(q)}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::unique_ptr<Program> program(const Words& more = {}) const { return make_kernel("hpl", words(more), p * q); }
  std::uint32_t panels() const { return (n + nb - 1) / nb; }
  std::uint32_t width(std::uint32_t k) const { return std::min(nb, n - k * nb); }
  /// Of columns (or rows) first .. last - 1, those that process i of `count` owns.
  std::uint32_t owned(std::uint32_t first, std::uint32_t last, std::uint32_t i, std::uint32_t count) const {
    std::uint32_t result = 0;
    for (std::uint32_t x = first; x < last; ++x) result += x / nb % count == i;
    return result;
  }
  /// Columns that process column c still has to update with panel k, the right-hand side among them.
  std::uint32_t to_update(std::uint32_t k, std::uint32_t c) const { return owned(k * nb + width(k), n + 1, c, q); }
};

inline const std::vector<Grid> grids{{29, 4, 1, 1}, {29, 4, 2, 2}, {29, 4, 4, 2}, {32, 4, 3, 4}, {40, 8, 5, 3},
                                     {45, 8, 7, 1}, {37, 5, 1, 6}, {64, 8, 8, 3}, {50, 7, 6, 2}, {33, 4, 11, 2}};

struct Sum {
  double messages = 0.0, bytes = 0.0;
  bool operator==(const Sum&) const = default;
};

/// Messages of all ranks whose tag is in [from, to); trains count one by one.
inline Sum messages(const Program& program, Tag from, Tag to) {
  Sum sum;
  for (const auto& steps : record(program).steps)
    for (const Step& step : steps) {
      const Send* sent = std::get_if<Send>(&step);
      if (const auto* isend = std::get_if<Isend>(&step)) sent = &isend->send;
      if (sent == nullptr || sent->tag < from || sent->tag >= to) continue;
      sum.messages += sent->repeat;
      sum.bytes += sent->repeat * sent->message.si();
    }
  return sum;
}
inline Sum messages(const Program& program, Tag tag) {
  return messages(program, tag, Tag{static_cast<std::uint32_t>(tag) + 1});
}
inline Sum panel_messages(const Program& program) { return messages(program, Tag{16}, any_tag); }

inline double flops(const Program& program, const std::function<bool(Work)>& counts) {
  double sum = 0.0;
  for (const auto& steps : record(program).steps)
    for (const Step& step : steps)
      if (const auto* work = std::get_if<Compute>(&step))
        if (counts(work->work)) sum += work->flops.si();
  return sum;
}

inline double log2_of(std::uint32_t power) { return std::countr_zero(power); }

/// Sum over panels of what one panel costs.
inline Sum over_panels(const Grid& grid, const std::function<Sum(std::uint32_t k)>& of_panel) {
  Sum sum;
  for (std::uint32_t k = 0; k < grid.panels(); ++k) {
    const Sum one = of_panel(k);
    sum.messages += one.messages;
    sum.bytes += one.bytes;
  }
  return sum;
}

/// The bytes of one broadcast in process row r.
inline double panel_bytes(const Grid& grid, std::uint32_t k, std::uint32_t r) {
  const double jb = grid.width(k), below = grid.owned(k * grid.nb + grid.width(k), grid.n, r, grid.p);
  return 8.0 * (below * jb + jb * jb + jb + 1.0);
}

}  // namespace orrery::test::hpl
