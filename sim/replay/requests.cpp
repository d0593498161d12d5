#include "sim/replay/requests.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace orrery::replay {

Requests::Index Requests::find(Index number) const {
  if (number < direct) return has(number + 1, Mark::open) ? number + 1 : none;
  if (!tabled()) {
    for (Index slot = first_; slot != none; slot = at(slot).next)
      if (at(slot).number == number) return slot;
    return none;
  }
  const std::size_t mask = table_->cells.size() - 1;
  for (std::size_t cell = home(number); table_->cells[cell] != none; cell = (cell + 1) & mask)
    if (at(table_->cells[cell]).number == number) return table_->cells[cell];
  return none;
}

Requests::Index Requests::open(Index number, bool is_receive) {
  const Index slot = number < direct ? number + 1 : listed_slot();
  assert(slot > direct || !has(slot, Mark::open));
  if (slot > direct) {
    at(slot).marks = 0;
    at(slot).number = number;
    list(slot);
  }
  mark(slot, Mark::open);
  if (is_receive) mark(slot, Mark::receive);
  return slot;
}

Requests::Index Requests::listed_slot() {
  if (free_ != none) return std::exchange(free_, at(free_).next);
  listed_.emplace_back();
  return static_cast<Index>(listed_.size() - 1) + first_listed;
}

void Requests::list(Index slot) {
  at(slot).previous = none;
  at(slot).next = first_;
  if (first_ != none) at(first_).previous = slot;
  first_ = slot;
  ++count_;
  if (count_ == scanned_max + 1)
    build_table(std::size_t{4} * scanned_max);
  else if (tabled())
    insert(slot);
}

void Requests::close(Index slot) {
  if (slot <= direct) return clear(slot);
  Listed& closed = at(slot);
  if (tabled()) erase(slot);
  --count_;
  if (closed.previous == none)
    first_ = closed.next;
  else
    at(closed.previous).next = closed.next;
  if (closed.next != none) at(closed.next).previous = closed.previous;
  closed.next = std::exchange(free_, slot);
}

void Requests::build_table(std::size_t cells) {
  if (table_ == nullptr) table_ = std::make_unique<Table>();
  table_->cells.assign(std::max(cells, table_->cells.size()), none);
  for (Index slot = first_; slot != none; slot = at(slot).next) insert(slot);
}

void Requests::insert(Index slot) {
  if (2 * std::size_t{count_} > table_->cells.size()) return build_table(4 * table_->cells.size());
  const std::size_t mask = table_->cells.size() - 1;
  std::size_t cell = home(at(slot).number);
  while (table_->cells[cell] != none) cell = (cell + 1) & mask;
  table_->cells[cell] = slot;
}

void Requests::erase(Index slot) {
  std::vector<Index>& cells = table_->cells;
  const std::size_t mask = cells.size() - 1;
  std::size_t gap = home(at(slot).number);
  while (cells[gap] != slot) gap = (gap + 1) & mask;
  for (std::size_t cell = (gap + 1) & mask; cells[cell] != none; cell = (cell + 1) & mask) {
    const std::size_t wanted = home(at(cells[cell]).number);
    if (((cell - wanted) & mask) < ((cell - gap) & mask)) continue;  // it may not move before its home
    cells[gap] = cells[cell];
    gap = cell;
  }
  cells[gap] = none;
}

}  // namespace orrery::replay
