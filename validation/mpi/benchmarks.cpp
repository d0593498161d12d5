#include "validation/mpi/benchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "kernels/kernel.hpp"
#include "kernels/micro_benchmark.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/elapsed.hpp"
#include "sim/core/error.hpp"
#include "validation/mpi/agreed.hpp"
#include "validation/mpi/gathered_times.hpp"
#include "validation/mpi/mpi_player.hpp"

namespace orrery::mpi {

namespace {

/// But for the time in which messages arrive, which is `elapsed`.
class NoCompute final : public ComputeModel {
 public:
  std::string description() const override { return "no compute steps"; }
  Seconds compute_time(const Compute&, Rank) const override { return {}; }
};

struct Benchmark {
  std::unique_ptr<Program> program;
  std::vector<BenchmarkPoint> points;
  std::size_t repetitions = 1;  ///< within one run
};

Benchmark make(const Experiment& experiment) {
  const KernelEntry& kernel = kernels().at(experiment.kernel, experiment.id);
  if (!kernel.benchmark_points)
    throw InputError("{}: '{}' is no micro-benchmark (pingpong, overhead or ring). Use one of them?", experiment.id,
                     experiment.kernel);
  Parameters parameters(kernel.parameters);
  for (const auto& [name, value] : experiment.kernel_parameters) parameters.set(name, value, experiment.id);
  const auto ranks = static_cast<std::uint32_t>(experiment.placement.size());
  return {kernel.make({.parameters = parameters, .ranks = ranks, .partition = nullptr, .layout = nullptr}),
          kernel.benchmark_points(parameters), static_cast<std::size_t>(parameters.integer("repetitions"))};
}

/// [points][runs x repetitions] seconds of one transmission, on the ranks that play.
std::vector<std::vector<double>> samples_of(const Benchmark& benchmark, int repeat, int warm_up, CommonClock& clock,
                                            MPI_Comm ranks) {
  const auto compute = with_elapsed(std::make_unique<NoCompute>());
  MpiPlayer player(*benchmark.program, *compute, ranks, {.compute = ComputeAs::spin});
  std::vector<std::vector<double>> samples(benchmark.points.size());
  for (int run = -warm_up; run < repeat; ++run) {
    player.play(clock, run == -warm_up);
    const auto longest = longest_spans(player.times().spans(), ranks);
    if (run < 0) continue;
    for (const auto& [iteration, seconds] : longest.by_iteration(timed_phase)) {
      const std::size_t point = iteration / benchmark.repetitions;
      samples.at(point).push_back(seconds / benchmark.points[point].transmissions);
    }
  }
  return samples;
}

/// From the first of those that played to all.
void tell_all(std::vector<BenchmarkTime>& times, int teller, MPI_Comm world) {
  for (auto& one : times) {
    double numbers[] = {one.time_s.value, one.time_s.low, one.time_s.high, static_cast<double>(one.repetitions)};
    MPI_Bcast(numbers, 4, MPI_DOUBLE, teller, world);
    one.time_s = {numbers[0], numbers[1], numbers[2]};
    one.repetitions = static_cast<int>(numbers[3]);
  }
}

std::vector<BenchmarkTime> run_one(const Experiment& experiment, const std::vector<int>& players, int repeat,
                                   int warm_up, CommonClock& clock, MPI_Comm world) {
  Benchmark benchmark;
  agreed(world, [&] { benchmark = make(experiment); });
  std::vector<BenchmarkTime> times;
  for (const auto& point : benchmark.points)
    times.push_back(
        {point.variant.empty() ? experiment.id : experiment.id + "/" + point.variant, point.message.si(), {}, 0});
  int me = 0;
  MPI_Comm_rank(world, &me);
  const auto own = std::ranges::find(players, me);
  MPI_Comm ranks;
  MPI_Comm_split(world, own == players.end() ? MPI_UNDEFINED : 0, static_cast<int>(own - players.begin()), &ranks);
  if (own != players.end()) {
    const auto samples = samples_of(benchmark, repeat, warm_up, clock, ranks);
    for (std::size_t i = 0; i < times.size(); ++i) {
      times[i].time_s = stats::median_of(samples[i]);
      times[i].repetitions = static_cast<int>(samples[i].size());
    }
    MPI_Comm_free(&ranks);
  }
  tell_all(times, players.front(), world);
  return times;
}

/// What a process has run so far; 0 when the kernel does not tell.
double processor_time_s(const std::string& process) {
  std::ifstream file("/proc/" + process + "/schedstat");
  double nanoseconds = 0.0;
  return file >> nanoseconds ? nanoseconds * 1e-9 : 0.0;
}

constexpr int byte_tag = 3;
void send_bytes(int count, int to, MPI_Comm world) {
  const char byte = 0;
  for (int i = 0; i < count; ++i) MPI_Send(&byte, 1, MPI_BYTE, to, byte_tag, world);
}
void receive_bytes(int count, int from, MPI_Comm world) {
  char byte = 0;
  for (int i = 0; i < count; ++i) MPI_Recv(&byte, 1, MPI_BYTE, from, byte_tag, world, MPI_STATUS_IGNORE);
}

}  // namespace

std::vector<BenchmarkTime> measure_forwarding(int repeat, const std::vector<std::string>& hosts, MPI_Comm world) {
  constexpr int messages = 640, burst = 64;
  const char* switch_process = std::getenv("ORRERY_CLUSTER_SWITCH");
  int known = switch_process != nullptr && processor_time_s(switch_process) > 0.0;
  MPI_Bcast(&known, 1, MPI_INT, 0, world);
  const auto elsewhere = std::ranges::find_if(hosts, [&](const auto& host) { return host != hosts.front(); });
  if (known == 0 || elsewhere == hosts.end()) return {};
  const int partner = static_cast<int>(elsewhere - hosts.begin());
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  const auto time_of = [&](int at_once) {
    std::vector<double> times;
    for (int run = 0; run < repeat; ++run) {
      MPI_Barrier(world);
      const double before = rank == 0 ? processor_time_s(switch_process) : 0.0;
      for (int sent = 0; sent < messages; sent += 2 * at_once) {
        if (rank == 0) send_bytes(at_once, partner, world), receive_bytes(at_once, partner, world);
        if (rank == partner) receive_bytes(at_once, 0, world), send_bytes(at_once, 0, world);
      }
      double time = rank == 0 ? (processor_time_s(switch_process) - before) / messages : 0.0;
      MPI_Bcast(&time, 1, MPI_DOUBLE, 0, world);
      times.push_back(time);
    }
    return stats::median_of(times);
  };
  std::vector<BenchmarkTime> found;
  found.push_back({"forwarding", 1.0, time_of(1), repeat});
  found.push_back({"forwarding/burst=64", 1.0, time_of(burst), repeat});
  return found;
}

BenchmarkTime measure_start_skew(int repeat, CommonClock& clock, MPI_Comm world) {
  std::vector<double> latest;
  for (int run = 0; run < repeat; ++run) {
    clock.start_together(world);
    const double own = clock.greatest_lateness_s();
    double last = 0.0, first = 0.0;
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, world);
    MPI_Allreduce(&own, &first, 1, MPI_DOUBLE, MPI_MIN, world);
    latest.push_back(last - first);
  }
  return {"start-skew", 0.0, stats::median_of(latest), repeat};
}

std::vector<BenchmarkTime> run_benchmarks(const std::vector<Experiment>& plan, const std::vector<std::string>& hosts,
                                          int repeat, int warm_up, CommonClock& clock, MPI_Comm world) {
  std::vector<BenchmarkTime> all;
  for (const auto& experiment : plan) {
    const auto players = ranks_at(experiment.placement, hosts);
    if (players.empty()) continue;
    for (auto& one : run_one(experiment, players, repeat, warm_up, clock, world)) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace orrery::mpi
