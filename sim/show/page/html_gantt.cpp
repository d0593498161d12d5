#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/show/charts/ticks.hpp"
#include "sim/show/page/html_parts.hpp"

namespace orrery::show {

namespace {

using Json = nlohmann::ordered_json;

/// Until when every time line is complete: a rank that was cut (it has as many intervals as any) says no more.
Seconds complete_until(const RunResult& run) {
  std::size_t longest = 0;
  Seconds end;
  for (const auto& timeline : run.timelines) {
    longest = std::max(longest, timeline.size());
    if (!timeline.empty()) end = std::max(end, timeline.back().end);
  }
  if (run.timelines_cut)
    for (const auto& timeline : run.timelines)
      if (!timeline.empty() && timeline.size() == longest) end = std::min(end, timeline.back().end);
  return end;
}

/// [from, to, sent, received, bytes, way] of each, in order of their sends; those within the window.
Json messages_json(const RunResult& run, const GanttWindow& window, const Ticks& ticks, std::size_t most) {
  std::vector<Delivery> sent;
  for (const Delivery& delivery : run.deliveries)
    if (delivery.received <= window.end) sent.push_back(delivery);
  std::ranges::stable_sort(sent, {}, &Delivery::sent);
  Json all = Json::array();
  for (std::size_t i = 0; i < std::min(sent.size(), most); ++i)
    all.insert(all.end(), {index(sent[i].from), index(sent[i].to), ticks(sent[i].sent), ticks(sent[i].received),
                           static_cast<std::int64_t>(std::min(sent[i].message.si(), 9e15)), sent[i].way});
  return {{"flat", std::move(all)},
          {"left_out", run.messages - std::min<std::uint64_t>(run.messages, std::min(sent.size(), most))}};
}

}  // namespace

GanttWindow gantt_window(const RunResult& run, std::size_t intervals_max) {
  std::vector<double> begins_s;
  const Seconds end = complete_until(run);
  for (const auto& timeline : run.timelines)
    for (const auto& interval : timeline)
      if (interval.begin < end) begins_s.push_back(interval.begin.si());
  std::sort(begins_s.begin(), begins_s.end());
  const auto before = [&](double t_s) {
    return static_cast<std::size_t>(std::lower_bound(begins_s.begin(), begins_s.end(), t_s) - begins_s.begin());
  };
  std::map<std::uint32_t, Seconds> ends;  // of each iteration
  for (const auto& record : run.phases) ends[record.iteration] = std::max(ends[record.iteration], record.end);
  GanttWindow window{.end = end, .intervals = begins_s.size(), .iterations = static_cast<std::uint32_t>(ends.size())};
  window.whole = window.iterations;
  // Time lines that were themselves cut may end before the last iteration does.
  for (auto last = ends.rbegin(); last != ends.rend() && last->second > end; ++last) --window.whole;
  if (begins_s.size() <= intervals_max) return window;
  window.whole = 0;
  for (const auto& [iteration, last] : ends) {
    if (last > end || before(last.si()) > intervals_max) break;
    window.end = last;
    ++window.whole;
  }
  if (window.whole == 0) window.end = Seconds(begins_s[intervals_max]);
  window.intervals = before(window.end.si());
  window.left_out = begins_s.size() - window.intervals;
  return window;
}

Json gantt_json(const RunResult& run, const GanttWindow& window, std::size_t messages_max) {
  const Ticks ticks(window.end);
  Json ranks = Json::array(), phases = Json::array();
  std::uint32_t last_phase = 0;
  auto first = run.timelines.begin(), last = run.timelines.end();
  const auto traced = [](const std::vector<Interval>& timeline) { return !timeline.empty(); };
  if (run.timelines_cut || 2 * std::count_if(first, last, traced) < last - first) {  // some ranks only
    first = std::find_if(first, last, traced);
    last = std::find_if(run.timelines.rbegin(), std::make_reverse_iterator(first), traced).base();
  }
  const bool with_gaps = !std::all_of(first, last, traced) && 2 * std::count_if(first, last, traced) < last - first;
  Json numbers = Json::array();
  for (auto timeline = first; timeline != last; ++timeline) {
    if (with_gaps && timeline->empty()) continue;
    if (with_gaps) numbers.push_back(timeline - run.timelines.begin());
    Json row = Json::array();
    std::int64_t before = 0;
    for (const auto& interval : *timeline) {
      if (interval.begin >= window.end) break;
      const std::int64_t begin = ticks(interval.begin), end = ticks(interval.end);
      row.insert(row.end(), {static_cast<int>(interval.activity), begin - before, end - begin,
                             interval.peer == any_rank ? -1 : static_cast<std::int64_t>(index(interval.peer)),
                             static_cast<std::int64_t>(std::min(interval.message.si(), 9e15)), interval.phase});
      before = end;
      last_phase = std::max(last_phase, interval.phase);
    }
    ranks.push_back(std::move(row));
  }
  for (std::uint32_t p = 0; p <= last_phase && p < run.phases.size(); ++p)
    phases.push_back(Json::array(
        {run.phases[p].phase, run.phases[p].iteration, ticks(run.phases[p].begin), ticks(run.phases[p].end)}));
  Json json = {
      {"first_rank", first - run.timelines.begin()},
      {"numbers", std::move(numbers)},
      {"bin", run.timelines_bin > Seconds{} ? Json(run.timelines_bin.si()) : Json(nullptr)},
      {"ranks_in_all", run.timelines.size()},
      {"tick_s", ticks.tick_s()},
      {"end", ticks(window.end)},
      {"whole", window.whole},
      {"iterations", window.iterations},
      {"left_out", window.left_out},
      {"path", run.critical_path.kept ? path_segments_json(run.critical_path, window.end, ticks) : Json(nullptr)},
      {"phases", std::move(phases)},
      {"ranks", std::move(ranks)}};
  if (messages_max > 0) json["messages"] = messages_json(run, window, ticks, messages_max);
  return json;
}

}  // namespace orrery::show
