/// The nodes of each job of a scenario: job_spec.hpp explains the choices.
#pragma once

#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"
#include "sim/study/read/job_spec.hpp"

namespace orrery {

/// The layout of a job as if it had the cluster for itself.
struct PlacedJob {
  const JobSpec* job = nullptr;
  Layout* layout = nullptr;
  bool names_nodes = false;  ///< its layout lists the nodes
};

/// Moves each layout to the nodes of its job. Throws InputError if there are too few of a type, or if jobs that do not
/// share meet.
void place_jobs(const Platform& platform, const std::vector<PlacedJob>& jobs);

}  // namespace orrery
