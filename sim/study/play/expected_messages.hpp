/// The number of messages that a program will send in total and at the same time: for time estimates before and during
/// simulation.
///
///   MessageCount count(program);
///   count.advance(1'000'000);              // reads at most this number of steps
///   if (count.whole()) ... count.messages() ... count.at_once() ...
///
/// Computed from the steps of rank 0 and of at most `sampled` others, spread without a period. Exact for up to
/// `sampled` + 1 ranks without probes; above that an estimate, which is wrong for a program with busy ranks between the
/// sampled ones.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/program.hpp"

namespace orrery::study {

class MessageCount {
 public:
  /// The program must outlive the count.
  explicit MessageCount(const Program& program, std::uint32_t sampled = 64);

  /// Continues to count, over at most `steps_max` steps; returns how many it read.
  std::uint64_t advance(std::uint64_t steps_max);
  bool whole() const { return next_ > taken_; }
  /// Of the whole program once `whole`; before that a lower bound.
  std::uint64_t messages() const;
  /// Sum over the ranks of the most messages that each has sent before it waits for them; before `whole` a lower bound.
  std::uint64_t at_once() const { return scaled(peak_of_first_, peak_of_others_); }

 private:
  Rank sampled_rank() const;
  void see(const Step& step);
  std::uint64_t scaled(std::uint64_t of_first, std::uint64_t of_others) const;

  const Program* program_;
  std::uint32_t others_, taken_, next_ = 0;  ///< ranks except 0; sampled ones; present sample, 0 is rank 0
  std::optional<Generator<Step>> steps_;
  std::uint64_t of_first_ = 0, of_others_ = 0;
  std::uint64_t open_ = 0, peak_ = 0;  ///< of the present rank
  std::uint64_t peak_of_first_ = 0, peak_of_others_ = 0;
};

}  // namespace orrery::study
