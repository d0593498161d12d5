#include "sim/app/run/partition_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "kernels/kernel.hpp"
#include "models/compute/catalogue.hpp"
#include "models/partition/partitioner.hpp"
#include "platforms/layouts.hpp"
#include "sim/config/dist2.hpp"
#include "sim/core/error.hpp"
#include "sim/scenario/compute.hpp"
#include "sim/scenario/flag_text.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/point.hpp"

namespace orrery::app {

namespace {

Parameters parameters_from(const std::vector<ParameterDescription>& schema, const std::vector<std::string>& settings,
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
      kernel.parameters, [](const auto& p) { return p.name == "block" && p.kind == ParameterKind::integer; });
  return has_blocks ? static_cast<std::uint32_t>(parameters.integer("block")) : 1;
}

}  // namespace

PartitionAnswer make_partition(const PartitionRequest& request) {
  const KernelEntry& kernel = kernels().at(request.kernel, "--kernel");
  if (!kernel.grid) {
    std::vector<std::string> with_grid;
    for (const auto& [name, entry] : kernels().entries())
      if (entry.grid) with_grid.push_back(name);
    throw InputError(fmt::format("--kernel: '{}' has no grid to partition (kernels with a grid: {}). Use '{}'?",
                                 request.kernel, fmt::join(with_grid, ", "), with_grid.front()));
  }
  const Parameters parameters = parameters_from(kernel.parameters, request.parameters, "--param");
  const PartitionerEntry& partitioner = partitioners().at(request.algorithm, "--algorithm");

  PartitionAnswer answer{.platform = load_platform_named(request.platform, "--platform")};
  answer.layout = layout_of(request, answer.platform);
  answer.node_names = node_names(answer.platform, answer.layout);
  const NamedSpec compute{request.compute, "--compute", settings_from(request.compute_parameters, "--compute-param")};
  const auto model = make_compute({compute}, answer.platform, answer.layout).model;
  answer.speeds = process_speeds(*model, answer.layout, typical_work(kernel.works.front()));
  const GridSize grid = kernel.grid(parameters);
  answer.partition = partitioner.make(grid.columns, grid.rows, answer.speeds);
  answer.block = block_of(kernel, parameters);
  answer.title = fmt::format("{}, {} x {}, on {} ranks of {}{}: {}", request.kernel, grid.columns, grid.rows,
                             answer.layout.ranks(), answer.platform.name,
                             answer.layout.name.empty() ? "" : " (" + answer.layout.name + ")", request.algorithm);
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

}  // namespace orrery::app
