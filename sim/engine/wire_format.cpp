#include "sim/engine/wire_format.hpp"

#include "sim/core/byte_codec.hpp"

namespace orrery {

// Also what is plain in memory, but padded: equal results have equal bytes.
void fields(auto& codec, maybe_const<PathSegment> auto& record) {
  auto& [kind, rank, peer, begin, end, held_by] = record;
  codec(kind, rank, peer, begin, end, held_by);
}
void fields(auto& codec, maybe_const<PathTotals::OfResource> auto& record) {
  auto& [resource, time] = record;
  codec(resource, time);
}
void fields(auto& codec, maybe_const<PathTotals::OfRank> auto& record) {
  auto& [rank, time] = record;
  codec(rank, time);
}
void fields(auto& codec, maybe_const<Interval> auto& record) {
  auto& [activity, begin, end, peer, message, phase] = record;
  codec(activity, begin, end, peer, message, phase);
}
void fields(auto& codec, maybe_const<PathResource> auto& record) {
  auto& [name, kind] = record;
  codec(name, kind);
}
void fields(auto& codec, maybe_const<PathTotals> auto& record) {
  auto& [phase, time, left_out, kinds, saturated, own_limit, late, resources, computing] = record;
  codec(phase, time, left_out, kinds, saturated, own_limit, late, resources, computing);
}
void fields(auto& codec, maybe_const<CriticalPath> auto& record) {
  auto& [kept, run, phases, resources, segments, segments_in_all] = record;
  codec(kept, run, phases, resources, segments, segments_in_all);
}
void fields(auto& codec, maybe_const<PhaseRecord> auto& record) {
  auto& [phase, iteration, time, slowest, begin, end, traffic] = record;
  codec(phase, iteration, time, slowest, begin, end, traffic);
}
void fields(auto& codec, maybe_const<CollectiveRecord> auto& record) {
  auto& [operation, name, algorithm, ranks, bytes, calls, time, time_max, late, messages, steps] = record;
  codec(operation, name, algorithm, ranks, bytes, calls, time, time_max, late, messages, steps);
}
void fields(auto& codec, maybe_const<ResourceRecord> auto& record) {
  auto& [name, kind, capacity, bytes, busy, load, link] = record;
  codec(name, kind, capacity, bytes, busy, load, link);
}
void fields(auto& codec, maybe_const<KindLoad> auto& record) {
  auto& [kind, resources, capacity, bytes, load] = record;
  codec(kind, resources, capacity, bytes, load);
}
void fields(auto& codec, maybe_const<CollectiveSpan> auto& record) {
  auto& [rank, operation, algorithm, bytes, begin, end] = record;
  codec(rank, operation, algorithm, bytes, begin, end);
}
void fields(auto& codec, maybe_const<FanIn> auto& record) {
  auto& [port, senders, bytes, buffer, at] = record;
  codec(port, senders, bytes, buffer, at);
}
void fields(auto& codec, maybe_const<RunResult> auto& record) {
  auto& [engine, makespan, messages, unexpected, imbalance, fan_in, phases, collectives, resources, kind_loads, shares,
         times, group, timelines, cut, deliveries, spans, path, wall_s] = record;
  codec(engine, makespan, messages, unexpected, imbalance, fan_in, phases, collectives, resources, kind_loads, shares,
        times, group, timelines, cut, deliveries, spans, path, wall_s);
}

}  // namespace orrery

namespace orrery::replay {

std::string to_bytes(const RunResult& result) { return orrery::to_bytes(result); }
RunResult from_bytes(const std::string& bytes) { return orrery::from_bytes<RunResult>(bytes); }

}  // namespace orrery::replay
