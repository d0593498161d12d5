/// The fields of a run and of a prediction, listed once for every format: bytes between processes and in the store
/// (byte_codec.hpp), objects and rows of result.json (sim/show/result/json_writer.hpp).
///
///   template <class Codec, maybe_const<Term> Record>
///   void fields(Codec& codec, Record& record) {
///     auto& [text, cost, repeat] = record;  // a new member does not compile until it is listed here
///     codec("text", text)("cost_s", cost)("repeat", repeat);
///   }
///
/// Names are those of result.json, with the unit. A codec has:
///
///   codec(name, member)                       always present
///   codec.later(name, member)                 not in files of earlier versions
///   codec.if_any(name, member)                left out if empty: any(member)
///   codec.rows(name, members)                 as {"columns": [...], "rows": [[...], ...]}
///   codec.table(name, members)                the same, next to the other fields: "columns" and `name`
///   codec.each(names, suffix, values, least)  a field for each value; from the `least`-th on only if it is not 0
///   codec.section(name, there, body)          body(codec) writes the fields of an object
///   codec.derived(name, value)                value() for readers of the file; never read back
///   codec.wall_clock(name, seconds)           specific to this run: left out if only reproducible values are written
///   codec.timelines()                         whether timelines are written
///   codec.has(name, there)                    whether a field is present: asked before one that may be missing
///   codec.found(flag)                         true if read from a file
///   codec.flag(name, there)                   true if read from a file that has a field of this name
///   codec.inside(member)                      not in files: belongs to the platform, not to the result
#pragma once

#include <string_view>
#include <type_traits>

#include "sim/core/replay_result.hpp"
#include "sim/core/scenario_result.hpp"

namespace orrery {

template <class Record, class T>
concept maybe_const = std::is_same_v<std::remove_const_t<Record>, T>;

/// Values of a number, or both values of a flag, that a file writes in another form: null, or a word.
struct SpecialValue {
  std::uint32_t value;
  const char* word;  ///< nullptr: null
};
template <class T, std::size_t count>
struct WithWords {
  T& value;
  const SpecialValue (&special)[count];
};

/// Iteration number of a record for all iterations that were left out of its phase: sums over phases stay correct.
inline constexpr std::uint32_t iterations_together = 0xffffffffu;
inline constexpr SpecialValue no_iteration[] = {{iterations_together, nullptr}};
inline constexpr SpecialValue run_or_phase[] = {{1, "run"}, {0, "phase"}};
inline constexpr SpecialValue no_holder[] = {{held_by_none, nullptr}, {held_by_cap, "own-limit"}};

/// Resource kinds that every platform has.
inline constexpr std::size_t resource_kinds_always = 6;

template <class T>
bool any(const std::vector<T>& values) {
  return !values.empty();
}
inline bool any(const std::string& text) { return !text.empty(); }
template <class T>
bool any(const std::optional<T>& value) {
  return value.has_value();
}
inline bool any(const Imbalance& imbalance) { return imbalance.allowed > 0.0; }
inline bool any(const Repeated& repeated) { return repeated.asked; }
inline bool any(const Unreceived& unreceived) { return unreceived.messages > 0; }
inline bool any(const Energy& energy) { return energy.stated(); }
inline bool any(const CriticalPath& path) { return path.kept; }

template <class Codec, maybe_const<PathSegment> Record>
void fields(Codec& codec, Record& record) {
  auto& [kind, rank, peer, begin, end, held_by] = record;
  codec("kind", kind)("rank", rank)("to_rank", peer)("begin_s", begin)("end_s", end);
  codec("held_by_resource", WithWords<std::remove_reference_t<decltype(held_by)>, 2>{held_by, no_holder});
}

template <class Codec, maybe_const<PathTotals::OfResource> Record>
void fields(Codec& codec, Record& record) {
  auto& [resource, time] = record;
  codec("resource", resource)("time_s", time);
}

template <class Codec, maybe_const<PathTotals::OfRank> Record>
void fields(Codec& codec, Record& record) {
  auto& [rank, time] = record;
  codec("rank", rank)("time_s", time);
}

template <class Codec, maybe_const<PathResource> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, kind] = record;
  codec("name", name)("kind", kind);
}

template <class Codec, maybe_const<PathTotals> Record>
void fields(Codec& codec, Record& record) {
  auto& [phase, time, left_out, kinds, saturated, own_limit, late, resources, computing] = record;
  codec("phase", phase)("time_s", time)("left_out_s", left_out);
  codec.section("kinds_s", true,
                [&kinds = kinds](auto& inside) { inside.each(path_kind_name, "", kinds, path_kinds_always); });
  codec.section("saturated_s", true, [&saturated = saturated](auto& inside) {
    inside.each(resource_kind_name, "", saturated, resource_kinds_always);
  });
  codec("own_limit_s", own_limit)("late_s", late);
  codec.rows("resources", resources).rows("computing", computing);
}

template <class Codec, maybe_const<CriticalPath> Record>
void fields(Codec& codec, Record& record) {
  auto& [kept, run, phases, jobs, resources, segments, segments_in_all] = record;
  codec.found(kept)("run", run)("phases", phases).if_any("jobs", jobs).rows("resources", resources);
  codec("segments_in_all", segments_in_all).rows("segments", segments);
}

template <class Codec, maybe_const<Interval> Record>
void fields(Codec& codec, Record& record) {
  auto& [activity, begin, end, peer, message, phase] = record;
  codec("activity", activity)("begin_s", begin)("end_s", end)("peer_rank", peer)("message_B", message)("phase_row",
                                                                                                       phase);
}

template <class Codec, maybe_const<Delivery> Record>
void fields(Codec& codec, Record& record) {
  auto& [from, to, sent, received, message, way] = record;
  codec("from", from)("to", to)("sent_s", sent)("received_s", received)("message_B", message);
  codec.inside(way);
}

template <class Codec, maybe_const<CollectiveSpan> Record>
void fields(Codec& codec, Record& record) {
  auto& [rank, operation, algorithm, bytes, begin, end] = record;
  codec("rank", rank)("operation", operation)("algorithm", algorithm)("size_B", bytes)("begin_s", begin)("end_s", end);
}

template <class Codec, maybe_const<PhaseRecord> Record>
void fields(Codec& codec, Record& record) {
  auto& [phase, iteration, time, slowest, begin, end, traffic] = record;
  auto& [memory, network] = traffic;
  codec("phase", phase);
  codec("iteration", WithWords<std::remove_reference_t<decltype(iteration)>, 1>{iteration, no_iteration});
  std::remove_reference_t<decltype(slowest)> nobody = any_rank;
  codec("time_s", time)("slowest_rank", iteration == iterations_together ? nobody : slowest);
  codec("begin_s", begin)("end_s", end);
  codec("shared_memory_messages", memory.messages)("shared_memory_B", memory.bytes);
  codec("network_messages", network.messages)("network_B", network.bytes);
}

/// The bus bandwidth follows from the other fields and is for readers without its formula.
template <class Codec, maybe_const<CollectiveRecord> Record>
void fields(Codec& codec, Record& record) {
  auto& [operation, name, algorithm, ranks, bytes, calls, time, time_max, late, messages, steps] = record;
  codec("operation", operation)("algorithm", algorithm)("ranks", ranks)("size_B", bytes)("calls", calls);
  codec("time_s", time)("longest_s", time_max)("messages", messages)("steps", steps);
  codec.derived("bus_B_per_s", [&] { return record.bus_bandwidth(); });
  codec.later("name", name).later("late_s", late);
}

template <class Codec, maybe_const<ResourceRecord> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, kind, capacity, bytes, busy, load, link] = record;
  codec("name", name)("kind", kind)("capacity_B_per_s", capacity)("carried_B", bytes)("busy_s", busy);
  codec("load_fraction", load);
  codec.inside(link);
}

template <class Codec, maybe_const<KindLoad> Record>
void fields(Codec& codec, Record& record) {
  auto& [kind, resources, capacity, bytes, load] = record;
  codec("kind", kind)("resources", resources)("capacity_B_per_s", capacity)("carried_B", bytes)("load_fraction", load);
}

template <class Codec, maybe_const<Imbalance> Record>
void fields(Codec& codec, Record& record) {
  auto& [allowed, greatest, mean, samples] = record;
  codec("allowed", allowed)("greatest", greatest)("mean", mean)("samples", samples);
}

template <class Codec, maybe_const<Repeated> Record>
void fields(Codec& codec, Record& record) {
  auto& [asked, whole, stretches, played, messages] = record;
  codec("asked", asked)("played_whole_because", whole)("stretches", stretches)("played", played)("messages", messages);
}

template <class Codec, maybe_const<PhaseEnergy> Record>
void fields(Codec& codec, Record& record) {
  auto& [phase, energy_j] = record;
  codec("phase", phase)("energy_J", energy_j);
}

template <class Codec, maybe_const<Energy> Record>
void fields(Codec& codec, Record& record) {
  auto& [parts, phases, power_w, nodes] = record;
  codec("nodes", nodes);
  codec.section("parts_J", true,
                [&parts = parts](auto& inside) { inside.each(energy_part_name, "", parts, energy_parts); });
  codec.rows("phases", phases)("power_W", power_w);
}

template <class Codec, maybe_const<JobLink> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, kind, bytes, sharers, bound, alone] = record;
  codec("name", name)("kind", kind)("carried_B", bytes)("other_jobs", sharers)("bound_s", bound)("bound_alone_s",
                                                                                                 alone);
}

template <class Codec, maybe_const<JobTimes> Record>
void fields(Codec& codec, Record& record) {
  auto& [count, median, low, high] = record;
  codec("repetitions", count)("median_s", median)("p5_s", low)("p95_s", high);
}

template <class Codec, maybe_const<JobRecord> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, kernel, first, ranks, start, ends, together, alone, sent, shared, links] = record;
  codec("name", name)("kernel", kernel)("first_rank", first)("ranks", ranks)("start_s", start)("ends_s", ends);
  codec("together", together)("alone", alone)("messages", sent.messages)("sent_B", sent.bytes);
  codec("shared_links", shared);
  codec.derived("time_s", [&record] { return record.time(); });
  codec.derived("slowdown", [&record] { return record.slowdown(); });
  codec.rows("links", links);
}

template <class Codec, maybe_const<UnreceivedOf> Record>
void fields(Codec& codec, Record& record) {
  auto& [from, to, tag, communicator, messages] = record;
  codec("from", from)("to", to)("tag", tag)("communicator", communicator)("messages", messages);
}

template <class Codec, maybe_const<Unreceived> Record>
void fields(Codec& codec, Record& record) {
  auto& [messages, kinds, first] = record;
  codec("messages", messages)("pairs_and_tags", kinds).rows("first", first);
}

template <class Codec, maybe_const<RunResult> Record>
void fields(Codec& codec, Record& record) {
  auto& [engine, makespan, messages, unexpected, imbalance, repeated, unreceived, phases, collectives, resources,
         kind_loads, shares, times, group, timelines, cut, bin, deliveries, spans, path, jobs, energy, wall_s] = record;
  codec("engine", engine)("makespan_s", makespan)("messages", messages)("unexpected_messages", unexpected);
  codec("timelines_cut", cut)("timelines_bin_s", bin).rows("phases", phases)("resources", resources);
  if (codec.has("collectives", !collectives.empty())) codec.rows("collectives", collectives);
  codec.if_any("kind_loads", kind_loads);
  codec.section("activity_fractions", !shares.empty(),
                [&shares = shares](auto& inside) { inside.each(activity_name, "", shares, activities); });
  codec.section("activity_times", !times.empty(), [&group = group, &times = times](auto& inside) {
    inside("ranks_per_group", group);
    inside.each(activity_name, "_s", times, activities);
  });
  codec.if_any("critical_path", path)
      .if_any("jobs", jobs)
      .if_any("energy", energy)
      .if_any("imbalance_fractions", imbalance)
      .if_any("repeated", repeated)
      .if_any("unreceived", unreceived);
  if (codec.has("timelines", codec.timelines()))
    codec.section("timelines", true, [&timelines = timelines](auto& inside) { inside.table("ranks", timelines); });
  if (codec.has("deliveries", codec.timelines())) codec.rows("deliveries", deliveries);
  if (codec.has("collective_spans", codec.timelines())) codec.rows("collective_spans", spans);
  codec.wall_clock("simulation_s", wall_s);
}

template <class Codec, maybe_const<PredictionTerm> Record>
void fields(Codec& codec, Record& record) {
  auto& [text, cost, repeat] = record;
  codec("text", text)("cost_s", cost)("repeat", repeat);
}

template <class Codec, maybe_const<Prediction> Record>
void fields(Codec& codec, Record& record) {
  auto& [model, mode, time, computation, overlap, fitted, of_run, terms, notes, wall_s] = record;
  codec("model", model)("mode", mode)("predicted_s", time);
  codec.later("predicts", WithWords<std::remove_reference_t<decltype(of_run)>, 2>{of_run, run_or_phase});
  codec.later("fitted", fitted).later("computation_s", computation).later("overlap_s", overlap);
  codec("terms", terms).later("notes", notes);
  codec.wall_clock("model_s", wall_s);
}

}  // namespace orrery
