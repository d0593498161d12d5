#include "sim/study/play/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/model.hpp"

namespace orrery::study {

namespace {

/// Done by collectives beside their messages, which every model has (PhaseModel::time).
bool of_collectives(Work work) {
  return work == Work::reduction || work == Work::buffer_copy || work == Work::fresh_buffer || work == Work::datatype;
}

}  // namespace

Seconds computed_in_compared(const PredictionInput& run) {
  Seconds all;
  std::vector<Seconds> busy;
  for (const Phase& phase : run.phases) {
    if (phase.name != run.compared_phase || phase.computes.empty()) continue;
    busy.assign(phase.ranks, Seconds{});
    for (const ComputeItem& item : phase.computes)
      if (!of_collectives(item.compute.work))
        busy[index(item.rank)] += static_cast<double>(item.repeat) * run.compute.compute_time(item.compute, item.rank);
    all += static_cast<double>(phase.repeat) * std::ranges::max(busy);
  }
  return all;
}

std::string computation_left_out(const PredictionInput& run, Seconds computed, Seconds predicted) {
  if (computed <= 0.1 * predicted) return "";
  std::string with, fitted;
  for (const auto& [name, entry] : models().entries()) {
    if (!entry.computation.empty()) with += fmt::format("{}{} ({})", with.empty() ? "" : ", ", name, entry.computation);
    if (entry.fitted_to_runs()) fitted += fmt::format("{}{}", fitted.empty() ? "" : ", ", name);
  }
  return fmt::format(
      "messages alone, though ranks also compute in phase '{}'. With computation: {}; fitted to whole runs: {}. No "
      "model "
      "here follows computation from rank to rank, as a pipeline has it",
      run.compared_phase, with, fitted);
}

}  // namespace orrery::study
