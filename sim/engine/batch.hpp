/// Runs many simulations in parallel: on threads of this process if the engine allows it, else (SimGrid) each in a
/// forked child. The results do not depend on `jobs`, an error in one simulation costs only that one, and the caller
/// gets the progress of all.
///
///   const auto played = play_all({.jobs = 2}, {{"a point", [&](const ReplayProgress& tell) { ... }}, ...}, poll);
///
/// A crash (a signal) in a child costs only its point; on a thread it ends the process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/refusal.hpp"
#include "sim/engine/engine.hpp"

namespace orrery::engine {

struct Simulation {
  std::string name;  ///< begins the message about its crash
  /// Passes `tell` to the engine as ReplayOptions::progress. Runs in the child or on the thread.
  std::function<RunResult(const ReplayProgress& tell)> play;
};

/// The result of one simulation, or its error.
struct Played {
  RunResult result;
  int exit_code = 0;  ///< 0: the result is valid; otherwise the code of the Error
  Refusal error;

  /// The result; throws the error with its original type.
  const RunResult& value() const;
};

/// Progress of a batch.
struct BatchState {
  struct UnderWay {
    std::size_t simulation;
    double simulated_s;
    std::uint64_t messages;
  };
  std::size_t done = 0, total = 0;
  std::size_t last_done = 0;         ///< number of the simulation that ended last, once done > 0
  std::uint64_t messages_ended = 0;  ///< of the simulations that have ended
  std::vector<UnderWay> under_way;   ///< in order of the simulations

  std::uint64_t messages() const;  ///< of all, so far
};

struct BatchOptions {
  unsigned jobs = 1;
  bool threads = false;  ///< the engine is reentrant
};

/// Receives each simulation that has ended: its number and its result.
using OnEnded = std::function<void(std::size_t simulation, Played played)>;

/// Passes on each simulation when it ends, in any order, on the caller's thread; memory that the caller releases is
/// free. `poll` is called at least every 100 ms, and once when all have ended. If it returns false earlier, the running
/// simulations are stopped, all ended ones are passed on, and Interrupted is thrown with the simulated time reached.
void play_each(const BatchOptions& options, const std::vector<Simulation>& simulations, const OnEnded& on_ended,
               const std::function<bool(const BatchState&)>& poll = {});

/// The same, with the results kept in the order of the simulations.
std::vector<Played> play_all(const BatchOptions& options, const std::vector<Simulation>& simulations,
                             const std::function<bool(const BatchState&)>& poll = {});

/// "the simulation had reached t=0.12s, 3400 messages", or how many of several had ended.
std::string progress_sentence(const BatchState& state);

}  // namespace orrery::engine
