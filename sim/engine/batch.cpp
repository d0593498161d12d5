#include "sim/engine/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/engine/wire_format.hpp"

namespace orrery::engine {

namespace {

constexpr std::chrono::milliseconds poll_interval(100);

using Poll = std::function<bool(const BatchState&)>;

[[noreturn]] void interrupt(const BatchState& state) { throw Interrupted("interrupted: {}", progress_sentence(state)); }

void set_ended(BatchState& state, std::size_t simulation, std::uint64_t messages) {
  std::erase_if(state.under_way, [&](const auto& one) { return one.simulation == simulation; });
  state.messages_ended += messages;
  state.last_done = simulation;
  ++state.done;
}

void set_told(BatchState& state, std::size_t simulation, double simulated_s, std::uint64_t messages) {
  const auto at = std::ranges::lower_bound(state.under_way, simulation, {}, &BatchState::UnderWay::simulation);
  if (at != state.under_way.end() && at->simulation == simulation)
    *at = {simulation, simulated_s, messages};
  else
    state.under_way.insert(at, {simulation, simulated_s, messages});
}

void play_in_children(unsigned jobs, const std::vector<Simulation>& simulations, const OnEnded& on_ended,
                      const Poll& poll) {
  BatchState state{.total = simulations.size()};
  std::vector<Task> tasks;
  for (const auto& simulation : simulations)
    tasks.push_back({simulation.name, [&](const ReplayProgress& tell) { return to_bytes(simulation.play(tell)); }});
  const auto on_done = [&](std::size_t i, Outcome& outcome) {
    Played played{{}, outcome.exit_code, std::move(outcome.error)};
    if (outcome.exit_code == 0) played.result = from_bytes(outcome.bytes);
    outcome = {};
    set_ended(state, i, played.result.messages);
    on_ended(i, std::move(played));
  };
  const auto on_told = [&](std::size_t i, double simulated_s, std::uint64_t messages) {
    set_told(state, i, simulated_s, messages);
  };
  const auto go_on = [&] {
    if (poll && !poll(state)) interrupt(state);  // leaving ends the children
    return true;
  };
  run_isolated(jobs, tasks, on_done, go_on, on_told);
  if (poll) poll(state);  // the last end may have come after the last question
}

/// Workers take the next simulation each; one mutex guards what they tell, ten times a second each at most, and what
/// has ended and was not handed over yet.
class Threads {
 public:
  explicit Threads(const std::vector<Simulation>& simulations)
      : simulations_(simulations), state_{.total = simulations.size()} {}
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    taken_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  void play(unsigned jobs, const OnEnded& on_ended, const Poll& poll) {
    start(std::min<std::size_t>(std::max(1u, jobs), simulations_.size()));
    for (;;) {
      std::vector<Ended> ended;
      const BatchState now = wait(ended);
      for (auto& [simulation, played] : ended) on_ended(simulation, std::move(played));
      if (poll && !poll(now)) interrupt(now);
      if (now.done == now.total) return;
    }
  }

 private:
  using Ended = std::pair<std::size_t, Played>;
  static constexpr std::size_t waiting_max = 64;  ///< results that wait to be handed over: their memory is not bounded

  /// As many as there can be: one will do.
  void start(std::size_t workers) {
    try {
      while (workers_.size() < workers) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      if (workers_.empty())
        throw ReplayError("cannot start a thread: {}. Raise the limits of processes and memory (ulimit)?",
                          error.code().message());
    }
  }

  BatchState wait(std::vector<Ended>& ended) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, poll_interval, [this] { return !ended_.empty(); });
    ended.swap(ended_);
    taken_.notify_all();
    return state_;
  }

  void work() {
    for (std::size_t i = next_++; i < simulations_.size() && !stop_; i = next_++) {
      Played played = play_one(i);
      std::unique_lock lock(mutex_);
      taken_.wait(lock, [this] { return ended_.size() < waiting_max || stop_; });
      set_ended(state_, i, played.result.messages);
      ended_.emplace_back(i, std::move(played));
      changed_.notify_one();
    }
  }

  Played play_one(std::size_t i) {
    const auto tell = [this, i](double simulated_s, std::uint64_t messages) {
      const std::lock_guard lock(mutex_);
      set_told(state_, i, simulated_s, messages);
      return !stop_;
    };
    Played played;
    try {
      played.result = simulations_[i].play(tell);
    } catch (const Error& error) {
      played = {{}, error.exit_code(), error.refusal()};
    } catch (const std::exception& error) {
      played = {{}, 1, Refusal("{}: {}", simulations_[i].name, error.what())};
    }
    return played;
  }

  const std::vector<Simulation>& simulations_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_, taken_;
  BatchState state_;          ///< guarded by the mutex
  std::vector<Ended> ended_;  ///< likewise
  std::vector<std::thread> workers_;
};

}  // namespace

const RunResult& Played::value() const {
  if (exit_code != 0) Outcome{{}, exit_code, error}.value();
  return result;
}

std::uint64_t BatchState::messages() const {
  std::uint64_t sum = messages_ended;
  for (const auto& one : under_way) sum += one.messages;
  return sum;
}

std::string progress_sentence(const BatchState& state) {
  const auto place = [](const BatchState::UnderWay& one) {
    return fmt::format("t={:.6g}s, {} messages", one.simulated_s, one.messages);
  };
  if (state.total == 1)
    return state.under_way.empty() ? "the simulation had not begun"
                                   : "the simulation had reached " + place(state.under_way.front());
  std::string text = fmt::format("{} of {} simulations were complete", state.done, state.total);
  if (state.under_way.empty()) return text;
  const auto furthest = std::ranges::max_element(state.under_way, {}, &BatchState::UnderWay::messages);
  return text + fmt::format("; {} running, the furthest at {}", state.under_way.size(), place(*furthest));
}

void play_each(const BatchOptions& options, const std::vector<Simulation>& simulations, const OnEnded& on_ended,
               const Poll& poll) {
  if (simulations.empty()) return;
  if (options.threads && has_threads())
    Threads(simulations).play(options.jobs, on_ended, poll);
  else
    play_in_children(options.jobs, simulations, on_ended, poll);
}

std::vector<Played> play_all(const BatchOptions& options, const std::vector<Simulation>& simulations,
                             const Poll& poll) {
  std::vector<Played> all(simulations.size());
  play_each(
      options, simulations, [&](std::size_t i, Played played) { all[i] = std::move(played); }, poll);
  return all;
}

}  // namespace orrery::engine
