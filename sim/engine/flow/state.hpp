/// The state of a resource and of a class of flows, laid out for the cache: sharing.hpp explains the terms.
///
///   SharedResource   four cache lines side by side: its parameters, and its users while they are few
///   FlowClass        one cache line: its parameters, its first flow, its hops on a short route
///
/// Data that few of them need lie elsewhere (`RareState`, `CapClock`).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <span>

#include "sim/engine/flow/first_ends.hpp"
#include "sim/engine/flow/flow_queue.hpp"
#include "sim/engine/flow/ids.hpp"
#include "sim/engine/flow/small_vector.hpp"
#include "sim/engine/loads.hpp"

namespace orrery::engine {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// One class from the view of one resource on its route.
struct User {
  double first_end = 0.0;  ///< of a member: V of the resource at which the first flow of the class ends
  ClassId flow_class;
  ResourceIndex other;       ///< the other resource of a route of two; for other lengths `alone`, or where it begins:
  std::uint32_t flows;       ///< of the class
  std::uint16_t hop, count;  ///< of the route: index of this resource, and number of hops
  static constexpr ResourceIndex alone{0xffffffffu};
  static constexpr std::uint32_t several = 0x80000000u;
  bool has_one_other() const { return index(other) < several; }
  bool has_several_others() const { return index(other) >= several && other != alone; }
  /// For a longer route: the index of its first hop among the long routes, so that the class need not be read.
  static ResourceIndex long_route(std::uint32_t first) { return ResourceIndex{several | first}; }
  std::uint32_t first_of_long() const { return index(other) & ~several; }
};

/// The users of a resource, in three runs:
///
///   | linked members | unlinked members | the others |
///   0              linked             members       size
struct Users {
  static constexpr std::uint32_t looked_through =
      6;  ///< up to this many are searched; with more, positions and first ends are kept

  std::uint32_t linked = 0, members = 0;
  SmallVector<User, looked_through> list;

  bool empty() const { return list.empty(); }
  std::uint32_t size() const { return list.size(); }
  User& operator[](Position position) { return list[index(position)]; }
  const User& operator[](Position position) const { return list[index(position)]; }
  std::span<const User> all() const { return {list.begin(), list.end()}; }
  std::span<User> all() { return {list.begin(), list.end()}; }
  std::span<const User> all_members() const { return {list.begin(), members}; }
  std::span<User> all_members() { return {list.begin(), members}; }
  std::span<const User> linked_members() const { return {list.begin(), linked}; }
  std::span<const User> others() const { return {list.begin() + members, list.end()}; }
  Position position_in_list(ClassId flow_class) const {
    std::uint32_t k = 0;
    while (list[k].flow_class != flow_class) ++k;
    return Position{k};
  }
};

struct alignas(64) SharedResource {
  double level = unlimited, residual = 0.0;
  double foreign_max = 0.0;  ///< no user outside the members is faster
  double capacity = 0.0;
  double served = 0.0, since = 0.0;  ///< V, and its date
  double moment = 0.0;               ///< of the changes of its load in this bin, see sharing_loads.cpp:
  std::uint32_t flows = 0;           ///< of all members
  bool dirty : 1 = false;            ///< waits to be solved
  bool forced : 1 = false;           ///< solved even if nothing is violated: a new class has no rate yet
  bool undated : 1 = false;          ///< the date of its clock must be computed again
  bool capped : 1 = false;           ///< some user has a cap
  bool has_unlinked : 1 = false;     ///< some user is an unlinked member, here or elsewhere
  bool indexed : 1 = false;      ///< it had more users than `Users::looked_through` since it had none
  std::uint16_t bin = 0;         ///< bin of the load curves in which its load last changed
  double queued = unlimited;     ///< date of its entry among the clocks, not after the first end
  double busy = 0.0;             ///< s: sum of the dates it became idle minus those it became busy
  double first_end = unlimited;  ///< of all members
  Users users;
};
static_assert(sizeof(SharedResource) == 256);

/// State that few resources need.
struct RareState {
  FirstEnds first_ends;             ///< of the members, if users are indexed
  double cap_min = unlimited;       ///< no user has a smaller cap
  double unlinked_min = unlimited;  ///< no unlinked member has a smaller allowance
  double bytes = 0.0;               ///< carried, once they are added up
  std::uint32_t unlinked_users = 0;
  std::uint16_t unlink_wait = 0, unlink_pause = 0;  ///< level shifts until unlinking is tried; and after a failed try
};

struct Hop {
  ResourceIndex resource;
  Position position;  ///< among the users of the resource, if those are indexed
};

struct alignas(64) FlowClass {
  double cap = unlimited;
  double offset = 0.0;  ///< W - V of the clock that limits it; W itself while nothing does
  FlowQueues::Queue queue;
  std::uint32_t flows = 0;
  ResourceIndex bottleneck = unbound;
  FirstEnds::Slot heap_place{};  ///< among the first ends of its bottleneck, if indexed
  std::uint16_t hop_count = 0;
  bool unlinked = false;
  Hop short_route[2] = {};  ///< read through `Sharing::hops`

  /// Used as a bottleneck: a class without a rate; one that is limited by its cap alone.
  static constexpr ResourceIndex unbound{0xffffffffu}, by_cap{0xfffffffeu};
  bool has_bottleneck() const { return bottleneck < by_cap; }

  /// The hops of a longer route start at this index elsewhere; the index is stored in the first hop.
  bool is_short() const { return hop_count <= std::size(short_route); }
  std::uint32_t first_of_long() const {
    return assert(!is_short()), static_cast<std::uint32_t>(short_route[0].resource);
  }
  void set_first_of_long(std::size_t first) {
    assert(!is_short() && first < User::several);
    short_route[0].resource = ResourceIndex{static_cast<std::uint32_t>(first)};
  }
};
static_assert(sizeof(FlowClass) == 64);

/// The rate that the other resources of an unlinked class account for each of its flows, B/s. For the loads over time:
/// its begin, and W at that date.
struct Allowance {
  double rate = 0.0, since = 0.0, served = 0.0;
};

/// The load curve of a resource, and its bytes in each bin after the last one reported, B.
struct TellsLoads {
  Loads::Curve curve = Loads::no_curve;
  double each = 0.0;
};

/// The classes of a route, chained, and the bytes of all flows over it so far.
struct RouteState {
  ClassId first = no_class;
  double bytes = 0.0;
};

/// Which resource limited a class and since when (sharing_memory.cpp): the latest few, and where the others begin.
struct alignas(64) ClassMemory {
  static constexpr std::uint32_t kept = 4, none_before = 0xffffffffu;
  std::array<double, kept> since{};
  std::array<ResourceIndex, kept> by{};
  double ended = -1.0;  ///< when its last flow ended; negative while it has any
  std::uint32_t count = 0, before = none_before;
};
static_assert(sizeof(ClassMemory) == 64);
struct Held {
  double since = 0.0;
  ResourceIndex by = FlowClass::unbound;
  std::uint32_t before = ClassMemory::none_before;
};

/// The clock of a class that only its cap limits: V = cap * (now - since).
struct CapClock {
  double since = 0.0;
  double queued = unlimited;  ///< date of its entry among the clocks, not after its first end
};

/// The owner of a clock in the date queue: a resource, or a class that only its cap limits.
class ClockId {
 public:
  explicit ClockId(std::uint32_t token) : token_(token) {}
  explicit ClockId(ResourceIndex l) : token_(static_cast<std::uint32_t>(l)) {}
  explicit ClockId(ClassId i) : token_(of_class | static_cast<std::uint32_t>(i)) {}
  std::uint32_t token() const { return token_; }
  bool is_of_class() const { return (token_ & of_class) != 0; }
  ResourceIndex resource() const { return ResourceIndex{token_}; }
  ClassId flow_class() const { return ClassId{token_ & ~of_class}; }

 private:
  static constexpr std::uint32_t of_class = 0x80000000u;
  std::uint32_t token_;
};

}  // namespace orrery::engine
