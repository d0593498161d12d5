// The levels: one resource is solved given all others, lowest first, until nothing is violated. sharing.hpp says what
// holds.
#include <algorithm>
#include <bit>
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
  to_solve_.push_back(Order{std::bit_cast<std::uint32_t>(static_cast<float>(solve_order(l)))} << 32 | l);
  if (to_solve_are_heap_)
    std::ranges::push_heap(to_solve_, std::greater{});
  else if (to_solve_.size() > looked_through_max)
    std::ranges::make_heap(to_solve_, std::greater{}), to_solve_are_heap_ = true;
}

Sharing::Index Sharing::next_to_solve() {
  if (to_solve_are_heap_) {
    std::ranges::pop_heap(to_solve_, std::greater{});
  } else {
    Order first = to_solve_.back();
    for (std::size_t k = 0; k + 1 < to_solve_.size(); ++k) {  // without a branch: others move, the first goes last
      const Order other = to_solve_[k];
      to_solve_[k] = first < other ? other : first;
      first = first < other ? first : other;
    }
    to_solve_.back() = first;
  }
  const auto l = static_cast<Index>(to_solve_.back());
  to_solve_.pop_back();
  if (to_solve_.empty()) to_solve_are_heap_ = false;
  return l;
}

/// About the level it will have, or had: only the order of work hangs on it.
double Sharing::solve_order(Index l) const {
  const Resource& r = resources_[l];
  if (r.flows == 0)
    return 1.000001 * r.capacity / static_cast<double>(std::max<std::size_t>(1, resources_[l].crowd.users.size()));
  const double change = r.residual / r.flows;
  return std::max(0.0, r.level + (change < 0.0 ? change : 0.0));
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
  r.dirty = false;
  if (keep_members(l)) return;
  const double flows = bounds_elsewhere(l);
  move_to_level(l, balanced_level(l, flows));
}

/// Most often nobody joins or leaves: level' = level + residual / flows, if all bounds elsewhere agree. False if not.
/// (Who is no member has the rate of its bound elsewhere: new are users only where there is no member yet.)
bool Sharing::keep_members(Index l) {
  Resource& r = resources_[l];
  if (r.flows == 0) return false;
  const double change = r.residual / r.flows, level = r.level + change;
  const Index members = r.crowd.members, n = r.crowd.users.size();
  const User* const users = r.crowd.users.begin();
  const bool capped = r.capped;
  double least = unlimited, fastest = 0.0, load = r.flows * level, cap_min = unlimited;
  const auto bound_of = [&](const User& user) {
    if (capped) cap_min = std::min(cap_min, classes_[user.flow_class].cap);
    return bound_elsewhere(user, l, capped);
  };
  for (Index k = 0; k < members; ++k) {
    const double bound = bound_of(users[k]);
    least = bound < least ? bound : least;
  }
  for (Index k = members; k < n; ++k) {
    const double bound = bound_of(users[k]);
    load += users[k].flows * bound;
    fastest = bound > fastest ? bound : fastest;
  }
  if (!(level > 0.0) || least < level * (1.0 - tie) || fastest > level * (1.0 + tie)) return false;
  const double residual = r.capacity - load;
  if (std::abs(residual) > tolerance_ * level * r.flows) return false;  // rounding of a long sum: solved in full
  if (capped) set_cap_min(l, cap_min);
  r.served += r.level * (now_ - r.since);
  r.since = now_;
  r.level = level;
  r.residual = residual;
  r.foreign_max = fastest;
  mark_moved(l);
  for (Index k = 0; k < members; ++k) account_elsewhere(users[k], l, users[k].flows * change, level);
  return true;
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

/// Fills `bounds_` and `flows_of_`; returns the flows of all users.
double Sharing::bounds_elsewhere(Index l) {
  Resource& r = resources_[l];
  const Index n = r.crowd.users.size();
  if (bounds_.size() < n) {
    bounds_.resize(2 * std::size_t{n});
    flows_of_.resize(2 * std::size_t{n});
  }
  double flows = 0.0, cap_min = unlimited;
  for (Index k = 0; k < n; ++k) {
    const User& user = r.crowd.users[k];
    bounds_[k] = bound_elsewhere(user, l, r.capped);
    flows += flows_of_[k] = user.flows;
    if (r.capped) cap_min = std::min(cap_min, classes_[user.flow_class].cap);
  }
  if (r.capped) set_cap_min(l, cap_min);
  return flows;
}

double Sharing::least_level(const Class& c, Index except) const {
  double least = unlimited;
  for (const Hop& hop : hops(c))
    if (hop.resource != except) least = std::min(least, resources_[hop.resource].level);
  return least;
}

/// The s with  sum over users of flows * min(bound, s) = capacity,  by Newton's method: the sum is concave in s.
/// Infinite when the bounds elsewhere leave the resource unsaturated.
double Sharing::balanced_level(Index l, double flows) const {
  const Resource& r = resources_[l];
  const std::size_t n = r.crowd.users.size();
  const double equal_share = r.capacity / flows;
  const double shifted = r.flows > 0 ? r.level + r.residual / r.flows : 0.0;  // right if nobody joins or leaves
  double level = std::max(shifted, equal_share), held_before = 0.0;
  bool restarted = false;
  for (std::size_t pass = 0;; ++pass) {
    double load = 0.0, held = 0.0;  // at this level; flows that no bound below it holds back
    for (std::size_t k = 0; k < n; ++k) {
      const bool lower = bounds_[k] < level;
      load += flows_of_[k] * (lower ? bounds_[k] : level);
      held += lower ? 0.0 : flows_of_[k];
    }
    if (held == 0.0) {
      if (restarted || load <= r.capacity * (1.0 + 1e-12)) return unlimited;
      restarted = true;
      level = equal_share;
      continue;
    }
    if (held == held_before) return level;  // no bound between the level before and this one
    const double next = std::max(equal_share, level + (r.capacity - load) / held);
    if (std::abs(next - level) <= 1e-15 * level || pass > n + 50) return next;
    held_before = held;
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
    if (change != 0.0) account_elsewhere(user, l, flows_of_[k] * change, level);
  }
  for (Index k = crowd.members; k < n; ++k) {
    const User& user = crowd.users[k];
    const double own = bounds_[k];  // its rate, unless it is new
    const bool is_new = unbound_ > 0 && classes_[user.flow_class].bottleneck == none;
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
