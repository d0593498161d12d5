/// orrery-mpi: measures the points of a scenario with real MPI, on the ranks that mpirun started.
///
///   mpirun -n 8 orrery-mpi scenarios/NAME.yaml -o measured.csv
///   mpirun -n 8 orrery-mpi --benchmarks experiments.txt -o benchmarks.csv        of a calibration
///
/// Every point whose layout has at most as many ranks is played some times for warming up (the first with every byte
/// checked), then as often as asked. The table has the point's axes, the median of the compared phase's time (in
/// seconds, as the engines define it), its confidence interval and the whole run's median, and is written again after
/// each point; 'measured: measured.csv' in the scenario sets it beside what is predicted and simulated.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>

#include "models/stats/sample.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"
#include "validation/mpi/agreed.hpp"
#include "validation/mpi/benchmarks.hpp"
#include "validation/mpi/gathered_times.hpp"
#include "validation/mpi/measured_table.hpp"
#include "validation/mpi/mpi_player.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::mpi {

namespace {

struct Options {
  std::string scenario, benchmarks, out = "measured.csv", steps, compute = "spin", collectives = "ours";
  std::vector<std::string> overrides;
  int repeat = 21, warm_up = 3;
  bool phases = false, unchecked = false;
};

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// [ranks] the machine each of them runs on.
std::vector<std::string> hosts_of(MPI_Comm comm) {
  constexpr int length = 256;
  char own[length] = {};
  gethostname(own, length - 1);
  std::vector<char> all(static_cast<std::size_t>(size_of(comm)) * length);
  MPI_Allgather(own, length, MPI_CHAR, all.data(), length, MPI_CHAR, comm);
  std::vector<std::string> hosts;
  for (std::size_t at = 0; at < all.size(); at += length) hosts.emplace_back(all.data() + at);
  return hosts;
}

/// Where the ranks run must be where the scenario's layout has them; says so once where it is not.
std::string placement_note(const Layout& layout, const std::vector<std::string>& all, const std::vector<int>& players) {
  std::vector<std::string> hosts;
  hosts.reserve(players.size());
  for (const int player : players) hosts.push_back(all[static_cast<std::size_t>(player)]);
  std::map<std::string, NodeId> nodes;
  std::map<NodeId, std::string> machines;
  for (std::size_t r = 0; r < layout.placements.size(); ++r) {
    const NodeId node = layout.placements[r].node;
    if (nodes.emplace(hosts[r], node).first->second != node ||
        machines.emplace(node, hosts[r]).first->second != hosts[r])
      return fmt::format("rank {} runs on machine '{}', where the layout '{}' has ranks of another node", r, hosts[r],
                         layout.name);
  }
  return "";
}

ComputeAs compute_as(const std::string& word) {
  return word == "none"    ? ComputeAs::none
         : word == "sleep" ? ComputeAs::sleep
         : word == "work"  ? ComputeAs::work
         : word == "real"  ? ComputeAs::real
                           : ComputeAs::spin;
}

/// Of the result that all ranks have computed together. Collective.
programs::Verdict verdict_of(const programs::Worker& worker, MPI_Comm ranks) {
  const auto combine = [ranks](std::span<double> own, MPI_Op operation) {
    MPI_Allreduce(MPI_IN_PLACE, own.data(), static_cast<int>(own.size()), MPI_DOUBLE, operation, ranks);
  };
  return worker.verdict(
      {[&](std::span<double> own) { combine(own, MPI_SUM); }, [&](std::span<double> own) { combine(own, MPI_MAX); }});
}

/// Wrong results end all ranks: their times are of nothing.
void require_right(const programs::Worker& worker, const LoadedPoint& point, Measured& measured, MPI_Comm ranks) {
  const auto verdict = verdict_of(worker, ranks);
  if (!verdict.right())
    throw ReplayError("{}: the result is wrong: {} is {:.3g} (at most {:g})", point.kernel, verdict.what, verdict.value,
                      verdict.bound);
  if (!measured.verdict || verdict.value > measured.verdict->value) measured.verdict = verdict;
}

std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string line(text);
  return line.substr(0, line.find_first_of(",\n"));
}

[[noreturn]] void end_all(const Error& error) {
  tell("orrery-mpi: {}\n", error.what());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, error.exit_code());
  std::abort();
}

/// One run of a point; null `times`: for warming up.
void take_times(const MpiPlayer& player, const CommonClock& clock, MPI_Comm ranks, Measured* times) {
  auto by_phase = longest_spans(player.times().spans(), ranks).by_phase();
  const double own[] = {player.end_s(), clock.greatest_lateness_s()};
  double all[2];
  MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_MAX, ranks);
  if (times == nullptr) return;
  times->lateness_s = std::max(times->lateness_s, all[1]);
  times->phase_s.push_back(by_phase[times->phase]);
  times->run_s.push_back(all[0]);
  for (const auto& [phase, seconds] : by_phase) times->by_phase[phase].push_back(seconds);
  for (const auto& [of, done] : player.work_done()) {
    auto& work = times->work[{of.first, work_name(of.second)}];
    work.steps = done.steps;
    work.flops = done.flops.si();
    work.traffic_B = done.traffic.si();
    work.seconds.push_back(done.seconds);
  }
}

Measured measure(const LoadedPoint& point, const Settings& settings, const Options& options, CommonClock& clock,
                 MPI_Comm ranks) {
  const ComputeAs as = compute_as(options.compute);
  std::unique_ptr<programs::Worker> worker;
  if (as == ComputeAs::real)
    agreed(ranks, [&] {
      worker = programs::worker_for({point.kernel, point.parameters, point.partition, point.layout.ranks(),
                                     Rank{static_cast<std::uint32_t>(rank_of(ranks))}});
    });
  MpiPlayer player(*point.program, *point.compute, ranks,
                   {.compute = as, .library_collectives = options.collectives == "library", .worker = worker.get()});
  Measured measured{settings, point.compared_phase, point.layout.ranks()};
  for (int run = -options.warm_up; run < options.repeat; ++run) {
    const bool first = run == -options.warm_up, last = run == options.repeat - 1;
    try {
      player.play(clock, first, last);
      if (worker && !options.unchecked && (first || last)) require_right(*worker, point, measured, ranks);
    } catch (const Error& error) {  // others wait for this rank: all end, while what they still send has a place
      end_all(error);
    }
    if (first) {
      const std::uint64_t own[] = {player.checked(), player.sent()};
      std::uint64_t all[2];
      MPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_SUM, ranks);
      if (options.collectives == "ours" && all[0] != all[1])
        throw ReplayError("{}: {} messages were sent, {} arrived", point.kernel, all[1], all[0]);
      measured.messages = all[0];
    }
    take_times(player, clock, ranks, run < 0 ? nullptr : &measured);
  }
  return measured;
}

/// Of the run in which the compared phase took its median, or the nearest to it: phase and run belong together.
double median_run_s(const Measured& one, const stats::Median& phase) {
  std::size_t nearest = 0;
  const auto off = [&](std::size_t run) { return std::abs(one.phase_s[run] - phase.value); };
  for (std::size_t run = 1; run < one.phase_s.size(); ++run)
    if (off(run) < off(nearest)) nearest = run;
  return one.run_s[nearest];
}

void print(const Measured& one, const stats::Median& phase) {
  std::string label;
  for (const auto& [axis, value] : one.settings)
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", axis, value);
  fmt::print("{:<44} {:>5} ranks  {}: {:10.3f} us ({:.1f} .. {:.1f})   in a run of {:10.3f} us   {} messages checked\n",
             label, one.ranks, one.phase, phase.value * 1e6, phase.low * 1e6, phase.high * 1e6,
             median_run_s(one, phase) * 1e6, one.messages);
  if (one.verdict)
    fmt::print("{:<44} right: {} is {:.3g} (at most {:g})\n", "", one.verdict->what, one.verdict->value,
               one.verdict->bound);
  std::fflush(stdout);
}

/// [ranks of a layout] where they are to run: cores of a node in the order of its ranks.
std::vector<CorePlace> places_of(const Layout& layout) {
  std::map<NodeId, std::uint32_t> taken;
  std::vector<CorePlace> places;
  for (const auto& placement : layout.placements) places.push_back({placement.node, taken[placement.node]++});
  return places;
}

/// The ranks that lie where the layout has them; where there are none, the first.
std::vector<int> players_of(const Layout& layout, const std::vector<std::string>& hosts) {
  auto players = ranks_at(places_of(layout), hosts);
  if (players.empty())
    for (std::uint32_t r = 0; r < layout.ranks(); ++r) players.push_back(static_cast<int>(r));
  return players;
}

/// What stands above a table.
Origin origin_of(const Options& options, const std::vector<std::string>& hosts) {
  return {.hosts = hosts,
          .library = library(),
          .compute = options.compute,
          .collectives = options.collectives,
          .repeat = options.repeat,
          .warm_up = options.warm_up,
          .phases = options.phases || options.compute == "real"};
}

void run_all_benchmarks(const Options& options) {
  const auto hosts = hosts_of(MPI_COMM_WORLD);
  CommonClock clock(MPI_COMM_WORLD);
  std::vector<Experiment> plan;
  agreed(MPI_COMM_WORLD, [&] { plan = parse_experiments(config::read_file(options.benchmarks), options.benchmarks); });
  auto times = run_benchmarks(plan, hosts, options.repeat, options.warm_up, clock, MPI_COMM_WORLD);
  for (auto& time : measure_forwarding(options.repeat, hosts, MPI_COMM_WORLD)) times.push_back(std::move(time));
  times.push_back(measure_start_skew(options.repeat, clock, MPI_COMM_WORLD));
  if (rank_of(MPI_COMM_WORLD) == 0) config::write_file(options.out, benchmark_table(times, origin_of(options, hosts)));
}

/// From the first of those that played to all.
void tell_all(Measured& measured, const Options& options, int teller) {
  std::string phases;
  for (const auto& [phase, times] : measured.by_phase) phases += phase + '\n';
  std::uint64_t length = phases.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, teller, MPI_COMM_WORLD);
  phases.resize(length);
  MPI_Bcast(phases.data(), static_cast<int>(length), MPI_CHAR, teller, MPI_COMM_WORLD);
  std::vector<std::vector<double>*> all{&measured.phase_s, &measured.run_s};
  for (std::size_t at = 0, end = 0; at < phases.size(); at = end + 1) {
    end = phases.find('\n', at);
    all.push_back(&measured.by_phase[phases.substr(at, end - at)]);
  }
  for (auto* times : all) {
    times->resize(static_cast<std::size_t>(options.repeat));
    MPI_Bcast(times->data(), options.repeat, MPI_DOUBLE, teller, MPI_COMM_WORLD);
  }
  MPI_Bcast(&measured.messages, 1, MPI_UINT64_T, teller, MPI_COMM_WORLD);
  MPI_Bcast(&measured.lateness_s, 1, MPI_DOUBLE, teller, MPI_COMM_WORLD);
}

void measure_all(const Options& options) {
  const bool first = rank_of(MPI_COMM_WORLD) == 0;
  const auto hosts = hosts_of(MPI_COMM_WORLD);
  CommonClock clock(MPI_COMM_WORLD);
  Scenario scenario;
  agreed(MPI_COMM_WORLD, [&] { scenario = read_scenario(options.scenario, options.overrides); });
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory);
  std::vector<Measured> done;
  std::string note;
  std::size_t too_large = 0;
  for (std::size_t i = 0; i < scenario.points.size(); ++i) {
    const PointSpec& spec = scenario.points[i];
    LoadedPoint point;
    agreed(MPI_COMM_WORLD, [&] { point = loader.load(spec); });
    if (point.layout.ranks() > hosts.size()) {
      ++too_large;
      continue;
    }
    const auto players = players_of(point.layout, hosts);
    if (note.empty()) note = placement_note(point.layout, hosts, players);
    MPI_Comm ranks;
    const auto own = std::ranges::find(players, rank_of(MPI_COMM_WORLD));
    const bool plays = own != players.end();
    MPI_Comm_split(MPI_COMM_WORLD, plays ? 0 : MPI_UNDEFINED, static_cast<int>(own - players.begin()), &ranks);
    Measured measured{spec.settings, point.compared_phase, point.layout.ranks()};
    if (plays) try {
        measured = measure(point, spec.settings, options, clock, ranks);
        MPI_Comm_free(&ranks);
      } catch (const Refused&) {  // which ranks that do not play know nothing of
        if (static_cast<std::size_t>(size_of(ranks)) == hosts.size()) throw;
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
      }
    tell_all(measured, options, players.front());
    if (!first) continue;
    done.push_back(std::move(measured));
    print(done.back(), stats::median_of(done.back().phase_s));
    config::write_file(options.out, measured_table(scenario.name, done, origin_of(options, hosts), note));
    if (!options.steps.empty())
      config::write_file(options.steps, work_table(scenario.name, done, origin_of(options, hosts)));
  }
  const bool nothing = too_large == scenario.points.size();
  if (!first && nothing) throw Refused();
  if (!first) return;
  if (!note.empty()) tell("orrery-mpi: {}\n", note);
  if (too_large > 0)
    tell("orrery-mpi: {} of {} points need more than the {} ranks here and were left out. Start more with mpirun -n?\n",
         too_large, scenario.points.size(), hosts.size());
  if (nothing) throw Refused();
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Measures the points of a scenario with real MPI, on the ranks that mpirun started.", "orrery-mpi");
  app.add_option("SCENARIO", options.scenario, "scenario file");
  app.add_option("--benchmarks", options.benchmarks, "instead: a file of micro-benchmarks to run for a calibration");
  app.add_option("--set", options.overrides, "PATH=VALUE, as of 'orrery run'")->expected(1)->allow_extra_args(false);
  app.add_option("-o,--output", options.out, "table to write")->capture_default_str();
  app.add_option(
         "--compute", options.compute,
         "compute steps: none, spin or sleep as long as the compute model says, work of as many flops, or real: "
         "the kernel's own on real data, its result checked")
      ->check(CLI::IsMember({"none", "spin", "sleep", "work", "real"}))
      ->capture_default_str();
  app.add_option("--collectives", options.collectives, "as our algorithms send them, or the library's own calls")
      ->check(CLI::IsMember({"ours", "library"}))
      ->capture_default_str();
  app.add_option("--repeat", options.repeat, "measured runs of each point")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--warm-up", options.warm_up, "runs before them; the first checks every byte")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--phases", options.phases, "a row for each phase and one for the run (always with --compute real)");
  app.add_option("--steps", options.steps,
                 "--compute real: also a table of what the first rank's compute steps took, by phase and kind of work");
  app.add_flag("--no-check", options.unchecked, "--compute real: do not check the result of the first and last run");
  try {
    app.parse(argc, argv);
    if (!options.steps.empty() && options.compute != "real")
      throw CLI::ValidationError("--steps " + options.steps,
                                 "compute steps work for real only with --compute real. Add it?");
    if (options.compute == "real" && options.collectives == "library")
      throw CLI::ValidationError("--collectives library", "carries no data. Leave it out with --compute real?");
    if (options.scenario.empty() == options.benchmarks.empty())
      throw CLI::RequiredError("orrery-mpi: a scenario or --benchmarks");
    if (options.benchmarks.empty())
      measure_all(options);
    else
      run_all_benchmarks(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return rank_of(MPI_COMM_WORLD) == 0 ? (app.exit(error) == 0 ? 0 : 2) : (error.get_exit_code() == 0 ? 0 : 2);
  } catch (const Refused&) {
    return 2;
  } catch (const Error& error) {
    tell("orrery-mpi: {}\n", error.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, error.exit_code());
  }
  return 1;
}

}  // namespace

}  // namespace orrery::mpi

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Pcontrol(0);  // of what is recorded the last run of each point counts
  const int code = orrery::mpi::run(argc, argv);
  MPI_Finalize();
  return code;
}
