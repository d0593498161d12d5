#include "sim/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "kernels/kernel.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/scenario/data_path.hpp"
#include "sim/scenario/engines.hpp"
#include "sim/scenario/hpl_dat.hpp"
#include "sim/scenario/keys.hpp"
#include "sim/scenario/only.hpp"
#include "sim/scenario/overrides.hpp"
#include "sim/scenario/partition_problem.hpp"

namespace orrery {

using config::Document;
using config::Section;

namespace {

ValidateSpec read_validate(const Section& section) {
  ValidateSpec validate;
  validate.where = section.where();
  for (const auto& size : section.optional_list("sizes")) validate.sizes.push_back(size.bytes());
  std::ranges::sort(validate.sizes);
  validate.repeat = static_cast<std::uint32_t>(section.integer("repeat"));
  validate.seeds = static_cast<std::uint32_t>(section.integer("seeds"));
  if (section.has("median")) validate.median = section.value("median").share();
  if (section.has("each")) validate.each = section.value("each").share();
  validate.repeats_to = section.value("repeats-to").share();
  section.finish();
  return validate;
}

CalibrationSpec read_calibration(const Section& section) {
  CalibrationSpec spec{.where = section.where()};
  for (const auto& size : section.optional_list("sizes")) spec.sizes.push_back(size.bytes());
  if (std::ranges::adjacent_find(spec.sizes, std::greater_equal<>()) != spec.sizes.end())
    section.refuse("sizes", "'sizes' do not increase (each once, smallest first). Sort the list?");
  spec.concurrency = static_cast<std::uint32_t>(section.optional_integer("concurrency").value_or(0));
  if (const auto pairs = section.optional("pairs")) spec.pairs = static_cast<CalibrationPairs>(pairs->choice());
  for (const auto& file : section.optional_list("files")) spec.files.push_back(file.text());
  if (!spec.files.empty() && (!spec.sizes.empty() || spec.concurrency > 0 || section.has("pairs")))
    section.refuse("files", "'files' and settings for measuring are both given (only one is allowed). Remove 'files'?");
  section.finish();
  return spec;
}

/// Every point can be read; every model that is fitted to runs has some; a partition is of some kernel with a grid.
void read_every_point(const Scenario& scenario, const Section& root) {
  std::vector<bool> has_runs;
  for (const auto& model : scenario.models) has_runs.push_back(model.fit_on.empty());
  bool any_grid = false;
  const auto iterates = [](const PointSpec& point) {
    const auto& parameters = kernels().at(point.kernel.name, point.kernel.where).parameters;
    return std::ranges::find(parameters, "iterations", &ParameterDescription::name) != parameters.end();
  };
  for (const PointSpec& point : scenario.points) {
    if (scenario.steady > 0.0 && !iterates(point))
      root.refuse("steady", fmt::format("kernel '{}' has no 'iterations' that could be left out. Remove 'steady'?",
                                        point.kernel.name));
    any_grid = any_grid || kernels().at(point.kernel.name, point.kernel.where).grid;
    for (std::size_t m = 0; m < scenario.models.size(); ++m)
      if (!has_runs[m]) has_runs[m] = meets(scenario.models[m].fit_on, point.flat);
  }
  for (std::size_t m = 0; m < scenario.models.size(); ++m)
    if (!has_runs[m])
      throw InputError(
          fmt::format("{}: no point meets 'fit-on' of model '{}' (one of the values of every path). Name "
                      "values of the sweep?",
                      scenario.models[m].fit_on_where, scenario.models[m].name));
  if (root.has("partition") && !any_grid)
    root.refuse("partition", fmt::format("kernel '{}' has no grid, so 'partition' would have no effect. Remove it?",
                                         scenario.points.front().kernel.name));
}

/// Without what no point reads: every point is read from a copy of it, which would take the longer the more values the
/// axes have.
Document for_points(Document document) {
  for (const char* key : {"sweep", "published", "tolerance", "choose", "only"})
    if (document.root().has(key)) document = document.with(key, "{}", key);
  return document;
}

/// An axis that a key names; none where --set took it away.
std::string read_axis(const Section& root, const char* key, const std::vector<Axis>& written,
                      const std::vector<Axis>& axes) {
  std::string path = root.optional_text(key).value_or("");
  const auto has_axis = [&](const std::vector<Axis>& some) {
    return std::ranges::find(some, path, &Axis::path) != some.end();
  };
  if (path.empty() || has_axis(axes)) return path;
  if (has_axis(written)) return "";
  std::vector<std::string> known;
  known.reserve(axes.size());
  for (const auto& axis : axes) known.push_back(axis.path);
  root.refuse(key, fmt::format("'{}' is not an axis of the sweep{}", path, known_names(path, known)));
}

}  // namespace

std::string Scenario::folder() const {
  const auto parent = std::filesystem::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

Scenario parse_scenario(const Document& original, const std::string& path, const std::vector<std::string>& overrides) {
  const Document document = apply_overrides(original, overrides);
  const Section root = document.root(scenario_keys());
  Scenario scenario{.name = std::filesystem::path(path).stem().string(), .file = path};
  scenario.source = root.text("source");
  scenario.title = root.optional_text("title").value_or(scenario.name);
  scenario.engine = root.text("engine");
  const auto engines = engine_choices();
  if (std::ranges::find(engines, scenario.engine) == engines.end())
    root.refuse("engine", fmt::format("unknown engine '{}'{}", scenario.engine, known_names(scenario.engine, engines)));
  scenario.approximate = root.number("approximate");
  if (scenario.approximate > 0.0 && scenario.engine == "simgrid")
    root.refuse("approximate", "engine 'simgrid' only shares resources exactly. Write 'engine: flow'?");
  scenario.ignore_memory = root.boolean("ignore-memory");
  if (const auto steady = root.optional("steady")) scenario.steady = steady->share();
  if (const auto choose = root.optional_section("choose")) scenario.choose = read_choose(*choose);
  for (const auto& model : root.optional_list("models")) scenario.models.push_back(read_model(model));
  if (const auto calibration = root.optional_section("calibrate"))
    scenario.calibration = read_calibration(*calibration);
  if (const auto validate = root.optional_section("validate")) scenario.validate = read_validate(*validate);
  std::vector<std::string> own;
  for (const auto& model : scenario.models)
    if (model.is_own()) own.push_back(model.name);
  for (const auto& item : root.optional_list("published")) scenario.published.push_back(read_published(item, own));
  for (const auto& item : root.optional_list("tolerance")) scenario.tolerances.push_back(read_tolerance(item, own));
  if (const auto file = root.optional_text("measured")) {
    scenario.measured_file = *file;
    scenario.measured_where = root.where("measured");
  }
  scenario.changed = std::ranges::any_of(overrides, [](const auto& o) { return !o.starts_with("engine="); });
  const auto written = read_sweep(root);
  // Of a copy: what it asks for at the paths of --set must not become known keys of the scenario.
  const auto axes = apply_overrides(written, apply_overrides(original, overrides), overrides);
  refuse_too_many_points(axes);
  scenario.average_over = read_axis(root, "average-over", written, axes);
  scenario.speed_up_over = read_axis(root, "speed-up-over", written, axes);
  // The keys every point reads are known here too; their values are read once per point.
  for (const auto& key : point_keys()) root.has(key);
  const auto only = root.optional_section("only");
  root.finish();
  scenario.points = swept(for_points(document), axes);
  if (only) scenario.points = only_some(std::move(scenario.points), *only, scenario.folder());
  read_every_point(scenario, root);
  return scenario;
}

Scenario read_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  Scenario scenario = parse_scenario(config::read_yaml(path), path, overrides);
  const EachPoint each = [&](const std::function<void(const PointValues&)>& tell) {
    for (const PointSpec& point : scenario.points) tell({point.flat, point.settings});
  };
  read_own_predictions(scenario.models, each, scenario.folder());
  if (scenario.measured_file.empty()) return scenario;
  const std::string measured =
      data_path("validation", scenario.measured_file, "csv", scenario.measured_where, scenario.folder());
  scenario.measured =
      std::make_shared<const OwnPredictions>(config::read_csv(measured), each, OwnPredictions::Covers::some_points);
  return scenario;
}

}  // namespace orrery
