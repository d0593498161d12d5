// Flows start, are served and end; what they are held by and what resources carry. head_of_line.hpp says what holds.
#include "sim/engine/flow/head_of_line.hpp"

#include <cassert>

#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

namespace {

constexpr double served_max = 4294967296.0;  // B: clocks start anew, so that half a unit in the last place stays small
constexpr std::size_t remembered_max =
    128;  // changes: of a flow that saw more, the earliest of these stands for all before

}  // namespace

HeadOfLine::HeadOfLine(const RouteTable& routes, Capacity capacity, PartOf part_of)
    : routes_(routes), capacity_(std::move(capacity)), part_of_(std::move(part_of)) {}

ResourceIndex HeadOfLine::place_of(ResourceId resource) {
  const auto i = static_cast<std::size_t>(resource);
  if (i >= place_of_.size()) place_of_.resize(i + 1, no_index);
  if (place_of_[i] != no_index) return place_of_[i];
  const ResourceIndex place = places_.add();
  places_[place].id = resource;
  places_[place].part = part_of_(resource);
  places_[place].gate = gates_.add();
  gates_[places_[place].gate].capacity = capacity_(resource);
  assert(gates_[places_[place].gate].capacity > 0.0);
  return place_of_[i] = place;
}

HeadOfLine::GateId HeadOfLine::turn_gate(ResourceIndex from, ResourceIndex to) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(from)} << 32u) | static_cast<std::uint32_t>(to);
  const auto [found, is_new] = turn_gates_.try_emplace(key, no_gate);
  if (!is_new) return found->second;
  const GateId gate = gates_.add();
  places_[to].inputs.push_back(gate);
  return found->second = gate;
}

ClassId HeadOfLine::find(RouteId route, double cap) const {
  const double limit = cap > 0.0 ? cap : unlimited;
  if (index(route) >= of_route_.size()) return no_class;
  for (const ClassId i : of_route_[index(route)])
    if (classes_[i].cap == limit) return i;
  return no_class;
}

ClassId HeadOfLine::class_of(RouteId route, double cap) {
  if (const ClassId found = find(route, cap); found != no_class) return found;
  if (index(route) >= of_route_.size()) of_route_.resize(index(route) + 1);
  ClassId i = no_class;
  if (free_classes_.empty()) {
    i = classes_.add();
  } else {
    i = free_classes_.back();
    free_classes_.pop_back();
    classes_[i] = {};
  }
  of_route_[index(route)].push_back(i);
  classes_[i].route = route;
  classes_[i].cap = cap > 0.0 ? cap : unlimited;
  ResourceIndex before = no_index;
  for (const ResourceId resource : routes_.resources(route)) {
    const ResourceIndex place = place_of(resource);
    const bool is_link = places_[place].part == Part::link;
    const GateId turn = is_link && before != no_index ? turn_gate(before, place) : no_gate;
    classes_[i].hops.push_back({place, places_[place].gate, turn});
    before = is_link ? place : no_index;
  }
  return i;
}

void HeadOfLine::forget(RouteId route) {
  if (index(route) >= of_route_.size()) return;
  for (const ClassId i : of_route_[index(route)]) {
    assert(classes_[i].flows.empty());
    free_classes_.push_back(i);
  }
  of_route_[index(route)].clear();
}

void HeadOfLine::start(FlowId flow, RouteId route, double bytes, double cap) {
  assert(bytes > 0.0);
  usage_.flow_started(routes_.resources(route), bytes, now_);
  const ClassId i = class_of(route, cap);
  FlowClass& c = classes_[i];
  if (c.flows.empty()) activate(i);
  if (const double already = served(c); already > served_max) {
    for (auto& [finish, other] : c.flows) finish -= already;
    c.served -= already;
  }
  c.flows.emplace_back(served(c) + bytes, flow);
  std::ranges::push_heap(c.flows, std::greater{});
  for (const Hop& hop : c.hops) {
    ++gates_[hop.gate].flows;
    if (hop.turn != no_gate) ++gates_[hop.turn].flows;
  }
  if (keeps_new_rates_) new_rates_.push_back(i);  // also if it stays as it was: the flow has none yet
  changed_ = true;
}

void HeadOfLine::activate(ClassId i) {
  FlowClass& c = classes_[i];
  c.active = static_cast<std::uint32_t>(active_.size());
  active_.push_back(i);
  c.rate = c.served = 0.0;
  c.since = now_;
  if (c.ended >= 0.0 && c.ended < now_) c.memory.clear();  // flows that ended before this instant have all asked
  c.ended = -1.0;
  for (const Hop& hop : c.hops) {
    gates_[hop.gate].users.push_back(i);
    if (hop.turn != no_gate) gates_[hop.turn].users.push_back(i);
  }
}

/// One flow less, which is out of the heap already.
void HeadOfLine::flow_left(ClassId i) {
  FlowClass& c = classes_[i];
  changed_ = true;
  for (const Hop& hop : c.hops)
    for (const GateId gate : {hop.gate, hop.turn}) {
      if (gate == no_gate) continue;
      --gates_[gate].flows;
      if (!c.flows.empty()) continue;
      auto& users = gates_[gate].users;
      users.erase(std::ranges::find(users, i));
    }
  if (!c.flows.empty()) return;
  c.ended = now_;
  active_[c.active] = active_.back();
  classes_[active_.back()].active = c.active;
  active_.pop_back();
  for (const Hop& hop : c.hops)
    if (gates_[hop.gate].flows == 0) tell_load(places_[hop.place], 0.0);
}

void HeadOfLine::set_end(FlowClass& c) const {
  c.end = c.rate > 0.0 ? now_ + std::max(0.0, c.flows.front().first - served(c)) / c.rate : unlimited;
}

double HeadOfLine::next_date() const {
  double next = unlimited;
  for (const ClassId i : active_) next = std::min(next, classes_[i].end);
  return next;
}

void HeadOfLine::pass(double date) {
  now_ = date;
  if (loads_ != nullptr && loads_->kept())
    while (now_ >= loads_->end()) loads_->double_bins();  // others tell loads, too
}

void HeadOfLine::advance(double date, std::vector<FlowId>& ended) {
  pass(date);
  const double slack = Sharing::slack(date);
  for (std::size_t k = 0; k < active_.size();) {
    const ClassId i = active_[k];
    FlowClass& c = classes_[i];
    const double until = served(c) + c.rate * slack;
    while (!c.flows.empty() && (c.end <= date + slack || c.flows.front().first <= until)) {
      c.end = unlimited;
      const FlowId flow = c.flows.front().second;
      std::ranges::pop_heap(c.flows, std::greater{});
      c.flows.pop_back();
      ended.push_back(flow);
      usage_.flow_ended(routes_.resources(c.route), now_);
      flow_left(i);
    }
    if (!c.flows.empty()) ++k;  // else another class has its place
  }
}

void HeadOfLine::end(FlowId flow, RouteId route, double cap) {
  const ClassId i = find(route, cap);
  FlowClass& c = classes_[i];
  c.flows.erase(std::ranges::find(c.flows, flow, &std::pair<double, FlowId>::second));
  std::ranges::make_heap(c.flows, std::greater{});
  usage_.flow_ended(routes_.resources(route), now_);
  flow_left(i);
}

double HeadOfLine::rate(RouteId route, double cap) const {
  const ClassId i = find(route, cap);
  return i == no_class || classes_[i].flows.empty() ? 0.0 : classes_[i].rate;
}

double HeadOfLine::turn(ResourceId link) const {
  const auto i = static_cast<std::size_t>(link);
  return i < place_of_.size() && place_of_[i] != no_index ? places_[place_of_[i]].turn : unlimited;
}

void HeadOfLine::tell_load(GatedResource& place, double load) {
  if (loads_ != nullptr && place.load > 0.0 && now_ > place.since)
    loads_->carried(place.id, place.load * (now_ - place.since), place.since, now_);
  place.load = load;
  place.since = now_;
}

void HeadOfLine::end_loads() {
  for (std::uint32_t k = 0; k < places_.size(); ++k) tell_load(places_[ResourceIndex{k}], 0.0);
  loads_ = nullptr;
}

void HeadOfLine::remember(FlowClass& c) {
  const ResourceId by = c.held_at == by_cap ? no_resource : places_[c.hops[c.held_at].place].id;
  if (!c.memory.empty() && c.memory.back().by == by) return;
  if (c.memory.size() == remembered_max) c.memory.erase(c.memory.begin(), c.memory.begin() + remembered_max / 2);
  c.memory.push_back({now_, by});
}

void HeadOfLine::holds_of(RouteId route, double cap, double began, std::vector<Hold>& by) {
  const ClassId i = find(route, cap);
  if (i == no_class) return;
  const auto& memory = classes_[i].memory;
  const std::size_t first = by.size();
  for (std::size_t k = 0; k < memory.size(); ++k) {
    const double until = k + 1 < memory.size() ? memory[k + 1].since : now_;
    const double seconds = until - (k == 0 ? began : std::max(began, memory[k].since));
    if (!(seconds > 0.0)) continue;
    const auto own = by.begin() + static_cast<std::ptrdiff_t>(first);
    const auto same = std::find_if(own, by.end(), [&](const Hold& hold) { return hold.by == memory[k].by; });
    if (same != by.end())
      same->seconds += seconds;
    else
      by.push_back({memory[k].by, seconds});
  }
}

}  // namespace orrery::engine
