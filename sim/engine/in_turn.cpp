/// In the place of isolate.cpp where there are no processes and no threads (WebAssembly): tasks are run one after the
/// other, here. What would crash a child ends the module, and whoever runs that starts it anew.
#include "sim/core/error.hpp"
#include "sim/engine/isolate.hpp"

namespace orrery::engine {

namespace {

constexpr int internal_error = 1;

Outcome outcome_of(const Task& task, const ReplayProgress& tell) {
  try {
    return {task.body(tell), 0, {}};
  } catch (const Error& error) {
    return {{}, error.exit_code(), error.refusal()};
  } catch (const std::exception& error) {
    return {{}, internal_error, Refusal("{}: {}", task.name, error.what())};
  }
}

}  // namespace

bool has_threads() { return false; }

std::vector<Outcome> run_isolated(unsigned, const std::vector<Task>& tasks,
                                  const std::function<void(std::size_t, Outcome&)>& on_done,
                                  const std::function<bool()>& poll,
                                  const std::function<void(std::size_t, double, std::uint64_t)>& on_told) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto tell = [&](double simulated_s, std::uint64_t messages) {
      if (on_told) on_told(i, simulated_s, messages);
      return !poll || poll();
    };
    outcomes.push_back(outcome_of(tasks[i], tell));
    if (on_done) on_done(i, outcomes.back());
    if (poll && !poll()) throw Interrupted("interrupted: the running simulations were stopped");
  }
  return outcomes;
}

}  // namespace orrery::engine
