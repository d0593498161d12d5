/// What a model's times choose, played before it is taken.
///
/// A model that orders candidates wrongly costs more than no model: a partition that it predicts to be 16 % faster may
/// be 12 % slower. So the few that it likes best are played beside the one that needs no model, and the fastest is
/// taken.
///
/// Checked  tests/unit/models/partition/taulop_columns_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"

namespace orrery {

/// Of candidates, the one predicted to be best first, that which is fastest by `problem.played`; the first where
/// nothing is played. Equal candidates are played once; of equal times the earlier is taken. Tells what it found.
Partition confirmed(const PartitionProblem& problem, const std::string& who, const std::vector<Partition>& candidates);

}  // namespace orrery
