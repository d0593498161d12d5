#include "sim/study/read/partition_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/compute/catalogue.hpp"
#include "models/model.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

bool by_model(const PartitionSpec& spec) {
  const auto& engines = engine_names();
  return !spec.time_by.empty() && std::ranges::find(engines, spec.time_by) == engines.end();
}

}  // namespace

PartitionProblem partition_problem(LoadedPoint& point, const PointSpec& spec, const TimeOfPoint& time) {
  const KernelEntry& kernel = kernels().at(point.kernel, spec.kernel.where);
  PartitionProblem problem{.grid = kernel.grid(point.parameters), .speeds = {}};
  if (spec.partition) {
    problem.speeds = spec.partition->speeds;
    problem.accuracy = spec.partition->accuracy;
    problem.latency_max = spec.partition->latency_max;
    problem.weights = spec.partition->weights;
  }
  if (problem.speeds.empty()) {
    problem.speeds = process_speeds(*point.compute, point.layout, typical_work(kernel.works.front()));
    problem.speed = [&point, &kernel](Rank rank, ShareSize size) {
      return size.blocks() / point.compute->compute_time(kernel.share(point.parameters, size), rank).si();
    };
  }
  if (!time) return problem;
  const auto timed_as = [&point, &kernel, &time](const Partition& candidate, const PointSpec& as) {
    point.partition = std::make_shared<const Partition>(candidate);
    point.program = kernel.make(
        {point.parameters, point.layout.ranks(), point.partition, point.trace, &point.layout, point.pattern});
    return time(point, as);
  };
  problem.time_of = [timed_as, &spec](const Partition& candidate) { return timed_as(candidate, spec); };
  if (!spec.partition || !spec.partition->confirm || !by_model(*spec.partition)) return problem;
  PointSpec on_engine = spec;
  on_engine.partition->time_by.clear();
  problem.played = [timed_as, on_engine](const Partition& candidate) { return timed_as(candidate, on_engine); };
  return problem;
}

void require_timer(const PartitionSpec& spec, const std::string& where) {
  if (!partitioners().at(spec.algorithm, spec.where).asks_time())
    throw InputError("{}: partitioner '{}' times no candidates, so 'time-by' would have no effect. Remove it?", where,
                     spec.algorithm);
  std::vector<std::string> known = engine_names();
  for (const auto& [name, entry] : models().entries())
    if (!entry.fitted_to_runs()) known.push_back(name);
  if (std::ranges::find(known, spec.time_by) == known.end())
    throw InputError("{}: 'time-by' is '{}', neither an engine nor a model of single phases{}", where, spec.time_by,
                     known_names(spec.time_by, known));
}

}  // namespace orrery
