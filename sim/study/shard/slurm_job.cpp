#include "sim/study/shard/slurm_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>

#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "sim/core/shell_words.hpp"
#include "sim/study/shard/shards.hpp"
#include "sim/system/system.hpp"

namespace orrery::study {

namespace {

constexpr double task_s = 600;  // between 5 and 15 minutes
constexpr int nodes_max = 100'000, cpus_max = 4096;

double total_s(std::span<const std::uint64_t> costs) {
  return static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::uint64_t{0})) / 1e6;
}

/// The predicted time of the task that has most to do.
double longest_task_s(std::span<const std::uint64_t> costs, std::uint32_t tasks, int cpus) {
  double longest = 0.0;
  for (const auto& shard : packed(costs, tasks)) {
    std::uint64_t sum = 0, most = 0;
    for (const std::size_t point : shard) {
      sum += costs[point];
      most = std::max(most, costs[point]);
    }
    longest = std::max({longest, static_cast<double>(sum) / cpus / 1e6, static_cast<double>(most) / 1e6});
  }
  return longest;
}

/// Costs are an order of magnitude: three times the prediction, at least half an hour, whole quarters of an hour.
std::string time_limit(double longest_s) {
  const auto quarters = std::max(2L, std::lround(std::ceil(3 * longest_s / 900)));
  return fmt::format("{}:{:02}:00", quarters / 4, quarters % 4 * 15);
}

void require_within(const char* option, int value, int least, int most, const char* what) {
  if (value < least || value > most)
    throw InputError("{}: {} lies outside {}..{} ({}). Choose one inside?", option, value, least, most, what);
}

/// Whether a line of #SBATCH says it as it is: it knows no quotes, and '\\' changes what follows.
bool is_plain(std::string_view word, std::string_view but_not) {
  return std::ranges::none_of(word, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7f || but_not.find(c) != std::string_view::npos;
  });
}

void require_word(const char* option, const std::string& word) {
  if (!is_plain(word, "'\"\\"))
    throw InputError(
        "{}: '{}' has spaces, quotes or a backslash (one option of sbatch, as in --account=physics). Write "
        "several?",
        option, word);
}

/// "90", "90:00", "1:30:00", "2-12", "2-12:30" and "2-12:30:00", as sbatch takes them; in seconds. None: it is no time.
std::optional<double> slurm_time_s(std::string_view text) {
  double days = 0.0;
  const auto dash = text.find('-');
  const bool with_days = dash != std::string_view::npos;
  const auto number = [](std::string_view digits) -> std::optional<double> {
    if (digits.empty() || digits.size() > 6 ||
        !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
      return {};
    return std::stod(std::string(digits));
  };
  if (with_days) {
    const auto stated = number(text.substr(0, dash));
    if (!stated) return {};
    days = *stated;
    text.remove_prefix(dash + 1);
  }
  std::vector<double> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(':', begin), text.size());
    const auto part = number(text.substr(begin, end - begin));
    if (!part || (begin > 0 && *part >= 60.0)) return {};
    parts.push_back(*part);
    begin = end + 1;
  }
  if (parts.size() > 3) return {};
  double unit = with_days || parts.size() == 3 ? 3600.0 : 60.0, seconds = 86400.0 * days;
  for (const double part : parts) {
    seconds += part * unit;
    unit /= 60.0;
  }
  return seconds;
}

void require_time(const std::string& time) {
  const auto seconds = slurm_time_s(time);
  if (!seconds)
    throw InputError(
        "--time: '{}' is no time of sbatch (minutes, hours:minutes:seconds or "
        "days-hours:minutes:seconds). Write '30' or '2:00:00'?",
        time);
  constexpr double least_s = 180.0;
  if (*seconds < least_s)
    throw InputError(
        "--time: '{}' is less than three minutes (a task is told to stop one minute before its "
        "end). Write '30', half an hour?",
        time);
}

/// What the scripts say themselves, or how they are started; sbatch takes a long name by any beginning of it.
constexpr std::string_view ours_long[] = {"array",  "cpus-per-task", "dependency", "nodes",  "ntasks", "open-mode",
                                          "output", "parsable",      "requeue",    "signal", "time",   "wrap"};
constexpr std::string_view ours_short = "acdnotN", without_value = "HkOQsvWhVI";

bool is_ours(std::string_view option) {
  if (option.starts_with("--")) {
    const std::string_view name = option.substr(2, option.find('=') - 2);
    return std::ranges::any_of(ours_long, [&](std::string_view own) { return own.starts_with(name); });
  }
  // "-Ht5" is -H and -t5.
  const std::size_t first = option.find_first_not_of(without_value, 1);
  return first != std::string_view::npos && ours_short.find(option[first]) != std::string_view::npos;
}

void require_option(const std::string& option) {
  require_word("--sbatch", option);
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const std::size_t name = option.starts_with("--") ? 2 : 1;
  if (!option.starts_with("-") || option.size() <= name || !is_letter(option[name]))
    throw InputError("--sbatch: '{}' is no option (sbatch's own, one each). Write '--sbatch=--account=physics'?",
                     option);
  if (is_ours(option))
    throw InputError(
        "--sbatch: '{}' is written by Orrery itself (--tasks, --nodes, --jobs and --time say what it is). "
        "Leave it out?",
        option);
}

std::string header(const std::string& job, const std::string& time, const std::string& log,
                   const SlurmOptions& options) {
  std::string text =
      fmt::format("#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --time={}\n#SBATCH --output={}\n", job, time, log);
  if (!options.partition.empty()) text += fmt::format("#SBATCH --partition={}\n", options.partition);
  for (const auto& other : options.others) text += fmt::format("#SBATCH {}\n", other);
  return text + fmt::format("#SBATCH --nodes=1 --ntasks=1 --cpus-per-task={}\n", options.cpus) +
         "#SBATCH --requeue --open-mode=append\n";
}

/// By its path; where the system does not tell, as a shell of the job finds it.
std::string program() {
  std::string path = system::program_path();
  return path.empty() ? "orrery" : path;
}

/// What a job is called, and its folder in a line of #SBATCH: '%' and blanks mean something there.
std::string plain_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  return name;
}

}  // namespace

std::uint32_t tasks_of(std::span<const std::uint64_t> costs, const SlurmOptions& options) {
  require_within("--tasks", options.tasks, 0, static_cast<int>(tasks_max), "tasks of an array");
  require_within("--nodes", options.nodes, 0, nodes_max, "tasks at a time");
  require_within("--jobs", options.cpus, 1, cpus_max, "cores of a task");
  const auto points = static_cast<double>(std::max<std::size_t>(1, costs.size()));
  if (options.tasks > 0) return static_cast<std::uint32_t>(std::min<double>(options.tasks, points));
  const double by_time = std::ceil(total_s(costs) / options.cpus / task_s);
  const double wanted = std::max<double>(by_time, options.nodes);
  return static_cast<std::uint32_t>(std::clamp(std::min(wanted, points), 1.0, static_cast<double>(tasks_max)));
}

SlurmJob slurm_job(const RunRequest& request, const std::string& name, const std::string& out,
                   std::span<const std::uint64_t> costs, const SlurmOptions& options) {
  require_word("--time", options.time);
  require_word("--partition", options.partition);
  for (const auto& other : options.others) require_option(other);
  if (!options.time.empty()) require_time(options.time);
  SlurmJob job{.tasks = tasks_of(costs, options)};
  job.longest_s = longest_task_s(costs, job.tasks, options.cpus);
  const std::string time = options.time.empty() ? time_limit(job.longest_s) : options.time;
  const std::string here = config::working_folder();
  constexpr std::string_view meaning = "\"'%\\";
  if (!is_plain(here, meaning) || !is_plain(out, meaning))
    throw InputError(
        "--out: '{}' in '{}' has a blank, a quote, '\\' or '%', which sbatch's options cannot say. "
        "Use another folder?",
        out, here);
  const std::string go = fmt::format("cd {} || exit 2\n", shell_word(here));
  auto words = words_of(request);
  words.insert(words.begin(), program());
  job.array =
      header("orrery-" + plain_name(name), time, out + "/slurm-%A_%a.txt", options) +
      fmt::format("#SBATCH --array=1-{}{}\n", job.tasks, options.nodes > 0 ? fmt::format("%{}", options.nodes) : "") +
      "# Stopped a minute before its time is over, a task keeps what ended; a requeued one goes on from there.\n"
      "#SBATCH --signal=B:TERM@60\n" +
      go +
      fmt::format("exec {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --out {} --jobs {} --resume\n", shell_line(words),
                  job.tasks, shell_word(out), options.cpus);
  job.merge = header("orrery-merge-" + plain_name(name), time, out + "/slurm-merge-%j.txt", options) + go +
              // By their number, so that shards of an earlier division are not among them.
              fmt::format("exec {} {}-*-of-{} {}\n", shell_line({program(), "merge"}), shell_word(out), job.tasks,
                          shell_line({"--out", out, "--jobs", std::to_string(options.cpus)}));
  return job;
}

namespace {

/// What the command prints, and whether it ended well.
std::string output_of(const std::string& command, bool& well) {
  std::string text;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw InputError("--submit: no shell can be started. Submit the scripts by hand?");
  std::array<char, 4096> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), read);
  well = ::pclose(pipe) == 0;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  return text;
}

/// "12" or "12;cluster" in the last line.
std::string job_number(const std::string& command) {
  bool well = false;
  const std::string said = output_of(command, well);
  const std::string last = said.substr(said.rfind('\n') + 1);
  const std::string number = last.substr(0, last.find(';'));
  if (well && !number.empty() && std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; }))
    return number;
  throw InputError("--submit: '{}' says '{}'. Submit the scripts by hand?", command, said);
}

}  // namespace

Submitted submit(const std::string& array_script, const std::string& merge_script) {
  Submitted jobs;
  jobs.array = job_number("sbatch --parsable " + shell_word(array_script));
  jobs.merge =
      job_number(fmt::format("sbatch --parsable --dependency=afterany:{} {}", jobs.array, shell_word(merge_script)));
  return jobs;
}

}  // namespace orrery::study
