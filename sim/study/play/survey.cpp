#include "sim/study/play/survey.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/doing.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/play/expected_messages.hpp"
#include "sim/study/play/peak_assumed.hpp"
#include "sim/study/play/predict.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/engines.hpp"

namespace orrery::app {

namespace {

/// Steps that are counted before anything is played, in all and of one point: half a second. The rest is counted while
/// the points are played (PointPlayer).
constexpr std::uint64_t peak_steps_max = 4'000'000;  ///< looked at for what memory allows, of all points
constexpr std::uint64_t counted_steps_max = 16'000'000, counted_steps_max_each = 10'000'000;

}  // namespace

std::vector<SurveyedPoint> survey_of(const Scenario& scenario, const LoadedPoints& points, Predictor* predictor,
                                     const RunOptions& options, const std::string& stopped) {
  std::vector<SurveyedPoint> survey;
  survey.reserve(points.size());
  std::uint64_t steps_left = counted_steps_max;
  Progress progress(options.side + "reading the points of " + scenario.name, points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string read = fmt::format("{} of {} points were read", i, points.size());
    throw_if_interrupted(read);
    const Abandonable reading(fmt::format("interrupted: {}{}", read, stopped));
    const auto point = points.at(i);
    const About about("reading the steps of", points.label(i));
    options.trace.require_ranks(point->layout.ranks());
    if (predictor != nullptr)
      predictor->see(*point, [&](std::uint64_t iterations) {
        if (options.progress && iterations % 256 == 0)
          progress.update(i, fmt::format("{} iterations read", iterations));
      });
    MessageCount count(*point->program);
    if (options.simulate) steps_left -= count.advance(std::min(steps_left, counted_steps_max_each));
    survey.push_back({point->id, identity_of(*point->platform), point->network->name, point->layout.ranks(),
                      count.messages(), !count.whole(), point->staging_in_compute_model,
                      memory_over_peak(*point, std::min<std::uint64_t>(20'000, peak_steps_max / points.size()))});
    if (options.progress) progress.update(i + 1);
  }
  return survey;
}

void tell_slow(const Scenario& scenario, const std::vector<SurveyedPoint>& survey, const RunOptions& options) {
  std::vector<ExpectedWork> work;
  work.reserve(survey.size());
  for (const auto& point : survey) work.push_back({point.ranks, point.messages, point.more});
  const std::string notice = slow_notice(scenario.engine, work, options.jobs);
  if (options.progress && !notice.empty()) tell("{}\n", notice);
}

}  // namespace orrery::app
