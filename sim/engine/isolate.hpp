/// Runs work in forked children, so that a crash or a deadlock of one point costs only that point - and because a
/// process can hold only one SimGrid simulation.
///
/// A child returns bytes (wire_format.hpp converts results). An orrery::Error thrown in the child is thrown again here
/// with the same type; a child killed by a signal becomes a ReplayError that names the task. A running child may report
/// its progress through the same pipe.
///
/// Differs  where there are no processes (WebAssembly): in_turn.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/refusal.hpp"
#include "sim/engine/engine.hpp"

namespace orrery::engine {

/// False on a system without processes and threads (in_turn.cpp): tasks then run here, one after the other.
bool has_threads();

struct Task {
  std::string name;  ///< begins the message if the child crashes
  /// Runs in the child; `tell` takes an engine's progress and never asks to stop: the parent ends its children itself.
  std::function<std::string(const ReplayProgress& tell)> body;
};

/// Outcome of one task: its bytes, or its error.
struct Outcome {
  std::string bytes;
  int exit_code = 0;  ///< 0: bytes are valid; otherwise the code of the Error
  Refusal error;

  /// The bytes; throws the error with its original type.
  const std::string& value() const;
};

/// Runs one function in a child and returns its bytes.
std::string run_isolated(const std::string& name, const std::function<std::string()>& body);

/// Runs up to `jobs` children at a time until every task has ended. `on_done` is called here when a task ends (in any
/// order), with the index of the task; it may move the outcome away. The result is in the order of the tasks. `on_told`
/// gets the progress of a task. `poll` is called at least every 100 ms; returning false ends the children and throws
/// Interrupted.
std::vector<Outcome> run_isolated(unsigned jobs, const std::vector<Task>& tasks,
                                  const std::function<void(std::size_t, Outcome&)>& on_done = {},
                                  const std::function<bool()>& poll = {},
                                  const std::function<void(std::size_t, double, std::uint64_t)>& on_told = {});

}  // namespace orrery::engine
