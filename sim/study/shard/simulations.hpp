/// The simulations of a scenario (its points, or with repetitions each point once for each of its seeds), which shards
/// are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/repeats.hpp"
#include "sim/study/read/loaded_points.hpp"
#include "sim/study/shard/run_request.hpp"

namespace orrery::study {

class Simulations {
 public:
  Simulations(const RunRequest& request, unsigned jobs);
  Simulations(const Simulations&) = delete;
  Simulations& operator=(const Simulations&) = delete;

  const Scenario& scenario() const { return repeats_.scenario ? *repeats_.scenario : scenario_; }
  std::size_t size() const { return scenario().points.size(); }
  /// [simulations]  us
  std::vector<std::uint64_t> costs();
  /// The scenario with only these simulations.
  Scenario part(const std::vector<std::size_t>& which) const;
  CandidateTime& candidate_time() { return candidate_time_; }

 private:
  Scenario scenario_;
  RepeatedScenario repeats_;
  CandidateTime candidate_time_;
};

}  // namespace orrery::study
