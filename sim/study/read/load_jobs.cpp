// A point of several jobs: each loaded as a point of its own, on the nodes that it gets, and then joined.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/compute/slowed.hpp"
#include "platforms/gpu_parameters.hpp"
#include "platforms/node_choice.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/study/read/job_nodes.hpp"
#include "sim/study/read/joined_program.hpp"
#include "sim/study/read/memory.hpp"
#include "sim/study/read/point.hpp"

namespace orrery {

namespace {

bool names_nodes(const LayoutRow& row) {
  if (!row.spread) return false;
  const NodeChoice& nodes = row.spread->nodes;
  return !nodes.listed.empty() || !nodes.named.empty() || nodes.order != NodeOrder::contiguous;
}

/// What is played, and how each job takes part in it.
std::string id_of_jobs(const PointSpec& spec, const std::vector<std::shared_ptr<LoadedPoint>>& jobs) {
  Fingerprint parts;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    parts.add(
        fmt::format("{}|{}|{}|{}|", jobs[j]->id, spec.jobs[j].name, spec.jobs[j].start.si(), spec.jobs[j].repeat));
  for (const WhatIf& what : spec.what_if) parts.add(what.text);
  return fmt::format("{:016x}", parts.value());
}

/// Whatever holds of all of them together.
void join(const PointSpec& spec, const std::vector<std::shared_ptr<LoadedPoint>>& jobs, LoadedPoint& point) {
  std::vector<JoinedPart> parts;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const LoadedPoint& own = *jobs[j];
    std::ranges::copy(own.layout.placements, std::back_inserter(point.layout.placements));
    point.layout.name += fmt::format("{}{}", j == 0 ? "" : " + ", own.layout.ranks());
    point.compute_identity += own.compute_identity + "\n";
    point.compute_varies = point.compute_varies || own.compute_varies;
    point.compute_assumed = point.compute_assumed || own.compute_assumed;
    for (const std::string& note : own.partition_notes)
      point.partition_notes.push_back(fmt::format("job '{}': {}", spec.jobs[j].name, note));
    parts.push_back({spec.jobs[j].name, own.program.get(), own.compute.get()});
    point.jobs.push_back({spec.jobs[j].name, own.layout.ranks(), spec.jobs[j].start, spec.jobs[j].repeat, false});
  }
  point.layout.name += " ranks";
  point.layout.gpus = gpu_parameters(*point.platform, *point.network, point.layout);
  point.layout.gpus_missing = gpus_missing(*point.platform, point.layout);
  point.compute_seed = jobs.front()->compute_seed;
  point.kernel = spec.kernel.name;
  point.settings = spec.flat;
  point.staging_in_compute_model = spec.staging_in_compute_model;
  point.program = joined_program(parts);
  point.compute = joined_compute(parts);
  point.of_jobs.assign(jobs.begin(), jobs.end());
}

}  // namespace

LoadedPoint PointLoader::load_jobs(const PointSpec& spec) {
  LoadedPoint point;
  point.platform = platform(spec).platform;
  point.network = &point.platform->network(spec.network, spec.network_where);
  std::vector<std::shared_ptr<LoadedPoint>> jobs;
  std::vector<PlacedJob> placed;
  std::vector<std::string> places;
  for (const JobSpec& job : spec.jobs) {
    auto own = std::make_shared<LoadedPoint>();
    const LayoutRow row = place(*job.point, *own);
    places.push_back(row.where);
    placed.push_back({&job, &own->layout, names_nodes(row)});
    jobs.push_back(std::move(own));
  }
  place_jobs(*point.platform, placed);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    require_joined(*point.platform, *point.network, jobs[j]->layout, places[j]);
    complete(*spec.jobs[j].point, *jobs[j]);
  }
  join(spec, jobs, point);
  point.what_if = faulted(spec.what_if, *point.platform, *point.network, point.layout);
  if (!point.what_if.factors.empty())
    point.compute = std::make_unique<SlowedTime>(std::move(point.compute), point.what_if.factors);
  if (!ignore_memory_) require_memory(point, spec.kernel.where);
  point.id = id_of_jobs(spec, jobs);
  return point;
}

}  // namespace orrery
