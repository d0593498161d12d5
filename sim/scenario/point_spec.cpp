#include "sim/scenario/point_spec.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/config/csv.hpp"
#include "sim/scenario/hpl_dat.hpp"
#include "sim/scenario/keys.hpp"
#include "sim/scenario/partition_problem.hpp"

namespace orrery {

using config::Document;
using config::Section;

namespace {

NamedSpec read_named(const Section& section) {
  NamedSpec spec{.name = section.text("name"), .where = section.where("name")};
  for (const auto& [key, value] : section.items())
    if (key != "name") spec.settings.push_back({key, value.text(), value.where()});
  return spec;
}

LayoutSpec read_layout(const Section& section) {
  LayoutSpec spec{.where = section.where()};
  if (section.has("table")) {
    spec.table = section.text("table");
    spec.row = section.text("row");
    spec.where = section.where("row");
    section.finish();
  } else {
    spec.own = load_layout_row(section, "layout");
    if (const auto& spread = spec.own->spread)  // how it is called in tables
      spec.own->name = spread->name();
    else if (spec.own->taken)
      spec.own->name = section.text("setup");
  }
  return spec;
}

CostWeights read_weights(const Section& weights, const Section& partition, const PartitionerEntry& partitioner) {
  if (!partitioner.weighs)
    partition.refuse(
        "weights",
        fmt::format("partitioner '{}' weighs nothing (cm3b and cm-weighted do). Remove 'weights'?", partitioner.name));
  const CostWeights read{weights.number("cpu"), weights.number("cache"), weights.number("memory")};
  weights.finish();
  return read;
}

PartitionSpec read_partition(const Section& section) {
  PartitionSpec spec{.where = section.where()};
  if (const auto file = section.optional_text("file")) {
    spec.file = *file;
    spec.where = section.where("file");
  } else {
    spec.algorithm = section.text("algorithm");
    spec.where = section.where("algorithm");
    for (const auto& speed : section.optional_list("speeds")) spec.speeds.push_back(speed.number());
    if (const auto processors = section.optional_text("processors")) {
      spec.processors = *processors;
      spec.processors_where = section.where("processors");
    }
    if (const auto weights = section.optional_section("weights"))
      spec.weights = read_weights(*weights, section, partitioners().at(spec.algorithm, spec.where));
    if (const auto latency = section.optional("latency-max")) spec.latency_max_s = latency->seconds().si();
    spec.accuracy = section.value("accuracy").share();
    spec.measuring_played = section.choice("measuring") == 1;
    if (const auto by = section.optional_text("time-by")) {
      spec.time_by = *by;
      require_timer(spec, section.where("time-by"));
    } else {
      spec.time_by = partitioners().at(spec.algorithm, spec.where).timed_by;
    }
  }
  section.finish();
  return spec;
}

void read_compute(const Section& section, PointSpec& point) {
  point.compute.where = section.where();
  for (const auto& [key, value] : section.items()) {
    if (key == "model") {
      point.compute.name = value.text();
      point.compute.where = value.where();
    } else if (key == "rows") {
      point.compute_rows = std::make_shared<const DataTable>(config::rows_of(value));
    } else {
      point.compute.settings.push_back({key, value.text(), value.where()});
    }
  }
}

}  // namespace

PointSpec read_point(const Document& document, Settings settings) {
  PointSpec point{.settings = std::move(settings), .flat = document.scalars()};
  const Section root = document.root(scenario_keys());
  point.staging_in_compute_model = root.choice("gpu-staging") == 0;
  point.platform = read_platform_spec(root.value("platform"));
  point.flat["platform"] = point.platform.name;
  point.network = root.text("network");
  point.network_where = root.where("network");
  point.layout = read_layout(root.section("layout"));
  point.kernel = read_named(root.section("kernel"));
  expand_hpl_dat(point.kernel);
  const auto& kernel = kernels().at(point.kernel.name, point.kernel.where);
  Parameters parameters(kernel.parameters);
  for (const auto& [name, value, where] : point.kernel.settings) parameters.set(name, value, where);
  for (const auto& [name, value] : parameters.rendered()) point.flat.try_emplace("kernel." + name, value);
  point.compute = NamedSpec{"", root.where(), {}};
  if (const auto compute = root.optional_section("compute")) read_compute(*compute, point);
  if (const auto partition = root.optional_section("partition")) point.partition = read_partition(*partition);
  if (kernel.grid && !point.partition) point.partition = PartitionSpec{"beaumont-columns", "", root.where()};
  return point;
}

}  // namespace orrery
