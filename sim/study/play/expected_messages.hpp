/// How many messages a program will send, and how many of them at once: for estimates of time, before and while it is
/// played.
///
///   MessageCount count(program);
///   count.advance(1'000'000);              // pulls at most so many steps
///   if (count.whole()) ... count.messages() ... count.at_once() ...
///
/// From the steps of rank 0 and of at most `sampled` others, spread without a period. Exact for up to `sampled` + 1
/// ranks that probe for nothing; above that an estimate, which a program with busy ranks between the sampled ones
/// deceives.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/program.hpp"

namespace orrery::study {

class MessageCount {
 public:
  /// The program outlives the count.
  explicit MessageCount(const Program& program, std::uint32_t sampled = 64);

  /// Counts on, over at most so many steps; returns how many it took.
  std::uint64_t advance(std::uint64_t steps_max);
  bool whole() const { return next_ > taken_; }
  /// Of the whole program once `whole`, at least so many before.
  std::uint64_t messages() const;
  /// Sum over the ranks of the most that each has sent before it waits for them, likewise.
  std::uint64_t at_once() const { return scaled(peak_of_first_, peak_of_others_); }

 private:
  Rank sampled_rank() const;
  void see(const Step& step);
  std::uint64_t scaled(std::uint64_t of_first, std::uint64_t of_others) const;

  const Program* program_;
  std::uint32_t others_, taken_, next_ = 0;  ///< ranks but 0; of them sampled; the sample under way, 0 being rank 0
  std::optional<Generator<Step>> steps_;
  std::uint64_t of_first_ = 0, of_others_ = 0;
  std::uint64_t open_ = 0, peak_ = 0;  ///< of the rank under way
  std::uint64_t peak_of_first_ = 0, peak_of_others_ = 0;
};

}  // namespace orrery::study
