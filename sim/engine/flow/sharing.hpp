/// Max-min fair sharing of resources by flows, kept exact by repair: the cost of an event depends on its changes only.
///
///   Sharing sharing(routes, capacities);
///   sharing.start(flow, route, bytes, cap);  ...  sharing.settle();      // rates are max-min fair again
///   sharing.next_date();  sharing.advance(date, ended);                  // flows that end then
///
/// Rates are max-min fair exactly if every flow is limited by its cap alone or crosses a saturated resource on which no
/// flow is faster, its bottleneck. Here
///
///   class      all flows of one route and one cap: they always have one rate
///   user       of a resource: a class whose route crosses it; a member, if this resource is its bottleneck
///   level      of a resource: the rate of each flow of its members; infinite while it is not saturated
///   residual   of a resource: capacity - rates accounted to it, of all users; corrected at each change
///
///   class A, 2 flows ---- user ------> NIC 0, 10 B/s: level infinite, residual 10 - 2 * 2 = 6
///                    \--- member ----> NIC 1, 10 B/s: level 10 / (2 + 3) = 2, residual 0
///   class B, 3 flows ---- member -----^
///
/// and for every resource l and every class c that crosses it, `settle` restores
///
///   1  rate(c) = min(cap of c, level of its bottleneck) <= level(l)
///   2  l has members      =>  |residual(l)| <= tolerance * level(l) * flows of its members
///   3  l has no members   =>  level(l) infinite, residual(l) >= -tolerance * capacity(l)
///
/// It solves the resources that violate 2 or 3, lowest level first. A level depends on lower levels only, so this ends.
///
/// Clocks count bytes, so that a change of level changes one date and not one date per flow:
///
///   V(l)  bytes served to each member of l since it was last idle
///   W(c)  bytes served to each flow of c: V(bottleneck) + offset(c); a flow ends when W reaches its finish
///
/// Source   the bottleneck condition: Bertsekas & Gallager, Data Networks, 1992, section 6.5.2
/// Valid    bytes > 0; routes of 1 to 65535 resources
/// Checked  tests/replay/sharing_test.cpp against water-filling from scratch; tests/replay/*_test.cpp against SimGrid
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/fetch.hpp"
#include "sim/engine/date_queue.hpp"
#include "sim/engine/flow/lowest_first.hpp"
#include "sim/engine/flow/state.hpp"
#include "sim/engine/history.hpp"
#include "sim/engine/loads.hpp"
#include "sim/engine/resources.hpp"

namespace orrery::engine {

class Sharing {
 public:
  /// Routes and their resources may be added to the table later. `capacity` returns B/s of a resource when the first
  /// route that crosses it is used, so unused resources cost nothing. `tolerance` is that of the conditions: 1e-10 for
  /// the rounding of sums; a larger one lets loads deviate that far before rates are repaired, which dense traffic
  /// needs.
  using Capacity = std::function<double(ResourceId)>;
  Sharing(const RouteTable& routes, Capacity capacity, double tolerance = 1e-10, bool fetches_ahead = false);
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;

  /// A flow of `bytes` over all resources of the route, at most at `cap` B/s (0: no cap), starts now.
  void start(FlowId flow, RouteId route, double bytes, double cap);
  /// No flow uses this route now and no later call refers to it: its number may be reused.
  void forget(RouteId route);
  void settle();
  /// When the next flow ends if no other starts before; infinity: no flow. Call after `settle`.
  double next_date() {
    if (!next_known_) {
      next_ = first_clock();
      next_known_ = true;
    }
    return next_;
  }
  /// Time becomes `date`, at most `next_date()`; flows that end then (within `slack(date)`) are appended.
  void advance(double date, std::vector<FlowId>& ended);
  /// Dates closer than this are one instant: 1e-14 s, in the first milliseconds less (4e-12 of the time), and two units
  /// in the last place. Ends that differ only by rounding then cost one event; but they end early, and 46 rounds of a
  /// ring within 50 us, each 1e-14 s early, would be 8e-9 of its time.
  static double slack(double date) { return std::min(1e-14, 1e-16 + 4e-12 * date) + 4.5e-16 * date; }

  double now() const { return now_; }
  std::uint64_t active() const { return active_; }
  /// Resources and classes used so far.
  std::size_t size() const { return resources_.size() + classes_.size(); }
  /// Rate of each flow of this route and cap, B/s; 0 without flows.
  double rate(RouteId route, double cap) const;

  /// For simulations larger than the caches, see player_fetch.cpp: a flow over this route starts soon; flows that end
  /// soon, and in how many steps, since the last call of `settle`.
  void fetch_start(RouteId route, int steps_to_start) const;
  struct EndingSoon {
    FlowId flow;
    int steps;
  };
  const std::vector<EndingSoon>& ending_soon() const { return ending_soon_; }

  /// The use of a resource since the beginning, once no flow remains and `add_up` was called.
  void add_up();
  Use use(ResourceId resource) const;

  /// Records from now on which resource limited each class, for `holds_of`.
  void remember_bottlenecks() { remembers_ = true; }
  /// Reports from now on to `loads` what resources carry and when, until the end of the run.
  void keep_loads(Loads& loads);
  void end_loads();
  /// Calls `notify(resource, B/s)` for each that had a flow, with the rates accounted now.
  template <class Notify>
  void each_load(const Notify& notify) const {
    for (const Resource& r : resources_) notify(id_of_[resources_.id_of(r)], load(r));
  }
  /// What limited a flow that began at `began` and ends now: each resource once, with the time for which it was the
  /// bottleneck of the flow.
  void holds_of(RouteId route, double cap, double began, std::vector<Hold>& by);

  /// Largest relative violation of the conditions above, over the whole system; `what` names it. For tests.
  double violation(std::string* what = nullptr) const;

  struct Statistics {
    std::uint64_t solves = 0, entries = 0;  ///< resources solved, and users examined for that
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  using Resource = SharedResource;
  using Class = FlowClass;
  static constexpr ResourceIndex unbound = Class::unbound, by_cap = Class::by_cap;
  /// Bytes at which clocks restart, so that half a unit in the last place stays below a millionth of a byte.
  static constexpr double served_max = 4294967296.0;

  // classes and their flows (sharing.cpp)
  ClassId class_of(RouteId route, double cap);
  ClassId add_class(RouteId route, double cap);
  ClassId new_class(std::size_t hops);
  void add_up(RouteState& route);
  ResourceIndex index_of(ResourceId resource);
  void activate(ClassId i);
  void deactivate(ClassId i);
  void count_flow(ClassId i, int change);
  std::span<Hop> hops(Class& c) {
    return {c.is_short() ? c.short_route : long_routes_.data() + c.first_of_long(), c.hop_count};
  }
  std::span<const Hop> hops(const Class& c) const {
    return {c.is_short() ? c.short_route : long_routes_.data() + c.first_of_long(), c.hop_count};
  }
  double rate(const Class& c) const {
    if (c.bottleneck == by_cap) return c.cap;
    return c.bottleneck == unbound ? 0.0 : resources_[c.bottleneck].level;
  }

  // which resource is the bottleneck of which class (sharing_members.cpp)
  struct Bound {
    double rate;
    ResourceIndex by;
  };
  Bound least_bound(const Class& c, ResourceIndex except) const;
  void join(ClassId i, ResourceIndex bottleneck);
  void leave(ClassId i);
  void unsaturate_without_members(ResourceIndex l);
  void add_user(ResourceIndex l, const User& user);
  void remove_user(Resource& r, Position position);
  void index_users(ResourceIndex l);
  void swap_users(Resource& r, Position a, Position b);
  Position position_of(ClassId i, ResourceIndex l) const;
  Hop& hop_of(const User& user) {
    if (user.has_several_others()) return long_routes_[user.first_of_long() + user.hop];
    return classes_[user.flow_class].short_route[user.hop];
  }
  std::span<const Hop> long_route(const User& user) const {
    return {long_routes_.data() + user.first_of_long(), user.count};
  }
  /// For a user some steps ahead: the routes of many users are scattered in memory.
  void fetch_route(const User& user) const {
    if (user.has_several_others()) fetch_lines(&long_routes_[user.first_of_long()], 2);
  }
  void fetch_class(const std::vector<ClassId>& of, std::size_t k) const {
    if (k < of.size()) fetch(&classes_[of[k]]);
  }
  static constexpr std::size_t routes_ahead = 8;

  // which resource was the bottleneck of which class (sharing_memory.cpp)
  static constexpr std::uint32_t none_before = ClassMemory::none_before;
  void remember(ClassId i, ResourceIndex bottleneck);
  void put_away_oldest(ClassMemory& memory);
  void forget(std::uint32_t& before);

  // members that need no update at each change (sharing_unlinked.cpp)
  void unlink_slow_members(ResourceIndex l);
  void unlink(ResourceIndex l, Position position, double allowance);
  void raise_allowances(ResourceIndex l);
  bool has_room_elsewhere(const Class& c, ResourceIndex here, double more, double kept) const;
  void link(ClassId i);
  void link_all(ResourceIndex l);

  // when flows end (sharing_clocks.cpp)
  double served(const Class& c) const;
  double served(const Resource& r) const {  // its level may be infinite at its date
    return r.flows > 0 && now_ > r.since ? r.served + r.level * (now_ - r.since) : r.served;
  }
  double first_clock();
  void pop_clock();
  void end_due_of_resource(ResourceIndex l, double slack, std::vector<FlowId>& ended);
  void end_due_of_class(ClassId i, double slack, std::vector<FlowId>& ended);
  FlowId end_first_flow(ClassId i);
  void first_flow_changed(ClassId i);
  FirstEnds::Entry first_to_end(ResourceIndex l) const;
  double least_first_end(ResourceIndex l) const;
  double end_date(const Class& c) const;
  double end_date(const Resource& r) const;
  void set_clock(ClassId i);
  void set_clock(ResourceIndex l);
  void rebase(ResourceIndex l);
  [[gnu::always_inline]] void mark_undated(ResourceIndex l) {
    if (resources_[l].undated) return;
    resources_[l].undated = true;
    undated_.push_back(l);
  }
  auto told_place() {
    return [this](ClassId i, FirstEnds::Slot place) { classes_[i].heap_place = place; };
  }
  void fetch_ahead();
  void fetch_first_start(RouteId route, int steps_to_start) const;
  void fetch_users_elsewhere(const Resource& r) const;

  // loads over time (sharing_loads.cpp)
  void begin_bin();
  static double load(const Resource& r) { return r.flows > 0 ? r.capacity : r.capacity - r.residual; }
  /// Called before the load changes: the first time in a bin, the load so far is reported.
  void load_changes(Resource& r, double by) {
    if (r.bin != bin_) [[unlikely]]
      tell_bins(r, bin_);
    r.moment += by * in_bin_;
  }
  /// The load of a resource with members is its capacity, whatever its residual.
  void residual_changes(Resource& r, double by) {
    if (r.flows == 0) load_changes(r, -by);
  }
  [[gnu::noinline]] void tell_bins(Resource& r, std::uint16_t next);
  void tell_allowance(ClassId i);

  // solving one resource with all others fixed (sharing_levels.cpp)
  bool violated(const Resource& r) const {
    if (r.flows > 0) return std::abs(r.residual) > tolerance_ * r.level * r.flows;
    return r.residual < -tolerance_ * r.capacity;
  }
  void solve_if_violated(ResourceIndex l) {
    Resource& r = resources_[l];
    if (!r.dirty && violated(r)) mark_dirty(l);
  }
  void mark_dirty(ResourceIndex l);
  /// Accounts `rate` more to the resource; `fastest` is the rate of one of its flows.
  void account(ResourceIndex l, double rate, double fastest) {
    Resource& r = resources_[l];
    const double before = r.foreign_max;
    r.foreign_max = fastest > before ? fastest : before;
    residual_changes(r, -rate);
    r.residual -= rate;
    if (!r.dirty && violated(r)) mark_dirty(l);
  }
  void account_elsewhere(std::span<const Hop> route, ResourceIndex here, double rate, double fastest) {
    for (const Hop& hop : route)
      if (hop.resource != here) account(hop.resource, rate, fastest);
  }
  void account_elsewhere(const User& user, ResourceIndex here, double rate, double fastest) {
    if (user.has_one_other()) return account(user.other, rate, fastest);
    if (user.has_several_others()) account_elsewhere(long_route(user), here, rate, fastest);
  }
  double estimated_level(const Resource& r) const;
  void solve(ResourceIndex l);
  bool shift_level(ResourceIndex l);
  bool tell_linked(ResourceIndex l, double change);
  bool keep_members(ResourceIndex l);
  void collect_bounds(ResourceIndex l);
  void make_room_for_bounds(std::size_t users) {
    if (bounds_.size() >= users) return;
    bounds_.resize(2 * users);
    flows_of_.resize(2 * users);
  }
  double collect_flows(const Resource& r);
  /// The minimum of its cap and of the levels elsewhere on its route, if any user has one.
  double bound_elsewhere(const User& user, ResourceIndex here, bool capped) const {
    const double bound = user.has_one_other()        ? resources_[user.other].level
                         : user.has_several_others() ? least_level(long_route(user), here)
                                                     : unlimited;
    return capped ? std::min(bound, classes_[user.flow_class].cap) : bound;
  }
  double least_level(std::span<const Hop> route, ResourceIndex except) const {
    double least = unlimited;
    for (const Hop& hop : route) {
      const double level = hop.resource == except ? unlimited : levels_[hop.resource];
      least = level < least ? level : least;
    }
    return least;
  }
  void give_level(Resource& r, double level) { levels_[resources_.id_of(r)] = r.level = level; }
  double balanced_level(const Resource& r, double flows) const;
  void set_level(ResourceIndex l, double level);
  void classify_users(ResourceIndex l, double change);
  void move_out(ResourceIndex l, double old_level);
  void take_in(ResourceIndex l);
  void set_cap_min(ResourceIndex l, double cap) {
    resources_[l].capped = cap < unlimited;
    rare_[l].cap_min = cap;
  }

  const RouteTable& routes_;
  Capacity capacity_;
  double tolerance_;
  double now_ = 0.0;
  std::uint64_t active_ = 0;
  IdVector<ResourceId, ResourceIndex> index_of_;  ///< no_index: not used so far
  IdVector<ResourceIndex, ResourceId> id_of_;
  IdVector<ResourceIndex, Resource> resources_;
  IdVector<ResourceIndex, double> levels_;  ///< copy of their levels, contiguous for comparing many
  IdVector<ResourceIndex, RareState> rare_;
  IdVector<ClassId, Class> classes_;
  IdVector<ClassId, CapClock> cap_clocks_;   ///< up to the last class that its cap limited
  IdVector<ClassId, Allowance> allowances_;  ///< up to the last class that was unlinked
  std::vector<Hop> long_routes_;             ///< of routes with more than two hops
  IdVector<RouteId, RouteState> of_route_;
  IdVector<ClassId, ClassId> next_of_route_;
  std::vector<std::vector<ClassId>> forgotten_;  ///< [hops] classes of forgotten routes
  FlowQueues flows_;
  DateQueue clocks_;         ///< of resources, and of classes that only their cap limits
  double next_ = unlimited;  ///< the first of them, if known
  bool next_known_ = false;
  std::vector<ResourceIndex> undated_;
  std::vector<ResourceIndex> dirty_;  ///< found between two settles
  LowestFirst to_solve_;              ///< during one
  bool settling_ = false;
  std::size_t unbound_classes_ = 0;
  Loads* loads_ = nullptr;
  IdVector<ResourceIndex, TellsLoads> tells_loads_;
  std::uint16_t bin_ = 0;  ///< the present bin; its begin and end; time in it, s
  double bin_begin_ = 0.0, bin_end_ = unlimited, in_bin_ = 0.0;
  bool fetches_ahead_;
  std::vector<EndingSoon> ending_soon_;
  bool remembers_ = false;
  IdVector<ClassId, ClassMemory> memories_;  ///< earlier ones are chained in:
  std::vector<Held> held_;
  std::uint32_t free_held_ = none_before;
  // scratch of one solve
  std::vector<double> bounds_, flows_of_;  ///< [users] lowest bound of each class elsewhere; its flows
  std::vector<ClassId> leaving_, joining_;
  double load_ = 0.0, fastest_foreign_ = 0.0;
  Statistics statistics_;
};

}  // namespace orrery::engine
