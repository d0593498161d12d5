#include "models/compute/catalogue.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "models/compute/variability.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery {

Catalogue<ComputeModelEntry>& compute_models() {
  static Catalogue<ComputeModelEntry> catalogue("compute model");
  return catalogue;
}

std::vector<Key> compute_parameters(const ComputeModelEntry& entry) {
  std::vector<Key> all = entry.parameters;
  for (auto& parameter : variability_parameters()) all.push_back(std::move(parameter));
  return all;
}

std::unique_ptr<ComputeModel> make_compute_model(const ComputeModelEntry& entry, const ComputeInput& input,
                                                 const std::string& where) {
  using Table = ComputeModelEntry::Table;
  if (entry.table == Table::required && input.table == nullptr)
    throw InputError(
        "{}: compute model '{}' needs parameters (a CSV file, or rows in the scenario). Add "
        "'parameters: FILE.csv'?",
        where, entry.name);
  if (entry.table == Table::none && input.table != nullptr)
    throw InputError(
        "{}: compute model '{}' reads no parameters ('polynomial', 'roofline' and 'table' do). "
        "Choose one of them?",
        where, entry.name);
  return with_variability(entry.make(input), input.layout, input.parameters);
}

std::vector<FlopsPerSecond> peak_speeds(const Platform& platform, const Layout& layout) {
  std::vector<FlopsPerSecond> speeds;
  for (const Placement& place : layout.placements) {
    const NodeType& type = platform.node_types[place.node_type];
    assert(!place.gpu || place.socket_of_node < type.gpus.size());
    speeds.push_back(place.gpu ? type.gpus[place.socket_of_node].speed : place.cores * type.core_speed);
  }
  return speeds;
}

PeakSpeeds::PeakSpeeds(const Platform& platform, const Layout& layout)
    : others_(peak_speeds(platform, layout)), products_(others_) {
  for (std::size_t rank = 0; rank < layout.placements.size(); ++rank)
    if (const Placement& place = layout.placements[rank]; place.gpu)
      products_[rank] = platform.node_types[place.node_type].gpus[place.socket_of_node].product_speed();
}

Compute typical_work(Work work) {
  const Flops flops(1e9);
  if (work == Work::dgemm) {
    const double side = portable::cbrt(0.5 * flops.si());
    return {work, flops, {side, side, side}, Bytes(4 * 8.0 * side * side)};
  }
  if (work == Work::stencil) return {work, flops, {1e4, 1e4, 0.0}, Bytes(16e8)};  // 10 flops and 16 B a point
  const double side = std::sqrt(0.5 * flops.si());
  return {work, flops, {side, side, 0.0}, Bytes{}};
}

std::vector<double> process_speeds(const ComputeModel& model, const Layout& layout, const Compute& work) {
  std::vector<double> speeds;
  for (std::uint32_t r = 0; r < layout.ranks(); ++r)
    speeds.push_back((work.flops / model.compute_time(work, Rank{r})).si());
  return speeds;
}

std::vector<double> process_speeds(const Platform& platform, const Layout& layout, Work work) {
  const auto& entry = compute_models().at("constant", "speeds");
  const auto model = entry.make({platform, layout, Parameters(entry.parameters)});
  return process_speeds(*model, layout, typical_work(work));
}

}  // namespace orrery
