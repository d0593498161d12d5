/// Micro-benchmarks to run with real MPI, as a text that the command line writes and orrery-mpi reads: one line each,
///
///   id <tab> kernel <tab> 0:0 1:0 <tab> sizes=1B,64B <tab> messages=8
///
/// the third column names node and core of each rank; nodes are counted as they come in the list of MPI's ranks.
///
/// Checked  tests/unit/validation/experiments_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"

namespace orrery::mpi {

std::string experiments_text(const std::vector<Experiment>& plan);
/// Throws InputError "file:line: ...".
std::vector<Experiment> parse_experiments(const std::string& text, const std::string& file);

/// For each place the rank that runs there: on the node-th host, as the core-th of its ranks; empty where there is
/// none.
///   hosts  [ranks of MPI]
std::vector<int> ranks_at(const std::vector<CorePlace>& places, const std::vector<std::string>& hosts);

}  // namespace orrery::mpi
