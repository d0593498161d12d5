#include "sim/study/search/partition_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "kernels/kernel.hpp"
#include "models/compute/catalogue.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/rounds.hpp"
#include "models/processor/builder.hpp"
#include "models/processor/shape.hpp"
#include "platforms/layouts.hpp"
#include "sim/config/dist2.hpp"
#include "sim/core/error.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/read/compute.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/partition_problem.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/processor_facts.hpp"

namespace orrery::study {

namespace {

Parameters parameters_from(const std::vector<Key>& schema, const std::vector<std::string>& settings,
                           const std::string& flag) {
  Parameters parameters(schema);
  for (const auto& [name, value, where] : settings_from(settings, flag)) parameters.set(name, value, where);
  return parameters;
}

Layout layout_of(const PartitionRequest& request, const Platform& platform) {
  const LayoutSpec spec = layout_from(request.layout);
  if (spec.own) return build_layout(platform, *spec.own);
  return build_layout(platform, load_layouts_named(spec.table, spec.where).row(spec.row, spec.where));
}

std::uint32_t block_of(const KernelEntry& kernel, const Parameters& parameters) {
  const bool has_blocks = std::ranges::any_of(
      kernel.parameters, [](const auto& p) { return p.name == "block" && p.kind == KeyKind::integer; });
  return has_blocks ? static_cast<std::uint32_t>(parameters.integer("block")) : 1;
}

PartitionAnswer answer_of(const PartitionRequest& request, const KernelEntry& kernel, const LoadedPoint& point,
                          const PartitionProblem& problem, Partition partition) {
  PartitionAnswer answer{.title = {},
                         .kernel = request.kernel,
                         .platform = point.platform->name,
                         .layout = point.layout,
                         .partition = std::move(partition)};
  answer.node_names = node_names(*point.platform, answer.layout);
  answer.speeds = problem.speeds;
  answer.block = block_of(kernel, point.parameters);
  answer.curves =
      speed_curves_csv(kernel, point.parameters, point.layout, *point.compute, request.curves_accuracy / 100.0);
  answer.title = fmt::format("{}, {} x {}, on {} ranks of {}{}: {}", request.kernel, problem.grid.columns,
                             problem.grid.rows, answer.layout.ranks(), answer.platform,
                             answer.layout.name.empty() ? "" : " (" + answer.layout.name + ")", request.algorithm);
  return answer;
}

constexpr int curve_points = 160;

/// The partition as a round that was run, and the curves that its points lie on, drawn to a quarter beyond them.
void add_pictures(PartitionAnswer& answer, const PartitionProblem& problem) {
  double rows = 1.0;
  for (const Rectangle& mine : answer.partition.rectangles)
    if (mine.area() > 0) rows = std::max(rows, 1.25 * mine.height);
  for (const auto& round : answer.rounds)
    for (const ShareSize& share : round.shares) rows = std::max(rows, share.rows);
  rows = std::min(rows, double{1} * problem.grid.rows);
  for (std::uint32_t r = 0; r < problem.ranks(); ++r) {
    const Rectangle& mine = answer.partition.rectangles[r];
    answer.end.shares.push_back(mine.area() > 0 ? mine.size() : ShareSize{});
    auto& curve = answer.speed_curves.emplace_back();
    if (problem.speeds[r] == 0.0) continue;
    const double width = mine.width > 0 ? mine.width : problem.grid.columns;
    for (int k = 1; k <= curve_points; ++k) {
      const double height = rows * k / curve_points;
      const double time = problem.time(Rank{r}, {width, height});
      if (std::isfinite(time) && time > 0.0) curve.push_back({height, height / time});
    }
    if (curve.empty()) continue;
    for (const auto& defect : shape_of(SpeedFunction(curve)).defects())
      answer.notes.push_back(fmt::format("shape of the speed of rank {}: {}", r, defect));
  }
  answer.end.run = problem.run(answer.end.shares);
  answer.end.imbalance = imbalance_of(answer.end.run);
  answer.end.predicted = longest_of(answer.end.run);
}

}  // namespace

namespace {

/// Sizes in flops of a step, from the kernel's smallest share to its largest: rows of the whole width, or squares.
std::vector<Compute> steps_of(const KernelEntry& kernel, const Parameters& parameters, const ComputeModel& compute,
                              Rank rank, double accuracy) {
  const auto shares = kernel.measured_shares(parameters);
  std::vector<Compute> steps;
  if (accuracy <= 0.0) {
    for (const ShareSize& share : shares) steps.push_back(kernel.share(parameters, share));
    return steps;
  }
  const bool squares = shares.front().columns != shares.back().columns;
  const auto step_of = [&](double flops) {
    const double part = flops / kernel.share(parameters, shares.back()).flops.si();
    const double side = squares ? std::sqrt(part) : part;
    return kernel.share(parameters,
                        {squares ? shares.back().columns * side : shares.back().columns, shares.back().rows * side});
  };
  const auto least = kernel.share(parameters, shares.front()).flops.si();
  const auto most = kernel.share(parameters, shares.back()).flops.si();
  const auto built = build_model([&](double flops) { return compute.compute_time(step_of(flops), rank); },
                                 {.from = least, .to = most, .accuracy = accuracy, .resolution = least});
  for (const SpeedPoint& point : built.function.points()) steps.push_back(step_of(point.size));
  return steps;
}

}  // namespace

std::string speed_curves_csv(const KernelEntry& kernel, const Parameters& parameters, const Layout& layout,
                             const ComputeModel& compute, double accuracy) {
  std::string text = fmt::format(
      "# Speeds of a rank by the size of its step of '{}', by compute model: {}\n"
      "rank,cores,work,size_flop,speed_flop_per_s\n",
      kernel.name, compute.description());
  for (std::uint32_t r = 0; r < layout.ranks(); ++r)
    for (const Compute& step : steps_of(kernel, parameters, compute, Rank{r}, accuracy))
      if (step.flops.si() > 0.0)
        text += fmt::format("{},{},{},{},{}\n", r, layout.of(Rank{r}).cores, work_name(step.work), step.flops.si(),
                            (step.flops / compute.compute_time(step, Rank{r})).si());
  return text;
}

PartitionAnswer make_partition(const PartitionRequest& request) {
  const KernelEntry& kernel = kernels().at(request.kernel, "--kernel");
  if (!kernel.grid) {
    std::vector<std::string> with_grid;
    for (const auto& [name, entry] : kernels().entries())
      if (entry.grid) with_grid.push_back(name);
    throw InputError("--kernel: '{}' has no grid to partition (kernels with a grid: {}). Use '{}'?", request.kernel,
                     fmt::join(with_grid, ", "), with_grid.front());
  }
  const PartitionerEntry& partitioner = partitioners().at(request.algorithm, "--algorithm");
  PointSpec spec{.kernel = {kernel.name, "--kernel", {}}};
  if (!(request.accuracy >= 0.0 && request.accuracy <= 100.0))
    throw InputError("--accuracy: '{:g}' is outside 0..100 percent. Write '--accuracy 2.5'?", request.accuracy);
  spec.partition = PartitionSpec{request.algorithm, "", "--algorithm", {}, request.accuracy / 100.0};

  LoadedPoint point;
  point.platform = std::make_shared<const Platform>(load_platform_named(request.platform, "--platform"));
  if (partitioner.asks_time() || !request.network.empty())
    point.network = &network_named(*point.platform, request.network);
  point.layout = layout_of(request, *point.platform);
  point.kernel = kernel.name;
  point.parameters = parameters_from(kernel.parameters, request.parameters, "--param");
  point.compared_phase = kernel.communication_phase;
  const NamedSpec compute{request.compute, "--compute", settings_from(request.compute_parameters, "--compute-param")};
  point.compute = make_compute({compute}, *point.platform, point.layout).model;

  const Scenario scenario{.name = "partition", .file = "command-line", .engine = "flow"};
  CandidateTime candidate_time(scenario, 1);
  const TimeOfPoint time = point.network != nullptr ? TimeOfPoint(std::ref(candidate_time)) : TimeOfPoint{};
  PartitionProblem problem = partition_problem(point, spec, time);
  if (partitioner.asks_processors())
    problem.processors = processor_facts(point, request.processors, "--processors", ".");
  std::vector<PartitionRound> rounds;
  problem.watch = [&](PartitionRound round) { rounds.push_back(std::move(round)); };
  std::vector<std::string> notes;
  problem.tell = [&](std::string note) { notes.push_back(std::move(note)); };
  auto answer = answer_of(request, kernel, point, problem, partitioner.make(problem));
  answer.rounds = std::move(rounds);
  answer.notes = std::move(notes);
  add_pictures(answer, problem);
  if (partitioner.asks == PartitionerEntry::Asks::speed_of_size ||
      partitioner.asks == PartitionerEntry::Asks::speed_of_each_size)
    answer.notes.push_back(
        fmt::format("by their speeds at these sizes the slowest rank takes {:.3g} times as long as the fastest",
                    1.0 + answer.end.imbalance));
  return answer;
}

std::string dist2_of(const PartitionAnswer& answer) {
  config::Dist2 dist2{answer.block, answer.partition, {}};
  std::map<std::size_t, std::uint32_t> on_node;
  for (const Placement& place : answer.layout.placements) {
    const std::size_t node = index(place.node);
    dist2.processes.push_back({answer.node_names[node], on_node[node]++, 0.0, 0.0});
  }
  return config::dist2_text(dist2);
}

}  // namespace orrery::study
