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
///   CM3b       S_i = CPU_i^a L2_i^b / RAM_i^c  if L_i <= t, else 0, for the t whose division takes the least time
///   weighted  S_i = CPU_i^a L2_i^b / RAM_i^c
///
///   n         rows      to divide               C_i    rows   of rank i
///   CPU_i     Hz        speed of its processor  L2_i   B      cache of it
///   RAM_i     B         memory of its node      L_i    s      latency to it
///   t         s         from which on nothing is sent there
///
/// The scaling factors a, b, c and d of the source stand before all ranks alike, so they cancel in the shares: tuning
/// them changes nothing, and what weighs a parameter is its exponent. CM3b and the weights are what the source leaves as
/// work in progress: to send work away only where it pays, to choose t automatically, to fit the weights.
///
/// Weights are fitted by least squares to what ranks were measured to do:
///
///   ln(v_i / CPU_i) = k_r + (a - 1) ln CPU_i + b ln L2_i - c ln RAM_i     v_i rows/s of rank i in round r
///
/// with the shortest solution, so that what the ranks do not tell (all of one clock) stays as in CM0.
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

/// Throws DomainError where a rank lacks a parameter that the model asks for, or where all ranks are too far.
Partition by_cost_model(const std::string& name, CostModel model, const PartitionProblem& problem);

/// [ranks] S_i by weights; 0 of ranks whose speed is 0. A parameter is asked for only where its weight is not 0.
std::vector<double> weighted_powers(const std::string& name, const PartitionProblem& problem,
                                    const CostWeights& weights);

/// Speeds of one round of runs.  [ranks] any unit; 0: it had nothing to do
using RoundSpeeds = std::vector<double>;

/// Throws DomainError where a rank that ran lacks a parameter.
CostWeights fitted_weights(const std::string& name, const PartitionProblem& problem,
                           const std::vector<RoundSpeeds>& rounds);

}  // namespace orrery
