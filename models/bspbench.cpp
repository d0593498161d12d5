#include "models/bspbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "models/calibration.hpp"
#include "models/superstep.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::uint32_t h_max = 255;
constexpr const char* table_name = "bspbench";

std::uint32_t nodes_used(const std::vector<CorePlace>& job) {
  std::set<NodeId> nodes;
  for (const auto& place : job) nodes.insert(place.node);
  return static_cast<std::uint32_t>(nodes.size());
}

std::string series_of(const std::vector<CorePlace>& job) {
  return fmt::format("h-relation/{}/{}", job.size(), nodes_used(job));
}

/// Whole nodes, as many as make 64 ranks and no more than 8, and two ranks of one node: Table 3.1 has one to eight.
std::vector<std::vector<CorePlace>> whole_nodes(const Platform& platform, const Network& network) {
  constexpr std::size_t ranks_max = 64;
  constexpr std::uint32_t nodes_max = 8;
  std::vector<std::vector<CorePlace>> jobs;
  std::vector<CorePlace> job;
  std::uint32_t taken = 0;
  for (std::uint32_t node = 0; node < platform.nodes() && taken < nodes_max; ++node) {
    if (!on_network(platform, network, platform.type_of(NodeId{node}))) continue;
    ++taken;
    for (std::uint32_t core = 0; core < platform.node_types[platform.type_of(NodeId{node})].cores(); ++core) {
      job.push_back({NodeId{node}, core});
      if (jobs.empty() && job.size() == 2) jobs.push_back(job);
    }
    if (job.size() > ranks_max && taken > 1) break;
    if (jobs.empty() || job != jobs.back()) jobs.push_back(job);
  }
  return jobs;
}

const std::vector<std::vector<CorePlace>>& jobs_of(const CalibrationRange& range, const Platform& platform,
                                                   const Network& network, std::vector<std::vector<CorePlace>>& own) {
  if (!range.jobs.empty()) return range.jobs;
  return own = whole_nodes(platform, network);
}

/// h = 0 .. 255 in equal steps, as many as keep the benchmark of many ranks below half a million messages; two at
/// least.
std::vector<Bytes> relations(std::size_t ranks) {
  constexpr double messages_max = 4e5, most = 16;
  const double each = static_cast<double>(ranks) * static_cast<double>(std::min<std::size_t>(ranks, h_max));
  const auto count = static_cast<std::uint32_t>(std::clamp(messages_max / each, 2.0, most));
  std::vector<Bytes> sizes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t words = i * h_max / (count - 1);
    sizes.push_back(static_cast<double>(words) * bsp_word);
  }
  return sizes;
}

/// Plain least squares through h >= p, as bspbench has it; through all where fewer than two are left.
BspMachine machine_of(const std::vector<std::pair<Bytes, Seconds>>& times, std::size_t ranks) {
  std::vector<stats::Point> all, points;
  for (const auto& [size, time] : times) all.push_back({size / bsp_word, time.si()});
  std::ranges::copy_if(all, std::back_inserter(points),
                       [&](const auto& point) { return point.x >= static_cast<double>(ranks); });
  const stats::Line line = stats::fit_rising_line(points.size() < 2 ? all : points, stats::Deviations::absolute);
  BspMachine machine{.rate = {}, .gap = Seconds(line.slope), .latency = Seconds(line.intercept), .misfit = {}};
  for (const auto& [h, t] : all) machine.misfit = std::max(machine.misfit, Seconds(std::abs(t - line(h))));
  return machine;
}

std::uint32_t label_of(const ParameterTable& table, const std::string& name) {
  const auto found = table.labels.find(name);
  std::uint32_t number = 0;
  if (found != table.labels.end()) {
    const char* end = found->second.data() + found->second.size();
    const auto [rest, status] = std::from_chars(found->second.data(), end, number);
    if (status == std::errc() && rest == end && number > 0) return number;
  }
  throw InputError("bsp: table '{}' has '{}' for label '{}' (a whole number from 1). Correct it?", table_name,
                   found == table.labels.end() ? "nothing" : found->second, name);
}

BspMachine read_machine(const ModelParameters& parameters, const ParameterTable& table) {
  const auto has = [&](const char* column) { return std::ranges::find(table.columns, column) != table.columns.end(); };
  BspMachine machine;
  if (has("rate_flop_per_s")) {
    const double rate = value_of(parameters, table, "rate_flop_per_s");
    if (!(rate > 0.0)) throw InputError("bsp: 'rate_flop_per_s' is {:g} (more than 0). Correct it?", rate);
    machine.rate = FlopsPerSecond(rate);
  }
  const auto time = [&](const char* seconds, const char* flops) {
    if (!has(flops)) return Seconds(value_of(parameters, table, seconds));
    if (!machine.rate)
      throw InputError("bsp: '{}' without 'rate_flop_per_s' is no time (flops are divided by it). Add it?", flops);
    return Flops(value_of(parameters, table, flops)) / *machine.rate;
  };
  machine.gap = time("gap_s", "gap_flop");
  machine.latency = time("latency_s", "latency_flop");
  if (has("misfit_s")) machine.misfit = Seconds(value_of(parameters, table, "misfit_s"));
  return machine;
}

}  // namespace

std::vector<Experiment> bspbench_plan(const Platform& platform, const Network& network, const CalibrationRange& range) {
  std::vector<Experiment> experiments;
  std::vector<std::vector<CorePlace>> own;
  for (const auto& job : jobs_of(range, platform, network, own)) {
    Experiment experiment{.id = series_of(job),
                          .kernel = "h-relation",
                          .kernel_parameters = {{"sizes", sizes_text(relations(job.size()))}},
                          .placement = job};
    if (std::ranges::find(experiments, experiment.id, &Experiment::id) == experiments.end())
      experiments.push_back(std::move(experiment));
  }
  return experiments;
}

ModelParameters bspbench_fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                             const std::vector<Measurement>& measurements) {
  const Measurements measured(measurements);
  ModelParameters parameters{.model = "bsp", .platform = platform.name, .network = network.name};
  std::vector<std::vector<CorePlace>> own;
  std::set<BspSize> known;
  for (const auto& job : jobs_of(range, platform, network, own)) {
    const BspSize size{static_cast<std::uint32_t>(job.size()), nodes_used(job)};
    if (!known.insert(size).second) continue;
    const BspMachine machine = machine_of(measured.series(series_of(job)), job.size());
    parameters.tables.push_back(
        {.name = table_name,
         .labels = {{"ranks", std::to_string(size.ranks)}, {"nodes", std::to_string(size.nodes)}},
         .columns = {"gap_s", "latency_s", "misfit_s"},
         .rows = {{machine.gap.si(), machine.latency.si(), machine.misfit.si()}}});
  }
  return parameters;
}

CalibrationNeeds bspbench_needs(const PredictionInput& run) {
  return {.concurrency = 1, .jobs = {cores_of_ranks(run.layout, run.platform)}};
}

BspSize bsp_size_of(const Layout& layout) {
  return {layout.ranks(), static_cast<std::uint32_t>(layout.nodes().size())};
}

BspMachines::BspMachines(const ModelParameters& parameters) {
  for (const auto& table : parameters.tables)
    if (table.name == table_name)
      machines_[{label_of(table, "ranks"), label_of(table, "nodes")}] = read_machine(parameters, table);
  if (machines_.empty())
    throw InputError("bsp: the parameters have no table '{}'. Calibrate it on this platform?", table_name);
}

/// Of the rows of so many ranks the one whose number of nodes is nearest.
const BspMachine& BspMachines::row_of(std::uint32_t ranks, std::uint32_t nodes) const {
  const auto far = [&](const auto& row) { return std::abs(std::int64_t{row.first.nodes} - std::int64_t{nodes}); };
  auto nearest = machines_.lower_bound({ranks, 0});
  for (auto row = nearest; row != machines_.end() && row->first.ranks == ranks; ++row)
    if (far(*row) < far(*nearest)) nearest = row;
  return nearest->second;
}

BspMachine BspMachines::at(const BspSize& size) const {
  if (const auto exact = machines_.find(size); exact != machines_.end()) return exact->second;
  const auto above = machines_.lower_bound({size.ranks, 0});
  if (above != machines_.end() && above->first.ranks == size.ranks) return row_of(size.ranks, size.nodes);
  if (above == machines_.begin() || above == machines_.end())
    throw DomainError("bsp: {} ranks lie outside the measured {}..{} (no extrapolation). Measure them too?", size.ranks,
                      machines_.begin()->first.ranks, machines_.rbegin()->first.ranks);
  const std::uint32_t low = std::prev(above)->first.ranks, high = above->first.ranks;
  const BspMachine &first = row_of(low, size.nodes), &last = row_of(high, size.nodes);
  const double share = static_cast<double>(size.ranks - low) / (high - low);
  const auto between = [&](auto a, auto b) { return a + share * (b - a); };
  BspMachine machine{.rate = {},
                     .gap = between(first.gap, last.gap),
                     .latency = between(first.latency, last.latency),
                     .misfit = between(first.misfit, last.misfit)};
  if (first.rate && last.rate) machine.rate = between(*first.rate, *last.rate);
  return machine;
}

}  // namespace orrery
