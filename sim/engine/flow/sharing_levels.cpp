// The levels: one resource is solved given all others, the lowest first, until nothing is violated.
//
// A user u of resource l is held back elsewhere to bound(u), the least level on the rest of its route, or its cap.
// Given those, the level s of l is where
//
//   sum over users of flows(u) * min(bound(u), s) = capacity        members: users with bound(u) >= s
//
// Three ways to it, the cheapest first; each hands over where it does not hold:
//
//   shift_level    many users: s moves by residual / flows; nobody else is looked at but linked members
//   keep_members   the same, and one pass over the users says whether that was right
//   set_level      s by Newton's method; users join and leave
//
// sharing.hpp says what holds.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

namespace {

constexpr double tie = 1e-13;             // levels closer than this, relatively, are equal: nobody moves between them
constexpr std::uint32_t shift_min = 12;   // users from which shifting a level is tried before solving it in full
constexpr std::uint32_t unlink_min = 32;  // linked members from which unlinking pays

}  // namespace

void Sharing::mark_dirty(ResourceIndex l) {
  resources_[l].dirty = true;
  if (!settling_) return dirty_.push_back(l);
  to_solve_.push(estimated_level(resources_[l]), l);
}

/// About the level it will have, or had: only the order of work hangs on it. A resource without members comes after one
/// with members and the same estimate.
double Sharing::estimated_level(const Resource& r) const {
  if (r.flows == 0) return 1.000001 * r.capacity / static_cast<double>(std::max(1u, r.users.size()));
  const double change = r.residual / r.flows;
  return std::max(0.0, r.level + (change < 0.0 ? change : 0.0));
}

void Sharing::solve(ResourceIndex l) {
  Resource& r = resources_[l];
  Users& users = r.users;
  ++statistics_.solves;
  const bool forced = r.forced;
  r.forced = false;
  if (!forced && !violated(r)) {
    r.dirty = false;
    return;
  }
  if (users.empty()) {
    r.dirty = false;
    residual_changes(r, r.capacity - r.residual);
    r.residual = r.capacity;
    return;
  }
  if (!forced && r.flows > 0 && users.size() >= shift_min && shift_level(l)) return;
  if (r.has_unlinked) link_all(l);
  statistics_.entries += users.size();
  r.dirty = false;
  if (r.flows == 0)
    collect_bounds(l);
  else if (keep_members(l))
    return;
  set_level(l, balanced_level(r, collect_flows(r)));
}

/// Who is a member stays: level' = level + residual / flows. False when a user would have to join or leave.
bool Sharing::shift_level(ResourceIndex l) {
  Resource& r = resources_[l];
  Users& users = r.users;
  if (users.members == users.size()) r.foreign_max = 0.0;
  const double level = r.level + r.residual / r.flows;
  if (!(level > 0.0) || level < r.foreign_max * (1.0 - tie) || (r.capped && level > rare_[l].cap_min)) return false;
  r.dirty = false;
  r.served = served(r);
  r.since = now_;
  const double change = level - r.level;
  give_level(r, level);
  r.residual = 0.0;
  mark_undated(l);
  const bool crossed = tell_linked(l, change);
  if (users.members > users.linked && level > rare_[l].unlinked_min) raise_allowances(l);
  if (users.linked >= unlink_min) {
    if (rare_[l].unlink_wait == 0)
      unlink_slow_members(l);
    else
      --rare_[l].unlink_wait;
  }
  return !crossed;
}

/// The other resources of linked members account the change. True when a member finds a lower level there now.
bool Sharing::tell_linked(ResourceIndex l, double change) {
  const Resource& r = resources_[l];
  const double lower = r.level * (1.0 - tie);
  bool crossed = false;
  statistics_.entries += r.users.linked;
  const auto linked = r.users.linked_members();
  for (std::size_t k = 0; k < linked.size(); ++k) {
    const User& user = linked[k];
    if (k + routes_ahead < linked.size()) fetch_route(linked[k + routes_ahead]);
    if (user.has_one_other()) {
      crossed |= resources_[user.other].level < lower;
      account(user.other, user.flows * change, r.level);
    } else if (user.has_several_others()) {
      for (const Hop& hop : long_route(user)) {
        if (hop.resource == l) continue;
        crossed |= resources_[hop.resource].level < lower;
        account(hop.resource, user.flows * change, r.level);
      }
    }
  }
  return crossed;
}

/// Most often nobody joins or leaves: level' = level + residual / flows, if all bounds elsewhere agree. If not, false; the
/// bounds are then in `bounds_`.
/// (Who is no member has the rate of its bound elsewhere: new are users only where there is no member yet.)
bool Sharing::keep_members(ResourceIndex l) {
  Resource& r = resources_[l];
  const double change = r.residual / r.flows, level = r.level + change;
  const bool capped = r.capped;
  const auto all = std::as_const(r.users).all();
  const std::size_t members = r.users.members;
  double least = unlimited, fastest = 0.0, load = r.flows * level, cap_min = unlimited;
  make_room_for_bounds(all.size());
  const auto bound_of = [&](std::size_t k) {
    if (k + routes_ahead < all.size()) fetch_route(all[k + routes_ahead]);
    if (capped) cap_min = std::min(cap_min, classes_[all[k].flow_class].cap);
    return bounds_[k] = bound_elsewhere(all[k], l, capped);
  };
  for (std::size_t k = 0; k < members; ++k) {
    const double bound = bound_of(k);
    least = bound < least ? bound : least;
  }
  for (std::size_t k = members; k < all.size(); ++k) {
    const double bound = bound_of(k);
    load += all[k].flows * bound;
    fastest = bound > fastest ? bound : fastest;
  }
  if (capped) set_cap_min(l, cap_min);
  if (!(level > 0.0) || least < level * (1.0 - tie) || fastest > level * (1.0 + tie)) return false;
  const double residual = r.capacity - load;
  if (std::abs(residual) > tolerance_ * level * r.flows) return false;  // rounding of a long sum: solved in full
  r.served += r.level * (now_ - r.since);
  r.since = now_;
  give_level(r, level);
  r.residual = residual;
  r.foreign_max = fastest;
  mark_undated(l);
  for (const User& user : all.first(members)) account_elsewhere(user, l, user.flows * change, level);
  return true;
}

/// Fills `bounds_`.
void Sharing::collect_bounds(ResourceIndex l) {
  const Resource& r = resources_[l];
  const auto all = r.users.all();
  make_room_for_bounds(all.size());
  double cap_min = unlimited;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k + routes_ahead < all.size()) fetch_route(all[k + routes_ahead]);
    bounds_[k] = bound_elsewhere(all[k], l, r.capped);
    if (r.capped) cap_min = std::min(cap_min, classes_[all[k].flow_class].cap);
  }
  if (r.capped) set_cap_min(l, cap_min);
}

/// Fills `flows_of_`; returns the flows of all users.
double Sharing::collect_flows(const Resource& r) {
  double flows = 0.0;
  std::size_t k = 0;
  for (const User& user : r.users.all()) flows += flows_of_[k++] = user.flows;
  return flows;
}

/// The s with  sum over users of flows * min(bound, s) = capacity,  by Newton's method: the sum is concave in s.
/// Infinite when the bounds elsewhere leave the resource unsaturated. `flows`: of all users.
double Sharing::balanced_level(const Resource& r, double flows) const {
  const std::size_t n = r.users.size();
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

void Sharing::set_level(ResourceIndex l, double level) {
  Resource& r = resources_[l];
  const double old_level = r.level;
  r.served = served(r);
  r.since = now_;
  give_level(r, level);
  mark_undated(l);
  load_ = fastest_foreign_ = 0.0;
  leaving_.clear();
  joining_.clear();
  classify_users(l, level - old_level);
  move_out(l, old_level);
  take_in(l);
  const double residual = r.capacity - load_;
  residual_changes(r, residual - r.residual);
  r.residual = residual;
  r.foreign_max = fastest_foreign_;
  unsaturate_without_members(l);
}

/// Members that find a lower bound elsewhere leave, users that are faster than the level join; the others are counted
/// and, if their rate changes, told to their other resources.
void Sharing::classify_users(ResourceIndex l, double change) {
  const Resource& r = resources_[l];
  const double level = r.level;
  std::size_t k = 0;
  for (const User& user : r.users.all_members()) {
    const double bound = bounds_[k], flows = flows_of_[k];
    ++k;
    if (bound < level * (1.0 - tie)) {
      leaving_.push_back(user.flow_class);
      continue;
    }
    load_ += flows * level;
    if (change != 0.0) account_elsewhere(user, l, flows * change, level);
  }
  for (const User& user : r.users.others()) {
    const double own = bounds_[k], flows = flows_of_[k];  // its rate, unless it is new
    ++k;
    const bool is_new = unbound_classes_ > 0 && classes_[user.flow_class].bottleneck == unbound;
    if (is_new || own > level * (1.0 + tie)) {
      joining_.push_back(user.flow_class);
      continue;
    }
    load_ += flows * own;
    fastest_foreign_ = std::max(fastest_foreign_, own);
  }
}

void Sharing::move_out(ResourceIndex l, double old_level) {
  for (std::size_t k = 0; k < leaving_.size(); ++k) {
    fetch_class(leaving_, k + routes_ahead);
    const ClassId i = leaving_[k];
    Class& c = classes_[i];
    const Bound bound = least_bound(c, l);
    leave(i);
    join(i, bound.by);
    load_ += c.flows * bound.rate;
    fastest_foreign_ = std::max(fastest_foreign_, bound.rate);
    account_elsewhere(hops(c), l, c.flows * (bound.rate - old_level), bound.rate);
  }
}

void Sharing::take_in(ResourceIndex l) {
  const double level = resources_[l].level;
  for (std::size_t k = 0; k < joining_.size(); ++k) {
    fetch_class(joining_, k + routes_ahead);
    const ClassId i = joining_[k];
    Class& c = classes_[i];
    const double before = rate(c);
    Bound bound{level, l};
    if (c.bottleneck == unbound) {  // new: perhaps another resource of its route has a lower level by now
      const Bound elsewhere = least_bound(c, l);
      if (elsewhere.rate < level) bound = elsewhere;
    }
    const ResourceIndex old = c.bottleneck;
    const bool left_a_resource = c.has_bottleneck();
    if (old == unbound) --unbound_classes_;
    leave(i);
    join(i, bound.by);
    load_ += c.flows * bound.rate;
    if (bound.by != l) fastest_foreign_ = std::max(fastest_foreign_, bound.rate);
    account_elsewhere(hops(c), l, c.flows * (bound.rate - before), bound.rate);
    if (left_a_resource) unsaturate_without_members(old);
  }
}

}  // namespace orrery::engine
