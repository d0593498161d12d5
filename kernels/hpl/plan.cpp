#include "kernels/hpl/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/core/error.hpp"

namespace orrery::hpl {

namespace {

std::uint32_t whole(const Parameters& parameters, const char* name) {
  return static_cast<std::uint32_t>(parameters.integer(name));
}

/// Parameters have no other words than those of their table.
template <class E, std::size_t count>
E word(const Parameters& parameters, const char* name, const Word<E> (&words)[count]) {
  return meaning_of(words, parameters.text(name)).value();
}

/// A grid for so many ranks: what is not given follows from the rest, as square as possible with P <= Q.
void fit_grid(Plan& plan, std::uint32_t ranks) {
  if (plan.p == 0 && plan.q == 0) {
    plan.p = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(ranks)));
    while (plan.p > 1 && ranks % plan.p != 0) --plan.p;
    plan.p = std::max(plan.p, 1u);
  }
  if (plan.p == 0) plan.p = std::max(1u, ranks / plan.q);
  if (plan.q == 0) plan.q = std::max(1u, ranks / plan.p);
  if (std::uint64_t{plan.p} * plan.q != ranks)
    throw InputError(
        "hpl: a grid of {} x {} has {} processes, the run has {} ranks (they must agree). Set 'p' and 'q' "
        "to divisors of {}?",
        plan.p, plan.q, std::uint64_t{plan.p} * plan.q, ranks, ranks);
}

}  // namespace

Plan::Plan(const Parameters& parameters, std::uint32_t ranks)
    : order(whole(parameters, "order")),
      block(whole(parameters, "block")),
      p(whole(parameters, "p")),
      q(whole(parameters, "q")),
      row_major(parameters.text("mapping") == "row"),
      panel_factorisation(word(parameters, "pfact", factorisation_words)),
      recursive_factorisation(word(parameters, "rfact", factorisation_words)),
      recursion_stops(whole(parameters, "nbmin")),
      divisions(whole(parameters, "ndiv")),
      broadcast(word(parameters, "bcast", broadcast_words)),
      depth(whole(parameters, "depth")),
      swap(word(parameters, "swap", swap_words)),
      swap_threshold(whole(parameters, "threshold")),
      pivots(word(parameters, "pivots", pivot_words)),
      pivot_seed(static_cast<std::uint64_t>(parameters.integer("pivot-seed"))),
      copies_rows(parameters.boolean("copy-rows")),
      copies_panel(parameters.boolean("copy-panel")),
      collapses_pivots(parameters.boolean("collapse-pivots")),
      computes(parameters.boolean("compute")),
      marks_panels(parameters.text("marks") == "panels") {
  fit_grid(*this, ranks);
}

std::uint32_t numroc(std::uint32_t n, std::uint32_t block, std::uint32_t distance, std::uint32_t processes) {
  const std::uint32_t blocks = n / block, last = blocks % processes;
  const std::uint32_t whole_blocks = blocks / processes * block;
  if (distance < last) return whole_blocks + block;
  return distance == last ? whole_blocks + n % block : whole_blocks;
}

std::uint32_t numroc_before(std::uint32_t n, std::uint32_t block, std::uint32_t distance, std::uint32_t processes) {
  const std::uint32_t blocks = n / block, last = blocks % processes;
  return (blocks / processes * distance + std::min(distance, last)) * block + (distance > last ? n % block : 0);
}

Panel::Panel(const GridPosition& place, std::uint32_t number)
    : k(number),
      j(number * place.plan.block),
      jb(std::min(place.plan.block, place.plan.order - j)),
      rows(place.plan.order - j),
      row(number % place.plan.p),
      column(number % place.plan.q),
      from_row(ring_distance(row, place.row, place.plan.p)),
      from_column(ring_distance(column, place.column, place.plan.q)),
      mine(numroc(rows, place.plan.block, from_row, place.plan.p)),
      below(mine - (from_row == 0 ? jb : 0)) {}

Bytes Panel::message() const {
  const double width = jb;
  return doubles(static_cast<double>(below) * width + width * width + width + 1.0);
}

std::uint32_t columns_from(const GridPosition& place, std::uint32_t k) {
  const Plan& plan = place.plan;
  const std::uint32_t j = std::min(k * plan.block, plan.order);
  if (j == plan.order && plan.order % plan.block != 0)  // only the right-hand side, inside the last block
    return ring_distance((k - 1) % plan.q, place.column, plan.q) == 0 ? 1 : 0;
  return numroc(plan.order + 1 - j, plan.block, ring_distance(k % plan.q, place.column, plan.q), plan.q);
}

Tree::Tree(std::uint32_t process, std::uint32_t processes)
    : me(process),
      n(processes),
      span(processes > 1 ? std::bit_floor(processes - 1) : 0),
      mask(2 * span - (span > 0 ? 1 : 0)),
      first(span),
      rest(process) {}

void Tree::advance() {
  mask ^= span;
  const bool far = rest >= span;
  if (far) rest -= span;
  span /= 2;
  if (far)
    first += span;
  else
    first -= span;
}

}  // namespace orrery::hpl
