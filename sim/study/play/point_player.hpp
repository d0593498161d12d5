/// Simulates the points of a scenario on one engine; each result is stored when it ends, and is read from the store.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/fields.hpp"
#include "sim/engine/batch.hpp"
#include "sim/study/play/peak_assumed.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/loaded_points.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::study {

/// Facts about a point before it is simulated.
struct SurveyedPoint {
  std::string id, platform, network;
  std::uint32_t ranks = 0;
  std::uint64_t messages = 0;  ///< expected
  bool more = false;           ///< not all of them were counted
  bool staging_in_compute_model = true;
  PeakAssumed peak = {};
  bool staged = false;        ///< messages are staged, as staging is not in compute models
  std::uint32_t stages = 0;   ///< of its pipeline; 0: none
  std::uint64_t at_once = 0;  ///< messages that ranks send before they wait for them
  bool gpus = false;          ///< some rank is on a GPU
};

/// Every option that determines a result or its contents: results with different options have different addresses.
const config::Fields<ReplayOptions>& replay_fields();

class PointPlayer {
 public:
  PointPlayer(const Scenario& scenario, const LoadedPoints& points, const std::vector<SurveyedPoint>& survey,
              const RunOptions& options, ResultStore& store, std::string engine);

  /// Whether the store has the point's result.
  bool finished(std::size_t point) const;
  /// Whether the store has the result, or the failure of the point.
  bool ended(std::size_t point) const;
  /// Simulates those that are not finished, or all of them without `resume`. Throws Interrupted.
  void play();
  /// The result or failure of the point. A result that the store has lost is simulated again.
  engine::Played result(std::size_t point);

 private:
  ResultKey key(std::size_t point) const;
  ResultKey failure_key(std::size_t point) const;
  /// The store's result of the point, if any.
  std::optional<RunResult> kept(std::size_t point) const;
  ReplayOptions replay_options(std::size_t point) const;
  RunResult played(const LoadedPoint& point, const ReplayOptions& options) const;
  void play(const std::vector<std::size_t>& which);
  class Expectation;

  const Scenario& scenario_;
  const LoadedPoints& points_;
  const std::vector<SurveyedPoint>& survey_;
  const RunOptions& options_;
  ResultStore& store_;
  std::string engine_;
  std::map<std::size_t, engine::Played> failed_;
};

}  // namespace orrery::study
