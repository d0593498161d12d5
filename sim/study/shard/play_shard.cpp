#include "sim/study/shard/play_shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "sim/config/folders.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/play/point_player.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/play/survey.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/shard/simulations.hpp"
#include "sim/study/store/output_folder.hpp"

namespace orrery::study {

namespace {

using namespace std::chrono_literals;

/// Counts points as their engines end with them, and writes the state down now and then.
class ShardProgress {
 public:
  ShardProgress(std::string folder, ShardState& state, std::size_t engines)
      : folder_(std::move(folder)), state_(state), engines_left_(state.points, engines), failed_(state.points, false) {}

  void ended(std::size_t point, bool failed) {
    if (failed) failed_[point] = true;
    if (--engines_left_[point] > 0) return;
    ++(failed_[point] ? state_.failed : state_.done);
    if (std::chrono::steady_clock::now() - written_ > 1s) write();
  }
  void write() {
    write_state(folder_, state_);
    written_ = std::chrono::steady_clock::now();
  }

 private:
  std::string folder_;
  ShardState& state_;
  std::vector<std::size_t> engines_left_;
  std::vector<bool> failed_;
  std::chrono::steady_clock::time_point written_ = {};
};

ShardState first_state(const RunRequest& request, const ShardNumber& shard, const Scenario& scenario) {
  return {.name = scenario.name,
          .directory = config::working_folder(),
          .identity = identity_of(request),
          .build = build_identity(),
          .request = request,
          .shard = shard};
}

/// Every point of the part that has not ended, on every engine.
void play_part(const Scenario& part, Simulations& all, RunOptions& run, ResultStore& store, ShardState& state,
               const std::string& folder) {
  const LoadedPoints points(part, false, std::ref(all.candidate_time()));
  const auto survey = survey_of(part, points, nullptr, run, "\n" + nothing_played(part).text());
  const auto engines = engines_of(part.engine);
  ShardProgress progress(folder, state, engines.size());
  run.on_ended = [&](std::size_t point, bool failed) { progress.ended(point, failed); };
  std::vector<PointPlayer> players;
  for (const auto& engine : engines) players.emplace_back(part, points, survey, run, store, engine);
  if (run.resume)
    for (const auto& player : players)
      for (std::size_t i = 0; i < survey.size(); ++i)
        if (player.finished(i)) progress.ended(i, false);
  progress.write();
  tell("shard {} of {}: {} of {} points finished, {} left\n", state.shard.text(), part.name, state.done, state.points,
       state.left());
  tell_slow(engines.front(), survey, run);
  store.begin();
  try {
    for (auto& player : players) player.play();
  } catch (const Interrupted&) {
    progress.write();
    throw;
  }
  std::set<std::string> ids;
  for (const auto& point : survey) ids.insert(point.id);
  store.end(ids, [] {});
}

}  // namespace

ShardState play_shard(const RunRequest& request, const ShardNumber& shard, const std::string& folder,
                      const ShardOptions& options) {
  RunOptions run = options_of(request, options.jobs);
  run.resume = options.resume;
  Simulations all(request, options.jobs);
  const auto which = packed(all.costs(), shard.of).at(shard.number - 1);
  run.all_points = all.size();
  ShardState state = first_state(request, shard, all.scenario());
  state.points = which.size();
  state.all_points = all.size();
  require_writable(folder);
  ResultStore store(ResultStore::file_in(folder));
  if (which.empty())
    tell("shard {} of {}: has no point (there are {}, and {} shards)\n", shard.text(), state.name, all.size(),
         shard.of);
  else
    play_part(all.part(which), all, run, store, state, folder);
  for (const auto& notice : store.notices()) tell("{}\n", notice);
  state.ended = true;
  write_state(folder, state);
  return state;
}

}  // namespace orrery::study
