#include "sim/study/play/point_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/core/byte_codec.hpp"
#include "sim/core/doing.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/study/play/detail.hpp"
#include "sim/study/play/progress.hpp"

namespace orrery::study {

namespace {

constexpr int no_replay = 4;  // of a ReplayError: the program's own fault

/// The points each child answers for: one each while they are few, so that all cores have work to the end.
std::size_t points_per_child(std::size_t points, unsigned jobs) {
  return std::clamp<std::size_t>(points / (std::size_t{16} * std::max(1u, jobs)), 1, 64);
}

/// What a child tells ten times a second: which of its points it is at, and how many iterations of it were read.
class Teller {
 public:
  explicit Teller(const ReplayProgress& tell) : tell_(tell) {}
  void operator()(std::size_t at, std::uint64_t read) {
    if (read % 256 != 0 || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    tell_(static_cast<double>(at), read);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const ReplayProgress& tell_;
  Clock::time_point next_ = Clock::now();
};

/// Answers for points that follow each other, as the child hands them over: length and bytes of each.
std::string answers_of(const PhaseModels& models, const LoadedPoints& points, const std::vector<std::size_t>& which,
                       const ReplayProgress& tell) {
  std::string all;
  Teller told(tell);
  for (std::size_t n = 0; n < which.size(); ++n) {
    told(n, 0);
    const auto point = points.at(which[n]);
    const About about("predicting", points.label(which[n]));
    const auto phases = build_phases(*point->program, [&](std::uint64_t read) { told(n, read); });
    doing.rank = nobody;  // a model's fault from here on
    doing.step = 0;
    const std::string bytes = to_bytes(models.predict(point->prediction_input(phases)));
    const std::size_t size = bytes.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof size);
    all += bytes;
  }
  return all;
}

std::vector<std::string> split(const std::string& all) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at + sizeof(std::size_t) <= all.size();) {
    std::size_t size = 0;
    all.copy(reinterpret_cast<char*>(&size), sizeof size, at);
    parts.push_back(all.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  return parts;
}

class Asking {
 public:
  Asking(const PhaseModels& models, const LoadedPoints& points, const std::vector<SurveyedPoint>& survey,
         const RunOptions& options, ResultStore& store)
      : models_(models), points_(points), survey_(survey), options_(options), store_(store) {}

  std::vector<PointAnswer> ask() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < survey_.size(); ++i) {
      keys_.push_back({survey_[i].id, models_.models_id(survey_[i].platform, survey_[i].network)});
      if (!options_.resume || !was_answered(i)) open.push_back(i);
    }
    const std::size_t each = points_per_child(open.size(), options_.jobs);
    std::vector<std::vector<std::size_t>> shares;
    for (std::size_t at = 0; at < open.size(); at += each)
      shares.emplace_back(open.begin() + static_cast<std::ptrdiff_t>(at),
                          open.begin() + static_cast<std::ptrdiff_t>(std::min(at + each, open.size())));
    ask(shares, open.size());
    // A child that ended with an error says nothing of its other points: each is asked alone.
    std::vector<std::vector<std::size_t>> alone;
    for (const auto& share : failed_)
      for (const std::size_t i : share) alone.push_back({i});
    failed_.clear();
    ask(alone, alone.size());
    if (!errors_.empty()) errors_.begin()->second.value();  // throws that of the first point
    return std::move(answers_);
  }

 private:
  void ask(const std::vector<std::vector<std::size_t>>& shares, std::size_t asked) {
    Progress progress(options_.side + "predicting", asked);
    std::size_t answered = 0;
    std::map<std::size_t, std::pair<std::size_t, std::uint64_t>> under_way;  // points answered, iterations read
    std::vector<engine::Task> tasks;
    for (const auto& share : shares)
      tasks.push_back({"prediction", [this, &share](const ReplayProgress& tell) {
                         return answers_of(models_, points_, share, tell);
                       }});
    const auto on_done = [&](std::size_t task, engine::Outcome& outcome) {
      answered += shares[task].size();
      under_way.erase(task);
      take(shares[task], outcome);
    };
    const auto on_told = [&](std::size_t task, double at, std::uint64_t read) {
      under_way[task] = {static_cast<std::size_t>(at), read};
    };
    const auto poll = [&] {
      throw_if_interrupted(Refusal("{} of {} points were predicted", answered, asked));
      if (!options_.progress) return true;
      std::size_t done = answered;
      std::uint64_t reading = 0;
      for (const auto& [task, at] : under_way) {
        done += at.first;
        reading += at.second;
      }
      progress.update(done, reading > 0 ? fmt::format("{} iterations read", reading) : "");
      return true;
    };
    engine::run_isolated(options_.jobs, tasks, on_done, poll, on_told);
  }

  /// In an earlier run, as the store has it; what is no answer, though its checksum is right, is asked again.
  bool was_answered(std::size_t point) {
    const auto bytes = store_.find(keys_[point]);
    if (!bytes) return false;
    try {
      set_answer(point, *bytes);
    } catch (const std::exception&) {
      return false;
    }
    return true;
  }

  void set_answer(std::size_t point, const std::string& bytes) {
    auto& predictions = answers_[point].predictions = from_bytes<std::vector<Prediction>>(bytes);
    if (many_points(survey_.size()) && !options_.full)
      for (auto& prediction : predictions) prediction.terms = {};
  }

  void take(const std::vector<std::size_t>& share, engine::Outcome& outcome) {
    if (outcome.exit_code == 0) {
      const auto parts = split(outcome.bytes);
      for (std::size_t n = 0; n < share.size(); ++n) {
        store_.keep(keys_[share[n]], parts.at(n));
        set_answer(share[n], parts[n]);
      }
    } else if (share.size() > 1) {
      failed_.push_back(share);
    } else if (outcome.exit_code == no_replay) {
      answers_[share.front()].failure = outcome.error;
    } else {
      errors_[share.front()] = outcome;
    }
    outcome = {};
  }

  const PhaseModels& models_;
  const LoadedPoints& points_;
  const std::vector<SurveyedPoint>& survey_;
  const RunOptions& options_;
  ResultStore& store_;
  std::vector<ResultKey> keys_;
  std::vector<PointAnswer> answers_ = std::vector<PointAnswer>(survey_.size());
  std::vector<std::vector<std::size_t>> failed_;
  std::map<std::size_t, engine::Outcome> errors_;
};

}  // namespace

std::vector<PointAnswer> predict_points(const PhaseModels& models, const LoadedPoints& points,
                                        const std::vector<SurveyedPoint>& survey, const RunOptions& options,
                                        ResultStore& store) {
  if (models.empty()) return std::vector<PointAnswer>(survey.size());
  return Asking(models, points, survey, options, store).ask();
}

}  // namespace orrery::study
