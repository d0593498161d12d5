/// Sharing on a network without congestion control: blocked messages block others (`congestion: head-of-line`).
///
/// A lossless network stops a link whose next buffer is full, and such a buffer holds blocked messages. Other messages
/// advance only in turn with these, on every link that they have come over: a congestion tree. In numbers, for the
/// flows that exist at one instant, independent of the history:
///
///   input       of a link: the link of the network that a flow comes over to it; at an outgoing NIC every flow is one
///   held        a flow is held by its bottleneck: the first full resource of its route on which no flow is faster, or
///               a turn that is used up and on which no flow is faster; not if its own cap, its first link or the
///               connection of its two ranks holds it
///   blocked     every link of the network on its route before the place where a flow is held
///   turn(l)     of a blocked link: what each of its inputs may pass, all its flows together, in B/s
///
///     turn(l) = mean over inputs i of l with flows held by b:  sum over flows f by i to l of min(r(f), s(b))
///
///   b     what holds flows of l back; where several things do, that which makes the turn least     -
///   s(b)  rate of the flows that b holds back                                                      B/s
///   r(f)  rate of a flow                                                                           B/s
///
/// The link l serves its inputs in turn, all equally, and passes from the inputs with held flows what b lets through.
/// Held flows get their share of b. Other flows from the same input together get at most the input's part of the sum.
/// Rates are max-min fair under capacities, caps and turns. Turns are found as a tree grows: first rates without turns,
/// then the turns of the links blocked at these rates, then rates again, until no other link is blocked. A turn keeps
/// its value. Each link is blocked once, so the loop ends.
///
///   leaf 1: a, v -- uplink -- spine -- leaf 2: b .. z, all to z:   incoming NIC of z full, s = C/k of each
///     turn(NIC out of a) = s      turn(uplink) = s: what a passes
///     v, with m flows over that uplink to nodes that are idle, gets s of it: s/m each. They are held, so turn(NIC out
///     of v) = s/m: its flows over other uplinks also get at most s/m.
///
/// Source   input-buffered lossless networks: Dally & Towles, Principles and Practices of Interconnection Networks,
///          2004, chapters 13 and 16; congestion trees: Pfister & Norton, IEEE Trans. Computers 34(10), 1985. That a
///          link serves its inputs in turn: the same, section 18.3 (round-robin arbiters)
/// Valid    one virtual lane; trees grow and dissolve at once (a buffer fills in some 10 us); bytes > 0
/// Differs  messages that go to the full resource itself keep their max-min shares of it; a switch would give those
///          that come over a busier input less (the parking lot)
/// Checked  tests/replay/head_of_line_test.cpp, closed forms and random systems, on both engines
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/engine/flow/ids.hpp"
#include "sim/engine/history.hpp"
#include "sim/engine/loads.hpp"
#include "sim/engine/resources.hpp"
#include "sim/engine/usage.hpp"

namespace orrery::engine {

/// The role of a resource that holds a flow, for flows behind it: a NIC or a cable, which can be blocked itself; a
/// resource beyond the network, such as a copy at the receiver; or a limit of the sender, which blocks no other flow.
enum class Part : std::uint8_t { link, beyond, sender };
inline auto parts_of(const Routes& routes, const Resources& resources) {
  return [end = index(routes.end_of_cables()), &resources](ResourceId id) {
    if (index(id) < end) return Part::link;
    return resources.kind(id) == ResourceKind::connection ? Part::sender : Part::beyond;
  };
}

/// Replaces `Sharing` (sharing.hpp documents the functions). Rates are computed anew at each event that changes the
/// flows, so the cost of an event grows with the number of flows.
class HeadOfLine {
 public:
  using Capacity = std::function<double(ResourceId)>;
  using PartOf = std::function<Part(ResourceId)>;
  HeadOfLine(const RouteTable& routes, Capacity capacity, PartOf part_of);
  HeadOfLine(const HeadOfLine&) = delete;
  HeadOfLine& operator=(const HeadOfLine&) = delete;

  void start(FlowId flow, RouteId route, double bytes, double cap);
  void forget(RouteId route);
  void settle();
  double next_date() const;
  void advance(double date, std::vector<FlowId>& ended);

  /// For an engine that itself reports when flows end: time is now `date`, and this flow has ended.
  void pass(double date);
  void end(FlowId flow, RouteId route, double cap);
  /// New rates are collected for `each_new_rate` from now on.
  void keep_new_rates() { keeps_new_rates_ = true; }
  /// Calls `notify(flow, B/s)` for each flow whose rate `settle` has set or changed since the last call.
  template <class Notify>
  void each_new_rate(const Notify& notify) {
    for (const ClassId i : new_rates_)
      for (const auto& [finish, flow] : classes_[i].flows) notify(flow, classes_[i].rate);
    new_rates_.clear();
  }

  std::size_t size() const { return places_.size() + classes_.size(); }
  double rate(RouteId route, double cap) const;
  /// Bandwidth for each input of this link; infinite if it is not blocked.
  double turn(ResourceId link) const;
  Use use(ResourceId resource) const { return usage_.of(resource); }
  void add_up() const {}
  void fetch_start(RouteId, int) const {}
  std::span<const std::pair<FlowId, int>> ending_soon() const { return {}; }  ///< always empty

  void remember_bottlenecks() { remembers_ = true; }
  void keep_loads(Loads& loads) { loads_ = &loads; }
  void end_loads();
  template <class Notify>
  void each_load(const Notify&) const {}  ///< `Loads` has them already
  void holds_of(RouteId route, double cap, double began, std::vector<Hold>& by);

  /// Largest relative excess of a load over its capacity or a turn, or 1 for a flow that nothing holds. For tests.
  double violation(std::string* what = nullptr) const;

 private:
  enum class GateId : std::uint32_t {};
  static constexpr GateId no_gate{0xffffffffu};
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t by_cap = 0xffffffffu;

  /// A limit on the sum of its users' rates: a resource, or the turn of one input of a link.
  struct Gate {
    double capacity = unlimited, free = 0.0, fastest = 0.0;  ///< `fastest`: of its flows
    std::uint32_t flows = 0, free_of_it = 0, open = 0;       ///< `open`: have no rate yet
    std::vector<ClassId> users;
  };
  struct GatedResource {
    ResourceId id{};
    Part part = Part::beyond;
    GateId gate{};
    std::vector<GateId> inputs;
    double turn = unlimited;
    double load = 0.0, since = 0.0;
    std::uint64_t used_in = 0;  ///< number of the last solution with this gate in `used_`
  };
  struct Hop {
    ResourceIndex place{};
    GateId gate{}, turn = no_gate;  ///< `turn`: of the input that the route uses
    bool gives_turn = false;        ///< its held flows determine the turn here, so it has none itself
  };
  struct Held {
    double since;
    ResourceId by;
  };
  /// All flows of one route and one cap: they always have one rate.
  struct FlowClass {
    RouteId route = no_route;
    double cap = unlimited;
    double rate = 0.0, next_rate = -1.0, served = 0.0, since = 0.0, end = unlimited;
    std::uint32_t held_at = by_cap;  ///< hop
    GateId held_by = no_gate;        ///< no_gate: its cap, or the turn of its first link
    std::uint32_t active = 0;        ///< position in `active_`
    double ended = -1.0;             ///< end of its last flow; negative while it has one
    std::vector<Hop> hops;
    std::vector<std::pair<double, FlowId>> flows;  ///< heap: bytes served at which one ends
    std::vector<Held> memory;
  };

  ClassId class_of(RouteId route, double cap);
  ClassId find(RouteId route, double cap) const;
  ResourceIndex place_of(ResourceId resource);
  GateId turn_gate(ResourceIndex from, ResourceIndex to);
  void activate(ClassId i);
  void flow_left(ClassId i);
  double served(const FlowClass& c) const { return c.served + c.rate * (now_ - c.since); }
  void set_end(FlowClass& c) const;
  void remember(FlowClass& c);
  void tell_load(GatedResource& place, double load);

  // rates (head_of_line_rates.cpp)
  void collect_used();
  void fill();
  void open(Gate& gate, GateId id);
  double least_share();
  void give(ClassId i, double rate);
  double own_limit(const FlowClass& c) const;
  bool is_free_of(const FlowClass& c, GateId gate) const;
  void find_bottlenecks();
  bool holds(const Gate& gate, double rate) const;
  bool block_more();
  double passed_by(GateId input, double level) const;
  void block(std::size_t begin, std::size_t end);
  bool exceeds_turn(ResourceIndex link) const;
  void take_rates();

  const RouteTable& routes_;
  Capacity capacity_;
  PartOf part_of_;
  double now_ = 0.0;
  bool changed_ = false, remembers_ = false, keeps_new_rates_ = false;
  Loads* loads_ = nullptr;
  Usage usage_;
  std::vector<ResourceIndex> place_of_;         ///< [resources] no_index: not used so far
  std::vector<std::vector<ClassId>> of_route_;  ///< [routes]
  std::vector<ClassId> free_classes_, active_, new_rates_;
  IdVector<ResourceIndex, GatedResource> places_;
  IdVector<GateId, Gate> gates_;
  IdVector<ClassId, FlowClass> classes_;
  std::unordered_map<std::uint64_t, GateId> turn_gates_;  ///< by the two places

  // of the current solution
  std::uint64_t solution_ = 0;
  std::vector<ResourceIndex> used_;
  std::vector<std::pair<double, GateId>> shares_;   ///< heap; shares only grow
  std::vector<std::pair<double, ClassId>> limits_;  ///< by caps and first links, ascending
  class Claim {                                     ///< flows from this input are held by `by` after this link
   public:
    Claim(ResourceIndex link, GateId by, GateId input, ClassId flows)
        : place_(pair(link, by)), flows_(pair(input, flows)) {}
    ResourceIndex link() const { return static_cast<ResourceIndex>(place_ >> 32); }
    GateId by() const { return static_cast<GateId>(static_cast<std::uint32_t>(place_)); }
    GateId input() const { return static_cast<GateId>(flows_ >> 32); }
    ClassId flows() const { return static_cast<ClassId>(static_cast<std::uint32_t>(flows_)); }
    auto operator<=>(const Claim&) const = default;  ///< by the members in order; claims are sorted in each round

   private:
    static std::uint64_t pair(auto high, auto low) {
      return (static_cast<std::uint64_t>(high) << 32) | static_cast<std::uint64_t>(low);
    }
    std::uint64_t place_, flows_;
  };
  std::vector<Claim> claims_;
};

}  // namespace orrery::engine
