// What was made of the inside of nodes, and collectives of GPUs that leave the links between them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/core/quantity_text.hpp"
#include "sim/study/play/point_notes.hpp"

namespace orrery::study {

namespace {

/// How many ranks are on each node; those that one switch spans count as one.
std::map<std::uint32_t, std::uint32_t> ranks_on_nodes(const Layout& layout) {
  std::map<std::uint32_t, std::uint32_t> of_node;
  for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank) ++of_node[layout.domain(Rank{rank})];
  return of_node;
}

/// "'nccl_ring' goes from GPU 1 to GPU 2 over PCI Express"; empty: the collective keeps to links between GPUs.
std::string detour_of(const CollectiveRecord& record, const Layout& layout) {
  const std::string& detour = layout.gpus->detour;
  const bool along = record.algorithm.starts_with("nccl_ring") || record.algorithm.starts_with("nccl_tree");
  if (detour.empty() || !along || record.ranks < ranks_on_nodes(layout).begin()->second) return "";
  return fmt::format(
      "no ring of links passes all GPUs of a node: '{}' goes in the order of their numbers, and from {} over PCI Express "
      "or sockets",
      record.algorithm, detour);
}

/// An all-to-all that the selector wanted along rails.
std::string off_rails(const CollectiveRecord& record, const LoadedPoint& loaded) {
  const bool direct = record.algorithm == "basic_linear" || record.algorithm == "ompi_basic_linear";
  if (!direct || (record.operation != Operation::alltoall && record.operation != Operation::alltoallv)) return "";
  const auto settings = loaded.parameters.rendered();
  const auto nccl = std::ranges::find(settings, "nccl", &std::pair<std::string, std::string>::second);
  const auto of_node = ranks_on_nodes(loaded.layout);
  const auto unlike = [&](const auto& node) { return node.second != of_node.begin()->second; };
  if (nccl == settings.end() || std::ranges::none_of(of_node, unlike)) return "";
  return fmt::format(
      "'{}' is 'nccl', but an {} of {} on {} ranks was played as '{}': nodes have unlike numbers of GPUs, so it cannot "
      "go along rails ('nccl_pxn')",
      nccl->first, operation_name(record.operation), to_text(record.bytes), record.ranks, record.algorithm);
}

}  // namespace

void PointNotes::see_fabric(const PointResult& point, const LoadedPoint& loaded) {
  std::set<std::uint32_t> types;
  for (const Placement& place : loaded.layout.placements) types.insert(place.node_type);
  for (const std::uint32_t type : types)
    for (const std::string& note : loaded.platform->node_types[type].fabric.notes) add(note, note, point);
  if (!loaded.layout.gpus) return;
  for (const CollectiveRecord& record : point.run.collectives) {
    if (const std::string detour = detour_of(record, loaded.layout); !detour.empty()) add("detour", detour, point);
    if (const std::string rails = off_rails(record, loaded); !rails.empty()) add(rails, rails, point);
  }
}

}  // namespace orrery::study
