#include "play.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/compute/local_work.hpp"
#include "sim/core/error.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/engine/wire_format.hpp"
#include "tests/support/loads.hpp"
#include "tests/support/relative.hpp"

namespace orrery::test {

namespace {

void check_near(double flow, double simgrid) {
  // 1e-14 s is one instant to both engines.
  CHECK(flow == near(simgrid, Absolute{1e-9 * std::abs(simgrid) + 1e-13}));
}

/// What both engines must tell alike. Which rank was slowest, and in which order phases began, hang on ties.
void check_agreement(const RunResult& flow, const RunResult& simgrid) {
  check_near(flow.makespan.si(), simgrid.makespan.si());
  CHECK(flow.messages == simgrid.messages);
  CHECK(flow.unexpected_messages == simgrid.unexpected_messages);
  CHECK(flow.unreceived.messages == simgrid.unreceived.messages);
  REQUIRE(flow.phases.size() == simgrid.phases.size());
  for (std::size_t i = 0; i < flow.phases.size(); ++i) {
    CHECK(flow.phases[i].phase == simgrid.phases[i].phase);
    check_near(flow.phases[i].time.si(), simgrid.phases[i].time.si());
    check_near(flow.phases[i].end.si(), simgrid.phases[i].end.si());
  }
  REQUIRE(flow.resources.size() == simgrid.resources.size());
  for (std::size_t i = 0; i < flow.resources.size(); ++i) {
    CHECK(flow.resources[i].name == simgrid.resources[i].name);
    CHECK(flow.resources[i].bytes.si() == near(simgrid.resources[i].bytes.si(), 1e-12));
    check_near(flow.resources[i].busy.si(), simgrid.resources[i].busy.si());
  }
}

/// The load of a kind is the mean of the loads of its resources, weighted by what they could carry.
void check_kind_loads(const RunResult& run) {
  std::uint64_t resources = 0;
  for (const KindLoad& of_kind : run.kind_loads) {
    std::vector<double> mean(of_kind.load.size(), 0.0);
    BytesPerSecond capacity;
    Bytes bytes;
    for (const ResourceRecord& record : run.resources) {
      if (record.kind != of_kind.kind) continue;
      ++resources;
      capacity += record.capacity;
      bytes += record.bytes;
      REQUIRE(record.load.size() == mean.size());
      for (std::size_t bin = 0; bin < mean.size(); ++bin)
        mean[bin] += record.load[bin] * (record.capacity / of_kind.capacity);
    }
    double apart = 0.0;
    for (std::size_t bin = 0; bin < mean.size(); ++bin)
      apart = std::max(apart, std::abs(of_kind.load[bin] - mean[bin]));
    CHECK(apart < 1e-6);  // bins that hold less than 1e-9 of what a resource carried in all are taken as empty
    CHECK(of_kind.bytes.si() == near(bytes.si(), 1e-12));
    CHECK(of_kind.capacity == capacity);
  }
  CHECK(resources == run.resources.size());
}

/// What each rank did is what its time line says, no longer than the run, and in all what the shares over time say.
void check_activity_times(const RunResult& run, std::uint32_t ranks) {
  REQUIRE(run.activity_times.size() == activities);
  const std::size_t groups = run.activity_times[0].size();
  CHECK(groups == (ranks + run.activity_group - 1) / run.activity_group);
  const double all = run.makespan.si() * ranks;
  for (std::size_t a = 0; a < activities && !run.activity_shares.empty(); ++a) {
    double of_ranks = 0.0, of_shares = 0.0;
    for (const Seconds time : run.activity_times[a]) of_ranks += time.si();
    for (const double share : run.activity_shares[a])
      of_shares += share * all / static_cast<double>(run.activity_shares[a].size());
    CHECK(of_ranks == near(of_shares, Absolute{1e-12 * all}));
  }
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t first = group * run.activity_group,
                      last = std::min<std::size_t>(ranks, first + run.activity_group);
    Seconds busy;
    for (std::size_t a = 0; a < activities; ++a) busy += run.activity_times[a][group];
    CHECK(busy <= (1.0 + 1e-12) * static_cast<double>(last - first) * run.makespan);
    if (run.timelines_cut || run.timelines_bin > Seconds{} || run.timelines.empty()) continue;
    if (run.timelines[first].empty()) continue;  // not asked for
    Seconds traced[activities];
    for (std::size_t rank = first; rank < last; ++rank)
      for (const Interval& interval : run.timelines[rank])
        traced[static_cast<std::size_t>(interval.activity)] += interval.end - interval.begin;
    for (std::size_t a = 0; a < activities; ++a)
      CHECK(traced[a] == near(run.activity_times[a][group], Absolute{1e-12 * run.makespan.si()}));
  }
}

}  // namespace

void check_path(const RunResult& run, double least_explained) {
  const CriticalPath& path = run.critical_path;
  REQUIRE(path.kept);
  const auto parts = [](const PathTotals& of) {
    Seconds all = of.left_out;
    for (const Seconds time : of.kinds) all += time;
    return all.si();
  };
  const auto same = [](double a, double b) { CHECK(std::abs(a - b) <= 1e-12 * b + 1e-14); };
  // An end within an instant of another is taken for it (player.hpp).
  CHECK(std::abs((path.run.time - run.makespan).si()) <= 2e-12 + 2e-12 * run.makespan.si());
  same(parts(path.run), path.run.time.si());
  Seconds flows, held = path.run.own_limit;
  for (std::size_t k = 0; k < path_kinds; ++k)
    if (is_flow(static_cast<PathKind>(k))) flows += path.run.kinds[k];
  for (const Seconds time : path.run.saturated) held += time;
  CHECK(held.si() <= flows.si() * (1.0 + 1e-12) + 1e-14);
  CHECK(held.si() >= least_explained * flows.si() * (1.0 - 1e-12) - 1e-14);
  Seconds end;
  for (const PathSegment& segment : path.segments) {
    CHECK(segment.begin == end);
    CHECK(segment.end > segment.begin);
    CHECK((is_flow(segment.kind) || segment.held_by == held_by_none));
    end = segment.end;
  }
  if (path.segments.size() == path.segments_in_all) CHECK(end == path.run.time);
  for (const PathTotals& of : path.phases) {
    same(parts(of), of.time.si());
    same(of.time.si(), run.phase_time(of.phase).si());
    CHECK(of.left_out == Seconds{});
  }
}

void check_sums(const RunResult& run, std::uint32_t ranks) {
  check_loads(run);
  check_kind_loads(run);
  check_activity_times(run, ranks);
}

namespace {

void check_same_totals(const PathTotals& flow, const PathTotals& simgrid) {
  const double all = flow.time.si();
  const auto close = [&](Seconds a, Seconds b) { CHECK(std::abs((a - b).si()) <= 1e-6 * all + 1e-11); };
  CHECK(flow.phase == simgrid.phase);
  close(flow.time, simgrid.time);
  for (std::size_t k = 0; k < path_kinds; ++k) close(flow.kinds[k], simgrid.kinds[k]);
  for (std::size_t k = 0; k < resource_kinds; ++k) close(flow.saturated[k], simgrid.saturated[k]);
  close(flow.own_limit, simgrid.own_limit);
  close(flow.late, simgrid.late);
}

/// The same sums where next to nothing is kept one by one.
void check_added_up(const RunResult& run, ReplayInput input) {
  input.options.path_events = 64;
  const CriticalPath added_up = make_flow_engine()->replay(input).critical_path, &kept = run.critical_path;
  const auto check_same = [](const PathTotals& a, const PathTotals& b) {
    const auto close = [&](Seconds of_a, Seconds of_b) { CHECK(std::abs((of_a - of_b).si()) <= 1e-9 * b.time.si()); };
    CHECK(a.phase == b.phase);
    close(a.time, b.time);
    close(a.left_out, b.left_out);
    for (std::size_t k = 0; k < path_kinds; ++k) close(a.kinds[k], b.kinds[k]);
    for (std::size_t k = 0; k < resource_kinds; ++k) close(a.saturated[k], b.saturated[k]);
    close(a.own_limit, b.own_limit);
    close(a.late, b.late);
    REQUIRE(a.computing.size() == b.computing.size());
    for (std::size_t i = 0; i < a.computing.size(); ++i) close(a.computing[i].time, b.computing[i].time);
    REQUIRE(a.resources.size() == b.resources.size());
    for (std::size_t i = 0; i < a.resources.size(); ++i) close(a.resources[i].time, b.resources[i].time);
  };
  check_same(added_up.run, kept.run);
  REQUIRE(added_up.phases.size() == kept.phases.size());
  for (std::size_t i = 0; i < kept.phases.size(); ++i) check_same(added_up.phases[i], kept.phases[i]);
  REQUIRE(added_up.jobs.size() == kept.jobs.size());
  for (std::size_t i = 0; i < kept.jobs.size(); ++i) check_same(added_up.jobs[i], kept.jobs[i]);
  CHECK(added_up.segments_in_all == kept.segments_in_all);
}

/// Both engines found paths of the same parts, kind by kind.
void check_same_paths(const CriticalPath& flow, const CriticalPath& simgrid) {
  check_same_totals(flow.run, simgrid.run);
  REQUIRE(flow.phases.size() == simgrid.phases.size());
  for (std::size_t i = 0; i < flow.phases.size(); ++i) check_same_totals(flow.phases[i], simgrid.phases[i]);
  CHECK(flow.segments.size() == simgrid.segments.size());
}

}  // namespace

RunResult play(const Cluster& cluster, const Program& program) {
  const auto compute = with_local_work(std::make_unique<SecondsAsFlops>(), cluster.platform, cluster.layout);
  ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                    &cluster.layout, compute.get(),     cluster.options};
  input.options.critical_path = true;
  RunResult flow;
  std::optional<Refusal> flow_error;
  try {
    flow = make_flow_engine()->replay(input);
  } catch (const ReplayError& error) {
    flow_error = error.refusal();
  }
  if (!with_simgrid) {
    if (flow_error) throw ReplayError(*flow_error);
    check_path(flow);
    check_added_up(flow, input);
    check_sums(flow, cluster.layout.ranks());
    return flow;
  }
  std::string bytes;
  try {
    bytes = engine::run_isolated("test", [&] { return engine::to_bytes(make_simgrid_engine()->replay(input)); });
  } catch (const ReplayError& error) {
    REQUIRE(flow_error.has_value());
    CHECK(flow_error->text() == error.what());
    throw;
  }
  CHECK_FALSE(flow_error.has_value());
  RunResult simgrid = engine::from_bytes(bytes);
  check_agreement(flow, simgrid);
  check_path(flow);
  check_added_up(flow, input);
  check_path(simgrid);
  check_sums(flow, cluster.layout.ranks());
  check_sums(simgrid, cluster.layout.ranks());
  return simgrid;
}

RunResult play(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, FunctionProgram("test", cluster.layout.ranks(), std::move(steps)));
}

CriticalPath path_of(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  const FunctionProgram program("test", cluster.layout.ranks(), std::move(steps));
  const auto compute = with_local_work(std::make_unique<SecondsAsFlops>(), cluster.platform, cluster.layout);
  ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                    &cluster.layout, compute.get(),     cluster.options};
  input.options.critical_path = true;
  const CriticalPath simgrid = play(cluster, program).critical_path;
  check_same_paths(make_flow_engine()->replay(input).critical_path, simgrid);
  return simgrid;
}

double makespan(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, std::move(steps)).makespan.si();
}

}  // namespace orrery::test
