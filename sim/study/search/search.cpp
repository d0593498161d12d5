#include "sim/study/search/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/search/candidates.hpp"

namespace orrery::study {

namespace {

/// Points played before it is looked which of the others may still be better; not by `jobs`, so that the same are.
constexpr std::size_t together = 16;

struct Found {
  std::size_t point = 0;
  double value = never;  ///< of what is sought, less is better; never: it failed
  std::string breaks;    ///< the bound that it does not keep
  double beyond = 0.0;   ///< by how much it does not, relative to the bound
};

/// What is played and not judged by what a paper says of the whole sweep.
Scenario to_play(const Scenario& scenario) {
  Scenario played = scenario;
  played.choose.reset();
  played.published.clear();
  played.tolerances.clear();
  played.average_over.clear();
  played.speed_up_over.clear();
  played.measured.reset();
  played.measured_file.clear();
  std::erase_if(played.models, [](const ModelSpec& model) { return model.is_own() || model.fitted_to_runs(); });
  return played;
}

Points some_of(const Points& points, std::vector<std::size_t> which) {
  const auto from = std::make_shared<const Points>(points);
  const auto kept = std::make_shared<const std::vector<std::size_t>>(std::move(which));
  return {kept->size(), [from, kept](std::size_t point) { return (*from)[(*kept)[point]]; },
          [from, kept](std::size_t point) { return from->settings((*kept)[point]); }};
}

class Search {
 public:
  Search(const Scenario& scenario, const RunOptions& options, ResultStore& store)
      : scenario_(scenario), spec_(scenario.search), options_(options), store_(store), played_(to_play(scenario)) {
    options_.all_points = scenario.points.size();  // so that as much of a run is kept however many are played together
  }

  ScenarioRun run() {
    if (!scenario_.points[0].jobs.empty())
      throw InputError(
          "{}: 'jobs' (a search is for the best run of one program). Play the whole sweep with 'orrery run'?",
          scenario_.file);
    std::tie(candidates_, left_out_) = candidates_of(played_, options_);
    if (candidates_.empty()) refuse_all();
    std::ranges::stable_sort(candidates_, {}, &Candidate::at_best);
    spec_.model.empty() ? play_all_that_may_be_best() : play_proposals();
    return result();
  }

 private:
  [[noreturn]] void refuse_all() const;
  void play_all_that_may_be_best();
  void play_proposals();
  void play(std::size_t first, std::size_t last);
  Found found(const Candidate& candidate, const PointResult& point) const;
  Quantity required(const PointResult& point, const std::string& quantity, const std::string& where) const;
  double best() const;
  ScenarioRun result();
  std::vector<std::string> notes(const std::vector<PointResult>& points) const;
  std::string left_out_note() const;
  std::string nearest(const std::vector<PointResult>& points) const;

  const Scenario& scenario_;
  const SearchSpec& spec_;
  RunOptions options_;
  ResultStore& store_;
  Scenario played_;
  std::vector<Candidate> candidates_;
  LeftOut left_out_;
  std::vector<Found> found_;
  std::size_t pruned_ = 0;
};

void Search::refuse_all() const {
  if (!left_out_.refused.empty() && left_out_.by_bound.empty()) throw InputError(left_out_.refused.front());
  throw DomainError("{}: no point is permitted ({}). Widen a bound?", spec_.where, left_out_note());
}

double Search::best() const {
  double least = never;
  for (const Found& one : found_)
    if (one.breaks.empty()) least = std::min(least, one.value);
  return least;
}

/// All that may be: by what they are at best, so that nothing after the first one that is worse can be better.
void Search::play_all_that_may_be_best() {
  const bool bounded = std::ranges::any_of(candidates_, [](const auto& one) { return one.at_best > -never; });
  std::size_t next = 0;
  const auto play_next = [&](std::size_t some) {
    const std::size_t last = std::min(next + some, candidates_.size());
    play(next, last);
    next = last;
  };
  play_next(1);  // which tells what metrics there are
  while (next < candidates_.size()) {
    const double least = best();
    const auto worse = std::ranges::find_if(candidates_.begin() + static_cast<std::ptrdiff_t>(next), candidates_.end(),
                                            [&](const auto& one) { return one.at_best > least; });
    pruned_ = static_cast<std::size_t>(candidates_.end() - worse);
    candidates_.erase(worse, candidates_.end());
    if (next < candidates_.size()) play_next(bounded ? together : candidates_.size());
  }
}

/// So many as are to be confirmed; more while none of them keeps the bounds.
void Search::play_proposals() {
  std::size_t next = 0;
  while (next < candidates_.size() && best() == never) {
    const std::size_t last = std::min<std::size_t>(next + spec_.confirm, candidates_.size());
    play(next, last);
    next = last;
  }
  pruned_ = candidates_.size() - next;
  candidates_.resize(next);
}

void Search::play(std::size_t first, std::size_t last) {
  Scenario some = played_;
  some.models.clear();
  std::vector<std::size_t> which;
  for (std::size_t c = first; c < last; ++c) which.push_back(candidates_[c].point);
  some.points = some_of(scenario_.points, which);
  const std::size_t before = found_.size();
  try {
    const ScenarioResult result = run_scenario(some, options_, store_).result;
    for (std::size_t c = first; c < last; ++c) found_.push_back(found(candidates_[c], result.points[c - first]));
  } catch (const ReplayError&) {  // each of them failed, as the result will say
    for (const std::size_t point : which) found_.push_back({.point = point});
  } catch (const Stopped& stop) {
    throw Stopped(stop.refusal(), before + stop.finished, candidates_.size(), stop.benchmarks);
  }
}

Quantity Search::required(const PointResult& point, const std::string& quantity, const std::string& where) const {
  if (const auto its = quantity_of(point, quantity)) return *its;
  throw InputError("{}: no quantity '{}' is known of the runs{}", where, quantity,
                   known_names(quantity, quantities_of(point)));
}

Found Search::found(const Candidate& candidate, const PointResult& point) const {
  Found found{.point = candidate.point};
  if (!point.failure.empty()) return found;
  const auto quantity_at = [&](const std::string& name, const std::string& where) {
    return is_fact(name) ? fact(candidate.facts, name) : required(point, name, where);
  };
  found.value = worth(spec_, quantity_at(spec_.objective, spec_.where));
  for (const auto& bound : spec_.bounds)
    if (!keeps(bound, quantity_at(bound.quantity, bound.where))) {
      found.breaks = words_of(bound);
      found.beyond = beyond(bound, quantity_at(bound.quantity, bound.where));
      break;
    }
  return found;
}

ScenarioRun Search::result() {
  std::ranges::stable_sort(found_, {}, [](const Found& one) {
    return std::pair(one.value == never ? 2 : one.breaks.empty() ? 0 : 1, one.value);
  });
  std::vector<std::size_t> order;
  for (const Found& one : found_) order.push_back(one.point);
  Scenario all = played_;
  all.points = some_of(scenario_.points, order);
  RunOptions options = options_;
  options.merged = options.resume = true;  // of what was just played
  ScenarioRun run = run_scenario(all, options, store_);
  const double least = best();
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (found_[i].breaks.empty() && found_[i].value < never && least != 0.0)
      run.result.points[i].metrics.push_back({"behind", 100.0 * std::abs(found_[i].value / least - 1.0), "%"});
  auto notes = this->notes(run.result.points);
  run.result.notes.insert(run.result.notes.begin(), notes.begin(), notes.end());
  if (least == never && found_.front().value < never)
    throw DomainError("{}: no point keeps the bounds ({}). The nearest: {}. Widen one?", spec_.where, left_out_note(),
                      nearest(run.result.points));
  return run;
}

/// Those that come nearest to what they break, with by how much.
std::string Search::nearest(const std::vector<PointResult>& points) const {
  constexpr std::size_t told = 3;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (found_[i].value < never && !found_[i].breaks.empty()) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return found_[i].beyond; });
  order.resize(std::min(order.size(), told));
  std::vector<std::string> all;
  for (const std::size_t i : order)
    all.push_back(fmt::format("{} breaks {} by {:.3g} %", show::point_label(points[i]), found_[i].breaks,
                              100.0 * found_[i].beyond));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string Search::left_out_note() const {
  std::vector<std::string> parts;
  if (!left_out_.refused.empty()) parts.push_back(fmt::format("{} refused", left_out_.refused.size()));
  for (const auto& [bound, points] : left_out_.by_bound)
    parts.push_back(fmt::format("{} not played as {} cannot be", points, bound));
  if (pruned_ > 0)
    parts.push_back(spec_.model.empty() ? fmt::format("{} not played as computation alone makes them worse", pruned_)
                                        : fmt::format("{} not played as {} puts them behind", pruned_, spec_.model));
  std::map<std::string, std::size_t> broken;
  for (const Found& one : found_)
    if (!one.breaks.empty()) ++broken[one.breaks];
  for (const auto& [bound, points] : broken) parts.push_back(fmt::format("{} played that break {}", points, bound));
  const auto failed = std::ranges::count(found_, never, &Found::value);
  if (failed > 0) parts.push_back(fmt::format("{} failed", failed));
  return fmt::format("{} points: {} played{}{}", scenario_.points.size(), found_.size(), parts.empty() ? "" : ", ",
                     fmt::join(parts, ", "));
}

/// The winner, how near the next ones are, and what was left out.
std::vector<std::string> Search::notes(const std::vector<PointResult>& points) const {
  std::vector<std::string> notes;
  const double least = best();
  if (least == never) return notes;
  const PointResult& winner = points.front();
  const auto& facts = std::ranges::find(candidates_, found_.front().point, &Candidate::point)->facts;
  const Quantity value =
      is_fact(spec_.objective) ? fact(facts, spec_.objective) : *quantity_of(winner, spec_.objective);
  const auto near = std::ranges::count_if(found_, [&](const Found& one) {
    return one.breaks.empty() && one.value < never && std::abs(one.value - least) <= 0.01 * std::abs(least);
  });
  std::string sentence =
      fmt::format("best: {} ({}{})", show::point_label(winner),
                  !value.unit.empty() && spec_.objective.ends_with(value.unit) ? "" : spec_.objective + " ",
                  quantity_text(value, spec_.objective));
  if (found_.size() > 1 && found_[1].breaks.empty() && found_[1].value < never && least != 0.0)
    sentence += fmt::format("; next: {}, {:.2f} % behind", show::point_label(points[1]),
                            100.0 * std::abs(found_[1].value / least - 1.0));
  if (near > 2) sentence += fmt::format("; {} are within 1 %", near);
  notes.push_back(std::move(sentence));
  notes.push_back(left_out_note());
  if (!left_out_.refused.empty()) notes.push_back("the first that was refused: " + left_out_.refused.front().text());
  if (played_.models.size() < scenario_.models.size())
    notes.push_back("models fitted to whole runs, and predictions of one's own, are of the whole sweep: not asked");
  if (!spec_.model.empty() && pruned_ > 0)
    notes.push_back(fmt::format(
        "{} proposed and the engine confirmed: a model is no bound, so that one of those not played may be better",
        spec_.model));
  return notes;
}

}  // namespace

ScenarioRun search(const Scenario& scenario, const RunOptions& options, ResultStore& store) {
  if (const auto& spec = scenario.search; !spec.model.empty()) {
    if (model_from(spec.model, spec.model_where).fitted_to_runs())
      throw InputError(
          "{}: '{}' is fitted to runs, and none are there to fit it to (models of phases "
          "propose). Use 'bsp-matrix'?",
          spec.model_where, spec.model);
  }
  const auto begin = std::chrono::steady_clock::now();
  ScenarioRun run = Search(scenario, options, store).run();
  run.result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return run;
}

ScenarioRun search(const Scenario& scenario, const RunOptions& options) {
  ResultStore store(ResultStore::in_memory);
  return search(scenario, options, store);
}

}  // namespace orrery::study
