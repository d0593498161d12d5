// Which resource is whose bottleneck: classes join, leave, and are found among the users. sharing.hpp says what holds.
#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

/// What holds the class back most: a level on its route, leaving out one resource, or its cap.
Sharing::Bound Sharing::least_bound(const Class& c, ResourceIndex except) const {
  Bound least{c.cap, by_cap};
  for (const Hop& hop : hops(c))
    if (hop.resource != except && levels_[hop.resource] < least.rate) least = {levels_[hop.resource], hop.resource};
  return least;
}

/// A class without a rate gets that of its bottleneck. The bytes it was served, so far its offset, stay what they are.
void Sharing::join(ClassId i, ResourceIndex bottleneck) {
  Class& c = classes_[i];
  assert(c.bottleneck == unbound);
  c.bottleneck = bottleneck;
  if (remembers_) remember(i, bottleneck);
  if (bottleneck == by_cap) {
    if (!cap_clocks_.has(i)) cap_clocks_.resize(classes_.size());
    cap_clocks_[i] = {.since = now_};
    return set_clock(i);
  }
  Resource& r = resources_[bottleneck];
  Users& users = r.users;
  if (r.flows == 0) {
    r.served = 0.0;
    r.since = now_;
    load_changes(r, r.residual);
  }
  c.offset -= served(r);
  r.flows += c.flows;
  // The first of the others makes room at the end of the members, the first unlinked one at the end of the linked.
  swap_users(r, position_of(i, bottleneck), Position{users.members});
  swap_users(r, Position{users.members++}, Position{users.linked});
  User& user = users[Position{users.linked++}];
  user.first_end = c.queue.finish - c.offset;
  r.first_end = std::min(r.first_end, user.first_end);
  mark_undated(bottleneck);
  if (r.indexed) rare_[bottleneck].first_ends.insert({user.first_end, i}, told_place());
}

/// The class has no rate from now on. What it left keeps its level, see `unsaturate_without_members`.
void Sharing::leave(ClassId i) {
  Class& c = classes_[i];
  assert(!c.unlinked);
  c.offset = served(c);
  const bool had_bottleneck = c.has_bottleneck();
  const ResourceIndex bottleneck = std::exchange(c.bottleneck, unbound);
  if (!had_bottleneck) return;
  Resource& r = resources_[bottleneck];
  Users& users = r.users;
  mark_undated(bottleneck);
  if (r.indexed) rare_[bottleneck].first_ends.remove(c.heap_place, told_place());
  if (r.flows == c.flows) load_changes(r, -r.residual);
  r.flows -= c.flows;
  const Position position = position_of(i, bottleneck);
  const double its_end = users[position].first_end;
  swap_users(r, position, Position{--users.linked});
  swap_users(r, Position{users.linked}, Position{--users.members});
  if (its_end <= r.first_end) r.first_end = least_first_end(bottleneck);
}

void Sharing::unsaturate_without_members(ResourceIndex l) {
  Resource& r = resources_[l];
  if (r.flows > 0) return;
  give_level(r, unlimited);
  mark_undated(l);
}

void Sharing::add_user(ResourceIndex l, const User& user) {
  Resource& r = resources_[l];
  r.users.list.push_back(user);
  if (r.indexed)
    hop_of(user).position = Position{r.users.size() - 1};
  else if (r.users.size() > Users::looked_through)
    index_users(l);
}

/// Of a class that is no member.
void Sharing::remove_user(Resource& r, Position position) {
  assert(position >= Position{r.users.members});
  swap_users(r, position, Position{r.users.size() - 1});
  r.users.list.pop_back();
}

/// From now on, until there are no users, each knows its position and the members are in a heap.
void Sharing::index_users(ResourceIndex l) {
  Resource& r = resources_[l];
  r.indexed = true;
  Position position{};
  for (const User& user : r.users.all()) {
    hop_of(user).position = position;
    ++position;
  }
  for (const User& user : r.users.all_members())
    rare_[l].first_ends.insert({user.first_end, user.flow_class}, told_place());
}

void Sharing::swap_users(Resource& r, Position a, Position b) {
  if (a == b) return;
  std::swap(r.users[a], r.users[b]);
  if (!r.indexed) return;
  hop_of(r.users[a]).position = a;
  hop_of(r.users[b]).position = b;
}

Position Sharing::position_of(ClassId i, ResourceIndex l) const {
  const Resource& r = resources_[l];
  if (!r.indexed) return r.users.position_in_list(i);
  const auto route = hops(classes_[i]);
  return std::ranges::find(route, l, &Hop::resource)->position;
}

}  // namespace orrery::engine
