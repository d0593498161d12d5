/// Runs work in forked children, so that a crash or a deadlock of one point costs only that point - and because a
/// process can hold only one SimGrid simulation.
///
/// What the child returns are bytes (wire_format.hpp turns results into them). An orrery::Error thrown in the child is
/// thrown again here as the same kind; a child killed by a signal becomes a ReplayError that names the task. While it
/// works a child may tell how far it is: that comes through the same pipe.
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

/// False where a system has neither processes nor threads (in_turn.cpp): tasks are run one after the other then, here.
bool has_threads();

struct Task {
  std::string name;  ///< opens the message when the child crashes
  /// Runs in the child; `tell` takes what an engine tells and never says stop: the parent ends its children itself.
  std::function<std::string(const ReplayProgress& tell)> body;
};

/// Outcome of one task: its bytes, or the error it ended with.
struct Outcome {
  std::string bytes;
  int exit_code = 0;  ///< 0: bytes are valid; otherwise the code of the Error
  Refusal error;

  /// The bytes; throws the error as its own kind.
  const std::string& value() const;
};

/// Runs one function in a child and returns its bytes.
std::string run_isolated(const std::string& name, const std::function<std::string()>& body);

/// Keeps up to `jobs` children going until every task has ended. `on_done` is called here, as tasks end (any order),
/// with the index of the task; it may move the outcome away. The result is in the order of the tasks. `on_told` passes
/// on what a task told. `poll` is called at least every 100 ms; returning false ends the children and throws
/// Interrupted.
std::vector<Outcome> run_isolated(unsigned jobs, const std::vector<Task>& tasks,
                                  const std::function<void(std::size_t, Outcome&)>& on_done = {},
                                  const std::function<bool()>& poll = {},
                                  const std::function<void(std::size_t, double, std::uint64_t)>& on_told = {});

}  // namespace orrery::engine
