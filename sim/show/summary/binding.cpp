#include "sim/show/summary/binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/show/summary/bottleneck.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

constexpr double beside_min = 0.1;  // beside the first cause, at one of the points

long whole_percent(double share) { return std::lround(100.0 * share); }

std::string percent_range(double least, double most) {
  return whole_percent(least) == whole_percent(most)
             ? fmt::format("{} %", whole_percent(most))
             : fmt::format("{} to {} %", whole_percent(least), whole_percent(most));
}

/// The same part of the answers of several points, that all have its first cause.
class PartRange {
 public:
  explicit PartRange(const AnswerPart& first)
      : opening_(first.opening), closing_(first.closing), said_(first.said), first_(first.causes.front()) {}

  bool takes(const AnswerPart& part) const {
    return part.opening == opening_ && part.causes.front().name == first_.name;
  }
  void add(const AnswerPart& part) {
    if (part.said != said_) said_ = first_.said;  // not the same resource at all points: its kind
    for (CauseRange& range : ranges_) {
      const auto found = std::ranges::find(part.causes, range.name, &PathCause::name);
      const double share = found == part.causes.end() ? 0.0 : found->share;
      range.least = std::min(range.least, share);
      range.most = std::max(range.most, share);
    }
    for (const PathCause& cause : part.causes)
      if (std::ranges::find(ranges_, cause.name, &CauseRange::name) == ranges_.end())
        ranges_.push_back({cause.name, cause.if_free, added_ == 0 ? cause.share : 0.0, cause.share});
    ++added_;
  }
  /// Greatest first.
  std::vector<CauseRange> ranges() const {
    std::vector<CauseRange> sorted = ranges_;
    std::ranges::stable_sort(sorted, std::greater{}, &CauseRange::most);
    return sorted;
  }
  /// "33 to 98 % of the run is computation, 0 to 31 % latency", or with another text for the first range.
  std::string text(const std::string& range = {}) const {
    const auto own = std::ranges::find(ranges_, first_.name, &CauseRange::name);
    std::string text = opening_ + (range.empty() ? percent_range(own->least, own->most) : range) + closing_ + said_;
    for (const CauseRange& other : ranges())
      if (other.name != first_.name && other.most >= beside_min)
        return text + fmt::format(", {} {}", percent_range(other.least, other.most), other.name);
    return text;
  }

 private:
  std::string opening_, closing_, said_;
  PathCause first_;
  std::vector<CauseRange> ranges_;
  std::size_t added_ = 0;
};

/// A group as its points come.
struct Gathered {
  std::string kind;
  BindingGroup group;
  std::vector<PartRange> of_run;
  std::optional<PartRange> of_phase = {};
  bool same_phase = true;

  void add(const PointResult& point, const Answer& answer) {
    if (group.points.empty()) {
      for (const AnswerPart& part : answer.of_run) of_run.emplace_back(part);
      if (answer.of_phase) of_phase.emplace(*answer.of_phase);
    }
    for (std::size_t p = 0; p < of_run.size(); ++p) of_run[p].add(answer.of_run[p]);
    same_phase = same_phase && of_phase && answer.of_phase && of_phase->takes(*answer.of_phase);
    if (same_phase) of_phase->add(*answer.of_phase);
    if (group.points.empty() || answer.share < group.least)
      std::tie(group.least, group.at_least) = std::pair(answer.share, &point);
    if (group.points.empty() || answer.share > group.most)
      std::tie(group.most, group.at_most) = std::pair(answer.share, &point);
    group.points.push_back(&point);
  }

  BindingGroup gathered() && {
    if (of_run.empty()) return std::move(group);
    const bool of_jobs = !group.points.front()->run.critical_path.jobs.empty();
    if (!of_jobs) group.causes = of_run.front().ranges();
    for (const PartRange& part : of_run) group.said.push_back(part.text(of_jobs ? "" : named_range()));
    if (same_phase) group.said.push_back(of_phase->text());
    return std::move(group);
  }

  /// "33 % (ranks 4096) to 98 % (ranks 128)"
  std::string named_range() const {
    if (whole_percent(group.least) == whole_percent(group.most)) return percent_range(group.least, group.most);
    return fmt::format("{} % ({}) to {} % ({})", whole_percent(group.least), point_label(*group.at_least),
                       whole_percent(group.most), point_label(*group.at_most));
  }
};

}  // namespace

std::vector<BindingGroup> binding_groups(const ScenarioResult& result) {
  std::vector<Gathered> kinds;
  for (const auto& point : result.points) {
    if (point.binding.empty()) continue;
    const Answer answer = answer_of(point);
    const std::string kind = !answer.of_run.empty()    ? bottleneck_kind(answer)
                             : !point.bound_by.empty() ? point.bound_by
                                                       : point.binding;
    auto found = std::ranges::find(kinds, kind, &Gathered::kind);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), Gathered{.kind = kind, .group = {}, .of_run = {}});
    found->add(point, answer);
  }
  std::ranges::stable_sort(kinds,
                           [](const auto& a, const auto& b) { return a.group.points.size() > b.group.points.size(); });
  std::vector<BindingGroup> groups;
  groups.reserve(kinds.size());
  for (Gathered& gathered : kinds) groups.push_back(std::move(gathered).gathered());
  return groups;
}

std::vector<std::string> binding_sentences(const ScenarioResult& result) {
  const std::vector<BindingGroup> groups = binding_groups(result);
  std::size_t with_sentence = 0;
  for (const BindingGroup& group : groups) with_sentence += group.points.size();
  std::vector<std::string> sentences;
  for (const BindingGroup& group : groups) {
    const PointResult& first = *group.points.front();
    const std::string said = point_label(first) + ": " + first.binding;
    if (result.points.size() == 1)
      sentences.push_back(first.binding);
    else if (group.points.size() == 1)
      sentences.push_back(said);
    else if (group.said.empty())
      sentences.push_back(fmt::format("{} of {} points like {}", group.points.size(), with_sentence, said));
    else
      sentences.push_back(
          fmt::format("{} of {} points: {}", group.points.size(), with_sentence, fmt::join(group.said, "; ")));
    if (sentences.size() == 3 && groups.size() > 4) {
      sentences.push_back(fmt::format("and {} other kinds of answer, point by point in the report", groups.size() - 3));
      break;
    }
  }
  return sentences;
}

}  // namespace orrery::show
