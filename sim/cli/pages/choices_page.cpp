#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/core/quantity_text.hpp"
#include "sim/core/units.hpp"
#include "sim/show/charts/svg.hpp"
#include "sim/show/summary/short_labels.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/judge/choices.hpp"

namespace orrery::study {

namespace {

std::string percent_text(double share) { return fmt::format("{:.{}f} %", 100.0 * share, share < 0.0995 ? 1 : 0); }

std::vector<std::string> names_of(const Choices& choices) {
  std::vector<std::string> names{"simulated"};
  for (const auto& average : choices.averages) names.push_back(average.by);
  return names;
}

const Choice* choice_by(const ChoicesOfSize& size, const std::string& by) {
  const auto found = std::ranges::find(size.choices, by, &Choice::by);
  return found == size.choices.end() ? nullptr : &*found;
}

/// Models alone are worth a column of what they choose; of a configuration its epsilon says all.
std::string sizes_table(const Choices& choices, std::size_t width, bool color) {
  std::vector<show::Column> columns{{"", "size", false, {}}};
  for (const auto& name : names_of(choices)) {
    const auto average = std::ranges::find(choices.averages, name, &AverageChoice::by);
    const bool model = average != choices.averages.end() && average->is_model, best = name == "simulated";
    if (best || model) columns.push_back({best ? "best simulated" : name, best ? "layout" : "chooses", false, {}});
    columns.push_back({best ? "best simulated" : name, best ? "time" : "epsilon", true, {}});
    if (model) columns.push_back({name, "delta", true, {}});
  }
  for (const auto& size : choices.sizes) {
    std::size_t column = 0;
    columns[column++].cells.push_back({size.label});
    for (const auto& name : names_of(choices)) {
      const Choice* choice = choice_by(size, name);
      const auto average = std::ranges::find(choices.averages, name, &AverageChoice::by);
      const bool model = average != choices.averages.end() && average->is_model, best = name == "simulated";
      if (best || model) columns[column++].cells.push_back({choice == nullptr ? "" : choice->layout});
      const auto tint = best || choice == nullptr ? show::Tint::plain
                        : choice->epsilon < 0.05  ? show::Tint::good
                        : choice->epsilon < 0.25  ? show::Tint::fair
                                                  : show::Tint::poor;
      const std::string said = choice == nullptr ? ""
                               : best            ? to_text(Seconds(choice->seconds))
                                                 : percent_text(choice->epsilon);
      columns[column++].cells.push_back({said, tint});
      if (model) columns[column++].cells.push_back({choice == nullptr ? "" : percent_text(*choice->delta)});
    }
  }
  return show::render(columns, 1, width, color);
}

std::string averages_table(const Choices& choices, std::size_t width, bool color) {
  std::vector<show::Column> columns{{"", "chosen by", false, {}},
                                    {"", "sizes", true, {}},
                                    {"", "mean epsilon", true, {}},
                                    {"", "published", true, {}},
                                    {"", "mean |delta|", true, {}}};
  const bool scattered = !choices.averages.empty() && choices.averages.front().draws.has_value();
  if (scattered) {
    columns.push_back({"", "of the draws", true, {}});
    columns.push_back({"", "without scatter", true, {}});
  }
  for (const auto& average : choices.averages) {
    columns[0].cells.push_back({average.by});
    columns[1].cells.push_back({std::to_string(average.sizes)});
    columns[2].cells.push_back(
        {percent_text(average.epsilon), !broken_sentences(average, "").empty() ? show::Tint::poor : show::Tint::plain});
    columns[3].cells.push_back({average.published ? percent_text(*average.published) : ""});
    columns[4].cells.push_back({average.is_model ? percent_text(average.delta_magnitude) : ""});
    if (!scattered) continue;
    const auto& draws = *average.draws;
    columns[5].cells.push_back({fmt::format("{} to {}", percent_text(draws.least), percent_text(draws.greatest))});
    columns[6].cells.push_back({percent_text(draws.exact)});
  }
  return show::render(columns, 1, width, color);
}

std::string agreement_text(const Choices& choices) {
  if (!choices.agreement) return "";
  const Agreement& found = *choices.agreement;
  return fmt::format(
      "\nbest as published: {} of {} sizes; the published ones take {} longer than the best on average\n", found.same,
      found.stated, percent_text(found.epsilon));
}

}  // namespace

std::string choices_text(const Choices& choices, std::size_t width, bool color) {
  return show::bold("Which configuration each would choose, and what it costs", color) + "\n\n" +
         sizes_table(choices, width, color) + "\n" + averages_table(choices, width, color) + agreement_text(choices);
}

std::string choices_csv(const Choices& choices) {
  std::string text = "size,n,by,layout,simulated_s,expected_s,epsilon,delta\n";
  const auto maybe = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  for (const auto& size : choices.sizes)
    for (const auto& choice : size.choices)
      text += fmt::format("\"{}\",{},\"{}\",\"{}\",{},{},{},{}\n", size.label, maybe(size.n), choice.by, choice.layout,
                          choice.seconds, maybe(choice.expected_s), choice.epsilon, maybe(choice.delta));
  return text;
}

std::string choices_json(const Choices& choices) {
  using Json = nlohmann::ordered_json;
  const auto maybe = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  Json sizes = Json::array(), averages = Json::array();
  for (const auto& size : choices.sizes) {
    Json of_size = Json::array();
    for (const auto& choice : size.choices)
      of_size.push_back({{"by", choice.by},
                         {"layout", choice.layout},
                         {"simulated_s", choice.seconds},
                         {"expected_s", maybe(choice.expected_s)},
                         {"epsilon", choice.epsilon},
                         {"delta", maybe(choice.delta)}});
    sizes.push_back({{"size", size.label}, {"n", maybe(size.n)}, {"choices", of_size}});
  }
  for (const auto& average : choices.averages)
    averages.push_back({{"by", average.by},
                        {"sizes", average.sizes},
                        {"epsilon", average.epsilon},
                        {"epsilon_without_scatter", average.draws ? Json(average.draws->exact) : Json()},
                        {"published_epsilon", maybe(average.published)},
                        {"fitted_runs_s", average.published_runs_s ? Json(average.runs_s) : Json()},
                        {"published_fitted_runs_s", maybe(average.published_runs_s)},
                        {"delta_magnitude", average.delta_magnitude}});
  Json agreement;
  if (const auto& found = choices.agreement)
    agreement = {{"sizes", found->stated}, {"same", found->same}, {"epsilon", found->epsilon}};
  return Json{{"sizes", sizes}, {"averages", averages}, {"published_best", agreement}}.dump(1) + "\n";
}

namespace {

/// As a legend has them: what all models share goes.
std::vector<std::string> legend_names(const std::vector<std::string>& by) {
  std::vector<std::string> models;
  for (const auto& name : by)
    if (name != "simulated" && !name.starts_with("(")) models.push_back(name);
  auto shorter = models.size() > 1 ? show::short_labels(models) : models;
  for (std::size_t m = 0; m < models.size() && models.size() > 1; ++m)
    if (shorter[m].starts_with("(")) shorter[m].erase(0, 1);
  std::vector<std::string> names;
  for (const auto& name : by) {
    const auto at = std::ranges::find(models, name);
    names.push_back(name == "simulated"  ? "best"
                    : at == models.end() ? name
                                         : shorter[static_cast<std::size_t>(at - models.begin())]);
  }
  return names;
}

/// A model that expects no time at all has no delta to be drawn: below -100 %.
double drawn(const Choice& choice, ChoicePicture what) {
  if (what == ChoicePicture::time) return choice.seconds;
  if (what == ChoicePicture::epsilon) return 100.0 * choice.epsilon;
  const double delta = choice.delta.value_or(-2.0);
  return delta > -1.0 ? 100.0 * delta : std::numeric_limits<double>::quiet_NaN();
}

/// Not where a sweep has the same size twice, on another platform: a line would go back.
bool told_apart_by_numbers(const Choices& choices) {
  std::set<double> seen;
  return std::ranges::all_of(choices.sizes, [&](const auto& size) { return size.n && seen.insert(*size.n).second; });
}

std::string picture(const Choices& choices, const std::string& title, ChoicePicture what,
                    const std::vector<std::string>& by) {
  std::vector<show::Series> series;
  const bool numbers = told_apart_by_numbers(choices);
  const auto names = legend_names(by);
  for (std::size_t b = 0; b < by.size(); ++b) {
    show::Series one{.name = names[b], .x = {}, .y = {}};
    for (std::size_t s = 0; s < choices.sizes.size(); ++s)
      if (const Choice* choice = choice_by(choices.sizes[s], by[b])) {
        one.x.push_back(numbers ? *choices.sizes[s].n : static_cast<double>(s + 1));
        one.y.push_back(drawn(*choice, what));
      }
    series.push_back(std::move(one));
  }
  const char* quantity = what == ChoicePicture::time      ? "simulated time (s)"
                         : what == ChoicePicture::epsilon ? "epsilon (%)"
                                                          : "delta (%)";
  return show::line_chart_svg(series,
                              {.title = title,
                               .x = {.title = numbers ? "size N" : "size, in the order of the table", .log = numbers},
                               .y = {.title = quantity, .log = what == ChoicePicture::time}});
}

}  // namespace

std::map<std::string, std::string> choices_pictures(const Choices& choices, const std::string& title) {
  std::vector<std::string> models, fixed;
  for (const auto& average : choices.averages) (average.is_model ? models : fixed).push_back(average.by);
  const auto with_best = [](std::vector<std::string> by) {
    by.insert(by.begin(), "simulated");
    return by;
  };
  std::map<std::string, std::string> pictures{
      {"choices-time.svg",
       picture(choices, title + ": time of what is chosen", ChoicePicture::time, with_best(models))},
      {"choices-epsilon.svg", picture(choices, title + ": epsilon", ChoicePicture::epsilon, models)},
      {"choices-delta.svg", picture(choices, title + ": delta", ChoicePicture::delta, models)}};
  if (!fixed.empty()) {
    if (!models.empty()) fixed.insert(fixed.begin(), models.back());
    pictures["choices-fixed-time.svg"] =
        picture(choices, title + ": time of fixed configurations", ChoicePicture::time, with_best(fixed));
    pictures["choices-fixed-epsilon.svg"] =
        picture(choices, title + ": epsilon of fixed configurations", ChoicePicture::epsilon, fixed);
  }
  return pictures;
}

}  // namespace orrery::study
