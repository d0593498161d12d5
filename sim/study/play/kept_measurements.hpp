/// Measurements for models, in the store of a run: an experiment of a calibration is addressed by the hash of
/// everything that determines its times, and is measured once, however often a run stops and resumes.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "sim/study/fit/calibrate.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::study {

class KeptMeasurements {
 public:
  /// `resume`: experiments in the store are not measured again. All new measurements are stored.
  KeptMeasurements(ResultStore& store, bool resume) : store_(store), resume_(resume) {}

  /// The options with this store in them; `engine` is the one that runs the experiments.
  CalibrationOptions in(CalibrationOptions options, const Platform& platform, const Network& network,
                        const std::string& engine);

  /// Addresses of all requested experiments: ResultStore::end keeps them.
  const std::set<std::string>& ids() const { return ids_; }
  /// Number of experiments that did not need to run.
  std::size_t found() const { return found_; }
  /// Number of requested experiments that the store has.
  std::size_t had() const { return found_ + measured_; }

 private:
  ResultStore& store_;
  bool resume_;
  std::set<std::string> ids_;
  std::size_t found_ = 0, measured_ = 0;
};

}  // namespace orrery::study
