/// Max-min fair sharing of resources by flows, kept exact by repair: a change costs what it changes, not the system.
///
///   Sharing sharing(routes, capacities);
///   sharing.start(flow, route, bytes, cap);  ...  sharing.settle();      // rates are max-min fair again
///   sharing.next_date();  sharing.advance(date, ended);                  // flows that end then
///
///   class      all flows of one route and one cap: they always have one rate
///   user       of a resource: a class whose route crosses it; a member, if this resource is its bottleneck
///   level      of a resource: the rate of each flow of its members; infinite while it is not saturated
///   residual   capacity - rates accounted to it; corrected at each change, and rebuilt when the resource is solved
///
/// A vector of rates is max-min fair exactly when every flow crosses a saturated resource on which no flow is faster,
/// or is held back by its cap alone. `settle` restores, for every resource l and every class c that crosses it,
///
///   1  rate(c) = min(cap of c, level of its bottleneck) <= level(l)
///   2  l has members      =>  |residual(l)| <= tolerance * level(l) * flows of its members
///   3  l has no members   =>  level(l) infinite, residual(l) >= -tolerance * capacity(l)
///
/// by solving resources that break 2 or 3, the lowest level first: a level depends on lower levels only, so it ends.
///
/// A class that waits for one resource only and is slow against all others on its route is *unlinked* there: the others
/// account twice its rate and need not hear of changes below that. So a thousand senders into one receiver cost
/// each event O(log n) and not a walk over the senders.
///
///   V(l)  bytes served to each member of l since it was last idle: one clock per resource, so one date in the heap
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
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/replay/date_queue.hpp"
#include "sim/replay/flow/few.hpp"
#include "sim/replay/flow/flow_queue.hpp"
#include "sim/replay/resources.hpp"

namespace orrery::replay {

class Sharing {
 public:
  using Flow = std::uint32_t;

  /// Routes and their resources may be added to the table later; `capacity` tells B/s of a resource when the first
  /// route that crosses it is used, so that a machine costs what is used of it. `tolerance` is that of the conditions:
  /// 1e-10 for the rounding of sums; more lets loads go up and down by so much before rates are repaired, which dense
  /// traffic needs.
  using Capacity = std::function<double(ResourceId)>;
  Sharing(const RouteTable& routes, Capacity capacity, double tolerance = 1e-10, bool fetches_ahead = false);
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;

  /// `bytes` over all resources of the route, at most at `cap` B/s (0: no cap), from now on.
  void start(Flow flow, RouteId route, double bytes, double cap);
  void settle();
  /// When the next flow ends if none starts before; infinity: no flow. After `settle`.
  double next_date() {
    if (!next_known_) {
      next_ = first_clock();
      next_known_ = true;
    }
    return next_;
  }
  /// Time becomes `date`, not after `next_date()`; flows that end then (within `slack(date)`) are appended.
  void advance(double date, std::vector<Flow>& ended);
  /// Dates closer than this are one instant: 1e-14 s, in the first milliseconds less (4e-12 of the time), and two units
  /// in the last place. Ends that rounding alone sets apart then cost one event; but they end early, and 46 rounds of
  /// a ring within 50 us, each 1e-14 s early, would be 8e-9 of its time.
  static double slack(double date) { return std::min(1e-14, 1e-16 + 4e-12 * date) + 4.5e-16 * date; }

  double now() const { return now_; }
  std::uint64_t active() const { return active_; }
  /// Resources and classes used so far.
  std::size_t size() const { return resources_.size() + classes_.size(); }
  /// Rate of each flow of this route and cap, B/s; 0 without flows.
  double rate(RouteId route, double cap) const;

  /// For machines beyond the caches, see player_fetch.cpp: a flow over this route starts soon; flows that end soon, and
  /// in how many steps, since the last call of `settle`.
  void fetch_start(RouteId route, int steps_to_start) const;
  struct EndingSoon {
    Flow flow;
    int steps;
  };
  const std::vector<EndingSoon>& ending_soon() const { return ending_soon_; }

  /// What crossed a resource since the beginning, when no flow is left.
  Use use(ResourceId resource) const;

  /// Largest violation of the conditions above, relative, over the whole system; `what` names it. For tests.
  double violation(std::string* what = nullptr) const;

  struct Statistics {
    std::uint64_t solves = 0, entries = 0;  ///< resources solved, and users looked at for it
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = 0xffffffffu;
  static constexpr Index by_cap = 0xfffffffeu;    ///< bottleneck of a class that only its cap holds back
  static constexpr Index of_class = 0x80000000u;  ///< clocks: a class that its cap holds back, not a resource
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  /// Bytes from which clocks start anew, so that half a unit in the last place stays below a millionth of a byte.
  static constexpr double served_max = 4294967296.0;

  struct User {
    double first_end = 0.0;               ///< of a member: V at which the first flow of the class ends
    Index flow_class, other, flows, hop;  ///< `other`: the second resource of a route of two; see `alone`, `several`
  };
  static constexpr Index alone = 0xffffffffu, several = 0xfffffffeu;
  static constexpr Index users_few = 6;  ///< so many are looked through; of more, places and first ends are indexed
  /// Users of a resource: [0, linked) members that others must hear of, [linked, members) unlinked members, the rest.
  struct Crowd {
    Index linked = 0, members = 0;
    Few<User, users_few> users;
  };
  /// What an event needs of a resource: four cache lines side by side.
  struct alignas(64) Resource {
    double level = unlimited, residual = 0.0;
    double foreign_max = 0.0;  ///< no user that is not a member is faster
    double capacity = 0.0;
    double served = 0.0, since = 0.0;  ///< V, and the date it is of
    double queued = unlimited;         ///< date of its entry among the clocks, not after the first end
    Index flows = 0;                   ///< of all members
    bool dirty : 1 = false, forced : 1 = false, moved : 1 = false;  ///< to be solved; even if fast; to get a new date
    bool capped : 1 = false;                                        ///< some user has a cap
    bool has_unlinked : 1 = false;  ///< some user is an unlinked member, here or elsewhere
    bool many : 1 = false;          ///< users have been more than a few since there were none: they are indexed
    double bytes = 0.0;             ///< carried
    double busy = 0.0;              ///< s; less the date of the first user while it has users
    double first_end = unlimited;   ///< of all members
    Crowd crowd;
  };
  static_assert(sizeof(Resource) == 256);
  struct Due {
    double first_end;
    Index flow_class;
  };
  /// What few resources ever need.
  struct Rarely {
    std::vector<Due> due;                             ///< of many users: heap of the members, four children per node
    double cap_min = unlimited;                       ///< no user has a smaller cap
    double unlinked_min = unlimited;                  ///< no unlinked member has a smaller allowance
    Index unlinked_users = 0;                         ///< members or not
    std::uint16_t unlink_wait = 0, unlink_pause = 0;  ///< level shifts until unlinking is tried again
  };
  struct Hop {
    Index resource, position;  ///< among its users, if they are many
  };
  struct alignas(64) Class {
    double cap = unlimited, offset = 0.0;
    FlowQueues::Queue queue;
    Index flows = 0, bottleneck = none;
    Index due = none;  ///< position in the heap of its bottleneck, if that has many users
    std::uint16_t hops = 0;
    bool unlinked = false;
    Hop own[2] = {};  ///< its hops; of a longer route only the place of the first in `hops_`
  };
  static_assert(sizeof(Class) == 64);
  /// What few classes ever need: those held back by their cap or unlinked.
  struct HeldBack {
    double since = 0.0;  ///< held by its cap: the date its offset is of
    /// Unlinked: the rate its other resources account. Held by its cap: the date it is queued for.
    double allowance = 0.0;
  };

  // classes (sharing.cpp)
  Index place_of(ResourceId resource);
  Index class_of(RouteId route, double cap);
  std::span<Hop> hops(Class& c) {
    return {c.hops <= std::size(c.own) ? c.own : hops_.data() + c.own[0].resource, c.hops};
  }
  std::span<const Hop> hops(const Class& c) const {
    return {c.hops <= std::size(c.own) ? c.own : hops_.data() + c.own[0].resource, c.hops};
  }
  HeldBack& held_back(const Class& c) { return held_back_[static_cast<std::size_t>(&c - classes_.data())]; }
  const HeldBack& held_back(const Class& c) const { return held_back_[static_cast<std::size_t>(&c - classes_.data())]; }
  /// The same of a class that may not have been held back before.
  HeldBack& hold_back(const Class& c) {
    if (held_back_.size() < classes_.size()) held_back_.resize(classes_.size());
    return held_back(c);
  }
  void activate(Index i);
  void deactivate(Index i);
  double rate(const Class& c) const {
    if (c.bottleneck == by_cap) return c.cap;
    return c.bottleneck == none ? 0.0 : resources_[c.bottleneck].level;
  }
  double served(const Class& c) const;
  double served(const Resource& r) const {  // its level may be infinite at the date it is of
    return r.flows > 0 && now_ > r.since ? r.served + r.level * (now_ - r.since) : r.served;
  }
  void count_flow(Index i, int change);
  Flow end_first_flow(Index i);
  void end_due_of_resource(Index l, double slack, std::vector<Flow>& ended);
  void end_due_of_class(Index i, double slack, std::vector<Flow>& ended);

  // who is whose bottleneck (sharing_members.cpp)
  struct Bound {
    double rate;
    Index by;
  };
  Bound least_bound(const Class& c, Index except) const;
  void join(Index i, Index bottleneck);
  void leave(Index i);  ///< the class is unbound; its old bottleneck keeps its level, see `free_if_idle`
  void free_if_idle(Index l);
  Hop& hop_of(const User& user) { return hops(classes_[user.flow_class])[user.hop]; }
  void add_user(Index l, const User& user);
  void index_users(Index l);
  void swap_users(Resource& r, Index a, Index b);
  void remove_user(Resource& r, Index position);
  static Index position_among_few(const Resource& r, Index i) {
    Index k = 0;
    while (r.crowd.users[k].flow_class != i) ++k;
    return k;
  }
  Index position_at(Index l, Index i) const;
  void unlink(Index l, Index position, double allowance);
  void link(Index i);

  // when flows end (sharing_members.cpp)
  Due first_due(Index l) const;
  double least_first_end(Index l) const;
  void due_rise(Index l, Index at, const Due due);
  void due_sink(Index l, Index at, const Due due);
  void due_insert(Index l, const User& user);
  void due_remove(Index l, Index i);
  void first_flow_changed(Index i);
  double end_of_class(const Class& c) const;
  double end_of_resource(Index l) const;
  void date_class(Index i);
  void date_resource(Index l);
  double first_clock();
  void pop_clock();
  void fetch_ahead();
  void fetch_users_elsewhere(const Resource& r) const;
  void mark_moved(Index l) {
    if (resources_[l].moved) return;
    resources_[l].moved = true;
    moved_.push_back(l);
  }
  void rebase(Index l);

  // levels (sharing_levels.cpp)
  bool violated(const Resource& r) const {
    if (r.flows > 0) return std::abs(r.residual) > tolerance_ * r.level * r.flows;
    return r.residual < -tolerance_ * r.capacity;
  }
  void touch(Index l) {
    Resource& r = resources_[l];
    if (!r.dirty && violated(r)) enqueue(l);
  }
  void enqueue(Index l);
  /// `rate` more is accounted to the resource; `fastest` is the rate of a flow of it.
  void account(Index l, double rate, double fastest) {
    Resource& r = resources_[l];
    r.residual -= rate;
    const double before = r.foreign_max;
    r.foreign_max = fastest > before ? fastest : before;
    if (!r.dirty && violated(r)) enqueue(l);
  }
  void account_elsewhere(const Class& c, Index here, double rate, double fastest) {
    for (const Hop& hop : hops(c))
      if (hop.resource != here) account(hop.resource, rate, fastest);
  }
  void account_elsewhere(const User& user, Index here, double rate, double fastest) {
    if (user.other < several) return account(user.other, rate, fastest);
    if (user.other == several) account_elsewhere(classes_[user.flow_class], here, rate, fastest);
  }
  double solve_order(Index l) const;
  void solve_later(Index l);
  Index next_to_solve();
  void solve(Index l);
  bool shift_level(Index l);
  bool tell_linked(Index l, double change);
  void raise_allowances(Index l);
  void unlink_slow_members(Index l);
  bool has_room(const Class& c, Index here, double more, double kept) const;
  void link_all(Index l);
  bool keep_members(Index l);
  double bounds_elsewhere(Index l);
  /// The least of the levels elsewhere on its route and of its cap, if any user has one.
  double bound_elsewhere(const User& user, Index here, bool capped) const {
    const double bound =
        user.other < several ? resources_[user.other].level : least_level(classes_[user.flow_class], here);
    return capped ? std::min(bound, classes_[user.flow_class].cap) : bound;
  }
  double least_level(const Class& c, Index except) const;
  void set_cap_min(Index l, double cap) {
    resources_[l].capped = cap < unlimited;
    rarely_[l].cap_min = cap;
  }
  double balanced_level(Index l, double flows) const;
  void move_to_level(Index l, double level);
  void sort_users(Index l, double change);
  void move_out(Index l, double old_level);
  void take_in(Index l);

  const RouteTable& routes_;
  Capacity capacity_;
  double tolerance_;
  double now_ = 0.0;
  std::uint64_t active_ = 0;
  std::vector<Index> places_;           ///< [resources of the table] in the following; none: not used so far
  std::vector<ResourceId> identities_;  ///< and back
  std::vector<Resource> resources_;     ///< in order of first use
  std::vector<Rarely> rarely_;          ///< [resources_]
  std::vector<Class> classes_;
  std::vector<HeldBack> held_back_;   ///< [classes_], as far as any was held back
  std::vector<Hop> hops_;             ///< of routes of more than two
  std::vector<Index> first_class_;    ///< [routes] classes of a route are chained
  std::vector<Index> next_of_route_;  ///< [classes_]
  FlowQueues flows_;
  DateQueue clocks_;         ///< of resources, and of classes that only their cap holds back
  double next_ = unlimited;  ///< the first of them, if known
  bool next_known_ = false;
  std::vector<Index> moved_;     ///< resources that need a new date
  std::vector<Index> dirty_;     ///< found between two settles
  using Order = std::uint64_t;   ///< when to solve a resource, the bits of a positive float, and the resource
  std::vector<Order> to_solve_;  ///< lowest level first, a heap if they are many
  bool settling_ = false, to_solve_are_heap_ = false;
  std::size_t unbound_ = 0;  ///< classes that have no rate yet
  bool fetches_ahead_;
  std::vector<EndingSoon> ending_soon_;
  // scratch of one solve
  std::vector<double> bounds_, flows_of_;  ///< [users] least bound of each class anywhere else; its flows
  std::vector<Index> leaving_, joining_;   ///< classes
  double load_ = 0.0, fastest_foreign_ = 0.0;
  Statistics statistics_;
};

}  // namespace orrery::replay
