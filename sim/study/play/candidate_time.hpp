/// The time of a program with a candidate partition, for partitioners that ask: played on the flow engine, or predicted
/// by a model that is calibrated when it is first asked.
///
///   flow     makespan of the whole program
///   model    its time of the compared phase (or of the run, where it predicts runs); where it leaves computation out,
///            the slowest rank's of each phase is added, by the compute model
///
/// Checked  tests/unit/study/candidate_time_test.cpp
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "sim/study/read/point.hpp"

namespace orrery::study {

class CandidateTime {
 public:
  /// Models are calibrated as in `scenario`, on its engine; `scenario` must outlive this.
  CandidateTime(const Scenario& scenario, unsigned jobs);
  ~CandidateTime();

  /// By the model; without one played.
  Seconds operator()(const LoadedPoint& candidate, const PointSpec& spec, const std::string& model);
  /// By a model of phases with its settings, as in "taulop mode=algebra".
  Seconds predicted(const LoadedPoint& candidate, const std::string& model);

 private:
  struct Asked;  ///< a calibrated model

  const Scenario& scenario_;
  unsigned jobs_;
  std::map<std::array<std::string, 3>, std::unique_ptr<Asked>> asked_;  ///< by platform, network and model
};

/// The slowest rank's computation of each phase, summed over phases and their repetitions.
Seconds slowest_computation(std::span<const Phase> phases, const ComputeModel& compute);

}  // namespace orrery::study
