/// A problem that any partitioner can solve: candidates are timed by what their rectangles send.
#pragma once

#include <utility>
#include <vector>

#include "models/partition/partition_problem.hpp"

namespace orrery::test {

/// Speeds that do not depend on the size; the time of a candidate is its sum of half-perimeters, in seconds.
inline PartitionProblem problem_of(GridSize grid, std::vector<double> speeds) {
  PartitionProblem problem{grid, std::move(speeds)};
  problem.time_of = [](const Partition& candidate) {
    std::uint64_t sent = 0;
    for (const auto& mine : candidate.rectangles)
      if (mine.area() > 0) sent += mine.width + mine.height;
    return Seconds(static_cast<double>(sent));
  };
  for (const double speed : problem.speeds)  // a processor is as its speed in everything
    problem.processors.push_back({speed, Bytes(1.0 + speed), Bytes(1e9), Seconds(1e-6)});
  return problem;
}

}  // namespace orrery::test
