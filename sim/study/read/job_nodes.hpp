/// Which nodes each job of a scenario gets: job_spec.hpp says how.
#pragma once

#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"
#include "sim/study/read/job_spec.hpp"

namespace orrery {

/// The layout of a job as it would be if it had the machine for itself.
struct PlacedJob {
  const JobSpec* job = nullptr;
  Layout* layout = nullptr;
  bool names_nodes = false;  ///< its layout says which nodes
};

/// Moves each layout to the nodes that its job gets. Throws InputError where there are too few of a type, or where
/// jobs that do not share meet.
void place_jobs(const Platform& platform, const std::vector<PlacedJob>& jobs);

}  // namespace orrery
