#include "sim/scenario/partition_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/compute/catalogue.hpp"
#include "models/model.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

PartitionProblem partition_problem(LoadedPoint& point, const PointSpec& spec, const TimeOfPoint& time) {
  const KernelEntry& kernel = kernels().at(point.kernel, spec.kernel.where);
  PartitionProblem problem{.grid = kernel.grid(point.parameters), .speeds = {}};
  if (spec.partition) {
    problem.speeds = spec.partition->speeds;
    problem.accuracy = spec.partition->accuracy;
    problem.latency_max = Seconds(spec.partition->latency_max_s);
    problem.weights = spec.partition->weights;
  }
  if (problem.speeds.empty()) {
    problem.speeds = process_speeds(*point.compute, point.layout, typical_work(kernel.works.front()));
    problem.speed = [&point, &kernel](Rank rank, ShareSize size) {
      return size.blocks() / point.compute->compute_time(kernel.share(point.parameters, size), rank).si();
    };
  }
  if (time)
    problem.time_of = [&point, &spec, &kernel, &time](const Partition& candidate) {
      point.partition = std::make_shared<const Partition>(candidate);
      point.program = kernel.make(
          {point.parameters, point.layout.ranks(), point.partition, point.trace, &point.layout, point.pattern});
      return time(point, spec);
    };
  return problem;
}

void require_timer(const PartitionSpec& spec, const std::string& where) {
  if (!partitioners().at(spec.algorithm, spec.where).asks_time())
    throw InputError(
        fmt::format("{}: partitioner '{}' times no candidates, so 'time-by' would have no effect. Remove it?", where,
                    spec.algorithm));
  std::vector<std::string> known = engine_names();
  for (const auto& [name, entry] : models().entries())
    if (!entry.fitted_to_runs()) known.push_back(name);
  if (std::ranges::find(known, spec.time_by) == known.end())
    throw InputError(fmt::format("{}: 'time-by' is '{}', neither an engine nor a model of single phases{}", where,
                                 spec.time_by, known_names(spec.time_by, known)));
}

}  // namespace orrery
