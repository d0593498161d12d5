#include "sim/replay/requests.hpp"

#include <cassert>
#include <utility>

namespace orrery::replay {

Requests::Index Requests::find(Index number) const {
  if (number < direct) return (direct_open_ >> number & 1u) == 0 ? none : number + 1;
  if (!tabled()) {
    for (Index slot = first_; slot != none; slot = slots_[slot].next)
      if (slots_[slot].number == number) return slot;
    return none;
  }
  const std::size_t mask = table_->cells.size() - 1;
  for (std::size_t at = home(number); table_->cells[at] != none; at = (at + 1) & mask)
    if (slots_[table_->cells[at]].number == number) return table_->cells[at];
  return none;
}

Requests::Index Requests::open(Index number) {
  const Index slot = number < direct ? number + 1 : listed_slot();
  Request& request = slots_[slot];
  assert(request.phase == Request::Phase::closed);
  request.phase = Request::Phase::open;
  request.awaited = false;
  request.number = number;
  if (number < direct)
    direct_open_ = static_cast<std::uint8_t>(direct_open_ | 1u << number);
  else
    list(slot);
  return slot;
}

Requests::Index Requests::listed_slot() {
  if (free_ != none) return std::exchange(free_, slots_[free_].next);
  slots_.emplace_back();
  return static_cast<Index>(slots_.size() - 1);
}

void Requests::list(Index slot) {
  Request& request = slots_[slot];
  request.previous = none;
  request.next = first_;
  if (first_ != none) slots_[first_].previous = slot;
  first_ = slot;
  ++listed_;
  if (listed_ == scanned_max + 1)
    build_table(std::size_t{4} * scanned_max);
  else if (tabled())
    insert(slot);
}

void Requests::close(Index slot) {
  Request& request = slots_[slot];
  request.phase = Request::Phase::closed;
  request.awaited = false;
  if (slot == blocking) return;
  if (slot <= direct) {
    direct_open_ = static_cast<std::uint8_t>(direct_open_ & ~(1u << (slot - 1)));
    return;
  }
  if (tabled()) erase(slot);
  --listed_;
  if (request.previous == none)
    first_ = request.next;
  else
    slots_[request.previous].next = request.next;
  if (request.next != none) slots_[request.next].previous = request.previous;
  request.next = std::exchange(free_, slot);
}

void Requests::build_table(std::size_t cells) {
  if (table_ == nullptr) table_ = std::make_unique<Table>();
  table_->cells.assign(std::max(cells, table_->cells.size()), none);
  for (Index slot = first_; slot != none; slot = slots_[slot].next) insert(slot);
}

void Requests::insert(Index slot) {
  if (2 * std::size_t{listed_} > table_->cells.size()) return build_table(4 * table_->cells.size());
  const std::size_t mask = table_->cells.size() - 1;
  std::size_t at = home(slots_[slot].number);
  while (table_->cells[at] != none) at = (at + 1) & mask;
  table_->cells[at] = slot;
}

void Requests::erase(Index slot) {
  std::vector<Index>& cells = table_->cells;
  const std::size_t mask = cells.size() - 1;
  std::size_t gap = home(slots_[slot].number);
  while (cells[gap] != slot) gap = (gap + 1) & mask;
  for (std::size_t at = (gap + 1) & mask; cells[at] != none; at = (at + 1) & mask) {
    const std::size_t wanted = home(slots_[cells[at]].number);
    if (((at - wanted) & mask) < ((at - gap) & mask)) continue;  // it may not move before its home
    cells[gap] = cells[at];
    gap = at;
  }
  cells[gap] = none;
}

}  // namespace orrery::replay
