// Flows and classes: what starts, what ends, and the repair after it. sharing.hpp says what holds.
#include "sim/engine/flow/sharing.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace orrery::engine {

namespace {

// Classes whose addresses are reserved: they cost nothing until used (64 MB of addresses at most), growing costs
// copies.
constexpr std::size_t reserved_per_route = 128;  // when a run begins there is one route per rank, for its copies
constexpr std::size_t reserved_max = std::size_t{1} << 20;

}  // namespace

Sharing::Sharing(const RouteTable& routes, Capacity capacity, double tolerance, bool fetches_ahead)
    : routes_(routes), capacity_(std::move(capacity)), tolerance_(tolerance), fetches_ahead_(fetches_ahead) {
  classes_.reserve(std::min(reserved_per_route * std::size_t{routes_.count()}, reserved_max));
}

void Sharing::start(FlowId flow, RouteId route, double bytes, double cap) {
  assert(bytes > 0.0);
  if (!(cap > 0.0)) cap = unlimited;
  const ClassId i = class_of(route, cap);
  Class& c = classes_[i];
  ++active_;
  of_route_[route].bytes += bytes;
  if (c.flows == 0) {
    c.offset = 0.0;
    flows_.add_first(c.queue, bytes, flow);
    return activate(i);
  }
  const double already = served(c);
  if (already > served_max) {
    flows_.rebase(c.queue, already);
    c.offset -= already;
    if (c.unlinked) allowances_[i].served -= already;
  }
  const double first = c.queue.finish;
  flows_.add(c.queue, served(c) + bytes, flow);
  count_flow(i, 1);
  if (c.queue.finish != first) first_flow_changed(i);
}

/// The class of this route and cap: one in use, or an idle one of the route whose cap may change, or a new one.
ClassId Sharing::class_of(RouteId route, double cap) {
  if (!of_route_.has(route)) of_route_.resize(std::max<std::size_t>(routes_.count(), index(route) + 1));
  ClassId idle = no_class;
  for (ClassId i = of_route_[route].first; i != no_class; i = next_of_route_[i]) {
    if (classes_[i].cap == cap) return i;
    if (classes_[i].flows == 0) idle = i;
  }
  if (idle == no_class) return add_class(route, cap);
  classes_[idle].cap = cap;
  return idle;
}

ClassId Sharing::add_class(RouteId route, double cap) {
  const auto resources = routes_.resources(route);
  assert(!resources.empty() && resources.size() < 65536);
  const ClassId i = new_class(resources.size());
  Class& c = classes_[i];
  c.cap = cap;
  next_of_route_[i] = std::exchange(of_route_[route].first, i);
  for (std::size_t k = 0; k < resources.size(); ++k) hops(c)[k].resource = index_of(resources[k]);
  return i;
}

ClassId Sharing::new_class(std::size_t hops) {
  if (hops < forgotten_.size() && !forgotten_[hops].empty()) {
    const ClassId i = forgotten_[hops].back();
    forgotten_[hops].pop_back();
    return i;
  }
  const ClassId i = classes_.add();
  next_of_route_.add();
  Class& c = classes_[i];
  c.hop_count = static_cast<std::uint16_t>(hops);
  if (c.is_short()) return i;
  c.set_first_of_long(long_routes_.size());
  long_routes_.resize(long_routes_.size() + hops);
  return i;
}

void Sharing::forget(RouteId route) {
  if (!of_route_.has(route)) return;
  add_up(of_route_[route]);
  for (ClassId i = std::exchange(of_route_[route].first, no_class); i != no_class; i = next_of_route_[i]) {
    const std::size_t hops = classes_[i].hop_count;
    assert(classes_[i].flows == 0);
    if (memories_.has(i)) {
      forget(memories_[i].before);
      memories_[i] = {};
    }
    if (forgotten_.size() <= hops) forgotten_.resize(hops + 1);
    forgotten_[hops].push_back(i);
  }
}

ResourceIndex Sharing::index_of(ResourceId resource) {
  if (!index_of_.has(resource))
    index_of_.resize(std::max<std::size_t>(index(resource) + 1, 2 * index_of_.size()), no_index);
  if (index_of_[resource] != no_index) return index_of_[resource];
  const ResourceIndex l = resources_.add();
  levels_.add(unlimited);
  resources_[l].capacity = resources_[l].residual = capacity_(resource);
  resources_[l].bin = bin_;
  assert(resources_[l].capacity > 0.0);
  rare_.add();
  id_of_.add(resource);
  tells_loads_.add(TellsLoads{loads_ == nullptr ? Loads::no_curve : loads_->curve(resource)});
  return index_of_[resource] = l;
}

/// A class gets its first flow: it joins the tightest bound on its route. Where nothing is saturated yet and no cap
/// holds it back, one resource of the route must be solved.
void Sharing::activate(ClassId i) {
  Class& c = classes_[i];
  c.flows = 1;
  for (std::uint32_t k = 0; k < c.hop_count; ++k) {
    const Hop& hop = hops(c)[k];
    Resource& r = resources_[hop.resource];
    const ResourceIndex other = c.hop_count == 1   ? User::alone
                                : c.hop_count == 2 ? c.short_route[1 - k].resource
                                                   : User::long_route(c.first_of_long());
    if (r.users.empty()) r.busy -= now_;
    add_user(hop.resource, {0.0, i, other, 1, static_cast<std::uint16_t>(k), c.hop_count});
    if (c.cap == unlimited) continue;
    RareState& rare = rare_[hop.resource];
    rare.cap_min = r.capped ? std::min(rare.cap_min, c.cap) : c.cap;
    r.capped = true;
  }
  const Bound bound = least_bound(c, no_index);
  if (bound.rate < unlimited) {
    join(i, bound.by);
    if (bound.by != by_cap) account(bound.by, bound.rate, 0.0);
    return account_elsewhere(hops(c), bound.by, bound.rate, bound.rate);
  }
  ++unbound_classes_;
  ResourceIndex narrowest = no_index;
  double least_share = unlimited;
  for (const Hop& hop : hops(c)) {
    const Resource& r = resources_[hop.resource];
    const double share = r.capacity / static_cast<double>(r.users.size());
    if (share < least_share) least_share = share, narrowest = hop.resource;
  }
  if (!resources_[narrowest].dirty) mark_dirty(narrowest);
  resources_[narrowest].forced = true;
}

FlowId Sharing::end_first_flow(ClassId i) {
  Class& c = classes_[i];
  --active_;
  const FlowId flow = flows_.take_first(c.queue, c.flows == 1);
  if (c.flows == 1) {
    deactivate(i);
  } else {
    count_flow(i, -1);
    first_flow_changed(i);
  }
  return flow;
}

/// The last flow of a class has ended.
void Sharing::deactivate(ClassId i) {
  Class& c = classes_[i];
  const double freed = rate(c);
  if (c.unlinked) link(i);
  const ResourceIndex bottleneck = c.bottleneck;
  leave(i);
  if (remembers_) memories_[i].ended = now_;
  c.flows = 0;
  for (const Hop& hop : hops(c)) {
    Resource& r = resources_[hop.resource];
    residual_changes(r, freed);
    r.residual += freed;
    remove_user(r, r.indexed ? hop.position : r.users.position_in_list(i));
    if (r.users.empty()) {
      r.indexed = false;
      residual_changes(r, r.capacity - r.residual);
      r.residual = r.capacity;
      r.foreign_max = 0.0;
      r.capped = false;
      r.busy += now_;
    }
  }
  if (bottleneck != by_cap) unsaturate_without_members(bottleneck);
  for (const Hop& hop : hops(c)) solve_if_violated(hop.resource);
}

/// One flow more or less in a class that goes on.
void Sharing::count_flow(ClassId i, int change) {
  Class& c = classes_[i];
  const double own = rate(c), sign = change;
  if (c.unlinked) tell_allowance(i);
  c.flows += static_cast<std::uint32_t>(change);
  if (c.has_bottleneck()) resources_[c.bottleneck].flows += static_cast<std::uint32_t>(change);
  for (const Hop& hop : hops(c)) {
    Resource& r = resources_[hop.resource];
    r.users[r.indexed ? hop.position : r.users.position_in_list(i)].flows += static_cast<std::uint32_t>(change);
    const double accounted = c.unlinked && hop.resource != c.bottleneck ? allowances_[i].rate : own;
    account(hop.resource, sign * accounted, change > 0 && hop.resource != c.bottleneck ? own : 0.0);
  }
}

void Sharing::settle() {
  ending_soon_.clear();
  if (!dirty_.empty()) {
    for (const ResourceIndex l : dirty_) to_solve_.push(estimated_level(resources_[l]), l);
    dirty_.clear();
    settling_ = true;
    while (!to_solve_.empty())
      if (const ResourceIndex l = to_solve_.pop(); resources_[l].dirty) solve(l);
    settling_ = false;
  }
  if (undated_.empty()) return;
  next_known_ = false;
  for (const ResourceIndex l : undated_) set_clock(l);
  undated_.clear();
}

double Sharing::rate(RouteId route, double cap) const {
  if (!of_route_.has(route)) return 0.0;
  for (ClassId i = of_route_[route].first; i != no_class; i = next_of_route_[i])
    if (classes_[i].cap == (cap > 0.0 ? cap : unlimited)) return classes_[i].flows > 0 ? rate(classes_[i]) : 0.0;
  return 0.0;
}

/// To the resources of the route, which have none of these bytes yet.
void Sharing::add_up(RouteState& route) {
  if (route.first == no_class) return;
  for (const Hop& hop : hops(classes_[route.first])) rare_[hop.resource].bytes += route.bytes;
  route.bytes = 0.0;
}

void Sharing::add_up() {
  for (std::uint32_t route = 0; route < of_route_.size(); ++route) add_up(of_route_[RouteId{route}]);
}

Use Sharing::use(ResourceId resource) const {
  const ResourceIndex l = index_of_.has(resource) ? index_of_[resource] : no_index;
  return l == no_index ? Use{} : Use{rare_[l].bytes, resources_[l].busy};
}

}  // namespace orrery::engine
