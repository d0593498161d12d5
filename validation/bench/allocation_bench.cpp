/// How many configurations a second are examined for a fitted model, and what branch and bound saves; how long every
/// partitioner takes for ten thousand ranks.
///
///   allocation_bench [--runs N]
///
/// Four types of 16 nodes with one or two ranks to a core are 33^4 - 1 = 1,185,920 configurations. The NP-T model of
/// them (Himeno's terms, non-negative) is fitted to runs of a law whose types differ, as `orrery allocate` fits it.
/// Processor time, medians; both searches must give the same configuration, or the program ends with 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "models/allocation/bases.hpp"
#include "models/allocation/execution_times.hpp"
#include "models/allocation/search.hpp"
#include "models/partition/partitioner.hpp"
#include "models/stats/sample.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::uint32_t types = 4, nodes = 16, per_core = 2;
constexpr double size_asked = 256.0;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What `run` takes: the median of so many runs.
double median_of(int runs, const std::function<void()>& run) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const double begin = cpu_seconds();
    run();
    seconds.push_back(cpu_seconds() - begin);
  }
  return stats::median(std::move(seconds));
}

Platform cluster() {
  Platform platform{.name = "bench", .file = {}, .source = {}};
  for (std::uint32_t type = 0; type < types; ++type) {
    platform.node_types.push_back({.name = fmt::format("type{}", type)});
    platform.node_counts.push_back(nodes);
  }
  return platform;
}

/// Runs on one type each: type k computes in 1 + k / 2 of the time of the first, and every rank on the network costs.
std::vector<SizedRun> runs_of_each_type() {
  std::vector<SizedRun> runs;
  for (std::uint32_t type = 0; type < types; ++type)
    for (const double n : {32.0, 64.0, 96.0, 128.0, 160.0, 192.0})
      for (std::uint32_t count = 1; count <= 4; ++count)
        for (std::uint32_t m = 1; m <= per_core; ++m) {
          Configuration configuration{.parts = std::vector<Configuration::Part>(types)};
          configuration.parts[type] = {count, m};
          const double p = count * m;
          const double computing = 1e-8 * (1.0 + 0.5 * type) * m * n * n * n / p;
          const double exchanging = count == 1 ? 0.0 : 1e-7 * n * n + 2e-3 * std::log(p);
          runs.push_back({configuration, n, computing + exchanging});
        }
  return runs;
}

ExecutionTimes fitted() {
  const TimeBasis& basis = *basis_of("himeno");
  return {{.model = TimeModel::np_t,
           .extrapolate = true,
           .np_terms = parse_terms(basis.np, np_variables(), "bench"),
           .n_terms = parse_terms(basis.n, np_variables(), "bench"),
           .p_terms = parse_terms(basis.p, p_variables(), "bench")},
          cluster(),
          runs_of_each_type()};
}

AllocationProblem problem_of(const ExecutionTimes& times, AllocationObjective objective) {
  AllocationProblem problem;
  for (std::uint32_t type = 0; type < types; ++type)
    problem.kinds.push_back(
        {.nodes = nodes, .per_core_max = per_core, .price = 1.0 - 0.2 * type, .power = 100.0 - 15.0 * type});
  problem.time = [&times](std::uint32_t kind, std::uint32_t m, std::uint32_t p, bool alone) {
    return times.time_of_part(kind, {1, m}, size_asked, p, alone);
  };
  problem.objective = objective;
  return problem;
}

/// A line of the table; false where the two searches differ.
bool compare_searches(const ExecutionTimes& times, AllocationObjective objective, const char* name, int runs) {
  const AllocationProblem problem = problem_of(times, objective);
  AllocationSearch all, some;
  const double exhaustive = median_of(runs, [&] { all = search_all(problem); });
  const double cutting = median_of(runs, [&] { some = branch_and_bound(problem); });
  const bool same = all.best && some.best && all.best->configuration == some.best->configuration &&
                    all.best->seconds == some.best->seconds;
  fmt::print("{:<7} {:>10} {:>8.1f} {:>8.2f} {:>10} {:>8} {:>8.2f}  ({}) {}\n", name, all.examined, 1e3 * exhaustive,
             1e-6 * static_cast<double>(all.examined) / exhaustive, some.examined, some.cut, 1e3 * cutting,
             all.best ? all.best->configuration.text() : "", same ? "same" : "DIFFERENT");
  return same;
}

void time_partitioners(int runs) {
  constexpr std::uint32_t ranks = 10'000;
  fmt::print("\npartitioner of {} ranks, s\n", ranks);
  PartitionProblem problem{{2000, 1'000}, {}};
  for (std::uint32_t r = 0; r < ranks; ++r) {
    problem.speeds.push_back(1.0 + r % 17);
    problem.processors.push_back({1e9 * (1.0 + r % 17), Bytes(1e6), Bytes(1e9 * (1.0 + r % 3)), Seconds(1e-6)});
  }
  problem.speed = [&](Rank rank, ShareSize) { return problem.speeds[index(rank)]; };
  PartitionProblem slices = problem;  // a slice for each rank
  slices.grid = {1, 1'000'000};
  for (const auto& [name, entry] : partitioners().entries()) {
    if (entry.asks_time()) continue;  // takes what its candidates take
    for (const PartitionProblem* of : {&slices, &problem}) try {
        const double seconds = median_of(runs, [&, &partitioner = entry] { (void)partitioner.make(*of); });
        fmt::print("{:<16} {:>4} x {:<8} {:.3f}\n", name, of->grid.columns, of->grid.rows, seconds);
      } catch (const Error& error) {
        fmt::print("{:<16} {:>4} x {:<8} {}\n", name, of->grid.columns, of->grid.rows, error.what());
      }
  }
}

}  // namespace

}  // namespace orrery

int main(int argc, char** argv) try {
  const int runs = argc == 3 && std::string(argv[1]) == "--runs" ? std::max(1, std::atoi(argv[2])) : 5;
  const orrery::ExecutionTimes times = orrery::fitted();
  fmt::print("{:<7} {:>10} {:>8} {:>8} {:>10} {:>8} {:>8}\n", "least", "examined", "ms", "M/s", "b & b", "cut", "ms");
  using enum orrery::AllocationObjective;
  bool same = orrery::compare_searches(times, time, "time", runs);
  same &= orrery::compare_searches(times, cost, "cost", runs);
  same &= orrery::compare_searches(times, energy, "energy", runs);
  orrery::time_partitioners(1);
  return same ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "allocation_bench: {}\n", error.what());
  return 1;
}
