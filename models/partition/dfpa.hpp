/// The rounds of DFPA over one line of rows: run, check, divide again. models/partition/dfpa-1d.cpp has the method and
/// its source.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/partition/rounds.hpp"

namespace orrery {

class Dfpa {
 public:
  explicit Dfpa(std::size_t ranks) : known_(ranks) {}
  /// Continues from earlier measurements.
  explicit Dfpa(KnownSpeeds known) : known_(std::move(known)) {}

  struct Line {
    std::uint32_t rows;
    double columns;                    ///< width of all shares, for `watch`
    std::vector<std::uint32_t> start;  ///< [ranks] rows to run first
    std::vector<bool> takes_part;      ///< [ranks]
    double accuracy;
    std::function<BenchmarkRun(const std::vector<std::uint32_t>&)> run;
    std::function<void(PartitionRound)> watch;
    std::string partitioner;
  };

  /// [ranks] the first division that is balanced to the accuracy, or the best one that ran.
  std::vector<std::uint32_t> divide(const Line& line);

  /// The run of the division that `divide` returned.
  const BenchmarkRun& last() const { return best_; }
  const KnownSpeeds& known() const { return known_; }

 private:
  KnownSpeeds known_;
  BenchmarkRun best_;
};

}  // namespace orrery
