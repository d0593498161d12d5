#include "sim/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "kernels/kernel.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/scenario/engines.hpp"
#include "sim/scenario/hpl_dat.hpp"
#include "sim/scenario/keys.hpp"
#include "sim/scenario/overrides.hpp"
#include "sim/scenario/partition_problem.hpp"

namespace orrery {

using config::Document;
using config::Section;
using config::Value;

namespace {

NamedSpec read_named(const Section& section) {
  NamedSpec spec{.name = section.text("name"), .where = section.where("name")};
  for (const auto& [key, value] : section.items())
    if (key != "name") spec.settings.push_back({key, value.text(), value.where()});
  return spec;
}

LayoutSpec read_layout(const Section& section) {
  LayoutSpec spec{.where = section.where()};
  if (section.has("table")) {
    spec.table = section.text("table");
    spec.row = section.text("row");
    spec.where = section.where("row");
    section.finish();
  } else {
    spec.own = load_layout_row(section, "layout");
    if (const auto& spread = spec.own->spread)  // how it is called in tables
      spec.own->name = spread->name();
  }
  return spec;
}

PartitionSpec read_partition(const Section& section) {
  PartitionSpec spec{.where = section.where()};
  if (const auto file = section.optional_text("file")) {
    spec.file = *file;
    spec.where = section.where("file");
  } else {
    spec.algorithm = section.text("algorithm");
    spec.where = section.where("algorithm");
    for (const auto& speed : section.optional_list("speeds")) spec.speeds.push_back(speed.number());
    if (const auto by = section.optional_text("time-by")) {
      spec.time_by = *by;
      require_timer(spec, section.where("time-by"));
    }
  }
  section.finish();
  return spec;
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

/// "summa blocks=128" for a section ("table rows=3" with a list of three), "[1, 2]" for a list, a scalar as it is.
std::string label_of(const Value& value) {
  if (value.is_scalar()) return value.text();
  std::string label;
  if (value.is_list()) {
    for (const auto& item : value.list()) label += (label.empty() ? "[" : ", ") + label_of(item);
    return label + "]";
  }
  for (const auto& [key, item] : value.section().items()) {
    if (!label.empty()) label += " ";
    const std::string text = item.is_list() ? fmt::format("{}", item.list().size()) : item.text();
    label += key == "name" || key == "model" ? text : fmt::format("{}={}", key, text);
  }
  return label;
}

void read_compute(const Section& section, PointSpec& point) {
  point.compute.where = section.where();
  for (const auto& [key, value] : section.items()) {
    if (key == "model") {
      point.compute.name = value.text();
      point.compute.where = value.where();
    } else if (key == "rows") {
      point.compute_rows = std::make_shared<const DataTable>(config::rows_of(value));
    } else {
      point.compute.settings.push_back({key, value.text(), value.where()});
    }
  }
}

PointSpec read_point(const Document& document, Settings settings) {
  PointSpec point{.settings = std::move(settings), .flat = document.scalars()};
  const Section root = document.root(scenario_keys());
  point.staging_in_compute_model = root.choice("gpu-staging") == 0;
  point.platform = read_platform_spec(root.value("platform"));
  point.flat["platform"] = point.platform.name;
  point.network = root.text("network");
  point.network_where = root.where("network");
  point.layout = read_layout(root.section("layout"));
  point.kernel = read_named(root.section("kernel"));
  expand_hpl_dat(point.kernel);
  const auto& kernel = kernels().at(point.kernel.name, point.kernel.where);
  Parameters parameters(kernel.parameters);
  for (const auto& [name, value, where] : point.kernel.settings) parameters.set(name, value, where);
  for (const auto& [name, value] : parameters.rendered()) point.flat.try_emplace("kernel." + name, value);
  point.compute = NamedSpec{"", root.where(), {}};
  if (const auto compute = root.optional_section("compute")) read_compute(*compute, point);
  if (const auto partition = root.optional_section("partition")) point.partition = read_partition(*partition);
  if (kernel.grid && !point.partition) point.partition = PartitionSpec{"beaumont-columns", "", root.where()};
  return point;
}

/// The product of the axes, the last one fastest.
void unroll(const Document& document, const std::vector<Axis>& axes, std::size_t depth, const Settings& settings,
            std::vector<PointSpec>& into) {
  if (depth == axes.size()) {
    into.push_back(read_point(document, settings));
    return;
  }
  for (const auto& value : axes[depth].values) {
    Settings extended = settings;
    extended.emplace_back(axes[depth].path, label_of(value));
    unroll(opened_for(axes[depth].path, document).with(axes[depth].path, value), axes, depth + 1, extended, into);
  }
}

/// Every model that is fitted to runs has some.
void require_runs(const Scenario& scenario) {
  for (const auto& model : scenario.models) {
    const auto fitted = [&](const PointSpec& point) { return meets(model.fit_on, point.flat); };
    if (!model.fit_on.empty() && std::ranges::none_of(scenario.points, fitted))
      throw InputError(
          fmt::format("{}: no point meets 'fit-on' of model '{}' (one of the values of every path). Name "
                      "values of the sweep?",
                      model.fit_on_where, model.name));
  }
}

/// Without what no point reads: every point is read from a copy of it, so that memory would grow with the points times
/// the values of the axes.
Document for_points(Document document) {
  for (const char* key : {"sweep", "published", "tolerance"})
    if (document.root().has(key)) document = document.with(key, "{}", key);
  return document;
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
  for (const auto& model : root.optional_list("models")) scenario.models.push_back(read_model(model));
  if (const auto calibration = root.optional_section("calibrate"))
    scenario.calibration = read_calibration(*calibration);
  std::vector<std::string> own;
  for (const auto& model : scenario.models)
    if (model.is_own()) own.push_back(model.name);
  for (const auto& item : root.optional_list("published")) scenario.published.push_back(read_published(item, own));
  for (const auto& item : root.optional_list("tolerance")) scenario.tolerances.push_back(read_tolerance(item, own));
  scenario.changed = std::ranges::any_of(overrides, [](const auto& o) { return !o.starts_with("engine="); });
  const auto swept = read_sweep(root);
  // Of a copy: what it asks for at the paths of --set must not become known keys of the scenario.
  const auto axes = apply_overrides(swept, apply_overrides(original, overrides), overrides);
  refuse_too_many_points(axes);
  scenario.average_over = root.optional_text("average-over").value_or("");
  const auto has_axis = [&](const std::vector<Axis>& some) {
    return std::ranges::find(some, scenario.average_over, &Axis::path) != some.end();
  };
  // An axis that --set took away leaves nothing to average.
  if (has_axis(swept) && !has_axis(axes)) scenario.average_over.clear();
  if (!scenario.average_over.empty() && !has_axis(axes)) {
    std::vector<std::string> known;
    known.reserve(axes.size());
    for (const auto& axis : axes) known.push_back(axis.path);
    root.refuse("average-over", fmt::format("'{}' is not an axis of the sweep{}", scenario.average_over,
                                            known_names(scenario.average_over, known)));
  }
  // The keys every point reads are known here too; their values are read once per point.
  for (const auto& key : point_keys()) root.has(key);
  root.finish();
  unroll(for_points(document), axes, 0, {}, scenario.points);
  require_runs(scenario);
  const bool any_grid = std::ranges::any_of(
      scenario.points, [](const PointSpec& p) { return bool(kernels().at(p.kernel.name, p.kernel.where).grid); });
  if (root.has("partition") && !any_grid)
    root.refuse("partition", fmt::format("kernel '{}' has no grid, so 'partition' would have no effect. Remove it?",
                                         scenario.points.front().kernel.name));
  return scenario;
}

Scenario read_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  Scenario scenario = parse_scenario(config::read_yaml(path), path, overrides);
  std::vector<PointValues> values;
  values.reserve(scenario.points.size());
  for (const auto& point : scenario.points) values.push_back({point.flat, point.settings});
  read_own_predictions(scenario.models, values, scenario.folder());
  return scenario;
}

}  // namespace orrery
