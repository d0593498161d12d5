// The levels: one resource is solved given all others, lowest first, until nothing is violated. sharing.hpp says what
// holds.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/replay/flow/sharing.hpp"

namespace orrery::replay {

namespace {

constexpr double tie = 1e-13;             // levels closer than this, relatively, are equal: nobody moves between them
constexpr std::size_t shift_min = 12;     // users from which shifting a level is tried before solving it in full
constexpr std::uint32_t unlink_min = 32;  // linked members from which unlinking pays
constexpr int unlink_pause_max = 255;
constexpr std::size_t looked_through_max = 16;  // resources to be solved

}  // namespace

void Sharing::enqueue(Index l) {
  resources_[l].dirty = true;
  if (!settling_) return dirty_.push_back(l);
  solve_later(l);
}

/// Few are looked through, more are kept as a heap.
void Sharing::solve_later(Index l) {
  to_solve_.emplace_back(solve_order(l), l);
  if (to_solve_are_heap_)
    std::ranges::push_heap(to_solve_, later);
  else if (to_solve_.size() > looked_through_max)
    std::ranges::make_heap(to_solve_, later), to_solve_are_heap_ = true;
}

Sharing::Index Sharing::next_to_solve() {
  if (to_solve_are_heap_)
    std::ranges::pop_heap(to_solve_, later);
  else
    std::swap(*std::ranges::max_element(to_solve_, later), to_solve_.back());
  const Index l = to_solve_.back().second;
  to_solve_.pop_back();
  if (to_solve_.empty()) to_solve_are_heap_ = false;
  return l;
}

/// About the level it will have, or had: only the order of work hangs on it.
double Sharing::solve_order(Index l) const {
  const Resource& r = resources_[l];
  if (r.flows == 0)
    return 1.000001 * r.capacity / static_cast<double>(std::max<std::size_t>(1, resources_[l].crowd.users.size()));
  return r.level + std::min(0.0, r.residual / r.flows);
}

void Sharing::solve(Index l) {
  Resource& r = resources_[l];
  Crowd& crowd = resources_[l].crowd;
  ++statistics_.solves;
  const bool forced = r.forced;
  r.forced = false;
  if (!forced && !violated(r)) {
    r.dirty = false;
    return;
  }
  if (crowd.users.empty()) {
    r.dirty = false;
    r.residual = r.capacity;
    return;
  }
  if (!forced && r.flows > 0 && crowd.users.size() >= shift_min && shift_level(l)) return;
  if (r.has_unlinked) link_all(l);
  statistics_.entries += crowd.users.size();
  bounds_elsewhere(l);
  const double level = balanced_level(l);
  r.dirty = false;
  move_to_level(l, level);
}

/// Who is a member stays: level' = level + residual / flows. False when a user would have to join or leave.
bool Sharing::shift_level(Index l) {
  Resource& r = resources_[l];
  Crowd& crowd = resources_[l].crowd;
  if (crowd.members == crowd.users.size()) r.foreign_max = 0.0;
  const double level = r.level + r.residual / r.flows;
  if (!(level > 0.0) || level < r.foreign_max * (1.0 - tie) || (r.capped && level > rarely_[l].cap_min)) return false;
  r.dirty = false;
  r.served = served(r);
  r.since = now_;
  const double change = level - r.level;
  r.level = level;
  r.residual = 0.0;
  mark_moved(l);
  const bool crossed = tell_linked(l, change);
  if (crowd.members > crowd.linked && level > rarely_[l].unlinked_min) raise_allowances(l);
  if (crowd.linked >= unlink_min) {
    if (rarely_[l].unlink_wait == 0)
      unlink_slow_members(l);
    else
      --rarely_[l].unlink_wait;
  }
  return !crossed;
}

/// True when a member finds a lower level elsewhere now.
bool Sharing::tell_linked(Index l, double change) {
  const Resource& r = resources_[l];
  const Crowd& crowd = resources_[l].crowd;
  const double lower = r.level * (1.0 - tie);
  bool crossed = false;
  statistics_.entries += crowd.linked;
  for (Index k = 0; k < crowd.linked; ++k) {
    const User& user = crowd.users[k];
    if (user.other < several) {
      crossed |= resources_[user.other].level < lower;
      account(user.other, user.flows * change, r.level);
    } else if (user.other == several) {
      for (const Hop& hop : hops(classes_[user.flow_class])) {
        if (hop.resource == l) continue;
        crossed |= resources_[hop.resource].level < lower;
        account(hop.resource, user.flows * change, r.level);
      }
    }
  }
  return crossed;
}

bool Sharing::has_room(const Class& c, Index here, double more, double kept) const {
  for (const Hop& hop : hops(c)) {
    const Resource& r = resources_[hop.resource];
    if (hop.resource == here) continue;
    if (r.flows > 0 || r.dirty || r.residual - c.flows * more < kept * r.capacity) return false;
  }
  return true;
}

/// Unlinked members that the level has overtaken get twice the level where there is room, and are linked where not.
void Sharing::raise_allowances(Index l) {
  Crowd& crowd = resources_[l].crowd;
  const double level = resources_[l].level, allowance = 2.0 * level;
  rarely_[l].unlinked_min = unlimited;
  for (Index k = crowd.linked; k < crowd.members; ++k) {
    const Index i = crowd.users[k].flow_class;
    Class& c = classes_[i];
    if (held_back(c).allowance < level) {
      if (!has_room(c, l, allowance - held_back(c).allowance, 0.0)) {
        link(i);  // takes the place of one that was seen already
        continue;
      }
      for (const Hop& hop : hops(c))
        if (hop.resource != l) resources_[hop.resource].residual -= c.flows * (allowance - held_back(c).allowance);
      held_back(c).allowance = allowance;
    }
    rarely_[l].unlinked_min = std::min(rarely_[l].unlinked_min, held_back(c).allowance);
  }
}

/// Where few can be unlinked the next attempts wait, twice as long each time.
void Sharing::unlink_slow_members(Index l) {
  Crowd& crowd = resources_[l].crowd;
  const Index linked = crowd.linked;
  const double level = resources_[l].level;
  for (Index k = crowd.linked; k-- > 0;) {
    const User& user = crowd.users[k];
    if (user.other == alone)
      unlink(l, k, unlimited);
    else if (user.other == several || resources_[user.other].flows == 0)
      if (has_room(classes_[user.flow_class], l, level, 0.5)) unlink(l, k, 2.0 * level);
  }
  const bool worth_it = 2 * crowd.linked < linked;
  rarely_[l].unlink_pause =
      worth_it ? 0 : static_cast<std::uint16_t>(std::min(2 * rarely_[l].unlink_pause + 1, unlink_pause_max));
  rarely_[l].unlink_wait = rarely_[l].unlink_pause;
}

void Sharing::link_all(Index l) {
  Crowd& crowd = resources_[l].crowd;
  for (std::size_t k = 0; k < crowd.users.size(); ++k)  // linking moves users among places: look again at this one
    while (classes_[crowd.users[k].flow_class].unlinked) link(crowd.users[k].flow_class);
}

void Sharing::bounds_elsewhere(Index l) {
  Crowd& crowd = resources_[l].crowd;
  const std::size_t n = crowd.users.size();
  if (bounds_.size() < n) {
    bounds_.resize(2 * n);
    flows_of_.resize(2 * n);
  }
  const bool capped = resources_[l].capped;
  double cap_min = unlimited;
  for (std::size_t k = 0; k < n; ++k) {
    const User& user = crowd.users[k];
    double bound = unlimited;
    if (user.other < several) {
      bound = resources_[user.other].level;
    } else if (user.other == several) {
      for (const Hop& hop : hops(classes_[user.flow_class]))
        if (hop.resource != l) bound = std::min(bound, resources_[hop.resource].level);
    }
    if (capped) {
      const double cap = classes_[user.flow_class].cap;
      cap_min = std::min(cap_min, cap);
      bound = std::min(bound, cap);
    }
    bounds_[k] = bound;
    flows_of_[k] = user.flows;
  }
  if (!capped) return;
  resources_[l].capped = cap_min < unlimited;
  rarely_[l].cap_min = cap_min;
}

/// The s with  sum over users of flows * min(bound, s) = capacity,  by Newton's method: the sum is concave in s.
/// Infinite when the bounds elsewhere leave the resource unsaturated.
double Sharing::balanced_level(Index l) const {
  const Resource& r = resources_[l];
  const std::size_t n = r.crowd.users.size();
  double flows = 0.0;
  for (std::size_t k = 0; k < n; ++k) flows += flows_of_[k];
  const double equal_share = r.capacity / flows;
  const double shifted = r.flows > 0 ? r.level + r.residual / r.flows : 0.0;  // right if nobody joins or leaves
  double level = shifted > equal_share ? shifted : equal_share;
  bool restarted = false;
  for (std::size_t pass = 0;; ++pass) {
    double below = 0.0, held = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const bool bounded = bounds_[k] < level;
      below += bounded ? flows_of_[k] * bounds_[k] : 0.0;
      held += bounded ? 0.0 : flows_of_[k];
    }
    if (held == 0.0) {
      if (restarted || below <= r.capacity * (1.0 + 1e-12)) return unlimited;
      restarted = true;
      level = equal_share;
      continue;
    }
    const double next = std::max(equal_share, (r.capacity - below) / held);
    if (std::abs(next - level) <= 1e-15 * level || pass > n + 50) return next;
    level = next;
  }
}

void Sharing::move_to_level(Index l, double level) {
  Resource& r = resources_[l];
  const double old_level = r.level;
  r.served = served(r);
  r.since = now_;
  r.level = level;
  mark_moved(l);
  load_ = fastest_foreign_ = 0.0;
  leaving_.clear();
  joining_.clear();
  sort_users(l, level - old_level);
  move_out(l, old_level);
  take_in(l);
  r.residual = r.capacity - load_;
  r.foreign_max = fastest_foreign_;
  free_if_idle(l);
}

/// Members that find a lower bound elsewhere leave, users that are faster than the level join; the others are counted
/// and, if their rate changes, told to their other resources.
void Sharing::sort_users(Index l, double change) {
  const Resource& r = resources_[l];
  const double level = r.level;
  const Crowd& crowd = r.crowd;
  const auto n = static_cast<Index>(crowd.users.size());
  for (Index k = 0; k < crowd.members; ++k) {
    const User& user = crowd.users[k];
    if (bounds_[k] < level * (1.0 - tie)) {
      leaving_.push_back(user.flow_class);
      continue;
    }
    load_ += flows_of_[k] * level;
    if (change == 0.0) continue;
    if (user.other < several)
      account(user.other, flows_of_[k] * change, level);
    else if (user.other == several)
      account_elsewhere(classes_[user.flow_class], l, flows_of_[k] * change, level);
  }
  for (Index k = crowd.members; k < n; ++k) {
    const User& user = crowd.users[k];
    // On a route of two, what is no member here is one there, unless it is new or held back by its cap.
    double own = bounds_[k];
    bool is_new = false;
    if (unbound_ > 0 || user.other >= several || r.capped) {
      const Class& c = classes_[user.flow_class];
      own = rate(c);
      is_new = c.bottleneck == none;
    }
    if (is_new || own > level * (1.0 + tie)) {
      joining_.push_back(user.flow_class);
      continue;
    }
    load_ += flows_of_[k] * own;
    fastest_foreign_ = std::max(fastest_foreign_, own);
  }
}

void Sharing::move_out(Index l, double old_level) {
  for (const Index i : leaving_) {
    Class& c = classes_[i];
    const Bound bound = least_bound(c, l);
    leave(i);
    join(i, bound.by);
    load_ += c.flows * bound.rate;
    fastest_foreign_ = std::max(fastest_foreign_, bound.rate);
    account_elsewhere(c, l, c.flows * (bound.rate - old_level), bound.rate);
  }
}

void Sharing::take_in(Index l) {
  const double level = resources_[l].level;
  for (const Index i : joining_) {
    Class& c = classes_[i];
    const double before = rate(c);
    Bound bound{level, l};
    if (c.bottleneck == none) {  // new: perhaps another resource of its route has a lower level by now
      const Bound elsewhere = least_bound(c, l);
      if (elsewhere.rate < level) bound = elsewhere;
    }
    const Index old = c.bottleneck;
    if (old == none) --unbound_;
    leave(i);
    join(i, bound.by);
    load_ += c.flows * bound.rate;
    if (bound.by != l) fastest_foreign_ = std::max(fastest_foreign_, bound.rate);
    account_elsewhere(c, l, c.flows * (bound.rate - before), bound.rate);
    if (old < by_cap) free_if_idle(old);
  }
}

}  // namespace orrery::replay
