/// Static cost models of processors: slices of rows in proportion to a computational power calculated from data sheet
/// values.
///
///   C_i = n S_i / sum S_j
///
///   CM0   S_i = CPU_i
///   CM1   S_i = CPU_i L2_i
///   CM2   S_i = CPU_i L2_i / RAM_i
///   CM3a  S_i = CPU_i L2_i L_i / RAM_i  if L_i < t, else 0
///
///   CM3b       S_i = CPU_i^a L2_i^b / RAM_i^c  if L_i <= t, else 0, for the t whose division takes the least time
///   weighted  S_i = CPU_i^a L2_i^b / RAM_i^c
///
///   n         rows      to divide               C_i    rows   of rank i
///   CPU_i     Hz        speed of its processor  L2_i   B      cache of it
///   RAM_i     B         memory of its node      L_i    s      latency to it
///   t         s         from which on nothing is sent there
///
/// The scaling factors a, b, c and d of the source are the same for all ranks and cancel in the shares: tuning them
/// changes nothing, and only an exponent weighs a parameter. CM3b and the weights are work in progress in the source:
/// sending work away only if it pays, choosing t automatically, fitting the weights.
///
/// Weights are fitted by least squares to the measured speeds of ranks:
///
///   ln(v_i / CPU_i) = k_r + (a - 1) ln CPU_i + b ln L2_i - c ln RAM_i     v_i rows/s of rank i in round r
///
/// with the shortest solution, so that parameters which the ranks do not determine (equal clocks) stay as in CM0.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 3.1
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"

namespace orrery {

enum class CostModel : std::uint8_t { cpu, cache, memory, latency };

/// Throws DomainError if a rank lacks a parameter that the model needs, or if all ranks are too far.
Partition by_cost_model(const std::string& name, CostModel model, const PartitionProblem& problem);

/// [ranks] S_i by weights; 0 for ranks whose speed is 0. A parameter is needed only if its weight is not 0.
std::vector<double> weighted_powers(const std::string& name, const PartitionProblem& problem,
                                    const CostWeights& weights);

/// Speeds of one round of runs.  [ranks] any unit; 0: it had no work
using RoundSpeeds = std::vector<double>;

/// Throws DomainError if a rank that ran lacks a parameter.
CostWeights fitted_weights(const std::string& name, const PartitionProblem& problem,
                           const std::vector<RoundSpeeds>& rounds);

}  // namespace orrery
