// Which resource is whose bottleneck, and when the first flow of each ends. sharing.hpp says what holds.
#include <algorithm>
#include <cassert>

#include "sim/replay/flow/sharing.hpp"

namespace orrery::replay {

Sharing::Bound Sharing::least_bound(const Class& c, Index except) const {
  Bound least{c.cap, by_cap};
  for (const Hop& hop : hops(c))
    if (hop.resource != except && resources_[hop.resource].level < least.rate)
      least = {resources_[hop.resource].level, hop.resource};
  return least;
}

Sharing::Index Sharing::position_at(const Class& c, Index l) const {
  for (const Hop& hop : hops(c))
    if (hop.resource == l) return hop.position;
  return none;
}

void Sharing::swap_users(Crowd& crowd, Index a, Index b) {
  if (a == b) return;
  std::swap(crowd.users[a], crowd.users[b]);
  hops_[crowd.users[a].hop].position = a;
  hops_[crowd.users[b].hop].position = b;
}

/// Of a class that is no member.
void Sharing::remove_user(Crowd& crowd, Index position) {
  assert(position >= crowd.members);
  swap_users(crowd, position, static_cast<Index>(crowd.users.size() - 1));
  crowd.users.pop_back();
}

/// An unbound class keeps the bytes it was served in its offset.
void Sharing::join(Index i, Index bottleneck) {
  Class& c = classes_[i];
  assert(c.bottleneck == none);
  c.bottleneck = bottleneck;
  if (bottleneck == by_cap) {
    c.since = now_;
    c.allowance = unlimited;
    return date_class(i);
  }
  Resource& r = resources_[bottleneck];
  Crowd& crowd = crowds_[bottleneck];
  if (r.flows == 0) {
    r.served = 0.0;
    r.since = now_;
  }
  c.offset -= served(r);
  r.flows += c.flows;
  swap_users(crowd, position_at(c, bottleneck), crowd.members);
  swap_users(crowd, crowd.members++, crowd.linked);
  ++crowd.linked;
  due_insert(bottleneck, i);
}

void Sharing::leave(Index i) {
  Class& c = classes_[i];
  assert(!c.unlinked);
  c.offset = served(c);
  const Index bottleneck = std::exchange(c.bottleneck, none);
  if (bottleneck >= by_cap) return;
  Crowd& crowd = crowds_[bottleneck];
  due_remove(bottleneck, i);
  resources_[bottleneck].flows -= c.flows;
  swap_users(crowd, position_at(c, bottleneck), --crowd.linked);
  swap_users(crowd, crowd.linked, --crowd.members);
}

void Sharing::free_if_idle(Index l) {
  Resource& r = resources_[l];
  if (r.flows > 0) return;
  r.level = unlimited;
  mark_moved(l);
}

/// From now on the other resources of this member account its allowance and do not hear of its rate.
void Sharing::unlink(Index l, Index position, double allowance) {
  Crowd& crowd = crowds_[l];
  Class& c = classes_[crowd.users[position].flow_class];
  const double more = c.flows * (allowance - resources_[l].level);
  c.unlinked = true;
  c.allowance = allowance;
  for (const Hop& hop : hops(c)) {
    ++crowds_[hop.resource].unlinked_users;
    if (hop.resource != l) resources_[hop.resource].residual -= more;
  }
  crowd.unlinked_min = std::min(crowd.unlinked_min, allowance);
  swap_users(crowd, position, --crowd.linked);
}

void Sharing::link(Index i) {
  Class& c = classes_[i];
  const Index l = c.bottleneck;
  const double own = resources_[l].level;
  c.unlinked = false;
  for (const Hop& hop : hops(c)) {
    --crowds_[hop.resource].unlinked_users;
    if (hop.resource != l) account(hop.resource, c.flows * (own - c.allowance), own);
  }
  Crowd& crowd = crowds_[l];
  swap_users(crowd, position_at(c, l), crowd.linked++);
}

void Sharing::due_rise(Index l, Index at, const Due due) {
  auto& heap = crowds_[l].due;
  while (at > 0) {
    const Index parent = (at - 1) / 4;
    if (heap[parent].served <= due.served) break;
    heap[at] = heap[parent];
    classes_[heap[at].flow_class].due = at;
    at = parent;
  }
  heap[at] = due;
  classes_[due.flow_class].due = at;
}

void Sharing::due_sink(Index l, Index at, const Due due) {
  auto& heap = crowds_[l].due;
  const auto size = static_cast<Index>(heap.size());
  for (Index first = 4 * at + 1; first < size; first = 4 * at + 1) {
    Index least = first;
    for (Index k = first + 1; k < std::min(first + 4, size); ++k)
      if (heap[k].served < heap[least].served) least = k;
    if (heap[least].served >= due.served) break;
    heap[at] = heap[least];
    classes_[heap[at].flow_class].due = at;
    at = least;
  }
  heap[at] = due;
  classes_[due.flow_class].due = at;
}

void Sharing::due_insert(Index l, Index i) {
  auto& heap = crowds_[l].due;
  const Due due{flows_.first_finish(classes_[i].queue) - classes_[i].offset, i};
  heap.push_back(due);
  due_rise(l, static_cast<Index>(heap.size() - 1), due);
  if (classes_[i].due == 0) mark_moved(l);
}

void Sharing::due_remove(Index l, Index i) {
  auto& heap = crowds_[l].due;
  const Index at = classes_[i].due;
  if (at == 0) mark_moved(l);
  const Due last = heap.back();
  heap.pop_back();
  if (at == heap.size()) return;
  if (at > 0 && last.served < heap[(at - 1) / 4].served)
    due_rise(l, at, last);
  else
    due_sink(l, at, last);
}

void Sharing::first_flow_changed(Index i) {
  Class& c = classes_[i];
  if (c.bottleneck == none) return;
  if (c.bottleneck == by_cap) return date_class(i);
  const Index l = c.bottleneck;
  auto& heap = crowds_[l].due;
  const Index at = c.due;
  const Due due{flows_.first_finish(c.queue) - c.offset, i};
  if (at == 0) mark_moved(l);
  if (due.served < heap[at].served)
    due_rise(l, at, due);
  else
    due_sink(l, at, due);
  if (c.due == 0) mark_moved(l);
}

double Sharing::end_of_class(const Class& c) const {
  return std::max(now_, c.since + (flows_.first_finish(c.queue) - c.offset) / c.cap);
}

double Sharing::end_of_resource(Index l) const {
  const auto& due = crowds_[l].due;
  if (due.empty()) return unlimited;
  const Resource& r = resources_[l];
  return std::max(now_, r.since + (due.front().served - r.served) / r.level);
}

/// An entry among the clocks that is too early is put right when its turn comes: most dates move back and forth.
void Sharing::date_class(Index i) {
  Class& c = classes_[i];
  const double end = end_of_class(c);
  if (end >= c.allowance) return;
  c.allowance = end;
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
  for (Due& due : crowds_[l].due) {
    due.served -= r.served;
    classes_[due.flow_class].offset += r.served;
  }
  r.served = 0.0;
}

}  // namespace orrery::replay
