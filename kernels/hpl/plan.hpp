/// HPL's data: an N x (N + 1) matrix distributed block-cyclically to a P x Q grid of processes, and HPL's options.
///
///   numroc(n, NB, d, P)   of n rows from the start of a block, those of the process d places after that block's owner
///   panel k               columns j = k NB .. j + jb - 1; owner of its diagonal block: row k mod P, column k mod Q
///
/// Everything about a panel is computed from k: no process keeps lists. Column N is the right-hand side.
///
/// Source   A. Petitet, R. C. Whaley, J. Dongarra & A. Cleary, HPL 2.2, 2016: HPL_grid_init, HPL_numroc,
///          HPL_pdpanel_init
/// Checked  tests/unit/kernels/hpl_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/parameters.hpp"
#include "sim/core/step.hpp"
#include "sim/core/words.hpp"

namespace orrery::hpl {

enum class Factorisation : std::uint8_t { left, crout, right };
enum class Broadcast : std::uint8_t { ring, ring_modified, two_rings, two_rings_modified, spread, spread_modified };
enum class Pivots : std::uint8_t { random, expected };
enum class Swap : std::uint8_t { binary_exchange, spread_roll, mix };

/// The values of parameters; those of HPL.dat in the order of its numbers.
inline constexpr Word<Factorisation> factorisation_words[] = {
    {"left", Factorisation::left}, {"crout", Factorisation::crout}, {"right", Factorisation::right}};
inline constexpr Word<Broadcast> broadcast_words[] = {
    {"1ring", Broadcast::ring},      {"1ringM", Broadcast::ring_modified},
    {"2ring", Broadcast::two_rings}, {"2ringM", Broadcast::two_rings_modified},
    {"long", Broadcast::spread},     {"longM", Broadcast::spread_modified}};
inline constexpr Word<Swap> swap_words[] = {
    {"bin-exch", Swap::binary_exchange}, {"long", Swap::spread_roll}, {"mix", Swap::mix}};
inline constexpr Word<Pivots> pivot_words[] = {{"random", Pivots::random}, {"expected", Pivots::expected}};

struct Plan {
  std::uint32_t order = 0, block = 0;  ///< N, NB
  std::uint32_t p = 1, q = 1;          ///< rows and columns of the process grid
  bool row_major = true;               ///< rank = row * Q + column; else column * P + row
  Factorisation panel_factorisation = Factorisation::left, recursive_factorisation = Factorisation::left;
  std::uint32_t recursion_stops = 2, divisions = 2;  ///< NBMIN, NDIV
  Broadcast broadcast = Broadcast::ring;
  std::uint32_t depth = 0;
  Swap swap = Swap::mix;
  std::uint32_t swap_threshold = 64;
  Pivots pivots = Pivots::random;  ///< location of the pivots
  std::uint64_t pivot_seed = 1;
  bool copies_rows = true;        ///< rows of a panel take time to gather and scatter
  bool copies_panel = true;       ///< the panel is packed before it is broadcast
  bool collapses_pivots = false;  ///< one message train per panel instead of one exchange per column
  bool computes = true;
  bool marks_panels = false;  ///< phases 'panel', 'update' and 'solve' of each panel instead of one

  /// Throws InputError "hpl: ..." if the grid does not have `ranks` processes.
  Plan(const Parameters& parameters, std::uint32_t ranks);

  std::uint32_t panels() const { return (order + block - 1) / block; }
  /// Look-ahead needs a row to broadcast along.
  std::uint32_t looks_ahead() const { return q == 1 ? 0 : depth; }
};

std::uint32_t numroc(std::uint32_t n, std::uint32_t block, std::uint32_t distance, std::uint32_t processes);
/// Total rows of the processes at distances 0 .. distance - 1.
std::uint32_t numroc_before(std::uint32_t n, std::uint32_t block, std::uint32_t distance, std::uint32_t processes);

/// Distance from `from` forward to `to` on a ring of n.
constexpr std::uint32_t ring_distance(std::uint32_t from, std::uint32_t to, std::uint32_t n) {
  return to >= from ? to - from : to + n - from;
}

/// The position of a process in the grid.
struct GridPosition {
  const Plan& plan;
  std::uint32_t row = 0, column = 0;

  GridPosition(const Plan& grid, Rank me)
      : plan(grid),
        row(grid.row_major ? static_cast<std::uint32_t>(me) / grid.q : static_cast<std::uint32_t>(me) % grid.p),
        column(grid.row_major ? static_cast<std::uint32_t>(me) % grid.q : static_cast<std::uint32_t>(me) / grid.p) {}

  Rank at(std::uint32_t r, std::uint32_t c) const { return Rank{plan.row_major ? r * plan.q + c : c * plan.p + r}; }
  /// The process of this column that is `distance` rows after row `from`; the same along this row.
  Rank down(std::uint32_t from, std::uint32_t distance) const { return at((from + distance) % plan.p, column); }
  Rank along(std::uint32_t from, std::uint32_t distance) const { return at(row, (from + distance) % plan.q); }
};

/// Panel k from the view of one process.
struct Panel {
  std::uint32_t k = 0, j = 0, jb = 0;           ///< number, first column, width
  std::uint32_t rows = 0;                       ///< M = N - j: rows of the remaining matrix
  std::uint32_t row = 0, column = 0;            ///< of the process that owns its diagonal block
  std::uint32_t from_row = 0, from_column = 0;  ///< distance of this process from that one
  std::uint32_t mine = 0;                       ///< mp: this process's rows of those M
  std::uint32_t below = 0;                      ///< m2: the same without the diagonal block

  Panel() = default;
  Panel(const GridPosition& place, std::uint32_t number);

  bool current_row() const { return from_row == 0; }
  bool current_column() const { return from_column == 0; }
  /// The message that a process row broadcasts: its rows of L, the triangle of the panel, the pivots and a flag.
  Bytes message() const;
};

/// This process's columns j .. N of the matrix with its right-hand side, j the start of panel `k`.
std::uint32_t columns_from(const GridPosition& place, std::uint32_t k);

/// A binary tree over processes 0 .. n - 1, root 0, in HPL's order: far partners first.
///
///   for (Tree tree(me, n); !tree.done(); tree.advance())
///     if (tree.receives()) ... from tree.partner; else if (tree.sends()) ... to tree.partner
///
/// If pieces 0 .. n - 1 are scattered, a message carries pieces [first, last) of its receiver's subtree.
struct Tree {
  std::uint32_t me, n, span, mask, first, rest;

  Tree(std::uint32_t process, std::uint32_t processes);
  bool done() const { return span == 0; }
  std::uint32_t partner() const { return me ^ span; }
  bool receives() const { return takes_part() && (me & span) != 0; }
  bool sends() const { return takes_part() && (me & span) == 0 && partner() < n; }
  std::uint32_t last() const { return first + span < n ? first + span : n; }
  void advance();

 private:
  bool takes_part() const { return (me & (mask ^ span)) == 0; }
};

/// 8-byte numbers.
inline Bytes doubles(double count) { return Bytes(8.0 * count); }

}  // namespace orrery::hpl
