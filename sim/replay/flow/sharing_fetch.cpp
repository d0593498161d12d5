// What the ends and starts of flows to come will read, as in ../player_fetch.cpp.
//
//   clocks ahead   a resource                                          fetch_start: steps   a route
//   13             its cache lines                                     3                    where its class is known
//   10             the class that ends; resources of the other users   2                    that class
//   7              its flow (2 steps to end); its other resources      1                    its resources
//   4              its flow (1 step); the other users there            0                    those of the other users
#include "sim/core/fetch.hpp"
#include "sim/replay/flow/sharing.hpp"

namespace orrery::replay {

namespace {

constexpr std::size_t lines_of_a_resource = 3;  // with three users; the fourth holds the others of a few

}  // namespace

void Sharing::fetch_users_elsewhere(const Resource& r) const {
  if (r.many) return;
  for (const User& user : r.crowd.users)
    if (user.other < several) fetch_lines(&resources_[user.other], 2);
}

void Sharing::fetch_ahead() {
  const auto resource_at = [&](std::size_t distance) -> const Resource* {
    const DateQueue::Entry* entry = clocks_.ahead(distance);
    if (entry == nullptr || (entry->what & of_class) != 0) return nullptr;
    return &resources_[entry->what];
  };
  const auto ending_at = [&](std::size_t distance) -> const Resource* {
    const Resource* r = resource_at(distance);
    return r != nullptr && r->queued == clocks_.ahead(distance)->date && r->crowd.members > 0 && !r->many ? r : nullptr;
  };
  const auto class_of_first_end = [&](const Resource& r) -> const Class& {
    return classes_[first_due(static_cast<Index>(&r - resources_.data())).flow_class];
  };
  if (const Resource* r = resource_at(13)) fetch_lines(r, lines_of_a_resource);
  if (const Resource* r = ending_at(10)) {
    fetch(&class_of_first_end(*r));
    fetch_users_elsewhere(*r);
  }
  if (const Resource* r = ending_at(7)) {
    const Class& c = class_of_first_end(*r);
    ending_soon_.push_back({c.queue.flow, 2});
    for (const Hop& hop : hops(c))
      if (&resources_[hop.resource] != r) fetch_lines(&resources_[hop.resource], lines_of_a_resource);
  }
  if (const Resource* r = ending_at(4)) {
    const Class& c = class_of_first_end(*r);
    ending_soon_.push_back({c.queue.flow, 1});
    for (const Hop& hop : hops(c))
      if (&resources_[hop.resource] != r) fetch_users_elsewhere(resources_[hop.resource]);
  }
}

void Sharing::fetch_start(RouteId route, int steps_to_start) const {
  const auto r = static_cast<Index>(route);
  if (r >= first_class_.size()) return;
  if (steps_to_start == 3) return fetch(&first_class_[r]);
  if (first_class_[r] == none) return;
  const Class& c = classes_[first_class_[r]];
  if (steps_to_start == 2) return fetch(&c);
  for (const Hop& hop : hops(c)) {
    if (steps_to_start == 1)
      fetch_lines(&resources_[hop.resource], lines_of_a_resource);
    else
      fetch_users_elsewhere(resources_[hop.resource]);
  }
}

}  // namespace orrery::replay
