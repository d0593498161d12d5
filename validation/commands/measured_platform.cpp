#include "validation/commands/measured_platform.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <sstream>

#include "models/calibration.hpp"
#include "models/stats/sample.hpp"
#include "platforms/loader.hpp"
#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/version.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/system/system.hpp"
#include "validation/commands/mpi_here.hpp"
#include "validation/commands/run_program.hpp"
#include "validation/mpi/experiments.hpp"

namespace orrery::cli {

using namespace study;

namespace {

namespace fs = std::filesystem;
using config::ScratchFolder;
constexpr int runs = 51;

std::string program_here(const std::string& name) {
  return (fs::path(system::program_path()).parent_path() / name).string();
}

/// 1 B to 4 MiB, denser around thresholds.
std::vector<Bytes> message_sizes() {
  std::vector<Bytes> sizes;
  for (const double size : {1.0, 64.0, 256.0, 1024.0, 2048.0, 4096.0, 6144.0, 8192.0, 16384.0, 32768.0, 65536.0,
                            131072.0, 262144.0, 524288.0, 1048576.0, 2097152.0, 4194304.0})
    sizes.emplace_back(size);
  return sizes;
}

/// The last lines of what a program printed.
std::string last_words(const std::string& log) {
  std::istringstream lines(config::read_file(log));
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.find_first_not_of("-*") != std::string::npos) last = line;
  return last.empty() ? "nothing" : last;
}

/// orrery-mpi's table of the plan.
std::string measured_messages(const std::vector<Experiment>& plan, const ScratchFolder& scratch) {
  std::size_t ranks = 2;
  for (const auto& experiment : plan) ranks = std::max(ranks, experiment.placement.size());
  prepare_mpi_here(static_cast<std::uint32_t>(ranks));
  config::write_file(scratch.file("experiments.txt"), mpi::experiments_text(plan));
  const ProgramRun run{.command = {"mpirun", "-n", std::to_string(ranks), program_here("orrery-mpi"), "--benchmarks",
                                   "experiments.txt", "-o", "benchmarks.csv", "--repeat", std::to_string(runs)},
                       .folder = scratch.path(),
                       .log = scratch.file("mpi.log"),
                       .doing = fmt::format("measuring messages between {} ranks", ranks)};
  tell("{}\n", run.doing);
  if (const int code = run_program(run); code != 0)
    throw ReplayError("new platform: '{}' ended with code {} and said '{}'. Does it start by hand?",
                      fmt::join(run.command, " "), code, last_words(run.log));
  return config::read_file(scratch.file("benchmarks.csv"));
}

/// Into `parameters`: the median of the speeds at the sizes of orrery-rates' table.
void measure_core_speed(MeasuredParameters& parameters, const ScratchFolder& scratch) {
  const ProgramRun run{.command = {program_here("orrery-rates"), "sizes", "dgemm", "--from", "512KiB", "--to", "8MiB",
                                   "--samples", "10", "-o", "dgemm.csv"},
                       .folder = scratch.path(),
                       .log = scratch.file("rates.log"),
                       .doing = "measuring matrix products on one core"};
  tell("{}\n", run.doing);
  if (run_program(run) != 0) {
    parameters.core_speed_source = "not measured: orrery-rates has no BLAS, or is not there";
    return;
  }
  std::vector<double> speeds;
  std::istringstream lines(config::read_file(scratch.file("dgemm.csv")));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("dgemm,")) speeds.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  if (speeds.empty()) throw ReplayError("new platform: orrery-rates wrote no speeds. Does it run by hand?");
  parameters.core_speed = stats::median(speeds);
  parameters.core_speed_source =
      fmt::format("dgemm on one core, median of {} orders with 512 KiB to 8 MiB of data", speeds.size());
}

void require_repeating(const Repeats& repeats) {
  if (3 * repeats.loose <= repeats.rows && repeats.loosest.empty()) return;
  throw ReplayError(
      "new platform: times of messages do not repeat: of {}, {} are not known to a factor of three or are "
      "longer than those of longer messages{}. Is this machine busy with something else?",
      repeats.rows, repeats.loose, repeats.loosest.empty() ? "" : ", such as " + repeats.loosest);
}

/// Measured again while times do not repeat.
std::string repeated_messages(const std::vector<Experiment>& plan, const ScratchFolder& scratch) {
  constexpr int passes = 3;
  std::string table = measured_messages(plan, scratch);
  for (int pass = 1; pass < passes && repeats_of(table).loose > 0; ++pass) {
    tell("{} of {} times do not repeat: again\n", repeats_of(table).loose, repeats_of(table).rows);
    table = least_rows(table, measured_messages(plan, scratch));
  }
  return table;
}

Platform draft(const std::string& name, const MeasuredParameters& parameters) {
  return load_platform(config::parse_yaml(measured_platform_text(name, parameters), name + ".yaml"), name + ".yaml");
}

/// The benchmarks on the file as it is: what a reader may expect of it.
std::vector<PlayedSeries> played(const Platform& platform, const std::vector<Experiment>& plan,
                                 const std::vector<Measurement>& measured) {
  const Network& network = platform.networks.front();
  const auto simulated = measure(plan, platform, network,
                                 {.keep_going = [] { return !interrupted(); },
                                  .engine = [] { return make_engine("flow", "new platform"); }})
                             .series;
  std::vector<PlayedSeries> all;
  for (const auto& one : measured) {
    const auto same = std::ranges::find(simulated, one.id, &Measurement::id);
    const auto at = one.id.find("/tau=");
    const bool pingpong = one.id.starts_with("pingpong/");
    if (same == simulated.end() || same->times.size() != one.times.size() || (at == std::string::npos && !pingpong))
      continue;
    all.push_back({pingpong ? "ping-pong" : one.id.substr(at + 5) + " messages at once", one.times, same->times});
  }
  return all;
}

std::vector<std::string> remarks_of(const std::string& command, const ThisMachine& machine, const std::string& table,
                                    const Repeats& repeats, double elapsed_s) {
  std::vector<std::string> remarks{
      fmt::format("This machine, measured by '{}' in {:.0f} s: {}, {} cores.", command, elapsed_s,
                  machine.processor.empty() ? "a processor without a name" : machine.processor, machine.cores())};
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");) remarks.push_back(line.substr(2));
  remarks.push_back(fmt::format("medians are known to {:.2g} % (half of their 95 % interval, median of {} times)",
                                100.0 * repeats.median, repeats.rows));
  if (repeats.loose > 0) remarks.push_back(fmt::format("{} of them are not known to a factor of three", repeats.loose));
  return remarks;
}

/// Something of each kind, so that there is a platform to plan for.
MeasuredParameters begun(const ThisMachine& machine) {
  MeasuredParameters parameters{.machine = machine,
                                .fit = {},
                                .core_speed_source = "not measured yet",
                                .source = "a draft",
                                .remarks = {},
                                .played = {}};
  parameters.fit.node.latency = parameters.fit.node.send_overhead = parameters.fit.node.receive_overhead =
      Seconds(1e-6);
  parameters.fit.node.copy_bandwidth = BytesPerSecond(1e9);
  parameters.fit.latency_factor = {{Bytes(0.0), 1.0}};
  return parameters;
}

/// A row of orrery-mpi's table of benchmarks.
struct Row {
  std::string id, line;
  double message, time, low, high;
};

std::optional<Row> row_of(const std::string& line) {
  if (line.starts_with('#') || line.starts_with("id,") || line.starts_with("start-skew")) return std::nullopt;
  std::istringstream fields(line);
  std::string id, message, time, low, high;
  for (std::string* field : {&id, &message, &time, &low, &high})
    if (!std::getline(fields, *field, ',')) return std::nullopt;
  return Row{id, line, std::stod(message), std::stod(time), std::stod(low), std::stod(high)};
}

std::vector<Row> rows_of(const std::string& table) {
  std::vector<Row> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (const auto row = row_of(line)) rows.push_back(*row);
  return rows;
}

}  // namespace

Repeats repeats_of(const std::string& table) {
  Repeats repeats;
  std::vector<double> widths;
  const auto rows = rows_of(table);
  for (const auto& row : rows) {
    widths.push_back(0.5 * (row.high - row.low) / row.time);
    const bool longer_is_faster = std::ranges::any_of(rows, [&](const Row& other) {
      return other.id == row.id && other.message > row.message && other.time < 0.5 * row.time;
    });
    if (row.high <= 3.0 * row.low && !longer_is_faster) continue;
    ++repeats.loose;
    if (row.id.starts_with("pingpong/"))
      repeats.loosest = fmt::format("{} of {} in {}", to_text(Bytes(row.message)), row.id, to_text(Seconds(row.time)));
  }
  repeats.rows = rows.size();
  if (!widths.empty()) repeats.median = stats::median(widths);
  return repeats;
}

std::string least_rows(const std::string& table, const std::string& again) {
  const auto others = rows_of(again);
  std::string text;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const auto row = row_of(line);
    const auto other = std::ranges::find_if(
        others, [&](const Row& one) { return row && one.id == row->id && one.message == row->message; });
    text += (other != others.end() && other->time < row->time ? other->line : line) + "\n";
  }
  return text;
}

std::string measured_platform(const std::string& name, const std::string& command) {
  const auto began = std::chrono::steady_clock::now();
  const ThisMachine machine = this_machine();
  if (machine.usable < 2 || machine.cores() < 2)
    throw Skipped(
        "new platform: one core is here to use (two ranks on it take turns: nothing of the channel between "
        "cores is measured). Run it where there are two?");
  if (!config::is_there(program_here("orrery-mpi")))
    throw Skipped(
        "new platform: '{}' is not there (it is built where an MPI is, and packed as orrery-mpi). "
        "Install it?",
        program_here("orrery-mpi"));
  MeasuredParameters parameters = begun(machine);
  const Platform planned = draft(name, parameters);
  const auto plan = inside_plan(planned, planned.networks.front(), message_sizes());
  const ScratchFolder scratch("measure");
  const system::Urgent urgent;  // other programs are the noise
  const std::string table = repeated_messages(plan, scratch);
  const Repeats repeats = repeats_of(table);
  require_repeating(repeats);
  const auto measured = parse_measured_csv(table, "benchmarks.csv").series;
  measure_core_speed(parameters, scratch);
  parameters.fit = fit_inside(planned, planned.networks.front(), measured);
  const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  parameters.source =
      fmt::format("measured on {}, {:%Y-%m-%d}, orrery {}", machine.host.empty() ? "this machine" : machine.host,
                  fmt::gmtime(std::time(nullptr)), version);
  parameters.remarks = remarks_of(command, machine, table, repeats, elapsed_s);
  parameters.played = played(draft(name, parameters), plan, measured);
  throw_if_interrupted("measuring this machine");
  return measured_platform_text(name, parameters);
}

}  // namespace orrery::cli
