#include "sim/study/play/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/study/play/inert_axes.hpp"

namespace orrery::study {

namespace {

/// What came of `gpu-staging: messages`; empty where no point asks for it.
std::string staging_note(const std::vector<SurveyedPoint>& survey, bool with_models) {
  if (std::ranges::all_of(survey, &SurveyedPoint::staging_in_compute_model)) return "";
  if (std::ranges::none_of(survey, &SurveyedPoint::staged))
    return "'gpu-staging: messages' has no effect: no rank is on a GPU whose messages are copied to its host first";
  return fmt::format("the simulation adds PCIe transfers to the messages of GPU processes{}",
                     with_models ? "; the models do not include them" : "");
}

/// The sentence for the worst of a scenario's points, whose `label` is empty where there is but one; nothing below a
/// tenth.
std::string peak_note(const PeakAssumed& peak, const std::string& label, const std::string& platform) {
  const double factor = peak.factor;
  if (factor < 1.1) return "";
  const std::string takes = factor == std::numeric_limits<double>::infinity()
                                ? "takes no time, but moves bytes"
                                : fmt::format("would take {:.3g} times as long at the memory bandwidth", factor);
  return fmt::format(
      "computation{} is assumed to run at peak speed: no compute model is named. It {} of '{}' without caches{}. "
      "Name one ({}'compute: {{model: roofline}}'{})?",
      peak.job.empty() ? "" : fmt::format(" of job '{}'", peak.job), takes, platform,
      label.empty() ? "" : fmt::format(" (worst of all points: {})", label),
      peak.job.empty() ? "'--compute roofline' or " : "", peak.job.empty() ? "" : " in the job");
}

/// What came of `gpu-staging: messages` where a point asks for it, and, first of all notes, by what factor the
/// computation of one may be too short.
void note_survey(ScenarioResult& result, const std::vector<SurveyedPoint>& survey) {
  if (std::string note = staging_note(survey, !result.models.empty()); !note.empty())
    result.notes.push_back(std::move(note));
  const auto worst = std::ranges::max_element(survey, {}, [](const SurveyedPoint& point) { return point.peak.factor; });
  if (worst == survey.end()) return;
  const PointResult& point = result.points[static_cast<std::size_t>(worst - survey.begin())];
  if (std::string note = peak_note(worst->peak, survey.size() > 1 ? show::point_label(point) : "", point.platform);
      !note.empty())
    result.notes.insert(result.notes.begin(), std::move(note));
}

void note_steady(ScenarioResult& result, const Scenario& scenario) {
  if (scenario.steady == 0.0) return;
  result.notes.push_back(
      fmt::format("steady: iterations are played until the mean duration of their second half differs by at most {:g} "
                  "% from the quarter before, and the rest is counted at that mean",
                  100 * scenario.steady));
}

/// What approximate sharing did to the loads, over all points.
void note_imbalance(ScenarioResult& result, const Scenario& scenario) {
  if (scenario.approximate == 0.0) return;
  double greatest = 0.0, mean = 0.0, points = 0.0;
  for (const auto& point : result.points) {
    const Imbalance& found = point.other_engine ? point.other_engine->imbalance : point.run.imbalance;
    greatest = std::max(greatest, found.greatest);
    mean += found.mean;
    points += 1.0;
  }
  result.notes.push_back(
      fmt::format("approximate sharing: resource loads may deviate from max-min fairness by up to {:g} %; "
                  "sampled: at most {:.2g} %, on average {:.2g} % (worst resource of each sample)",
                  100 * scenario.approximate, 100 * greatest, 100 * mean / points));
}

/// What was played once and counted for all that was like it; or why nothing was, of the first point of each reason.
void note_alike(ScenarioResult& result) {
  std::uint64_t stretches = 0, played = 0, messages = 0;
  std::vector<std::string> whole;
  for (const auto& point : result.points) {
    const Repeated& found = point.run.repeated;
    if (!found.asked) continue;
    stretches += found.stretches;
    played += found.played;
    messages += found.messages;
    if (found.whole.empty() || std::ranges::find(whole, found.whole) != whole.end()) continue;
    whole.push_back(found.whole);
    result.notes.push_back(fmt::format("alike: {}played whole, as {}",
                                       result.points.size() > 1 ? show::point_label(point) + " was " : "",
                                       found.whole));
  }
  if (stretches > 0)
    result.notes.push_back(
        fmt::format("alike: groups of GPUs went {} times through a stretch by themselves, {} messages in all; the {} "
                    "that differ were played, and counted for the others. No critical path is kept",
                    stretches, messages, played));
}

/// Where vectors that take a while to reduce are reduced for nothing; one such point says it. Kernels of GPU libraries
/// reduce what they pass on, and `compute: true` charges flops.
void note_free_reductions(ScenarioResult& result, const LoadedPoint& first) {
  if (std::ranges::count(first.parameters.rendered(), std::pair<std::string, std::string>{"compute", "true"}) > 0)
    return;
  for (const auto& point : result.points) {
    if (std::ranges::any_of(point.layout.placements, [](const Placement& place) { return place.local_work.reduction; }))
      continue;
    for (const CollectiveRecord& record : point.run.collectives)
      if (reduces(record.operation) && record.bytes >= 64_KiB && !record.algorithm.starts_with("nccl"))
        return result.notes.push_back(
            fmt::format("reducing takes no time in {} of {}: platform '{}' states no 'local-work' for its hosts",
                        operation_name(record.operation), to_text(record.bytes), point.platform));
  }
}

/// Why large points name no bottleneck.
void note_missing_paths(ScenarioResult& result, const Scenario& scenario, const RunOptions& options) {
  const bool missing = std::ranges::any_of(result.points, [](const PointResult& point) {
    return !point.run.phases.empty() && !point.run.critical_path.kept;
  });
  if (missing && !options.critical_path && !scenario.alike_once)
    result.notes.push_back("beyond 16,384 ranks the bottleneck is looked for only if asked (--critical-path on)");
}

}  // namespace

void add_notes(ScenarioResult& result, const Scenario& scenario, const LoadedPoint& first,
               const std::vector<SurveyedPoint>& survey, const RunOptions& options) {
  note_survey(result, survey);
  note_steady(result, scenario);
  note_imbalance(result, scenario);
  note_alike(result);
  note_free_reductions(result, first);
  note_missing_paths(result, scenario, options);
  for (auto& sentence : inert_axes(result.points)) result.notes.push_back(std::move(sentence));
}

}  // namespace orrery::study
