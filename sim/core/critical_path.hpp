/// The critical path of a run: the chain of causes that ends with the last rank, without a gap from start to end.
///
///   Walked backwards: a waiting rank was delayed by a message, the message by its flow, its latency and its sender,
///   and a rank at a barrier by the last rank to enter. The intervals on the path add up to the run, so
///
///     time = sum over kinds + left_out          exactly: each segment begins where the one before it ends
///
///   and if one kind took no time and everything else took as long as before, the run would be shorter by at most its
///   share. It is shorter by less if another chain is nearly as long.
///
///   A flow's time is split by what limited it: the full resource that gave it its share (max-min fairness has exactly
///   one such resource, or the cap of the flow).
///
///   Each phase (by name) has the same: for each of its records the chain that ends with the slowest rank's end, back
///   to that rank's own begin. Its time is RunResult::phase_time(name). Parts of it lie on other ranks; their
///   computation in another phase is `late`.
///
/// Valid    every program; polling ranks are busy, so the path stays with them
/// Differs  a pipelined message has only its last flow on the path; within one flow, times of the same resource are
///          joined, so that the order inside one transfer may differ from what happened
/// Checked  tests/replay/critical_path_test.cpp, closed forms; tests/replay/play.cpp: sums of all programs, both
///          engines
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// `link` joins switches (of a dragonfly, those of a group); `message_rate` is an adapter's, in messages; `connection`
/// what two ranks have between them, both ways; `medium` is capacity that messages in all directions share.
enum class ResourceKind : std::uint8_t {
  copy,
  memory,
  nic_out,
  nic_in,
  link,
  pcie,
  nvlink,
  infinity_fabric,
  upi,
  global_link,
  message_rate,
  connection,
  medium
};
inline constexpr std::size_t resource_kinds = 13;
inline const char* resource_kind_name(ResourceKind kind) {
  constexpr const char* names[resource_kinds] = {
      "copy", "memory",      "nic-out",      "nic-in",     "link",  "pcie", "nvlink", "infinity-fabric",
      "upi",  "global-link", "message-rate", "connection", "medium"};
  return names[static_cast<std::size_t>(kind)];
}

/// The words for one resource of a kind, and for all of them.
struct ResourceWords {
  const char *one, *all;
};
inline ResourceWords resource_words(ResourceKind kind) {
  constexpr ResourceWords words[resource_kinds] = {{"copying core", "copying cores"},
                                                   {"memory", "memories"},
                                                   {"outgoing NIC", "outgoing NICs"},
                                                   {"incoming NIC", "incoming NICs"},
                                                   {"link", "links between switches"},
                                                   {"PCIe link", "PCIe links"},
                                                   {"NVLink", "NVLinks"},
                                                   {"Infinity Fabric", "Infinity Fabric"},
                                                   {"socket link", "socket links"},
                                                   {"global link", "global links"},
                                                   {"message rate", "message rates of adapters"},
                                                   {"connection", "connections of two ranks"},
                                                   {"shared medium", "shared media"}};
  return words[static_cast<std::size_t>(kind)];
}

enum class PathKind : std::uint8_t {
  computation,
  send_overhead,
  receive_overhead,
  probe,
  handshake,
  latency,
  transfer,  ///< over the network
  copy,      ///< by a core, within a node or in addition to a transfer
  unexpected_copy,
  staging,       ///< over a GPU's link
  shared_cores,  ///< extra time of computation and overheads because ranks share cores
  sleep          ///< a rank did nothing because its program sleeps
};
inline constexpr std::size_t path_kinds = 12;
inline constexpr std::size_t path_kinds_always = 11;  ///< reported for each path: only recorded programs sleep
inline const char* path_kind_name(PathKind kind) {
  constexpr const char* names[path_kinds] = {"computation",     "send-overhead", "receive-overhead", "probe",
                                             "handshake",       "latency",       "transfer",         "copy",
                                             "unexpected-copy", "staging",       "shared-cores",     "sleep"};
  return names[static_cast<std::size_t>(kind)];
}
inline bool is_flow(PathKind kind) { return kind >= PathKind::transfer && kind <= PathKind::staging; }

/// A resource that limited a flow on the path.
struct PathResource {
  std::string name;
  ResourceKind kind{};
};
inline constexpr std::uint32_t held_by_cap = 0xfffffffeu;  ///< no resource: the bandwidth cap of one message
inline constexpr std::uint32_t held_by_none = 0xffffffffu;

struct PathSegment {
  PathKind kind{};
  Rank rank{};           ///< whose time it is; of a message: its sender
  Rank peer = any_rank;  ///< of a message: its receiver
  Seconds begin, end;
  std::uint32_t held_by = held_by_none;  ///< of a flow: index into CriticalPath::resources
};

/// What a path consists of.
struct PathTotals {
  struct OfResource {
    std::uint32_t resource = 0;  ///< index into CriticalPath::resources
    Seconds time;
  };
  struct OfRank {
    Rank rank{};
    Seconds time;
  };
  std::string phase;  ///< empty: the whole run
  Seconds time;
  Seconds left_out;  ///< before the beginning of the kept history
  std::array<Seconds, path_kinds> kinds{};
  std::array<Seconds, resource_kinds> saturated{};  ///< of the flows: limited by resources of each kind
  Seconds own_limit;                                ///< of the flows: limited by the cap of one message
  Seconds late;                       ///< of the computation: of ranks still in another phase than the path's
  std::vector<OfResource> resources;  ///< that limited flows, most first, at most 16
  std::vector<OfRank> computing;      ///< computation by rank, most first, at most 16

  Seconds of(PathKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
  Seconds of(ResourceKind kind) const { return saturated[static_cast<std::size_t>(kind)]; }
};

struct CriticalPath {
  bool kept = false;  ///< the critical path was requested
  PathTotals run;
  std::vector<PathTotals> phases;       ///< by name, in order of first start
  std::vector<PathTotals> jobs;         ///< if the run has several: each from its start to its end, by name
  std::vector<PathResource> resources;  ///< named by the above
  std::vector<PathSegment> segments;    ///< of the run, the first 1,000
  std::uint64_t segments_in_all = 0;

  /// Totals of the phase of this name, or of the run if there is none (or it took no time).
  const PathTotals& of_phase(const std::string& phase) const {
    for (const PathTotals& totals : phases)
      if (totals.phase == phase && totals.time > Seconds{}) return totals;
    return run;
  }
};

}  // namespace orrery
