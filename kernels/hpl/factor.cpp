// Panel factorisation (HPL_pdfact): recursive over columns (rfact), down to panels of NBMIN columns that are factored
// one column after another (pfact). Triangular solves are replicated in every process row; products are local.
//
//   recursion on n columns, in parts of ceil(ceil(n / NBMIN) / NDIV) NBMIN; part of b columns after jj others:
//     left    dtrsm b x jj;  dgemm m x b x jj;  part;                                                 dlatcpy
//     crout                  dgemm m x b x jj;  part;  dgemm rest x b x jj;  dtrsm rest x b;          dlatcpy
//     right                                     part;  dtrsm rest x b;       dgemm m x rest x b;      dlatcpy
//   column c of n:  pivot exchange;  left: dtrsv c, dscal m, dgemv m x c, idamax m
//                                    crout: dgemv (n-c) x c, dscal m, dgemv m x (c+1), idamax m
//                                    right: dscal m, daxpy m, idamax m, dger m x (n-c-1)
//
// m is the remaining local number of rows; it decreases with every column on the diagonal block's process. dlatcpy
// copies the triangle back there. Rows of the panel (jb numbers, one column apart) are gathered for the exchange - each
// process its candidate, the diagonal block's row also its own one - and the new row is scattered there after it
// (HPL_pdmxswp, HPL_dlocswpT): charged as dlaswp02N, which gathers rows in the same way. Shorter vectors are left out.
#include <algorithm>
#include <cmath>

#include "kernels/hpl/steps.hpp"
#include "kernels/hpl/work.hpp"

namespace orrery::hpl {

namespace {

/// What the columns of collapsed exchanges would have computed one by one.
struct Sums {
  double rows = 0.0;  ///< of the panel, gathered or scattered
  double scaled = 0.0, searched = 0.0, added = 0.0, product = 0.0, solved = 0.0;
};

struct Columns {
  const GridPosition& place;
  const Panel& panel;
  Sums* sums;  ///< null: yield them

  /// Rows below the column at `offset` of the panel.
  double rows_below(std::uint32_t offset) const { return panel.mine - (panel.current_row() ? offset : 0.0); }
  /// Rows to gather before the exchange of that column, and to scatter after it.
  double gathered(std::uint32_t offset) const {
    if (!place.plan.copies_rows) return 0.0;
    return (rows_below(offset) > 0.0 ? 1.0 : 0.0) + scattered();
  }
  double scattered() const { return place.plan.copies_rows && panel.current_row() ? 1.0 : 0.0; }
};

/// Work of column `c` of `n` after its exchange, m rows left, on top of what was summed before.
Sums column_work(Factorisation factorisation, double m, double n, double c) {
  Sums work;
  work.scaled = m;
  const bool last = c + 1.0 == n;
  if (last) return work;
  work.searched = m;
  switch (factorisation) {
    case Factorisation::left:
      work.solved = (c + 1.0) * (c + 1.0);
      work.product = m * (c + 1.0);
      break;
    case Factorisation::crout:
      work.product = m * (c + 1.0) + (n - c - 1.0) * c;
      break;
    case Factorisation::right:
      work.added = m;
      work.product = m * (n - c - 2.0);
      break;
  }
  return work;
}

Generator<Step> do_work(const GridPosition& place, const Sums work, double width) {
  if (any(place, work.solved)) co_yield dtrsv(std::sqrt(work.solved));
  if (any(place, work.scaled)) co_yield dscal(work.scaled);
  if (any(place, work.added)) co_yield daxpy(work.added);
  if (any(place, work.product)) co_yield dgemv(work.product / width, width);
  if (any(place, work.searched)) co_yield idamax(work.searched);
}

/// Columns offset .. offset + n - 1, one after another.
Generator<Step> factor_columns(const Columns columns, std::uint32_t offset, std::uint32_t n) {
  const GridPosition& place = columns.place;
  const Panel& panel = columns.panel;
  if (columns.sums != nullptr)
    columns.sums->searched += columns.rows_below(offset);
  else if (any(place, columns.rows_below(offset)))
    co_yield idamax(columns.rows_below(offset));
  for (std::uint32_t c = 0; c < n; ++c) {
    const double below = columns.rows_below(offset + c) - (panel.current_row() ? 1.0 : 0.0);
    const Sums work = column_work(place.plan.panel_factorisation, std::max(below, 0.0), n, c);
    if (columns.sums != nullptr) {
      Sums& sums = *columns.sums;
      sums.rows += columns.gathered(offset + c) + columns.scattered();
      sums.scaled += work.scaled;
      sums.searched += work.searched;
      sums.added += work.added;
      sums.product += work.product;
      sums.solved += work.solved;
      continue;
    }
    const double gathered = columns.gathered(offset + c), scattered = columns.scattered();
    if (any(place, gathered)) co_yield copy_rows(Work::dlaswp02n, gathered, panel.jb);
    co_yield elements_of(exchange_pivots(place, panel, 1));
    if (any(place, scattered)) co_yield copy_rows(Work::dlaswp02n, scattered, panel.jb);
    co_yield elements_of(do_work(place, work, n));
  }
}

/// Columns offset .. offset + n - 1 of the panel.
Generator<Step> factor_recursively(const Columns columns, std::uint32_t offset, std::uint32_t n) {
  const Plan& plan = columns.place.plan;
  if (n <= plan.recursion_stops) {
    co_yield elements_of(factor_columns(columns, offset, n));
    co_return;
  }
  const std::uint32_t leaves = (n + plan.recursion_stops - 1) / plan.recursion_stops;
  const std::uint32_t part = (leaves + plan.divisions - 1) / plan.divisions * plan.recursion_stops;
  const Factorisation kind = plan.recursive_factorisation;
  for (std::uint32_t before = 0; before < n;) {
    const std::uint32_t width = std::min(part, n - before), rest = n - before - width;
    const double rows = columns.rows_below(offset + before);
    if (kind == Factorisation::left && any(columns.place, width, before)) co_yield dtrsm(width, before);
    if (kind != Factorisation::right && any(columns.place, rows, before)) co_yield dgemm(rows, width, before);
    co_yield elements_of(factor_recursively(columns, offset + before, width));
    const double rows_after = columns.rows_below(offset + before + width);
    if (kind == Factorisation::crout && any(columns.place, rest, before)) co_yield dgemm(rest, width, before);
    if (kind != Factorisation::left && any(columns.place, rest)) co_yield dtrsm(rest, width);
    if (kind == Factorisation::right && any(columns.place, rows_after, rest)) co_yield dgemm(rows_after, rest, width);
    if (columns.panel.current_row() && any(columns.place, offset + before, width))
      co_yield copy_rows(Work::dlatcpy, offset + before, width);
    before += width;
  }
}

}  // namespace

Generator<Step> factor(const GridPosition& place, const Panel& panel) {
  if (!panel.current_column()) co_return;
  Sums sums;
  const Columns columns{place, panel, place.plan.collapses_pivots ? &sums : nullptr};
  if (place.plan.collapses_pivots) co_yield elements_of(exchange_pivots(place, panel, panel.jb));
  co_yield elements_of(factor_recursively(columns, 0, panel.jb));
  if (any(place, sums.rows)) co_yield copy_rows(Work::dlaswp02n, sums.rows, panel.jb);
  if (place.plan.collapses_pivots) co_yield elements_of(do_work(place, sums, place.plan.recursion_stops));
}

}  // namespace orrery::hpl
