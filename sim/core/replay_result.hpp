/// All results of one simulated run, from either engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/collective_record.hpp"
#include "sim/core/critical_path.hpp"
#include "sim/core/energy.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// Channels as results count them.
enum class ChannelKind : std::uint8_t { shared_memory, network };
inline constexpr std::size_t channel_kinds = 2;
inline const char* channel_name(ChannelKind kind) {
  return kind == ChannelKind::shared_memory ? "shared-memory" : "network";
}

struct Traffic {
  std::uint64_t messages = 0;
  Bytes bytes;
};

/// One phase of one iteration. Its time is the maximum over ranks of (end - own start).
struct PhaseRecord {
  std::string phase;
  std::uint32_t iteration = 0;
  Seconds time;
  Rank slowest{};
  Seconds begin, end;              ///< first start and last end over the ranks
  Traffic traffic[channel_kinds];  ///< messages whose send was posted in this phase
};

inline constexpr std::uint32_t no_link = 0xffffffffu;  ///< a memory, a copying core

/// What one resource carried. `busy` counts the time at least one flow used it; `saturation` = bytes / (capacity *
/// makespan). `load` is the used fraction of the capacity in equal bins over [0, makespan]; its mean is the saturation.
/// Bytes are counted at the flows' rates at that time, so no bin exceeds 1.
struct ResourceRecord {
  std::string name;
  ResourceKind kind{};
  BytesPerSecond capacity;
  Bytes bytes;
  Seconds busy;
  std::vector<double> load;
  std::uint32_t link = no_link;  ///< its number in the table of routes
};

/// Sum of all resources of one kind that carried anything. `load` is the mean of their loads weighted by capacity, in
/// the same bins, and is kept for any number of resources.
struct KindLoad {
  ResourceKind kind{};
  std::uint64_t resources = 0;
  BytesPerSecond capacity;  ///< of all of them
  Bytes bytes;              ///< likewise
  std::vector<double> load;
};

enum class Activity : std::uint8_t { compute, send, receive, wait, barrier };
inline constexpr std::size_t activities = 5;
inline const char* activity_name(Activity activity) {
  constexpr const char* names[] = {"compute", "send", "receive", "wait", "barrier"};
  return names[static_cast<std::size_t>(activity)];
}

struct Interval {
  Activity activity{};
  Seconds begin, end;
  Rank peer = any_rank;
  Bytes message;
  std::uint32_t phase = 0;  ///< index into RunResult::phases
};

/// A message between two ranks with timelines, from the call that sent it until the receiver had it.
struct Delivery {
  Rank from{}, to{};
  Seconds sent, received;
  Bytes message;
  std::uint32_t way = 0;  ///< number of the route that routing `valiant` or `adaptive` chose
};

/// A rank's part in a collective, for ranks with a timeline.
struct CollectiveSpan {
  Rank rank{};
  Operation operation{};
  std::string algorithm;
  Bytes bytes;
  Seconds begin, end;
};

/// Difference between the rates of the flows and max-min fairness if `approximate` allows one: the load of a resource
/// compared with the load at which it is exactly full, as a relative error.
struct Imbalance {
  double allowed = 0.0;   ///< ReplayOptions::approximate; 0: rates are exact
  double greatest = 0.0;  ///< of all resources at all samples
  double mean = 0.0;      ///< over the samples, of the worst resource of each
  std::uint64_t samples = 0;
};

/// Identical parts of a run that were simulated once and counted for all, if this was requested.
struct Repeated {
  bool asked = false;
  std::string whole;            ///< why the whole run was simulated; empty: it was not
  std::uint64_t stretches = 0;  ///< intervals of separate groups of ranks, without those played in place
  std::uint64_t played = 0;     ///< distinct intervals among these
  std::uint64_t messages = 0;   ///< of all these intervals
};

/// A resource that a job's messages used, beside the messages of another job or not.
struct JobLink {
  std::string name;
  ResourceKind kind{};
  Bytes bytes;                ///< of this job
  std::uint32_t sharers = 0;  ///< other jobs that used it
  Seconds bound, alone;       ///< time it limits the path of one repetition; the same for the job alone
};

/// Times of the repetitions of a job: nine of ten lie between `low` and `high`. With one repetition, its time.
struct JobTimes {
  std::uint32_t count = 0;  ///< 0: not known
  Seconds median, low, high;
};

/// One job of a run with several: programs that run at the same time, on separate ranks.
struct JobRecord {
  std::string name, kernel;
  Rank first{};  ///< of its ranks, which are consecutive
  std::uint32_t ranks = 0;
  Seconds start;
  std::vector<Seconds> ends;  ///< the end of each repetition; the last is the end of the job
  JobTimes together, alone;   ///< of its repetitions; `alone`: while all other jobs are idle
  Traffic sent;
  std::vector<std::uint32_t> shared;  ///< [jobs] links used by this job and the other; for itself, all that it used
  std::vector<JobLink> links;         ///< shared ones, at most 64: ordered by how long they limited the job

  Seconds time() const { return (ends.empty() ? start : ends.back()) - start; }
  /// Slowdown of a repetition by the other jobs; 1 if it takes no time.
  double slowdown() const { return alone.median > Seconds{} ? together.median / alone.median : 1.0; }
};

/// Messages of one tag that a rank sent to another and that were never received.
struct UnreceivedOf {
  Rank from{}, to{};
  std::uint32_t tag = 0, communicator = 0;
  std::uint64_t messages = 0;
};

/// Messages that were not received when every rank had ended. MPI calls such a program erroneous.
struct Unreceived {
  std::uint64_t messages = 0, kinds = 0;  ///< of all of them; pairs of ranks and tags
  std::vector<UnreceivedOf> first;        ///< at most 4 of these, by receiver
};

struct RunResult {
  std::string engine;  ///< "simgrid 3.32", with options that change numbers
  Seconds makespan;
  std::uint64_t messages = 0;
  std::uint64_t unexpected_messages = 0;
  Imbalance imbalance;
  Repeated repeated;
  Unreceived unreceived;
  std::vector<PhaseRecord> phases;                   ///< in order of first start
  std::vector<CollectiveRecord> collectives;         ///< by operation, algorithm, group size and bytes
  std::vector<ResourceRecord> resources;             ///< those that carried anything; load curves of up to 20,000
  std::vector<KindLoad> kind_loads;                  ///< kinds that carried anything, in order of ResourceKind
  std::vector<std::vector<double>> activity_shares;  ///< [activities][bins over the makespan] share of all ranks' time
  std::vector<std::vector<Seconds>> activity_times;  ///< [activities][groups] sum over a group of consecutive ranks
  std::uint32_t activity_group = 1;                  ///< ranks per group: 1 up to 1,024 ranks, then a power of two
  std::vector<std::vector<Interval>> timelines;      ///< [ranks], first `intervals_max` intervals of the ranks traced
  bool timelines_cut = false;                        ///< there were more ranks or intervals than were kept
  Seconds timelines_bin;  ///< not 0: they cover the whole run; each interval of this length has its longest activity
  std::vector<Delivery> deliveries;              ///< in order of arrival; the first 20,000, or all of a full trace
  std::vector<CollectiveSpan> collective_spans;  ///< in order of end; likewise
  CriticalPath critical_path;
  std::vector<JobRecord> jobs;  ///< if the run has several; empty: a single program
  Energy energy;                ///< if the platform gives the power of its nodes
  double wall_s = 0.0;          ///< how long the simulation itself took (not reproducible)

  /// Sum of the times of every phase of this name.
  Seconds phase_time(const std::string& phase) const {
    Seconds total;
    for (const auto& record : phases)
      if (record.phase == phase) total += record.time;
    return total;
  }
};

}  // namespace orrery
