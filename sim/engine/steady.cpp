#include "sim/engine/steady.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sim/core/error.hpp"

namespace orrery::engine {

namespace {

constexpr std::uint32_t played_first = 8;

/// [iterations] when the last rank left each.
std::vector<double> ends_of(const RunResult& run, std::uint32_t iterations) {
  std::vector<double> ends(iterations, 0.0);
  for (const PhaseRecord& record : run.phases)
    if (record.iteration < iterations) ends[record.iteration] = std::max(ends[record.iteration], record.end.si());
  if (std::ranges::any_of(ends, [](double end) { return end == 0.0; }))
    throw InputError(
        "steady: the program marks no iterations, or some of them take no time (kernels with 'iterations' do). Remove "
        "'steady'?");
  return ends;
}

double mean_duration(const std::vector<double>& ends, std::size_t from, std::size_t until) {
  return (ends[until - 1] - ends[from - 1]) / static_cast<double>(until - from);
}

/// The run as if its later half went on for `more` iterations.
RunResult extended(RunResult run, std::uint32_t played, std::uint32_t iterations, double duration) {
  const std::uint32_t later = played / 2;  // the first of the half that goes on
  const double more = iterations - played, measured = played - later;
  std::map<std::string, PhaseRecord> rest;
  for (const PhaseRecord& record : run.phases) {
    if (record.iteration < later) continue;
    const auto [at, first] = rest.try_emplace(record.phase, record);
    if (!first) at->second.time += record.time;
  }
  const Seconds end = run.makespan + Seconds(more * duration);
  for (auto& [phase, record] : rest) {
    record.time *= more / measured;
    record.iteration = played;
    record.begin = run.makespan;
    record.end = end;
    for (auto& traffic : record.traffic) traffic = {};
    run.phases.push_back(record);
  }
  run.makespan = end;
  return run;
}

}  // namespace

RunResult steady_run(std::uint32_t iterations, double within, const std::function<RunResult(std::uint32_t)>& play) {
  for (std::uint32_t played = played_first; played < iterations / 2; played *= 2) {
    RunResult run = play(played);
    const auto ends = ends_of(run, played);
    const double before = mean_duration(ends, played / 4, played / 2), last = mean_duration(ends, played / 2, played);
    if (std::abs(last - before) <= within * last) return extended(std::move(run), played, iterations, last);
  }
  return play(iterations);
}

}  // namespace orrery::engine
