/// Static cost models of processors: slices of rows in proportion to a computational power made of what a data sheet
/// says.
///
///   C_i = n S_i / sum S_j
///
///   CM0   S_i = CPU_i
///   CM1   S_i = CPU_i L2_i
///   CM2   S_i = CPU_i L2_i / RAM_i
///   CM3a  S_i = CPU_i L2_i L_i / RAM_i  if L_i < t, else 0
///
///   n         rows      to divide               C_i    rows   of rank i
///   CPU_i     Hz        speed of its processor  L2_i   B      cache of it
///   RAM_i     B         memory of its node      L_i    s      latency to it
///   t         s         from which on nothing is sent there
///
/// The scaling factors a, b, c and d of the source stand before all ranks alike, so they cancel in the shares: tuning
/// them changes nothing. t is the one number that can be tuned.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
/// portability",
///          section 3.1
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#pragma once

#include <string>

#include "models/partition/partition_problem.hpp"

namespace orrery {

enum class CostModel : std::uint8_t { cpu, cache, memory, latency };

/// Throws DomainError where a rank lacks a figure that the model asks for, or where all ranks are too far.
Partition by_cost_model(const std::string& name, CostModel model, const PartitionProblem& problem);

}  // namespace orrery
