// Which resource is whose bottleneck, and when the first flow of each ends. sharing.hpp says what holds.
#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/replay/flow/sharing.hpp"

namespace orrery::replay {

Sharing::Bound Sharing::least_bound(const Class& c, Index except) const {
  Bound least{c.cap, by_cap};
  for (const Hop& hop : hops(c))
    if (hop.resource != except && resources_[hop.resource].level < least.rate)
      least = {resources_[hop.resource].level, hop.resource};
  return least;
}

Sharing::Index Sharing::position_at(Index l, Index i) const {
  const Resource& r = resources_[l];
  if (!r.many) return position_among_few(r, i);
  for (const Hop& hop : hops(classes_[i]))
    if (hop.resource == l) return hop.position;
  return none;
}

void Sharing::add_user(Index l, const User& user) {
  Resource& r = resources_[l];
  r.crowd.users.push_back(user);
  if (r.many)
    hop_of(user).position = r.crowd.users.size() - 1;
  else if (r.crowd.users.size() > users_few)
    index_users(l);
}

void Sharing::index_users(Index l) {
  Resource& r = resources_[l];
  r.many = true;
  for (Index k = 0; k < r.crowd.users.size(); ++k) hop_of(r.crowd.users[k]).position = k;
  for (Index k = 0; k < r.crowd.members; ++k) due_insert(l, r.crowd.users[k]);
}

void Sharing::swap_users(Resource& r, Index a, Index b) {
  if (a == b) return;
  auto& users = r.crowd.users;
  std::swap(users[a], users[b]);
  if (!r.many) return;
  hop_of(users[a]).position = a;
  hop_of(users[b]).position = b;
}

/// Of a class that is no member.
void Sharing::remove_user(Resource& r, Index position) {
  assert(position >= r.crowd.members);
  swap_users(r, position, r.crowd.users.size() - 1);
  r.crowd.users.pop_back();
}

/// An unbound class keeps the bytes it was served in its offset.
void Sharing::join(Index i, Index bottleneck) {
  Class& c = classes_[i];
  assert(c.bottleneck == none);
  c.bottleneck = bottleneck;
  if (bottleneck == by_cap) {
    hold_back(c) = {now_, unlimited};
    return date_class(i);
  }
  Resource& r = resources_[bottleneck];
  Crowd& crowd = resources_[bottleneck].crowd;
  if (r.flows == 0) {
    r.served = 0.0;
    r.since = now_;
  }
  c.offset -= served(r);
  r.flows += c.flows;
  swap_users(r, position_at(bottleneck, i), crowd.members);
  swap_users(r, crowd.members++, crowd.linked);
  User& user = crowd.users[crowd.linked++];
  user.first_end = c.queue.finish - c.offset;
  r.first_end = std::min(r.first_end, user.first_end);
  mark_moved(bottleneck);
  if (r.many) due_insert(bottleneck, user);
}

void Sharing::leave(Index i) {
  Class& c = classes_[i];
  assert(!c.unlinked);
  c.offset = served(c);
  const Index bottleneck = std::exchange(c.bottleneck, none);
  if (bottleneck >= by_cap) return;
  Resource& r = resources_[bottleneck];
  mark_moved(bottleneck);
  if (r.many) due_remove(bottleneck, i);
  r.flows -= c.flows;
  const Index position = position_at(bottleneck, i);
  const double its_end = r.crowd.users[position].first_end;
  swap_users(r, position, --r.crowd.linked);
  swap_users(r, r.crowd.linked, --r.crowd.members);
  if (its_end <= r.first_end) r.first_end = least_first_end(bottleneck);
}

void Sharing::free_if_idle(Index l) {
  Resource& r = resources_[l];
  if (r.flows > 0) return;
  r.level = unlimited;
  mark_moved(l);
}

/// From now on the other resources of this member account its allowance and do not hear of its rate.
void Sharing::unlink(Index l, Index position, double allowance) {
  Crowd& crowd = resources_[l].crowd;
  Class& c = classes_[crowd.users[position].flow_class];
  const double more = c.flows * (allowance - resources_[l].level);
  c.unlinked = true;
  hold_back(c).allowance = allowance;
  for (const Hop& hop : hops(c)) {
    ++rarely_[hop.resource].unlinked_users;
    resources_[hop.resource].has_unlinked = true;
    if (hop.resource != l) resources_[hop.resource].residual -= more;
  }
  rarely_[l].unlinked_min = std::min(rarely_[l].unlinked_min, allowance);
  swap_users(resources_[l], position, --crowd.linked);
}

void Sharing::link(Index i) {
  Class& c = classes_[i];
  const Index l = c.bottleneck;
  const double own = resources_[l].level;
  c.unlinked = false;
  for (const Hop& hop : hops(c)) {
    resources_[hop.resource].has_unlinked = --rarely_[hop.resource].unlinked_users > 0;
    if (hop.resource != l) account(hop.resource, c.flows * (own - held_back(c).allowance), own);
  }
  Crowd& crowd = resources_[l].crowd;
  swap_users(resources_[l], position_at(l, i), crowd.linked++);
}

/// The member whose first flow ends first.
Sharing::Due Sharing::first_due(Index l) const {
  const Resource& r = resources_[l];
  if (r.many) return rarely_[l].due.front();
  Index first = 0;
  for (Index k = 1; k < r.crowd.members; ++k)
    if (r.crowd.users[k].first_end < r.crowd.users[first].first_end) first = k;
  return {r.crowd.users[first].first_end, r.crowd.users[first].flow_class};
}

void Sharing::due_rise(Index l, Index at, const Due due) {
  auto& heap = rarely_[l].due;
  while (at > 0) {
    const Index parent = (at - 1) / 4;
    if (heap[parent].first_end <= due.first_end) break;
    heap[at] = heap[parent];
    classes_[heap[at].flow_class].due = at;
    at = parent;
  }
  heap[at] = due;
  classes_[due.flow_class].due = at;
}

void Sharing::due_sink(Index l, Index at, const Due due) {
  auto& heap = rarely_[l].due;
  const auto size = static_cast<Index>(heap.size());
  for (Index first = 4 * at + 1; first < size; first = 4 * at + 1) {
    Index least = first;
    for (Index k = first + 1; k < std::min(first + 4, size); ++k)
      if (heap[k].first_end < heap[least].first_end) least = k;
    if (heap[least].first_end >= due.first_end) break;
    heap[at] = heap[least];
    classes_[heap[at].flow_class].due = at;
    at = least;
  }
  heap[at] = due;
  classes_[due.flow_class].due = at;
}

void Sharing::due_insert(Index l, const User& user) {
  auto& heap = rarely_[l].due;
  heap.emplace_back();
  due_rise(l, static_cast<Index>(heap.size() - 1), {user.first_end, user.flow_class});
}

void Sharing::due_remove(Index l, Index i) {
  auto& heap = rarely_[l].due;
  const Index at = classes_[i].due;
  const Due last = heap.back();
  heap.pop_back();
  if (at == heap.size()) return;
  if (at > 0 && last.first_end < heap[(at - 1) / 4].first_end)
    due_rise(l, at, last);
  else
    due_sink(l, at, last);
}

void Sharing::first_flow_changed(Index i) {
  Class& c = classes_[i];
  if (c.bottleneck == none) return;
  if (c.bottleneck == by_cap) return date_class(i);
  const Index l = c.bottleneck;
  Resource& r = resources_[l];
  User& user = r.crowd.users[position_at(l, i)];
  const double before = std::exchange(user.first_end, c.queue.finish - c.offset);
  mark_moved(l);
  if (r.many && user.first_end < before)
    due_rise(l, c.due, {user.first_end, i});
  else if (r.many)
    due_sink(l, c.due, {user.first_end, i});
  r.first_end = least_first_end(l);
}

double Sharing::end_of_class(const Class& c) const {
  return std::max(now_, held_back(c).since + (c.queue.finish - c.offset) / c.cap);
}

double Sharing::least_first_end(Index l) const {
  const Resource& r = resources_[l];
  if (r.many && r.crowd.members > 0) return rarely_[l].due.front().first_end;
  double least = unlimited;
  for (Index k = 0; k < r.crowd.members; ++k) {
    const double end = r.crowd.users[k].first_end;
    least = end < least ? end : least;
  }
  return least;
}

double Sharing::end_of_resource(Index l) const {
  const Resource& r = resources_[l];
  if (r.crowd.members == 0) return unlimited;
  return std::max(now_, r.since + (r.first_end - r.served) / r.level);
}

/// An entry among the clocks that is too early is put right when its turn comes: most dates move back and forth.
void Sharing::date_class(Index i) {
  Class& c = classes_[i];
  const double end = end_of_class(c);
  if (end >= held_back(c).allowance) return;
  held_back(c).allowance = end;
  next_known_ = false;
  clocks_.push(end, of_class | i);
}

void Sharing::date_resource(Index l) {
  Resource& r = resources_[l];
  r.moved = false;
  if (r.served > served_max) rebase(l);
  const double end = end_of_resource(l);
  if (end >= r.queued) return;
  r.queued = end;
  clocks_.push(end, l);
}

void Sharing::rebase(Index l) {
  Resource& r = resources_[l];
  for (Index k = 0; k < r.crowd.members; ++k) {
    r.crowd.users[k].first_end -= r.served;
    classes_[r.crowd.users[k].flow_class].offset += r.served;
  }
  if (r.many)
    for (Due& due : rarely_[l].due) due.first_end -= r.served;
  r.first_end -= r.served;
  r.served = 0.0;
}

}  // namespace orrery::replay
