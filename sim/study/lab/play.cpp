#include "sim/study/lab/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/lab/lab_keys.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/search/quantity.hpp"

namespace orrery::lab {

namespace {

constexpr std::size_t points_most = 400;  ///< of a state: a student waits for them
constexpr std::size_t combinations_most = 64;

const std::string* setting_of(const Settings& settings, const std::string& path) {
  const auto found = std::ranges::find(settings, path, &Settings::value_type::first);
  return found == settings.end() ? nullptr : &found->second;
}

/// The x and the line of a point, without its y.
CurvePoint point_of(const Lab& lab, const std::string& state, const Settings& settings) {
  std::vector<std::string> known;
  for (const auto& [path, value] : settings) known.push_back(path);
  const auto need = [&](const std::string& key, const std::string& path) -> const std::string& {
    if (const std::string* value = setting_of(settings, path)) return *value;
    throw InputError("{}: 'curve.{}' is '{}', which is no axis of the sweep{}", lab.file, key, path,
                     known_names(path, known));
  };
  const std::string& x = need("x", lab.curve.x);
  const auto number = number_in(x);
  if (!number || !(*number > 0.0))
    throw InputError(
        "{}: 'curve.x' is '{}', which has the value '{}' (numbers above 0: the axis is "
        "logarithmic). Choose another axis?",
        lab.file, lab.curve.x, x);
  return {.state = state,
          .line = lab.curve.line.empty() ? "" : need("line", lab.curve.line),
          .x = *number,
          .settings = settings};
}

void add_line(Curves& curves, const std::string& line) {
  if (std::ranges::find(curves.lines, line) == curves.lines.end()) curves.lines.push_back(line);
}

void add_letters(Curves& curves, const Scenario& scenario) {
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory);
  const LoadedPoint point = loader.placed(scenario.points.front());
  curves.letters = {{"L", point.network->latency.si()},
                    {"B", point.network->bandwidth.si()},
                    {"P", static_cast<double>(point.layout.ranks())},
                    {"N", static_cast<double>(point.layout.nodes().size())}};
}

void add_measured(Curves& curves, const Lab& lab, const std::string& platform) {
  if (!lab.measured) return;
  const DataTable table =
      config::read_csv(data_path("labs", lab.measured->file, "csv", lab.measured->where, lab.folder()));
  table.require_known({"platform", "line", "x", "y"});
  constexpr double least = 1e-30, most = 1e30;
  const auto measured_on = [&](const auto& row) { return table.text(row, "platform").value_or("any"); };
  const bool own = std::ranges::any_of(table.rows, [&](const auto& row) { return measured_on(row) == platform; });
  for (const auto& row : table.rows) {
    if (measured_on(row) != (own ? platform : "any")) continue;
    curves.measured.push_back({table.text(row, "line").value_or(""), table.required(row, "x", least, most),
                               table.required(row, "y", least, most)});
  }
}

}  // namespace

Scenario scenario_of(const Lab& lab, const std::string& state, const Conditions& changed) {
  std::vector<std::string> overrides;
  for (const auto& conditions : {state == "broken" ? lab.break_it : Conditions{}, changed})
    for (const auto& [path, value] : conditions)
      if (path != "state") overrides.push_back(path + "=" + value);
  const bool broken = state == "broken" && !lab.break_it.empty();
  const std::string said_by = fmt::format("{}, {}", lab.file,
                                          !broken           ? "moment"
                                          : changed.empty() ? "break-it"
                                                            : "moment and break-it");
  Scenario scenario =
      parse_scenario(config::parse_yaml(lab.scenario, lab.file + ", scenario"), lab.file, overrides, said_by);
  if (scenario.engine != "flow")
    throw InputError(
        "{}: the scenario is for engine '{}' (labs are played in a browser, too, which has "
        "'flow'). Write 'engine: flow' in it?",
        lab.scenario_where, scenario.engine);
  if (scenario.points.size() > points_most)
    throw InputError("{}: the scenario has {} points (up to {}: a student waits for them). Sweep fewer values?",
                     lab.scenario_where, scenario.points.size(), points_most);
  return scenario;
}

Scenario moment_of(const Lab& lab, const std::string& knob) {
  if (lab.moment.empty()) throw InputError("{}: has no 'moment' to step through. Add one?", lab.file);
  Conditions changed = lab.moment;
  std::string state;
  for (const auto& [path, value] : lab.moment)
    if (path == "state") state = value;
  if (!knob.empty()) {
    if (!lab.knob || std::ranges::find(lab.knob->values, knob) == lab.knob->values.end())
      throw InputError("{}: the knob has no value '{}'{}", lab.file, shown(knob),
                       known_names(knob, lab.knob ? lab.knob->values : std::vector<std::string>{}));
    std::erase_if(changed, [&](const auto& setting) { return setting.first == lab.knob->path; });
    changed.emplace_back(lab.knob->path, knob);
  }
  Scenario scenario = scenario_of(lab, state, changed);
  if (scenario.points.size() != 1)
    throw InputError(
        "{}: 'moment' is {} points (one is stepped through). Name a setting of each axis of the "
        "sweep?",
        lab.file, scenario.points.size());
  return scenario;
}

Curves planned(const Lab& lab) {
  Curves curves;
  const Scenario scenario = scenario_of(lab, "");
  for (std::size_t i = 0; i < scenario.points.size(); ++i) {
    const Settings settings = scenario.points.settings(i);
    add_line(curves, point_of(lab, "", settings).line);
    curves.x_is_data = parse_quantity(*setting_of(settings, lab.curve.x), Dimension::data).si.has_value();
  }
  add_letters(curves, scenario);
  add_measured(curves, lab, scenario.points.front().platform.name);
  return curves;
}

Curves played(const Lab& lab, unsigned jobs) {
  Curves curves = planned(lab);
  std::vector<std::string> states{""};
  if (!lab.break_it.empty()) states.emplace_back("broken");
  for (const std::string& state : states) {
    const Scenario scenario = scenario_of(lab, state);
    const auto run = study::run_scenario(scenario, {.jobs = jobs, .critical_path = false});
    for (const PointResult& point : run.result.points) {
      if (!point.failure.empty()) throw ReplayError("{}: {}", lab.file, point.failure);
      CurvePoint made = point_of(lab, state, point.settings);
      const auto quantity = study::quantity_of(point, lab.curve.y);
      if (!quantity) {
        const auto known = study::quantities_of(point);
        throw InputError("{}: 'curve.y' is '{}', which no run has{}", lab.file, lab.curve.y,
                         known_names(lab.curve.y, known));
      }
      if (!(quantity->value > 0.0) || !std::isfinite(quantity->value))
        throw InputError(
            "{}: '{}' is {} at x = {:g} (above 0: the axis is logarithmic). Choose another "
            "'curve.y'?",
            lab.file, lab.curve.y, quantity->value, made.x);
      made.y = quantity->value;
      curves.y_unit = quantity->unit;
      curves.points.push_back(std::move(made));
    }
  }
  return curves;
}

namespace {

/// Of every question, and of what those answer who have a wrong idea.
void require_answers(const Lab& lab, const Curves& curves) {
  std::vector<const Question*> questions{&lab.predict};
  for (const auto& more : {&lab.choose, &lab.transfer})
    if (*more) questions.push_back(&**more);
  for (const Question* question : questions) {
    require_points(question->answer, curves, lab);
    for (const Mistake& mistake : question->mistakes)
      if (mistake.answer) require_points(*mistake.answer, curves, lab);
  }
}

}  // namespace

std::string checked(const std::string& path) {
  const LabFile file = LabFile::read(path);
  const auto all = file.all(combinations_most);
  std::size_t points = 0;
  const auto untimed = [](const LoadedPoint&, const PointSpec&, const std::string&) { return Seconds{}; };
  for (const auto& drawn : all) {
    const Lab lab = file.lab(drawn);
    Curves curves = planned(lab);
    if (!lab.moment.empty()) moment_of(lab, "");
    for (const char* state : {"", "broken"}) {
      const Scenario scenario = scenario_of(lab, state);
      PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory, untimed);
      for (const auto& point : scenario.points) loader.load(point);
      points = scenario.points.size();
      for (std::size_t i = 0; i < points; ++i)
        curves.points.push_back(point_of(lab, state, scenario.points.settings(i)));
    }
    require_answers(lab, curves);
  }
  return fmt::format("lab '{}', {} combination{} of what is drawn, {} points each", file.lab(all.front()).name,
                     all.size(), all.size() == 1 ? "" : "s", points);
}

namespace {

const bool entered =
    file_kinds().add({.name = "lab", .summary = "a lab has 'predict'", .section = "predict", .check = checked});

}  // namespace

}  // namespace orrery::lab
