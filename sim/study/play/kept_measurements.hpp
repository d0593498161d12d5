/// What models were measured with, in the store of a run: an experiment of a calibration is addressed by the hash of
/// everything that decides its times, and is measured once however often a run is stopped and goes on.
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
  /// `resume`: what the store has is not measured again. Everything that is measured goes into it.
  KeptMeasurements(ResultStore& store, bool resume) : store_(store), resume_(resume) {}

  /// The options with this store in them; `engine` is the one that plays the experiments.
  CalibrationOptions in(CalibrationOptions options, const Platform& platform, const Network& network,
                        const std::string& engine);

  /// Addresses of all that was asked for: ResultStore::end keeps them.
  const std::set<std::string>& ids() const { return ids_; }
  /// How many experiments needed not be played.
  std::size_t found() const { return found_; }
  /// How many the store has of those that were asked for.
  std::size_t had() const { return found_ + measured_; }

 private:
  ResultStore& store_;
  bool resume_;
  std::set<std::string> ids_;
  std::size_t found_ = 0, measured_ = 0;
};

}  // namespace orrery::study
