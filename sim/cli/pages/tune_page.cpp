#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/svg.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/search/tune_job.hpp"

namespace orrery::app {

namespace {

/// Values whose time is within a hundredth of the least, as "21 to 30".
std::string flat_range(const TimesByValue& times) {
  const Seconds least = times.at(best_of(times));
  std::set<std::int64_t> flat;
  for (const auto& [value, time] : times)
    if (time <= 1.01 * least) flat.insert(value);
  return flat.size() < 2 ? "" : fmt::format("; {} to {} are within 1 %", *flat.begin(), *flat.rbegin());
}

std::string time_in(const TimesByValue& times, std::int64_t value) {
  const auto found = times.find(value);
  return found == times.end() ? "" : to_text(found->second);
}

report::Series curve(const std::string& name, const TimesByValue& times, bool markers) {
  report::Series series{.name = name, .x = {}, .y = {}, .line = true, .markers = markers};
  for (const auto& [value, time] : times) {
    series.x.push_back(static_cast<double>(value));
    series.y.push_back(time.si());
  }
  return series;
}

}  // namespace

std::string tune_text(const TuneAnswer& answer, std::size_t width, bool color) {
  std::vector<report::Column> columns{{"", answer.over, true, {}},
                                      {"", answer.model, true, {}},
                                      {"", answer.engine, true, {}},
                                      {"", "error", true, {}}};
  const std::int64_t proposed = best_of(answer.predicted);
  for (const auto& [value, predicted] : answer.predicted) {
    const auto played = answer.simulated.find(value);
    const bool known = played != answer.simulated.end();
    const auto tint = value == proposed ? report::Tint::good : report::Tint::plain;
    columns[0].cells.push_back({std::to_string(value), tint});
    columns[1].cells.push_back({to_text(predicted), tint});
    columns[2].cells.push_back({known ? to_text(played->second) : ""});
    columns[3].cells.push_back(
        {known ? fmt::format("{:.1f} %", 100.0 * ((predicted - played->second) / played->second)) : ""});
  }
  if (answer.simulated.empty()) columns.resize(2);
  std::string text = report::bold(answer.title + ": time by " + answer.over, color) + "\n\n" +
                     report::render(columns, 1, width, color) + "\n";
  text += fmt::format("{} proposes {} {} ({}){}\n", answer.model, answer.over, proposed,
                      time_in(answer.predicted, proposed), flat_range(answer.predicted));
  if (!answer.simulated.empty()) {
    const std::int64_t best = best_of(answer.simulated);
    const Seconds least = answer.simulated.at(best);
    text += fmt::format("{}: {} {} is the best of {} played ({}){}", answer.engine, answer.over, best,
                        answer.simulated.size(), to_text(least), flat_range(answer.simulated));
    if (const auto there = answer.simulated.find(proposed); best != proposed && there != answer.simulated.end())
      text += fmt::format("\nthe proposal takes {:.2f} % longer there", 100.0 * (there->second / least - 1.0));
    text += "\n";
  }
  if (!answer.refused.empty())
    text += fmt::format("refused: {} {}{}, as {}\n", answer.over, answer.refused.begin()->first,
                        answer.refused.size() > 1 ? fmt::format(" and {} more", answer.refused.size() - 1) : "",
                        answer.refused.begin()->second);
  return text;
}

std::string tune_csv(const TuneAnswer& answer) {
  std::string text = answer.over + ",predicted_s,simulated_s\n";
  for (const auto& [value, predicted] : answer.predicted) {
    const auto played = answer.simulated.find(value);
    text += fmt::format("{},{},{}\n", value, predicted.si(),
                        played == answer.simulated.end() ? "" : fmt::format("{}", played->second.si()));
  }
  return text;
}

std::string tune_svg(const TuneAnswer& answer) {
  std::vector<report::Series> series{curve(answer.model + " predicts", answer.predicted, false)};
  if (!answer.simulated.empty()) series.push_back(curve(answer.engine + " simulates", answer.simulated, true));
  const auto least = answer.predicted.begin()->first, greatest = answer.predicted.rbegin()->first;
  const bool wide = least > 0 && greatest > 16 * least;
  return report::line_chart_svg(series, {.title = answer.title + ": time by " + answer.over,
                                         .x = {.title = answer.over, .log = wide},
                                         .y = {.title = "time of the run (s)", .log = false}});
}

}  // namespace orrery::app
