// What the ends and starts of flows to come will read, as in ../player_fetch.cpp.
//
//   clocks ahead   a resource                                          fetch_start: steps   a route
//   13             its cache lines                                     3                    where its class is known
//   10             the class that ends; resources of the other users   2                    that class
//   7              its flow (2 steps to end); its other resources      1                    its resources
//   4              its flow (1 step); the other users there            0                    those of the other users
//
// A route that has no class yet tells its resources itself: 2 steps before, which they are here.
#include "sim/core/fetch.hpp"
#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

namespace {

constexpr std::size_t lines_of_a_resource = 3;  // with three users; the fourth holds the others of a few

}  // namespace

void Sharing::fetch_ahead() {
  const auto resource_at = [&](std::size_t distance) -> const Resource* {
    const DateQueue::Entry* entry = clocks_.ahead(distance);
    if (entry == nullptr || ClockId{entry->what}.is_of_class()) return nullptr;
    return &resources_[ClockId{entry->what}.resource()];
  };
  const auto ending_at = [&](std::size_t distance) -> const Resource* {
    const Resource* r = resource_at(distance);
    const bool ends_then = r != nullptr && r->queued == clocks_.ahead(distance)->date && r->users.members > 0;
    return ends_then && !r->indexed ? r : nullptr;
  };
  const auto class_of_first_end = [&](const Resource& r) -> const Class& {
    return classes_[first_to_end(resources_.id_of(r)).flow_class];
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
  if (!of_route_.has(route)) return;
  if (steps_to_start == 3) return fetch(&of_route_[route]);
  const ClassId first = of_route_[route].first;
  if (first == no_class) return fetch_first_start(route, steps_to_start);
  const Class& c = classes_[first];
  if (steps_to_start == 2) return fetch(&c);
  for (const Hop& hop : hops(c)) {
    if (steps_to_start == 1)
      fetch_lines(&resources_[hop.resource], lines_of_a_resource);
    else
      fetch_users_elsewhere(resources_[hop.resource]);
  }
}

/// Of a route without a class so far.
void Sharing::fetch_first_start(RouteId route, int steps_to_start) const {
  for (const ResourceId id : routes_.resources(route)) {
    if (!index_of_.has(id)) continue;
    if (steps_to_start == 2)
      fetch(&index_of_[id]);
    else if (index_of_[id] != no_index && steps_to_start == 1)
      fetch_lines(&resources_[index_of_[id]], lines_of_a_resource);
    else if (index_of_[id] != no_index)
      fetch_users_elsewhere(resources_[index_of_[id]]);
  }
}

void Sharing::fetch_users_elsewhere(const Resource& r) const {
  if (r.indexed) return;
  for (const User& user : r.users.all())
    if (user.has_one_other()) fetch_lines(&resources_[user.other], 2);
}

}  // namespace orrery::engine
