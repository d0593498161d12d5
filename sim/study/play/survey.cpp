#include "sim/study/play/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/core/doing.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/play/expected_messages.hpp"
#include "sim/study/play/gpu_fallback.hpp"
#include "sim/study/play/peak_assumed.hpp"
#include "sim/study/play/phase_models.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/engines.hpp"

namespace orrery::study {

namespace {

/// Steps that are counted before anything is played, in all and of one point: half a second. The rest is counted while
/// the points are played (PointPlayer).
constexpr std::uint64_t peak_steps_max = 4'000'000;  ///< looked at for what memory allows, of all points
constexpr std::uint64_t counted_steps_max = 16'000'000, counted_steps_max_each = 10'000'000;

/// Whether some rank on a GPU sends over its link because `gpu-staging: messages` says so. Where the inside of a node is
/// described messages cross it anyway, and with `gpu-direct` none is staged.
bool stages_messages(const LoadedPoint& point) {
  if (point.staging_in_compute_model) return false;
  std::map<NodeId, std::uint32_t> ranks_on;
  for (const Placement& place : point.layout.placements) ++ranks_on[place.node];
  return std::ranges::any_of(point.layout.placements, [&](const Placement& place) {
    const NodeType& type = point.platform->node_types[place.node_type];
    if (!place.gpu || type.fabric.described()) return false;
    return (ranks_on.size() > 1 && !point.network->protocol.gpu_direct) ||
           (ranks_on.at(place.node) > 1 && !type.shared_memory.gpu_direct);
  });
}

/// Before anything is played: the engine would refuse it, too.
void require_exact_sharing(const Scenario& scenario, const Network& network) {
  if (scenario.approximate > 0.0 && network.congestion == Congestion::head_of_line)
    throw InputError(
        "{}: 'approximate' on network '{}', which has 'congestion: head-of-line' (its rates are exact). Leave "
        "one of the two out?",
        scenario.file.empty() ? "--approximate" : scenario.file, network.name);
}

}  // namespace

std::uint32_t stages_of(const LoadedPoint& point) {
  if (!point.jobs.empty()) return 0;
  for (const auto& [name, value] : point.parameters.rendered())
    if (name == "pipeline") return static_cast<std::uint32_t>(point.parameters.integer(name));
  return 0;
}

std::vector<SurveyedPoint> survey_of(const Scenario& scenario, const LoadedPoints& points, ModelNeeds* needs,
                                     const RunOptions& options, const std::string& stopped) {
  std::vector<SurveyedPoint> survey;
  survey.reserve(points.size());
  std::set<std::string> fallbacks;
  std::uint64_t steps_left = counted_steps_max;
  Progress progress(options.side + "reading the points of " + scenario.name, points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string read = fmt::format("{} of {} points were read", i, points.size());
    throw_if_interrupted(Refusal("{}", read));
    const Abandonable reading(fmt::format("interrupted: {}{}", read, stopped));
    const auto point = points.at(i);
    require_exact_sharing(scenario, *point->network);
    const About about("reading the steps of", points.label(i));
    ReplayOptions traced;
    options.trace.apply(traced, point->layout.ranks(), stages_of(*point));
    if (needs != nullptr)
      needs->see(*point, [&](std::uint64_t iterations) {
        if (options.progress && iterations % 256 == 0)
          progress.update(i, fmt::format("{} iterations read", iterations));
      });
    if (options.simulate && options.progress) fallbacks.insert(fallback_notice(*point));
    MessageCount count(*point->program);
    if (options.simulate) steps_left -= count.advance(std::min(steps_left, counted_steps_max_each));
    survey.push_back({point->id, identity_of(*point->platform), point->network->name, point->layout.ranks(),
                      count.messages(), !count.whole(), point->staging_in_compute_model,
                      memory_over_peak(*point, std::min<std::uint64_t>(20'000, peak_steps_max / points.size())),
                      stages_messages(*point), stages_of(*point), count.at_once(),
                      std::ranges::any_of(point->layout.placements, &Placement::gpu)});
    if (options.progress) progress.update(i + 1);
  }
  fallbacks.erase("");
  for (const std::string& fallback : fallbacks) tell("{}\n", fallback);
  return survey;
}

void tell_slow(const std::string& engine, const std::vector<SurveyedPoint>& survey, const RunOptions& options) {
  std::vector<ExpectedWork> work;
  work.reserve(survey.size());
  for (const auto& point : survey) work.push_back({point.ranks, point.messages, point.more, point.at_once, point.gpus});
  const std::string notice = slow_notice(engine, work, options.jobs);
  if (options.progress && !notice.empty()) tell("{}\n", notice);
}

}  // namespace orrery::study
