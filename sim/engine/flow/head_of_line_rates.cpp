// Rates: water-filling under capacities, caps and turns, and the turns of links as they are found to be blocked.
#include <cassert>
#include <utility>

#include "sim/engine/flow/head_of_line.hpp"

namespace orrery::engine {

namespace {

constexpr double alike = 1e-9;  // rates and loads closer than this, relatively, are equal: nobody is held between them

}  // namespace

void HeadOfLine::settle() {
  if (!changed_) return;
  changed_ = false;
  collect_used();
  do {
    fill();
    find_bottlenecks();
  } while (block_more());
  take_rates();
}

/// All resources that some flow crosses; nothing is blocked yet.
void HeadOfLine::collect_used() {
  ++solution_;
  used_.clear();
  for (const ClassId i : active_)
    for (Hop& hop : classes_[i].hops) {
      hop.gives_turn = false;
      GatedResource& place = places_[hop.place];
      if (place.used_in == solution_) continue;
      place.used_in = solution_;
      place.turn = unlimited;
      for (const GateId input : place.inputs) {
        gates_[input].capacity = unlimited;
        gates_[input].free_of_it = 0;
      }
      used_.push_back(hop.place);
    }
}

void HeadOfLine::open(Gate& gate, GateId id) {
  gate.free = gate.capacity;
  gate.open = gate.flows - gate.free_of_it;
  gate.fastest = 0.0;
  if (gate.open > 0 && gate.capacity < unlimited) shares_.emplace_back(gate.capacity / gate.open, id);
}

/// What holds each flow of a class by itself: its cap, or the turn of its first link, where every flow is an input.
double HeadOfLine::own_limit(const FlowClass& c) const {
  double limit = c.cap;
  for (const Hop& hop : c.hops)
    if (hop.turn == no_gate && !hop.gives_turn) limit = std::min(limit, places_[hop.place].turn);
  return limit;
}

/// Progressive filling: the least share is final for those who wait for it, and what they leave is shared by the others.
void HeadOfLine::fill() {
  shares_.clear();
  limits_.clear();
  for (const ResourceIndex used : used_) {
    GatedResource& place = places_[used];
    open(gates_[place.gate], place.gate);
    for (const GateId input : place.inputs) open(gates_[input], input);
  }
  for (const ClassId i : active_) {
    classes_[i].next_rate = -1.0;
    if (const double limit = own_limit(classes_[i]); limit < unlimited) limits_.emplace_back(limit, i);
  }
  std::ranges::make_heap(shares_, std::greater{});
  std::ranges::sort(limits_);
  std::size_t next = 0;
  for (std::size_t given = 0; given < active_.size();) {
    const double share = least_share();
    while (next < limits_.size() && classes_[limits_[next].second].next_rate >= 0.0) ++next;
    if (next < limits_.size() && limits_[next].first <= share * (1.0 + alike)) {
      give(limits_[next].second, std::min(limits_[next].first, share));
      ++given;
      continue;
    }
    assert(!shares_.empty());
    const GateId narrowest = shares_.front().second;
    std::ranges::pop_heap(shares_, std::greater{});
    shares_.pop_back();
    for (const ClassId i : gates_[narrowest].users)
      if (classes_[i].next_rate < 0.0 && !is_free_of(classes_[i], narrowest)) {
        give(i, share);
        ++given;
      }
  }
}

bool HeadOfLine::is_free_of(const FlowClass& c, GateId gate) const {
  if (gates_[gate].free_of_it == 0) return false;  // as of most: this is asked for every user of a gate
  return std::ranges::any_of(c.hops, [&](const Hop& hop) { return hop.turn == gate && hop.gives_turn; });
}

/// Of the gate in front, whose entry is right then.
double HeadOfLine::least_share() {
  while (!shares_.empty()) {
    const auto [entered, id] = shares_.front();
    const Gate& gate = gates_[id];
    const double share = gate.open > 0 ? std::max(0.0, gate.free / gate.open) : unlimited;
    if (share <= entered * (1.0 + 1e-15)) return share;
    std::ranges::pop_heap(shares_, std::greater{});
    shares_.pop_back();
    if (share == unlimited) continue;
    shares_.emplace_back(share, id);
    std::ranges::push_heap(shares_, std::greater{});
  }
  return unlimited;
}

void HeadOfLine::give(ClassId i, double rate) {
  FlowClass& c = classes_[i];
  c.next_rate = rate;
  const auto flows = static_cast<std::uint32_t>(c.flows.size());
  for (const Hop& hop : c.hops)
    for (const GateId id : {hop.gate, hop.gives_turn ? no_gate : hop.turn}) {
      if (id == no_gate) continue;
      Gate& gate = gates_[id];
      gate.free -= flows * rate;
      gate.open -= flows;
      gate.fastest = std::max(gate.fastest, rate);
    }
}

bool HeadOfLine::holds(const Gate& gate, double rate) const {
  return gate.free <= alike * gate.capacity && gate.fastest <= rate * (1.0 + alike);
}

/// The first full resource on a route; where there is none, the first turn.
void HeadOfLine::find_bottlenecks() {
  for (const ClassId i : active_) {
    FlowClass& c = classes_[i];
    c.held_at = by_cap;
    c.held_by = no_gate;
    const double limit = own_limit(c), rate = c.next_rate;
    const auto hops = static_cast<std::uint32_t>(c.hops.size());
    if (rate >= limit * (1.0 - alike)) {
      for (std::uint32_t k = 0; limit < c.cap && k < hops; ++k)
        if (c.hops[k].turn == no_gate && places_[c.hops[k].place].turn == limit) c.held_at = k;
      continue;
    }
    const auto held = [&](std::uint32_t hop, GateId gate) {
      if (c.held_by != no_gate || gate == no_gate || gates_[gate].capacity == unlimited) return;
      if (!holds(gates_[gate], rate)) return;
      c.held_at = hop;
      c.held_by = gate;
    };
    for (std::uint32_t k = 0; k < hops; ++k) held(k, c.hops[k].gate);
    for (std::uint32_t k = 0; k < hops; ++k) held(k, c.hops[k].gives_turn ? no_gate : c.hops[k].turn);
    assert(c.held_by != no_gate);
  }
}

/// What the flows over this input, but those that give the turn, get together if none is faster than `level`.
double HeadOfLine::passed_by(GateId input, double level) const {
  double sum = 0.0;
  for (const ClassId i : gates_[input].users)
    if (!is_free_of(classes_[i], input))
      sum += static_cast<double>(classes_[i].flows.size()) * std::min(classes_[i].next_rate, level);
  return sum;
}

/// Gives the links that are blocked at these rates, and were not so far, their turns; whether any flow has more than that.
bool HeadOfLine::block_more() {
  claims_.clear();
  for (const ClassId i : active_) {
    const FlowClass& c = classes_[i];
    if (c.held_by == no_gate || places_[c.hops[c.held_at].place].part == Part::sender) continue;
    for (std::uint32_t k = 0; k < c.held_at; ++k) {
      const GatedResource& place = places_[c.hops[k].place];
      if (place.part == Part::link && place.turn == unlimited)
        claims_.emplace_back(c.hops[k].place, c.held_by, c.hops[k].turn, i);
    }
  }
  std::ranges::sort(claims_);
  bool too_fast = false;
  for (std::size_t begin = 0, end = 0; begin < claims_.size(); begin = end) {
    while (end < claims_.size() && claims_[end].link() == claims_[begin].link()) ++end;
    block(begin, end);
    too_fast |= exceeds_turn(claims_[begin].link());
  }
  return too_fast;  // if not, rates stay, and what they block has its turns
}

bool HeadOfLine::exceeds_turn(ResourceIndex link) const {
  const GatedResource& place = places_[link];
  const double most = 1.0 + 1e-12;
  for (const GateId input : place.inputs)
    if (gates_[input].flows > gates_[input].free_of_it && passed_by(input, unlimited) > most * gates_[input].capacity)
      return true;
  return std::ranges::any_of(gates_[place.gate].users, [&](ClassId i) {
    const FlowClass& c = classes_[i];
    return c.next_rate > most * place.turn && std::ranges::any_of(c.hops, [&](const Hop& hop) {
             return hop.place == link && hop.turn == no_gate && !hop.gives_turn;
           });
  });
}

/// One link, which these claims are of.
void HeadOfLine::block(std::size_t begin, std::size_t end) {
  GatedResource& link = places_[claims_[begin].link()];
  std::size_t first = begin, last = end;  // of the claims by what makes the turn least
  for (std::size_t k = begin; k < end;) {
    const std::size_t first_by = k;
    const double level = gates_[claims_[k].by()].fastest;
    double passed = 0.0;
    std::uint32_t inputs = 0;
    for (; k < end && claims_[k].by() == claims_[first_by].by(); ++k) {
      const GateId input = claims_[k].input();
      if (input != no_gate && k > first_by && input == claims_[k - 1].input()) continue;
      passed += input == no_gate ? level : passed_by(input, level);
      ++inputs;
    }
    if (passed >= inputs * link.turn) continue;
    link.turn = passed / inputs;
    first = first_by;
    last = k;
  }
  for (const GateId input : link.inputs) gates_[input].capacity = link.turn;
  for (std::size_t k = first; k < last; ++k) {
    FlowClass& c = classes_[claims_[k].flows()];
    std::ranges::find_if(c.hops, [&](const Hop& hop) { return &places_[hop.place] == &link; })->gives_turn = true;
    if (claims_[k].input() != no_gate)
      gates_[claims_[k].input()].free_of_it += static_cast<std::uint32_t>(c.flows.size());
  }
  const double level = gates_[claims_[first].by()].fastest;
  for (std::size_t k = first; k < last; ++k)  // of these inputs the others, whose part of the sum this then is
    if (const GateId input = claims_[k].input(); input != no_gate && (k == first || input != claims_[k - 1].input()))
      gates_[input].capacity = passed_by(input, level);
}

void HeadOfLine::take_rates() {
  for (const ClassId i : active_) {
    FlowClass& c = classes_[i];
    if (c.next_rate != c.rate) {
      c.served = served(c);
      c.since = now_;
      c.rate = c.next_rate;
      if (keeps_new_rates_) new_rates_.push_back(i);
    }
    set_end(c);
    if (remembers_) remember(c);
  }
  for (const ResourceIndex used : used_) {
    GatedResource& place = places_[used];
    const Gate& gate = gates_[place.gate];
    if (gate.flows > 0) tell_load(place, gate.capacity - gate.free);
  }
}

double HeadOfLine::violation(std::string* what) const {
  double worst = 0.0;
  const auto found = [&](double size, const char* name, std::size_t number) {
    if (!(size > worst)) return;
    worst = size;
    if (what != nullptr) *what = name + std::to_string(number);
  };
  IdVector<GateId, double> load;
  load.resize(gates_.size());
  for (const ClassId i : active_) {
    const FlowClass& c = classes_[i];
    found(c.rate / c.cap - 1.0, "above its cap: class ", index(i));
    if (!(c.rate > 0.0)) found(unlimited, "no rate for class ", index(i));
    if (c.held_by == no_gate && c.rate < own_limit(c) * (1.0 - alike)) found(1.0, "held by nothing: class ", index(i));
    for (std::uint32_t k = 0; k < c.hops.size(); ++k) {
      const Hop& hop = c.hops[k];
      const GatedResource& place = places_[hop.place];
      if (c.held_by != no_gate && places_[c.hops[c.held_at].place].part != Part::sender && k < c.held_at &&
          place.part == Part::link && place.turn == unlimited)
        found(1.0, "not blocked by who is held after it: resource ", index(place.id));
      for (const GateId id : {hop.gate, hop.gives_turn ? no_gate : hop.turn})
        if (id != no_gate) load[id] += c.rate * static_cast<double>(c.flows.size());
    }
  }
  for (const GatedResource& place : places_) {
    found(load[place.gate] / gates_[place.gate].capacity - 1.0, "overloaded: resource ", index(place.id));
    for (const GateId input : place.inputs)
      if (load[input] > 0.0)
        found(load[input] / gates_[input].capacity - 1.0, "more than its turn: resource ", index(place.id));
  }
  return worst;
}

}  // namespace orrery::engine
