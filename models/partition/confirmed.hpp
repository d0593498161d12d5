/// Simulates the choices of a model's times before one is taken.
///
/// A model that orders candidates wrongly is worse than no model: a partition that it predicts to be 16 % faster may be
/// 12 % slower. So its few best candidates are simulated, together with the one that needs no model, and the fastest is
/// taken.
///
/// Checked  tests/unit/models/partition/taulop_columns_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"

namespace orrery {

/// Of candidates, ordered by prediction with the best first, returns the fastest by `problem.played`; without `played`
/// the first. Equal candidates are simulated once; of equal times the earlier is taken. Reports its findings.
Partition confirmed(const PartitionProblem& problem, const std::string& who, const std::vector<Partition>& candidates);

}  // namespace orrery
