#include "sim/engine/requests.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace orrery::engine {

Slot Requests::find(RequestId number) const {
  if (index(number) < direct) {
    const Slot slot{static_cast<std::uint32_t>(number) + 1};
    return has(slot, Mark::open) ? slot : no_slot;
  }
  if (!tabled()) {
    for (Slot slot = first_; slot != no_slot; slot = at(slot).next)
      if (at(slot).number == number) return slot;
    return no_slot;
  }
  const std::size_t mask = table_->cells.size() - 1;
  for (std::size_t cell = home(number); table_->cells[cell] != no_slot; cell = (cell + 1) & mask)
    if (at(table_->cells[cell]).number == number) return table_->cells[cell];
  return no_slot;
}

Slot Requests::open(RequestId number, bool is_receive) {
  const Slot slot = index(number) < direct ? Slot{static_cast<std::uint32_t>(number) + 1} : listed_slot();
  assert(!is_direct(slot) || !has(slot, Mark::open));
  if (!is_direct(slot)) {
    at(slot).marks = 0;
    at(slot).number = number;
    list(slot);
  }
  mark(slot, Mark::open);
  if (is_receive) mark(slot, Mark::receive);
  return slot;
}

Slot Requests::listed_slot() {
  if (free_ != no_slot) return std::exchange(free_, at(free_).next);
  listed_.emplace_back();
  return Slot{static_cast<std::uint32_t>(listed_.size() - 1) + first_listed};
}

void Requests::list(Slot slot) {
  at(slot).previous = no_slot;
  at(slot).next = first_;
  if (first_ != no_slot) at(first_).previous = slot;
  first_ = slot;
  ++count_;
  if (count_ == scanned_max + 1)
    build_table(std::size_t{4} * scanned_max);
  else if (tabled())
    insert(slot);
}

void Requests::close(Slot slot) {
  if (is_direct(slot)) return clear(slot);
  Listed& closed = at(slot);
  if (tabled()) erase(slot);
  --count_;
  if (closed.previous == no_slot)
    first_ = closed.next;
  else
    at(closed.previous).next = closed.next;
  if (closed.next != no_slot) at(closed.next).previous = closed.previous;
  closed.next = std::exchange(free_, slot);
}

void Requests::build_table(std::size_t cells) {
  if (table_ == nullptr) table_ = std::make_unique<Table>();
  table_->cells.assign(std::max(cells, table_->cells.size()), no_slot);
  for (Slot slot = first_; slot != no_slot; slot = at(slot).next) insert(slot);
}

void Requests::insert(Slot slot) {
  if (2 * std::size_t{count_} > table_->cells.size()) return build_table(4 * table_->cells.size());
  const std::size_t mask = table_->cells.size() - 1;
  std::size_t cell = home(at(slot).number);
  while (table_->cells[cell] != no_slot) cell = (cell + 1) & mask;
  table_->cells[cell] = slot;
}

void Requests::erase(Slot slot) {
  std::vector<Slot>& cells = table_->cells;
  const std::size_t mask = cells.size() - 1;
  std::size_t gap = home(at(slot).number);
  while (cells[gap] != slot) gap = (gap + 1) & mask;
  for (std::size_t cell = (gap + 1) & mask; cells[cell] != no_slot; cell = (cell + 1) & mask) {
    const std::size_t wanted = home(at(cells[cell]).number);
    if (((cell - wanted) & mask) < ((cell - gap) & mask)) continue;  // it may not move before its home
    cells[gap] = cells[cell];
    gap = cell;
  }
  cells[gap] = no_slot;
}

}  // namespace orrery::engine
