#include "models/partition/cost_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/partition/apportion.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

/// A figure of a rank, or a refusal that names the column to add.
double figure(const std::string& name, std::size_t rank, double value, const char* column) {
  if (value > 0.0) return value;
  throw DomainError(fmt::format(
      "{}: nobody says '{}' of rank {} (a positive figure). Name 'processors' with that column?", name, column, rank));
}

double power(const std::string& name, CostModel model, std::size_t rank, const ProcessorFacts& facts,
             Seconds latency_max) {
  double power = figure(name, rank, facts.cpu, "cpu_Hz");
  if (model == CostModel::cpu) return power;
  power *= figure(name, rank, facts.cache.si(), "cache_B");
  if (model == CostModel::cache) return power;
  power /= figure(name, rank, facts.memory.si(), "memory_B");
  if (model == CostModel::memory) return power;
  return facts.latency < latency_max ? power * figure(name, rank, facts.latency.si(), "latency_s") : 0.0;
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
    throw DomainError(fmt::format("{}: every rank is {:g} s away or more (at least one nearer). Raise 'latency-max'?",
                                  name, problem.latency_max.si()));
  return slices_of(problem.grid, apportion(problem.grid.rows, powers));
}

}  // namespace orrery
