/// Reports progress to a run's owner, at most ten times a second, and stops the run if the owner requests it.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/engine/engine.hpp"

namespace orrery::engine {

class Reporter {
 public:
  explicit Reporter(const ReplayOptions& options) : progress_(options.progress) {}

  /// Throws Interrupted if the owner stops the run. Reads the clock: not for every event.
  void tell(double simulated_s, std::uint64_t messages) {
    if (!progress_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    if (!progress_(simulated_s, messages)) interrupt(simulated_s, messages);
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[noreturn]] static void interrupt(double simulated_s, std::uint64_t messages);

  std::function<bool(double, std::uint64_t)> progress_;
  Clock::time_point next_ = Clock::now();
};

}  // namespace orrery::engine
