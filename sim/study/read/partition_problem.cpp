#include "sim/study/read/partition_problem.hpp"

#include "models/compute/catalogue.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery {

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
  const auto timed_by = [&point, &kernel, &time, &spec](const Partition& candidate, const std::string& model) {
    point.partition = std::make_shared<const Partition>(candidate);
    point.program = kernel.make(
        {point.parameters, point.layout.ranks(), point.partition, point.trace, &point.layout, point.pattern});
    return time(point, spec, model);
  };
  const std::string model =
      spec.partition ? partitioners().at(spec.partition->algorithm, spec.partition->where).timed_by : "";
  problem.time_of = [timed_by, model](const Partition& candidate) { return timed_by(candidate, model); };
  if (!model.empty() && spec.partition->confirm)
    problem.played = [timed_by](const Partition& candidate) { return timed_by(candidate, ""); };
  return problem;
}

}  // namespace orrery
