/// The rounds of DFPA over one line of rows: run, look, divide again. models/partition/dfpa-1d.cpp says what and
/// whence.
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
  /// Goes on from what was measured before.
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

  /// [ranks] the first division that is balanced to the accuracy, or the best that was run.
  std::vector<std::uint32_t> divide(const Line& line);

  /// Of the division that `divide` returned.
  const BenchmarkRun& last() const { return best_; }
  const KnownSpeeds& known() const { return known_; }

 private:
  KnownSpeeds known_;
  BenchmarkRun best_;
};

}  // namespace orrery
