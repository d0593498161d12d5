// Which resource held each class back when, as long as a flow of it may ask: the latest in one cache line, those before
// chained in one pool, latest first.
#include <algorithm>

#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

namespace {

constexpr int looked_back_max = 64;  // changes: of a flow that saw more, the earliest of these stands for all before

/// The flow was held back by this resource between these dates; those from `first` on are its own.
inline double held_since(double begin, double end, ResourceId id, std::size_t first, std::vector<Hold>& by) {
  if (!(end > begin)) return end;
  for (std::size_t k = first; k < by.size(); ++k)
    if (by[k].by == id) {
      by[k].seconds += end - begin;
      return begin;
    }
  by.push_back({id, end - begin});
  return begin;
}

}  // namespace

void Sharing::remember(ClassId i, ResourceIndex bottleneck) {
  if (memories_.size() < classes_.size()) memories_.resize(2 * classes_.size());
  ClassMemory& memory = memories_[i];
  if (memory.ended >= 0.0) {
    if (memory.ended < now_) {  // flows that ended before this instant have all asked
      forget(memory.before);
      memory.count = 0;
    }
    memory.ended = -1.0;
  }
  if (memory.count > 0) {
    const std::uint32_t latest = memory.count - 1;
    if (memory.by[latest] == bottleneck) return;
    if (memory.since[latest] == now_) {  // levels settle: nobody was held back in between
      memory.by[latest] = bottleneck;
      return;
    }
    if (memory.count == ClassMemory::kept) put_away_oldest(memory);
  }
  memory.since[memory.count] = now_;
  memory.by[memory.count++] = bottleneck;
}

void Sharing::put_away_oldest(ClassMemory& memory) {
  const Held oldest{memory.since[0], memory.by[0], memory.before};
  if (free_held_ == none_before) {
    memory.before = static_cast<std::uint32_t>(held_.size());
    held_.push_back(oldest);
  } else {
    memory.before = free_held_;
    free_held_ = held_[free_held_].before;
    held_[memory.before] = oldest;
  }
  std::shift_left(memory.since.begin(), memory.since.end(), 1);
  std::shift_left(memory.by.begin(), memory.by.end(), 1);
  --memory.count;
}

void Sharing::forget(std::uint32_t& before) {
  while (before != none_before) {
    const std::uint32_t next = held_[before].before;
    held_[before].before = free_held_;
    free_held_ = before;
    before = next;
  }
}

void Sharing::holds_of(RouteId route, double cap, double began, std::vector<Hold>& by) {
  ClassId i = of_route_.has(route) ? of_route_[route].first : no_class;
  while (i != no_class && classes_[i].cap != (cap > 0.0 ? cap : unlimited)) i = next_of_route_[i];
  if (i == no_class || !memories_.has(i) || memories_[i].count == 0) return;
  ClassMemory& memory = memories_[i];
  const auto id = [this](ResourceIndex l) { return l == by_cap ? no_resource : id_of_[l]; };
  const std::size_t first = by.size();
  double end = now_;
  for (std::uint32_t k = memory.count; k-- > 0 && end > began;) {
    const bool earliest = k == 0 && memory.before == none_before;
    end = held_since(earliest ? began : std::max(began, memory.since[k]), end, id(memory.by[k]), first, by);
  }
  int looked_at = 0;
  for (std::uint32_t* at = &memory.before; end > began && *at != none_before; at = &held_[*at].before) {
    Held& older = held_[*at];
    if (++looked_at == looked_back_max) forget(older.before);
    const bool earliest = older.before == none_before;
    end = held_since(earliest ? began : std::max(began, older.since), end, id(older.by), first, by);
  }
  std::reverse(by.begin() + static_cast<std::ptrdiff_t>(first), by.end());
}

}  // namespace orrery::engine
