/// A platform of two node types and a layout of three ranks, for the tests of compute models.
#pragma once

#include "models/compute/catalogue.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"

namespace orrery::test {

/// Two kinds of node: cores of 10 and 8 Gflop/s, the first with a GPU of 500 Gflop/s.
inline Platform compute_platform() {
  Platform platform;
  platform.name = "two";
  platform.node_types.resize(2);
  platform.node_types[0].name = "big";
  platform.node_types[0].cores_per_socket = 8;
  platform.node_types[0].core_speed = FlopsPerSecond(10e9);
  platform.node_types[0].memory_bandwidth = 20_GBps;
  platform.node_types[0].copy_bandwidth = 5_GBps;
  platform.node_types[0].gpus = {Gpu{.model = "g", .speed = FlopsPerSecond(500e9), .memory_bandwidth = 100_GBps}};
  platform.node_types[1].name = "small";
  platform.node_types[1].core_speed = FlopsPerSecond(8e9);
  platform.node_types[1].memory_bandwidth = 10_GBps;
  platform.node_types[1].copy_bandwidth = 4_GBps;
  platform.node_counts = {1, 2};
  return platform;
}

/// Rank 0: five cores of node big-0; rank 1: its GPU; rank 2: three cores of socket 1 of node small-1.
inline Layout compute_layout() {
  Layout layout{"three", {}};
  layout.placements.push_back({.node = NodeId{0}, .host = HostId{0}, .node_type = 0, .cores = 5});
  layout.placements.push_back({.node = NodeId{0}, .host = HostId{1}, .node_type = 0, .cores = 1, .gpu = true});
  layout.placements.push_back(
      {.node = NodeId{2}, .host = HostId{4}, .node_type = 1, .cores = 3, .gpu = false, .socket_of_node = 1});
  return layout;
}

using ComputeSettings = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<ComputeModel> compute_model(const std::string& name, const std::string& csv,
                                                   const ComputeSettings& settings = {},
                                                   const Layout& layout = compute_layout(),
                                                   const Platform& platform = compute_platform()) {
  const auto& entry = compute_models().at(name, "test");
  Parameters parameters(compute_parameters(entry));
  for (const auto& [key, value] : settings) parameters.set(key, value, "test");
  if (csv.empty()) return make_compute_model(entry, {platform, layout, parameters}, "here");
  const DataTable table = config::parse_csv(csv, "f.csv");
  return make_compute_model(entry, {platform, layout, parameters, &table}, "here");
}

inline double seconds(const ComputeModel& model, const Compute& work, std::uint32_t rank) {
  return model.compute_time(work, Rank{rank}).si();
}

}  // namespace orrery::test
