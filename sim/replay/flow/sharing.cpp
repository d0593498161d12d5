// Flows and classes: what starts, what ends, and when. sharing.hpp says what holds.
#include "sim/replay/flow/sharing.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orrery::replay {

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

Sharing::Index Sharing::place_of(ResourceId resource) {
  const auto id = static_cast<Index>(resource);
  if (id >= places_.size()) places_.resize(std::max<std::size_t>(id + 1, 2 * places_.size()), none);
  if (places_[id] != none) return places_[id];
  Resource& r = resources_.emplace_back();
  r.capacity = r.residual = capacity_(resource);
  assert(r.capacity > 0.0);
  rarely_.emplace_back();
  identities_.push_back(resource);
  return places_[id] = static_cast<Index>(resources_.size() - 1);
}

/// The class of this route and cap: one in use, or an idle one of the route whose cap may change, or a new one.
Sharing::Index Sharing::class_of(RouteId route, double cap) {
  const auto r = static_cast<Index>(route);
  if (r >= first_class_.size()) first_class_.resize(std::max<std::size_t>(routes_.count(), r + 1), none);
  Index idle = none;
  for (Index i = first_class_[r]; i != none; i = next_of_route_[i]) {
    if (classes_[i].cap == cap) return i;
    if (classes_[i].flows == 0) idle = i;
  }
  if (idle != none) {
    classes_[idle].cap = cap;
    return idle;
  }
  const auto i = static_cast<Index>(classes_.size());
  Class& c = classes_.emplace_back();
  c.cap = cap;
  next_of_route_.push_back(std::exchange(first_class_[r], i));
  const auto resources = routes_.resources(route);
  assert(!resources.empty() && resources.size() < 65536);
  c.hops = static_cast<std::uint16_t>(resources.size());
  if (c.hops > std::size(c.own)) {
    c.own[0].resource = static_cast<Index>(hops_.size());
    hops_.resize(hops_.size() + c.hops);
  }
  for (std::size_t k = 0; k < resources.size(); ++k) hops(c)[k].resource = place_of(resources[k]);
  return i;
}

void Sharing::start(Flow flow, RouteId route, double bytes, double cap) {
  assert(bytes > 0.0);
  if (!(cap > 0.0)) cap = unlimited;
  const Index i = class_of(route, cap);
  Class& c = classes_[i];
  ++active_;
  for (const Hop& hop : hops(c)) resources_[hop.resource].bytes += bytes;
  if (c.flows == 0) {
    c.offset = 0.0;
    flows_.add_first(c.queue, bytes, flow);
    return activate(i);
  }
  const double already = served(c);
  if (already > served_max) {
    flows_.rebase(c.queue, already);
    c.offset -= already;
  }
  const double first = c.queue.finish;
  flows_.add(c.queue, served(c) + bytes, flow);
  count_flow(i, 1);
  if (c.queue.finish != first) first_flow_changed(i);
}

/// A class gets its first flow: it joins the tightest bound on its route. Where nothing is saturated yet and no cap
/// holds it back, one resource of the route must be solved.
void Sharing::activate(Index i) {
  Class& c = classes_[i];
  c.flows = 1;
  for (Index k = 0; k < c.hops; ++k) {
    const Hop& hop = hops(c)[k];
    Resource& r = resources_[hop.resource];
    const Index other = c.hops == 1 ? alone : c.hops == 2 ? c.own[1 - k].resource : several;
    if (r.crowd.users.empty()) r.busy -= now_;
    add_user(hop.resource, {0.0, i, other, 1, k});
    if (c.cap == unlimited) continue;
    Rarely& rarely = rarely_[hop.resource];
    rarely.cap_min = r.capped ? std::min(rarely.cap_min, c.cap) : c.cap;
    r.capped = true;
  }
  const Bound bound = least_bound(c, none);
  if (bound.rate < unlimited) {
    join(i, bound.by);
    if (bound.by != by_cap) account(bound.by, bound.rate, 0.0);
    return account_elsewhere(c, bound.by, bound.rate, bound.rate);
  }
  ++unbound_;
  Index narrowest = none;
  double share = unlimited;
  for (const Hop& hop : hops(c)) {
    const double here =
        resources_[hop.resource].capacity / static_cast<double>(resources_[hop.resource].crowd.users.size());
    if (here < share) share = here, narrowest = hop.resource;
  }
  if (!resources_[narrowest].dirty) enqueue(narrowest);
  resources_[narrowest].forced = true;
}

void Sharing::deactivate(Index i) {
  Class& c = classes_[i];
  const double freed = rate(c);
  if (c.unlinked) link(i);
  const Index bottleneck = c.bottleneck;
  leave(i);
  c.flows = 0;
  for (const Hop& hop : hops(c)) {
    Resource& r = resources_[hop.resource];
    r.residual += freed;
    remove_user(r, r.many ? hop.position : position_among_few(r, i));
    if (r.crowd.users.empty()) {
      r.many = false;
      r.residual = r.capacity;
      r.foreign_max = 0.0;
      r.capped = false;
      r.busy += now_;
    }
  }
  if (bottleneck != by_cap) free_if_idle(bottleneck);
  for (const Hop& hop : hops(c)) touch(hop.resource);
}

double Sharing::served(const Class& c) const {
  if (c.bottleneck == none) return c.offset;
  if (c.bottleneck == by_cap) return c.offset + c.cap * (now_ - held_back(c).since);
  return served(resources_[c.bottleneck]) + c.offset;
}

/// One flow more or less in a class that goes on.
void Sharing::count_flow(Index i, int change) {
  Class& c = classes_[i];
  const double own = rate(c), sign = change;
  c.flows += static_cast<Index>(change);
  if (c.bottleneck < by_cap) resources_[c.bottleneck].flows += static_cast<Index>(change);
  for (const Hop& hop : hops(c)) {
    Resource& r = resources_[hop.resource];
    r.crowd.users[r.many ? hop.position : position_among_few(r, i)].flows += static_cast<Index>(change);
    const double accounted = c.unlinked && hop.resource != c.bottleneck ? held_back(c).allowance : own;
    account(hop.resource, sign * accounted, change > 0 && hop.resource != c.bottleneck ? own : 0.0);
  }
}

Sharing::Flow Sharing::end_first_flow(Index i) {
  Class& c = classes_[i];
  --active_;
  const Flow flow = flows_.take_first(c.queue, c.flows == 1);
  if (c.flows == 1) {
    deactivate(i);
  } else {
    count_flow(i, -1);
    first_flow_changed(i);
  }
  return flow;
}

/// Entries whose clock was put forward since are dropped, those whose clock was put back go back into the queue.
double Sharing::first_clock() {
  for (; !clocks_.empty(); pop_clock()) {
    const double date = clocks_.next_date();
    const Index clock = clocks_.top_what();
    Class* const c = (clock & of_class) != 0 ? &classes_[clock & ~of_class] : nullptr;
    if (c != nullptr && c->bottleneck != by_cap) continue;
    double& queued = c != nullptr ? held_back(*c).allowance : resources_[clock].queued;
    if (date != queued) continue;
    const double end = c != nullptr ? end_of_class(*c) : end_of_resource(clock);
    if (end <= date) return date;
    queued = end;
    if (end < unlimited) clocks_.push(end, clock);  // not before this one: the entry popped is this one
  }
  return unlimited;
}

void Sharing::pop_clock() {
  clocks_.pop();
  if (fetches_ahead_) fetch_ahead();
}

void Sharing::advance(double date, std::vector<Flow>& ended) {
  now_ = date;
  const double tolerated = slack(date);
  while (next_date() <= date + tolerated) {
    const Index clock = clocks_.top_what();
    pop_clock();
    next_known_ = false;
    if ((clock & of_class) == 0)
      end_due_of_resource(clock, tolerated, ended);
    else
      end_due_of_class(clock & ~of_class, tolerated, ended);
  }
}

void Sharing::end_due_of_resource(Index l, double tolerated, std::vector<Flow>& ended) {
  Resource& r = resources_[l];
  r.queued = unlimited;
  mark_moved(l);
  r.served = served(r);
  r.since = now_;
  const double limit = r.served + r.level * tolerated;
  do ended.push_back(end_first_flow(first_due(l).flow_class));
  while (r.first_end <= limit);
}

void Sharing::end_due_of_class(Index i, double tolerated, std::vector<Flow>& ended) {
  held_back_[i].allowance = unlimited;
  const double limit = served(classes_[i]) + classes_[i].cap * tolerated;
  do ended.push_back(end_first_flow(i));
  while (classes_[i].flows > 0 && classes_[i].queue.finish <= limit);
}

void Sharing::settle() {
  ending_soon_.clear();
  if (!dirty_.empty()) {
    for (const Index l : dirty_) solve_later(l);
    dirty_.clear();
    settling_ = true;
    while (!to_solve_.empty())
      if (const Index l = next_to_solve(); resources_[l].dirty) solve(l);
    settling_ = false;
  }
  if (moved_.empty()) return;
  next_known_ = false;
  for (const Index l : moved_) date_resource(l);
  moved_.clear();
}

double Sharing::rate(RouteId route, double cap) const {
  const auto r = static_cast<Index>(route);
  if (r >= first_class_.size()) return 0.0;
  for (Index i = first_class_[r]; i != none; i = next_of_route_[i])
    if (classes_[i].cap == (cap > 0.0 ? cap : unlimited)) return classes_[i].flows > 0 ? rate(classes_[i]) : 0.0;
  return 0.0;
}

Use Sharing::use(ResourceId resource) const {
  const Index place = index(resource) < places_.size() ? places_[index(resource)] : none;
  return place == none ? Use{} : Use{resources_[place].bytes, resources_[place].busy};
}

double Sharing::violation(std::string* what) const {
  double worst = 0.0;
  const auto found = [&](double size, const char* name, std::size_t number) {
    if (!(size > worst)) return;
    worst = size;
    if (what != nullptr) *what = name + std::to_string(number);
  };
  std::vector<double> load(resources_.size(), 0.0);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const Class& c = classes_[i];
    if (c.flows == 0) continue;
    if (c.bottleneck == none) return found(unlimited, "no rate for class ", i), unlimited;
    const double own = rate(c);
    found(own / c.cap - 1.0, "above its cap: class ", i);
    for (const Hop& hop : hops(c)) {
      load[hop.resource] += own * c.flows;
      found(own / resources_[hop.resource].level - 1.0, "faster than the members of a resource: class ", i);
    }
  }
  for (std::size_t l = 0; l < resources_.size(); ++l) {
    const Resource& r = resources_[l];
    const double free = 1.0 - load[l] / r.capacity;
    found(-free, "overloaded: resource ", static_cast<std::size_t>(identities_[l]));
    if (r.flows > 0)
      found(free, "has members but is not saturated: resource ", static_cast<std::size_t>(identities_[l]));
  }
  return worst;
}

}  // namespace orrery::replay
