#include "sim/study/play/point_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/engine/wire_format.hpp"
#include "sim/study/play/crash.hpp"
#include "sim/study/play/detail.hpp"
#include "sim/study/play/expected_messages.hpp"
#include "sim/study/play/jobs_alone.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/played_point.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t path_ranks_max = 16384;  // up to so many the critical path is kept unasked
constexpr int stopped = 130;

/// How a point failed, as the store keeps it: exit code, a line's end, the refusal.
std::string failure_bytes(const engine::Played& failed) {
  return fmt::format("{}\n{}", failed.exit_code, failed.error.bytes());
}

engine::Played failure_from(const std::string& bytes) {
  const auto end = std::min(bytes.find('\n'), bytes.size());
  return {
      {}, std::atoi(bytes.substr(0, end).c_str()), Refusal::from_bytes(bytes.substr(std::min(end + 1, bytes.size())))};
}

}  // namespace

/// The messages of all points to come. What the survey did not count to the end is counted on while points are played,
/// for a fifth of the time that the caller's thread has.
class PointPlayer::Expectation {
 public:
  Expectation(const PointPlayer& player, const std::vector<std::size_t>& which) : player_(player) {
    for (const std::size_t i : which)
      if (player.survey_[i].more)
        uncounted_.push_back(i);
      else
        counted_ += player.survey_[i].messages;
  }

  /// 0 until it is known.
  std::uint64_t messages() const { return uncounted_.empty() ? counted_ : 0; }

  void advance() {
    using namespace std::chrono_literals;
    const auto begin = Clock::now();
    while (!uncounted_.empty() && begin >= next_) {
      if (!count_) {
        point_ = player_.points_.at(uncounted_.back());
        count_.emplace(*point_->program);
      }
      const About about("counting the messages of", player_.points_.label(uncounted_.back()));
      count_->advance(10'000);
      if (count_->whole()) {
        counted_ += count_->messages();
        count_.reset();
        uncounted_.pop_back();
      }
      if (Clock::now() - begin > 20ms) next_ = Clock::now() + 80ms;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  const PointPlayer& player_;
  std::vector<std::size_t> uncounted_;
  std::uint64_t counted_ = 0;
  std::shared_ptr<const LoadedPoint> point_;
  std::optional<MessageCount> count_;
  Clock::time_point next_ = Clock::now();
};

PointPlayer::PointPlayer(const Scenario& scenario, const LoadedPoints& points, const std::vector<SurveyedPoint>& survey,
                         const RunOptions& options, ResultStore& store, std::string engine)
    : scenario_(scenario),
      points_(points),
      survey_(survey),
      options_(options),
      store_(store),
      engine_(std::move(engine)) {}

ReplayOptions PointPlayer::replay_options(std::size_t point) const {
  ReplayOptions replay;
  replay.staging_in_compute_model = survey_[point].staging_in_compute_model;
  replay.approximate = scenario_.approximate;
  replay.alike_once = scenario_.alike_once;
  replay.intervals_max = options_.intervals_max.value_or(
      options_.full ? ReplayOptions().intervals_max
                    : intervals_per_rank(survey_[point].ranks, std::max(options_.all_points, survey_.size())));
  replay.critical_path =
      options_.critical_path.value_or(!scenario_.alike_once && survey_[point].ranks <= path_ranks_max);
  options_.trace.apply(replay, survey_[point].ranks, survey_[point].stages);
  return replay;
}

const config::Fields<ReplayOptions>& replay_fields() {
  using Options = ReplayOptions;
  config::Field<Options> ranks{{.name = "trace-ranks"}};
  ranks.value = [](const Options& options) -> config::FieldValue {
    if (options.trace_ranks.empty()) return {};
    std::vector<double> listed;
    for (const Rank rank : options.trace_ranks) listed.push_back(static_cast<double>(index(rank)));
    return listed;
  };
  static const config::Fields<Options> fields{
      {.name = "", .about = "how a point is played and what is kept of it"},
      {{&Options::load_bins, {.name = "load-bins"}},
       {&Options::intervals_max, {.name = "intervals"}},
       {&Options::tight_precision, {.name = "tight-precision"}},
       {&Options::staging_in_compute_model, {.name = "staging-in-compute-model"}},
       {&Options::approximate, {.name = "approximate"}},
       {&Options::alike_once, {.name = "alike-once"}},
       {&Options::critical_path, {.name = "critical-path"}},
       {&Options::path_events, {.name = "path-events"}},
       {&Options::seed, {.name = "seed"}},
       ranks,
       {&Options::trace_from_s, {.name = "trace-from"}},
       {&Options::trace_until_s, {.name = "trace-until"}}}};
  return fields;
}

/// The id has what is played; how it is played, and what is kept of it, is in the tables.
ResultKey PointPlayer::key(std::size_t point) const {
  return {survey_[point].id, engine_ + (options_.full ? " full\n" : "\n") +
                                 config::identity_of(scenario_detail::scenario_fields(), scenario_) +
                                 config::identity_of(replay_fields(), replay_options(point))};
}

ResultKey PointPlayer::failure_key(std::size_t point) const {
  ResultKey failed = key(point);
  failed.made = "failed " + failed.made;
  return failed;
}

RunResult PointPlayer::played(const LoadedPoint& point, const ReplayOptions& options) const {
  if (!point.jobs.empty()) return play_jobs(point, options, engine_);
  return play_point(point, options, engine_, scenario_.steady);
}

bool PointPlayer::finished(std::size_t point) const { return kept(point).has_value(); }

bool PointPlayer::ended(std::size_t point) const { return finished(point) || store_.contains(failure_key(point)); }

void PointPlayer::play() {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < survey_.size(); ++i)
    if (options_.plays(i) && (!options_.resume || !(options_.merged ? ended(i) : finished(i)))) which.push_back(i);
  play(which);
}

void PointPlayer::play(const std::vector<std::size_t>& which) {
  std::vector<engine::Simulation> simulations;
  simulations.reserve(which.size());
  for (const std::size_t i : which) {
    simulations.push_back({label_of(scenario_.points.settings(i), scenario_), [this, i](const ReplayProgress& tell) {
                             const auto point = points_.at(i);
                             keep_stack_for_crash();
                             const About about("playing", points_.label(i));
                             ReplayOptions replay = replay_options(i);
                             replay.progress = tell;
                             RunResult run = played(*point, replay);
                             if (!options_.full) keep_busiest_loads(run);
                             return run;
                           }});
  }
  const auto keep = [&](std::size_t n, engine::Played played) {
    if (played.exit_code == stopped) return;
    const bool failed = played.exit_code != 0;
    if (!failed) {
      store_.keep(key(which[n]), engine::to_bytes(played.result));
    } else {
      store_.keep(failure_key(which[n]), failure_bytes(played));  // for who merges; another run plays it again
      failed_[which[n]] = std::move(played);
    }
    if (options_.on_ended) options_.on_ended(which[n], failed);
  };
  Expectation expected(*this, which);
  SimulationProgress progress(options_.side + "simulating on " + engine_, expected.messages());
  engine::play_each({.jobs = options_.jobs, .threads = make_engine(engine_, "engine")->reentrant()}, simulations, keep,
                    [&](const engine::BatchState& state) {
                      if (interrupted()) return false;
                      if (!options_.progress) return true;
                      expected.advance();
                      progress.expect(expected.messages());
                      progress.update(state);
                      return true;
                    });
}

std::optional<RunResult> PointPlayer::kept(std::size_t point) const {
  const auto bytes = store_.find(key(point));
  if (!bytes) return std::nullopt;
  try {
    return engine::from_bytes(*bytes);
  } catch (const std::exception&) {  // its checksum is right, and it is no result: somebody else wrote it
    return std::nullopt;
  }
}

engine::Played PointPlayer::result(std::size_t point) {
  auto run = kept(point);
  if (!run && options_.merged && !failed_.contains(point))
    if (const auto failure = store_.find(failure_key(point))) return failure_from(*failure);
  if (!run && !failed_.contains(point)) {
    play({point});
    run = kept(point);
  }
  if (run) return {std::move(*run), 0, {}};
  if (const auto failed = failed_.find(point); failed != failed_.end()) return failed->second;
  throw ReplayError("{}: gives back no result of point '{}', though it took one. Remove the file?", store_.file(),
                    points_.label(point));
}

}  // namespace orrery::study
