#include "validation/mpi/measured_table.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <set>
#include <sstream>

#include "commit.hpp"
#include "sim/core/version.hpp"
#include "validation/mpi/benchmarks.hpp"

namespace orrery::mpi {

namespace {

/// "model name" of /proc/cpuinfo.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

/// This process's words, as they were typed, but for the folder of the program.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  while (text.ends_with('\0')) text.pop_back();
  const auto folder = text.substr(0, text.find('\0')).rfind('/');
  if (folder != std::string::npos) text.erase(0, folder + 1);
  std::ranges::replace(text, '\0', ' ');
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string load() {
  std::ifstream file("/proc/loadavg");
  std::string one, five;
  file >> one >> five;
  return fmt::format("load {} (1 min), {} (5 min) at the end", one, five);
}

std::string origin_lines(const Origin& origin) {
  const std::set<std::string> machines(origin.hosts.begin(), origin.hosts.end());
  const int policy = ::sched_getscheduler(0);
  return fmt::format(
      "# {:%Y-%m-%d %H:%M} UTC, on {}: {} cores each, {}{}\n# orrery {} ({}), {}, {}\n# command of each rank: {}\n",
      fmt::gmtime(std::time(nullptr)), fmt::join(machines, " "), ::sysconf(_SC_NPROCESSORS_ONLN), load(),
      policy == SCHED_RR || policy == SCHED_FIFO ? ", real-time priority" : "", version, ORRERY_COMMIT, ORRERY_FLAGS,
      programs::libraries(), command_line());
}

std::string heading(const std::string& what, const Origin& origin) {
  const std::set<std::string> machines(origin.hosts.begin(), origin.hosts.end());
  return fmt::format("# {} measured by orrery-mpi {}: {} ranks on {} machine{}, {}\n# {}\n", what, version,
                     origin.hosts.size(), machines.size(), machines.size() == 1 ? "" : "s", processor(),
                     origin.library);
}

std::vector<std::string> axes_of(const std::vector<Measured>& points) {
  std::vector<std::string> axes;
  for (const auto& point : points)
    for (const auto& [axis, value] : point.settings)
      if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(axis);
  return axes;
}

std::string cells_of(const Measured& point, const std::vector<std::string>& axes) {
  std::string text;
  for (const auto& axis : axes) {
    const auto found = std::ranges::find(point.settings, axis, [](const auto& setting) { return setting.first; });
    text += found == point.settings.end() ? "*," : "\"" + found->second + "\",";
  }
  return text;
}

std::string times_of(const std::vector<double>& runs) {
  const stats::Median median = stats::median_of(runs);
  return fmt::format("{:.9g},{:.9g},{:.9g},{}\n", median.value, median.low, median.high, runs.size());
}

const std::string whole_run = "run";

bool names_a_phase_run(const Measured& point) { return point.phase == whole_run || point.by_phase.contains(whole_run); }

}  // namespace

std::string measured_table(const std::string& scenario, const std::vector<Measured>& points, const Origin& origin,
                           const std::string& note) {
  std::string text = heading(scenario, origin) + origin_lines(origin);
  text += fmt::format(
      "# compute steps: {}; collectives: {}; medians of {} runs after {} for warming up; low_s and high_s: 95 % "
      "confidence of the median{}\n",
      origin.compute, origin.collectives, origin.repeat, origin.warm_up,
      origin.phases ? "; each row's by itself: rows of a point may be of different runs" : "");
  if (!note.empty()) text += fmt::format("# note: {}\n", note);
  double latest = 0.0;
  for (const auto& point : points) latest = std::max(latest, point.lateness_s);
  text += fmt::format("# ranks left common starts and ideal barriers at most {:.0f} us late\n", latest * 1e6);
  if (origin.phases && std::ranges::any_of(points, names_a_phase_run))
    text += "# note: a phase that the program calls 'run' has no row, since 'run' is the whole time\n";
  const auto axes = axes_of(points);
  for (const auto& point : points)
    if (point.verdict)
      text += fmt::format("# result right: {}{} is {:.3g} (at most {:g})\n", cells_of(point, axes), point.verdict->what,
                          point.verdict->value, point.verdict->bound);
  for (const auto& axis : axes) text += axis + ",";
  text += origin.phases ? "phase,time_s,low_s,high_s,repetitions\n" : "time_s,low_s,high_s,repetitions\n";
  for (const auto& point : points) {
    const std::string cells = cells_of(point, axes);
    if (!origin.phases) {
      text += cells + times_of(point.phase_s);
      continue;
    }
    if (point.phase != whole_run) text += cells + point.phase + "," + times_of(point.phase_s);
    for (const auto& [phase, runs] : point.by_phase)
      if (phase != point.phase && phase != whole_run && runs.size() == point.run_s.size())
        text += cells + phase + "," + times_of(runs);
    text += cells + whole_run + "," + times_of(point.run_s);
  }
  return text;
}

std::string work_table(const std::string& scenario, const std::vector<Measured>& points, const Origin& origin) {
  std::string text = heading("compute steps of " + scenario, origin) + origin_lines(origin);
  text += fmt::format(
      "# of the first rank, all steps of a kind in a phase together; medians of {} runs after {} for warming up\n",
      origin.repeat, origin.warm_up);
  const auto axes = axes_of(points);
  for (const auto& axis : axes) text += axis + ",";
  text += "phase,work,steps,flops,traffic_B,time_s\n";
  for (const auto& point : points)
    for (const auto& [of, work] : point.work)
      text += fmt::format("{}{},{},{},{:.9g},{:.9g},{:.9g}\n", cells_of(point, axes), of.first, of.second, work.steps,
                          work.flops, work.traffic_B, stats::median_of(work.seconds).value);
  return text;
}

std::string benchmark_table(const std::vector<BenchmarkTime>& times, const Origin& origin) {
  std::string text = heading("micro-benchmarks", origin) + origin_lines(origin);
  text += fmt::format(
      "# seconds of one transmission: medians of {} runs after {} for warming up; low_s and high_s: 95 % confidence of "
      "the median\nid,message_B,time_s,low_s,high_s,repetitions\n",
      origin.repeat, origin.warm_up);
  for (const auto& one : times)
    text += fmt::format("{},{:.0f},{:.9g},{:.9g},{:.9g},{}\n", one.id, one.message_B, one.time_s.value, one.time_s.low,
                        one.time_s.high, one.repetitions);
  return text;
}

}  // namespace orrery::mpi
