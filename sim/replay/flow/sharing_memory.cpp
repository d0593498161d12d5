// Which resource held each class back when, as long as a flow of it may ask: chains in one pool, latest first.
#include <algorithm>

#include "sim/replay/flow/sharing.hpp"

namespace orrery::replay {

namespace {

constexpr int looked_back_max = 64;  // changes: of a flow that saw more, the earliest of these stands for all before

}  // namespace

void Sharing::remember(ClassId i, ResourceIndex bottleneck) {
  if (latest_held_.size() < classes_.size()) latest_held_.resize(2 * classes_.size());
  LatestHeld& latest = latest_held_[i];
  std::uint32_t before = none_before;
  if (latest.held.by != unbound) {
    if (latest.ended >= 0.0 && latest.ended < now_) {
      forget(latest.held.before);  // flows that ended before this instant have all asked
    } else if (latest.held.since == now_) {
      before = latest.held.before;  // levels settle: nobody was held back in between
    } else {
      before = free_held_;
      if (before == none_before) {
        before = static_cast<std::uint32_t>(held_.size());
        held_.emplace_back();
      } else {
        free_held_ = held_[before].before;
      }
      held_[before] = latest.held;
    }
  }
  latest = {{now_, bottleneck, before}, -1.0};
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
  ClassId i = first_class_.has(route) ? first_class_[route] : no_class;
  while (i != no_class && classes_[i].cap != (cap > 0.0 ? cap : unlimited)) i = next_of_route_[i];
  if (i == no_class || !latest_held_.has(i) || latest_held_[i].held.by == unbound) return;
  const std::size_t first = by.size();
  double end = now_;
  int looked_at = 0;
  for (Held* held = &latest_held_[i].held; end > began; held = &held_[held->before]) {
    if (++looked_at == looked_back_max) forget(held->before);
    const bool last = held->before == none_before;
    const double begin = last ? began : std::max(began, held->since);
    if (end > begin) {
      const ResourceId id = held->by == by_cap ? no_resource : id_of_[held->by];
      const auto known = std::find_if(by.begin() + static_cast<std::ptrdiff_t>(first), by.end(),
                                      [&](const Hold& hold) { return hold.by == id; });
      if (known == by.end())
        by.push_back({id, end - begin});
      else
        known->seconds += end - begin;
      end = begin;
    }
    if (last) break;
  }
  std::reverse(by.begin() + static_cast<std::ptrdiff_t>(first), by.end());
}

}  // namespace orrery::replay
