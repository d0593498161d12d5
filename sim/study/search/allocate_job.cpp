#include "sim/study/search/allocate_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "models/allocation/search.hpp"
#include "models/allocation/variant_times.hpp"
#include "models/variant.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/version.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::study {

namespace {

double number_of(const std::string& text, const std::string& flag, double least, double most, const char* example) {
  const auto parsed = parse_quantity(text, Dimension::scalar);
  if (!parsed.si || !(*parsed.si >= least && *parsed.si <= most))
    throw InputError("{}: '{}' is no number from {:g} to {:g}. Write '{}'?", flag, text, least, most, example);
  return *parsed.si;
}

/// "xeon=0.4" texts by node type; `fallback` for the others.
std::vector<double> by_type(const std::vector<std::string>& texts, const Platform& platform, const std::string& flag,
                            double most, std::vector<double> values) {
  std::vector<std::string> known;
  for (const auto& type : platform.node_types) known.push_back(type.name);
  for (const auto& text : texts) {
    const auto [name, value] = name_and_value(text, flag);
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw InputError("{}: platform '{}' has no node type '{}'{}", flag, platform.name, name,
                       known_names(name, known));
    values[static_cast<std::size_t>(found - known.begin())] = number_of(value, flag, 0.0, most, "1");
  }
  return values;
}

std::vector<SizedRun> read_times(const std::string& file, const Platform& platform) {
  const DataTable table = config::read_csv(file);
  table.require_known({"configuration", "size", "time_s"});
  std::vector<SizedRun> runs;
  for (const auto& row : table.rows) {
    const auto configuration = table.text(row, "configuration");
    if (!configuration)
      throw InputError(
          "{}: 'configuration' is empty (nodes and ranks to a core by type, as \"4,1,0,0\"). "
          "Fill it in?",
          row.where);
    runs.push_back({parse_configuration(*configuration, platform, row.where), table.required(row, "size", 1e-300, 1e18),
                    table.required(row, "time_s", 1e-300, 1e18)});
  }
  return runs;
}

/// The rules of --ranks for a job of this size.
std::function<bool(std::uint32_t)> permitted_ranks(const std::vector<std::string>& rules, double size) {
  std::vector<std::function<bool(std::uint32_t)>> all;
  for (const auto& rule : rules) {
    if (rule == "power-of-two") {
      all.emplace_back([](std::uint32_t p) { return std::has_single_bit(p); });
    } else if (rule == "divides") {
      all.emplace_back([size](std::uint32_t p) { return std::fmod(size, p) == 0.0; });
    } else if (rule.starts_with("multiple-of=")) {
      const double of = number_of(rule.substr(12), "--ranks", 1, 1e6, "multiple-of=4");
      all.emplace_back([of](std::uint32_t p) { return std::fmod(p, of) == 0.0; });
    } else if (rule.starts_with("at-most=")) {
      const double most = number_of(rule.substr(8), "--ranks", 1, 1e9, "at-most=64");
      all.emplace_back([most](std::uint32_t p) { return p <= most; });
    } else {
      throw InputError(
          "--ranks: '{}' is no rule (power-of-two, divides, multiple-of=K, at-most=K). Write "
          "'power-of-two'?",
          rule);
    }
  }
  return [all](std::uint32_t p) { return std::ranges::all_of(all, [p](const auto& holds) { return holds(p); }); };
}

/// Either search; Ctrl-C ends it.
AllocationSearch searched(const AllocationProblem& problem, bool exhaustive, const EachAllocation& each = {}) {
  const auto all = static_cast<std::size_t>(std::min(1e18, configurations_of(problem)));
  Progress progress("examining configurations", all);
  const SearchProgress watch = [&](std::uint64_t examined) {
    throw_if_interrupted(Refusal("{} of {} configurations were examined", examined, all));
    progress.update(examined);
    return true;
  };
  return exhaustive ? search_all(problem, each, watch) : branch_and_bound(problem, watch);
}

/// What must be known of the cluster and stays the same for all jobs.
struct TimedCluster {
  Platform platform;
  std::string model, mode;  ///< that tells the times
  std::unique_ptr<ExecutionTimes> times;
  std::vector<double> prices, powers, free;  ///< [node types]
  bool priced = false, powered = false;
};

/// [node types] what the platform states; zeros unless it does so of all.
template <class Value>
std::pair<std::vector<double>, bool> stated_by(const Platform& platform, const Value& value) {
  std::vector<double> values;
  for (const NodeType& type : platform.node_types)
    if (const std::optional<double> one = value(type)) values.push_back(*one);
  if (values.size() == platform.node_types.size()) return {values, true};
  return {std::vector<double>(platform.node_types.size(), 0.0), false};
}

/// Of a node that computes, with its GPUs: under a cap that, with which its times were measured.
std::optional<double> power_of(const NodeType& type) {
  if (!type.power) return std::nullopt;
  double watts = type.power->computing.si();
  for (const Gpu& gpu : type.gpus) {
    if (!gpu.power) return std::nullopt;
    watts += gpu.power->computing.si();
  }
  return type.power_cap ? std::min(watts, type.power_cap->si()) : watts;
}

AllocationProblem problem_of(const TimedCluster& cluster, const AllocateRequest& request, double size,
                             AllocationObjective objective) {
  AllocationProblem problem{.objective = objective};
  for (std::size_t k = 0; k < cluster.platform.node_types.size(); ++k) {
    const auto& type = cluster.platform.node_types[k];
    problem.kinds.push_back({.nodes = static_cast<std::uint32_t>(cluster.free[k]),
                             .per_core_max = static_cast<std::uint32_t>(request.per_core),
                             .cores = type.cores(),
                             .price = cluster.prices[k] / 3600.0,
                             .power = cluster.powers[k],
                             .memory = type.memory.si()});
  }
  problem.time = [&cluster, size](std::uint32_t kind, std::uint32_t m, std::uint32_t p, bool alone) {
    return cluster.times->time_of_part(kind, {1, m}, size, p, alone);
  };
  problem.permitted = permitted_ranks(request.ranks, size);
  if (!request.memory.empty()) {
    const auto bytes = parse_quantity(request.memory, Dimension::data);
    if (!bytes.si || !(*bytes.si > 0.0))
      throw InputError("--memory: '{}' is no amount of data. Write '0.9GB'?", request.memory);
    problem.bytes_of_rank = [all = *bytes.si](std::uint32_t p) { return all / p; };
  }
  return problem;
}

struct AllocatedJob {
  double size = 0.0;
  std::string left;  ///< "8 xeon, 1 celeron": what there was to choose from
  double configurations = 0.0;
  std::optional<Allocation> best;
  std::vector<Allocation> by_ranks;  ///< the best of each number of ranks, best first; of branch and bound the best
  std::string found;                 ///< how
};

AllocatedJob allocate_one(const TimedCluster& cluster, const AllocateRequest& request, double size,
                          AllocationObjective objective) {
  AllocatedJob job{.size = size};
  for (std::size_t k = 0; k < cluster.free.size(); ++k)
    if (cluster.free[k] > 0)
      job.left +=
          fmt::format("{}{:g} {}", job.left.empty() ? "" : ", ", cluster.free[k], cluster.platform.node_types[k].name);
  AllocationProblem problem = problem_of(cluster, request, size, objective);
  job.configurations = configurations_of(problem);
  if (!request.within.empty()) {
    if (const auto fastest = searched(problem_of(cluster, request, size, AllocationObjective::time), false).best) {
      const bool percent = request.within.ends_with("%");
      const double more =
          percent ? number_of(request.within.substr(0, request.within.size() - 1), "--within", 0, 1e6, "10%") / 100.0
                  : number_of(request.within, "--within", 0, 1e4, "10%");
      problem.limit = fastest->seconds + more * std::abs(fastest->seconds);
      job.found = fmt::format("; the fastest takes {}", to_text(Seconds(fastest->seconds)));
    }
  }
  std::map<std::uint32_t, Allocation> by_ranks;
  const EachAllocation keep = [&](const Allocation& one) {
    const auto [at, fresh] = by_ranks.try_emplace(one.ranks, one);
    if (!fresh && better(one, at->second, objective)) at->second = one;
  };
  if (request.search != "branch-and-bound") {
    const AllocationSearch all = searched(problem, true, keep);
    job.best = all.best;
    job.found += fmt::format("; exhaustive: {} of {:g} configurations examined", all.examined, job.configurations);
  }
  if (request.search != "exhaustive") {
    const AllocationSearch some = searched(problem, false);
    if (some.best && by_ranks.empty()) keep(*some.best);
    job.best = some.best;
    job.found += fmt::format("; branch and bound: {} of {:g} configurations examined, {} branches cut", some.examined,
                             job.configurations, some.cut);
  }
  for (const auto& [ranks, one] : by_ranks) job.by_ranks.push_back(one);
  std::ranges::sort(job.by_ranks, [&](const auto& a, const auto& b) { return better(a, b, objective); });
  return job;
}

/// The best of each number of ranks as points of the result, and what is said of the best.
void add_job(ScenarioResult& result, const TimedCluster& cluster, const AllocateRequest& request,
             const AllocatedJob& job, AllocationObjective objective) {
  const std::string opening = fmt::format("size {:g} on {}: ", job.size, job.left.empty() ? "no node" : job.left);
  if (!job.best) {
    result.notes.push_back(opening + "nothing that is left may run it: it waits");
    return;
  }
  const std::string number = fmt::format("{}", result.notes.size() + 1);
  for (const Allocation& one : job.by_ranks) {
    const std::string configuration = one.configuration.text();
    PointResult& point =
        result.points.emplace_back(PointResult{.settings = {{"size", fmt::format("{:g}", job.size)},
                                                            {"ranks", fmt::format("{}", one.ranks)},
                                                            {"configuration", configuration}},
                                               .kernel = request.kernel,
                                               .platform = cluster.platform.name,
                                               .layout_name = configuration,
                                               .layout = layout_of(one.configuration, cluster.platform)});
    if (request.sizes.size() > 1) point.settings.insert(point.settings.begin(), {"job", number});
    point.predictions.push_back(
        {.model = cluster.model, .mode = cluster.mode, .time = Seconds(one.seconds), .of_run = true, .terms = {}});
    if (cluster.priced) point.metrics.push_back({"cost", one.cost, ""});
    if (cluster.powered) point.metrics.push_back({"energy", one.energy, "J"});
    if (const double least = job.best->value(objective); least != 0.0)
      point.metrics.push_back({"behind", 100.0 * std::abs(one.value(objective) / least - 1.0), "%"});
  }
  const std::string beyond = cluster.times->beyond(job.best->configuration, job.size);
  result.notes.push_back(opening + fmt::format("best: ({}), {} ranks, expected {}{}{}", job.best->configuration.text(),
                                               job.best->ranks, to_text(Seconds(job.best->seconds)), job.found,
                                               beyond.empty() ? "" : "; extrapolated: " + beyond));
}

/// Why no configuration is permitted: the first constraint without which there would be one.
[[noreturn]] void refuse(const TimedCluster& cluster, const AllocateRequest& request, const AllocatedJob& job) {
  const auto sentence = [&](const std::string& why, const std::string& remedy) {
    return DomainError("size {:g}: none of {:g} configurations of the free nodes is permitted ({}). {}?", job.size,
                       job.configurations, why, remedy);
  };
  if (job.configurations < 1.0) throw DomainError("size {:g}: no node is free (of --nodes). Free some?", job.size);
  const auto would_be = [&](bool without_memory, bool without_ranks) {
    AllocationProblem problem = problem_of(cluster, request, job.size, AllocationObjective::time);
    if (without_memory) problem.bytes_of_rank = {};
    if (without_ranks) problem.permitted = {};
    return branch_and_bound(problem).best.has_value();
  };
  double memory = 0.0;
  for (const auto& type : cluster.platform.node_types) memory = std::max(memory, type.memory.si());
  const std::string most = to_text(Bytes(memory));
  if (would_be(true, false))
    throw sentence(
        fmt::format("{} in equal shares leave none that fits into its node, of {} at most", request.memory, most),
        "Use a smaller --memory or more nodes");
  if (would_be(false, true))
    throw sentence(fmt::format("no number of ranks meets --ranks {}", fmt::join(request.ranks, " --ranks ")),
                   "Use another --ranks");
  if (would_be(true, true)) throw sentence("--memory and --ranks together leave none", "Use a smaller --memory");
  throw sentence("the fitted runs say nothing of their sizes and ranks without 'extrapolate=true'",
                 "Fit to more runs, or add 'extrapolate=true' to --model");
}

TimedCluster read_cluster(const AllocateRequest& request) {
  TimedCluster cluster{
      .platform = load_platform_named(request.platform, "--platform"), .model = {}, .mode = {}, .times = nullptr};
  const std::size_t types = cluster.platform.node_types.size();
  const auto [prices, priced] = stated_by(cluster.platform, [](const NodeType& type) { return type.price; });
  const auto [powers, powered] = stated_by(cluster.platform, power_of);
  cluster.prices = by_type(request.prices, cluster.platform, "--price", 1e9, prices);
  cluster.powers = by_type(request.powers, cluster.platform, "--power", 1e9, powers);
  cluster.priced = priced || !request.prices.empty();
  cluster.powered = powered || !request.powers.empty();
  std::vector<double> counts(cluster.platform.node_counts.begin(), cluster.platform.node_counts.end());
  cluster.free = by_type(request.nodes, cluster.platform, "--nodes", 1e6, counts);
  for (std::size_t k = 0; k < types; ++k)
    if (cluster.free[k] > counts[k] || cluster.free[k] != std::floor(cluster.free[k]))
      throw InputError("--nodes: {:g} nodes of '{}' are free of {:g} (a whole number up to that). Take fewer?",
                       cluster.free[k], cluster.platform.node_types[k].name, counts[k]);
  const ModelSpec spec = model_from(request.model, "--model");
  if (spec.name != "np-t")
    throw InputError("--model: '{}' tells no time by configuration (np-t does). Write 'np-t fit=nnls'?", request.model);
  cluster.model = spec.name;
  cluster.mode = spec.variant;
  const auto choice = variant_times(cluster.mode, request.kernel);
  if (choice.model == TimeModel::n_t)
    throw InputError(
        "--model: mode n-t knows the configurations it was fitted to alone (np-t, p-t and stage-t tell others). Write "
        "'np-t'?");
  cluster.times =
      std::make_unique<ExecutionTimes>(choice, cluster.platform, read_times(request.times, cluster.platform));
  return cluster;
}

AllocationObjective objective_of(const AllocateRequest& request, const TimedCluster& cluster) {
  if (request.objective == "time") return AllocationObjective::time;
  const bool cost = request.objective == "cost";
  if (!(cost ? cluster.priced : cluster.powered))
    throw InputError(
        "--objective: '{}' has no {} to count with (every node type of '{}' would state '{}'). Add "
        "'--{} {}=1'?",
        request.objective, cost ? "prices" : "powers", cluster.platform.name, cost ? "price" : "power",
        cost ? "price" : "power", cluster.platform.node_types.front().name);
  return cost ? AllocationObjective::cost : AllocationObjective::energy;
}

}  // namespace

ScenarioResult allocate(const AllocateRequest& request) {
  if (request.per_core < 1 || request.per_core > 64)
    throw InputError("--per-core: {} lies outside 1..64 (ranks on a core). Choose one inside?", request.per_core);
  if (request.sizes.empty()) throw InputError("--size: no size is given (one for each job). Add '--size 9600'?");
  if (!request.within.empty() && request.objective == "time")
    throw InputError(
        "--within: the fastest is no slower than itself (with --objective cost or energy it is a limit). "
        "Add '--objective cost'?");
  TimedCluster cluster = read_cluster(request);
  const AllocationObjective objective = objective_of(request, cluster);
  ScenarioResult result{.name = "allocation",
                        .title = fmt::format("{} on {}: the configuration of least {}", request.kernel,
                                             cluster.platform.name, request.objective),
                        .file = "command-line",
                        .version = version};
  for (const auto& text : request.sizes) {
    const double size = number_of(text, "--size", 1e-300, 1e18, "9600");
    const AllocatedJob job = allocate_one(cluster, request, size, objective);
    if (!job.best && result.points.empty()) refuse(cluster, request, job);
    if (job.best)
      for (std::size_t k = 0; k < cluster.free.size(); ++k) cluster.free[k] -= job.best->configuration.parts[k].nodes;
    add_job(result, cluster, request, job, objective);
  }
  for (const FittedTime* fit : cluster.times->fits())
    if (!(fit->fit.condition < 1e8))
      result.notes.push_back(
          fmt::format("{}: condition {:.2g}: its runs hardly tell its terms apart", fit->of, fit->fit.condition));
  return result;
}

}  // namespace orrery::study
