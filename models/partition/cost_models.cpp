#include "models/partition/cost_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/eigen.hpp"
#include "models/partition/apportion.hpp"
#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery {

namespace {

/// A parameter of a rank, or a refusal that names the column to add.
double parameter(const std::string& name, std::size_t rank, double value, const char* column) {
  if (value > 0.0) return value;
  throw DomainError("{}: nobody says '{}' of rank {} (a positive parameter). Name 'processors' with that column?", name,
                    column, rank);
}

double power(const std::string& name, CostModel model, std::size_t rank, const ProcessorFacts& facts,
             Seconds latency_max) {
  double power = parameter(name, rank, facts.cpu, "cpu_Hz");
  if (model == CostModel::cpu) return power;
  power *= parameter(name, rank, facts.cache.si(), "cache_B");
  if (model == CostModel::cache) return power;
  power /= parameter(name, rank, facts.memory.si(), "memory_B");
  if (model == CostModel::memory) return power;
  return facts.latency < latency_max ? power * parameter(name, rank, facts.latency.si(), "latency_s") : 0.0;
}

}  // namespace

Partition by_cost_model(const std::string& name, CostModel model, const PartitionProblem& problem) {
  check_speeds(name, problem.speeds);
  std::vector<double> powers;
  for (std::size_t i = 0; i < problem.speeds.size(); ++i) {
    const ProcessorFacts facts = i < problem.processors.size() ? problem.processors[i] : ProcessorFacts{};
    powers.push_back(problem.speeds[i] > 0.0 ? power(name, model, i, facts, problem.latency_max) : 0.0);
  }
  if (std::ranges::all_of(powers, [](double power) { return power == 0.0; }))
    throw DomainError("{}: every rank is {:g} s away or more (at least one nearer). Raise 'latency-max'?", name,
                      problem.latency_max.si());
  return slices_of(problem.grid, apportion(problem.grid.rows, powers));
}

std::vector<double> weighted_powers(const std::string& name, const PartitionProblem& problem,
                                    const CostWeights& weights) {
  check_speeds(name, problem.speeds);
  std::vector<double> logs(problem.ranks(), -HUGE_VAL);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (problem.speeds[i] == 0.0) continue;
    const ProcessorFacts facts = i < problem.processors.size() ? problem.processors[i] : ProcessorFacts{};
    logs[i] = 0.0;
    if (weights.cpu != 0.0) logs[i] += weights.cpu * portable::log(parameter(name, i, facts.cpu, "cpu_Hz"));
    if (weights.cache != 0.0) logs[i] += weights.cache * portable::log(parameter(name, i, facts.cache.si(), "cache_B"));
    if (weights.memory != 0.0)
      logs[i] -= weights.memory * portable::log(parameter(name, i, facts.memory.si(), "memory_B"));
  }
  // Only ratios count: over the greatest, so that nothing overflows.
  const double most = *std::ranges::max_element(logs);
  std::vector<double> powers;
  powers.reserve(logs.size());
  for (const double log : logs) powers.push_back(portable::exp(log - most));
  return powers;
}

CostWeights fitted_weights(const std::string& name, const PartitionProblem& problem,
                           const std::vector<RoundSpeeds>& rounds) {
  std::vector<Eigen::Vector4d> rows;  // logarithms of clock, cache, memory; of the speed over the clock
  for (const RoundSpeeds& speeds : rounds) {
    const std::size_t first = rows.size();
    Eigen::Vector4d mean = Eigen::Vector4d::Zero();
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      if (!(speeds[i] > 0.0)) continue;
      const ProcessorFacts facts = i < problem.processors.size() ? problem.processors[i] : ProcessorFacts{};
      const double cpu = parameter(name, i, facts.cpu, "cpu_Hz");
      rows.emplace_back(portable::log(cpu), portable::log(parameter(name, i, facts.cache.si(), "cache_B")),
                        -portable::log(parameter(name, i, facts.memory.si(), "memory_B")),
                        portable::log(speeds[i] / cpu));
      mean += rows.back();
    }
    if (rows.size() == first) continue;
    mean /= static_cast<double>(rows.size() - first);  // takes the round's own constant out of the fit
    for (std::size_t k = first; k < rows.size(); ++k) rows[k] -= mean;
  }
  Eigen::MatrixXd known(static_cast<Eigen::Index>(rows.size()), 3);
  Eigen::VectorXd wanted(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    known.row(static_cast<Eigen::Index>(k)) = rows[k].head<3>().transpose();
    wanted[static_cast<Eigen::Index>(k)] = rows[k][3];
  }
  if (rows.empty() || known.norm() < 1e-9) return {1.0, 0.0, 0.0};
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-6);
  const Eigen::Vector3d found = decomposition.compute(known).solve(wanted);
  return {1.0 + found[0], found[1], found[2]};
}

}  // namespace orrery
