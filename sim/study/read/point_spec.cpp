#include "sim/study/read/point_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/study/read/expressions.hpp"
#include "sim/study/read/hpl_dat.hpp"
#include "sim/study/read/keys.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

using config::Document;
using config::Section;

namespace {

NamedSpec read_kernel(const Section& section) {
  NamedSpec spec{.name = "", .where = section.where("name")};
  config::read_fields(section, scenario_detail::kernel_fields(), spec);
  return spec;
}

/// What names the whole stands alone.
void refuse_beside(const Section& section, std::initializer_list<std::string_view> whole, const char* because) {
  for (const auto& [key, value] : section.items())
    if (std::ranges::find(whole, key) == whole.end())
      section.refuse(key, Refusal("'{}' beside '{}' ({}). Remove it?", key, *whole.begin(), because));
}

LayoutSpec read_layout(const Section& section) {
  LayoutSpec spec{.where = section.where()};
  if (section.has("table")) {
    spec.table = section.text("table");
    spec.row = section.text("row");
    spec.where = section.where("row");
    refuse_beside(section, {"table", "row"}, "a row of a table is the whole layout");
  } else {
    if (section.has("row")) section.refuse("row", "'row' without 'table' (which has the rows). Add 'table: ...'?");
    spec.own = load_layout_row(section, "layout");
    if (const auto& spread = spec.own->spread)  // how it is called in tables
      spec.own->name = spread->name();
    else if (spec.own->taken)
      spec.own->name = section.text("setup");
  }
  return spec;
}

PartitionSpec read_partition(const Section& section) {
  PartitionSpec spec{.where = section.where()};
  if (section.has("file")) refuse_beside(section, {"file"}, "a file is the whole partition");
  config::read_fields(section, scenario_detail::partition_fields(), spec);
  section.finish();
  if (section.has("file")) {
    spec.where = section.where("file");
    return spec;
  }
  section.value("algorithm");  // required here
  spec.where = section.where("algorithm");
  spec.processors_where = section.where("processors");
  const auto& partitioner = partitioners().at(spec.algorithm, spec.where);
  if (spec.weights && !partitioner.weighs)
    section.refuse("weights", Refusal("partitioner '{}' weighs nothing (cm3b and cm-weighted do). Remove 'weights'?",
                                      partitioner.name));
  return spec;
}

}  // namespace

namespace {

/// What is of all jobs, and what is of each by its path: "jobs.stencil.kernel.points".
PointSpec point_of_jobs(const Document& document, Settings settings, std::vector<JobSpec> jobs) {
  PointSpec point = *jobs.front().point;
  point.settings = std::move(settings);
  point.flat = document.scalars();
  point.flat["platform"] = point.platform.name;
  point.layout = {.table = "", .row = "", .own = {}, .where = jobs.front().where};
  point.kernel = {.name = "", .where = jobs.front().where, .settings = {}};
  point.partition.reset();
  if (const auto what_if = document.root(scenario_keys()).optional("what-if")) point.what_if = read_what_if(*what_if);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const JobSpec& job = jobs[j];
    const std::string listed = fmt::format("jobs[{}].", j + 1);
    for (const auto& [path, value] : document.scalars())
      if (path.starts_with(listed)) point.flat[fmt::format("jobs.{}.{}", job.name, path.substr(listed.size()))] = value;
    point.kernel.name += (point.kernel.name.empty() ? "" : " + ") + job.point->kernel.name;
    for (const auto& [path, value] : job.point->flat)
      for (const char* part : {"kernel.", "layout.", "compute.", "partition."})
        if (path.starts_with(part)) point.flat.try_emplace(fmt::format("jobs.{}.{}", job.name, path), value);
  }
  point.jobs = std::move(jobs);
  return point;
}

}  // namespace

PointSpec read_point(const Document& written, Settings settings) {
  if (auto jobs = read_jobs(written); !jobs.empty())
    return point_of_jobs(written, std::move(settings), std::move(jobs));
  const Document document = with_values(written);
  PointSpec point{.settings = std::move(settings), .flat = document.scalars()};
  const Section root = document.root(scenario_keys());
  point.staging_in_compute_model = root.choice("gpu-staging") == 0;
  point.platform = read_platform_spec(root.value("platform"));
  point.flat["platform"] = point.platform.name;
  point.network = root.text("network");
  point.network_where = root.where("network");
  point.layout = read_layout(root.section("layout"));
  point.kernel = read_kernel(root.section("kernel"));
  expand_hpl_dat(point.kernel);
  const auto& kernel = kernels().at(point.kernel.name, point.kernel.where);
  Parameters parameters(kernel.parameters);
  for (const auto& [name, value, where] : point.kernel.settings) parameters.set(name, value, where);
  for (const auto& [name, value] : parameters.rendered()) point.flat.try_emplace("kernel." + name, value);
  point.compute = NamedSpec{"", root.where(), {}};
  if (const auto compute = root.optional_section("compute")) {
    config::read_fields(*compute, scenario_detail::compute_fields(), point);
    point.compute.where = compute->where("model");
  }
  if (const auto failures = root.optional_section("failures")) {
    config::read_fields(*failures, scenario_detail::failure_fields(), point.failures.emplace());
    failures->finish();
  }
  if (const auto what_if = root.optional("what-if")) point.what_if = read_what_if(*what_if);
  if (const auto partition = root.optional_section("partition")) point.partition = read_partition(*partition);
  if (kernel.grid && !point.partition)
    point.partition =
        PartitionSpec{.algorithm = default_partitioner, .file = "", .where = root.where(), .assumed = true};
  return point;
}

}  // namespace orrery
