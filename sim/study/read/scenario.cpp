#include "sim/study/read/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "kernels/kernel.hpp"
#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/read/hpl_dat.hpp"
#include "sim/study/read/keys.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/measured_times.hpp"
#include "sim/study/read/only.hpp"
#include "sim/study/read/overrides.hpp"
#include "sim/study/read/partition_problem.hpp"
#include "sim/study/read/what_if_places.hpp"

namespace orrery {

using config::Document;
using config::Section;

namespace {

/// Which values of 'fit-on' some point has: a slip of one digit would leave its runs out without a word.
class FitOnValues {
 public:
  explicit FitOnValues(const std::vector<ModelSpec>& models) {
    for (const auto& model : models)
      for (const auto& [path, values] : model.fit_on)
        for (const auto& value : values) unseen_.push_back({&model, path, value});
  }
  void see(const std::map<std::string, std::string>& flat) {
    std::erase_if(unseen_, [&](const Value& one) {
      const auto found = flat.find(one.path);
      if (found == flat.end()) return false;
      if (same_value(found->second, one.value)) return true;
      if (auto& known = known_[one.path]; known.size() < 20) known.insert(found->second);
      return false;
    });
  }
  void require_all_seen() const {
    if (unseen_.empty()) return;
    const auto& [model, path, value] = unseen_.front();
    const auto found = known_.find(path);
    if (found == known_.end())
      throw InputError(
          "{}: 'fit-on' of model '{}' has '{}', which no point has (a path of the points, as "
          "in 'sweep'). Leave it out?",
          model->fit_on_where, model->name, path);
    const std::vector<std::string> known(found->second.begin(), found->second.end());
    throw InputError("{}: 'fit-on' of model '{}' has {} '{}', which no point has{}", model->fit_on_where, model->name,
                     path, value, known_names(value, known));
  }

 private:
  struct Value {
    const ModelSpec* model;
    std::string path, value;
  };
  std::vector<Value> unseen_;
  std::map<std::string, std::set<std::string>> known_;  ///< some values that points have
};

/// Every point can be read; every model that is fitted to runs has some; a partition is of some kernel with a grid.
void read_every_point(const Scenario& scenario, const Section& root) {
  std::vector<bool> has_runs;
  for (const auto& model : scenario.models) has_runs.push_back(model.fit_on.empty());
  FitOnValues fit_on(scenario.models);
  bool any_grid = false;
  const auto iterates = [](const PointSpec& point) {
    if (!point.jobs.empty()) return false;
    const auto& parameters = kernels().at(point.kernel.name, point.kernel.where).parameters;
    return std::ranges::find(parameters, "iterations", &Key::name) != parameters.end();
  };
  for (const PointSpec& point : scenario.points) {
    if (scenario.steady > 0.0 && !iterates(point))
      root.refuse("steady", Refusal("kernel '{}' has no 'iterations' that could be left out. Remove 'steady'?",
                                    point.kernel.name));
    fit_on.see(point.flat);
    any_grid = any_grid || !point.jobs.empty() || kernels().at(point.kernel.name, point.kernel.where).grid;
    for (std::size_t m = 0; m < scenario.models.size(); ++m)
      if (!has_runs[m]) has_runs[m] = meets(scenario.models[m].fit_on, point.flat);
  }
  for (std::size_t m = 0; m < scenario.models.size(); ++m)
    if (!has_runs[m])
      throw InputError(
          "{}: no point meets 'fit-on' of model '{}' (one of the values of every path). Name "
          "values of the sweep?",
          scenario.models[m].fit_on_where, scenario.models[m].name);
  if (!scenario.changed && !root.has("only")) fit_on.require_all_seen();  // else it is a part of the sweep on purpose
  if (root.has("partition") && !any_grid)
    root.refuse("partition", Refusal("kernel '{}' has no grid, so 'partition' would have no effect. Remove it?",
                                     scenario.points.front().kernel.name));
}

/// What is of one program on a machine of its own, and would say something else of several.
void refuse_beside_jobs(const Section& root) {
  if (!root.has("jobs")) return;
  const auto refuse = [&root](const char* key, const char* why) {
    if (root.has(key)) root.refuse(key, Refusal("'{}' beside 'jobs' ({}). Remove it?", key, why));
  };
  refuse("models", "a model predicts one program that has the machine for itself");
  refuse("calibrate", "there are no models beside 'jobs'");
  refuse("choose", "no model chooses a layout for several jobs");
  refuse("validate", "several jobs are not measured here");
  refuse("measured", "a measured time is of one program");
  refuse("steady", "a job's repetitions are told by 'repeat'");
  refuse("only", "its rules are of the ranks of one program");
}

/// Without what no point reads: every point is read from a copy of it, which would take the longer the more values the
/// axes have.
Document for_points(Document document) {
  for (const char* key : {"sweep", "published", "tolerance", "choose", "search", "only"})
    if (document.root().has(key)) document = document.with(key, "{}", key);
  return document;
}

/// An axis that a key names; none where --set took it away.
std::string known_axis(const Section& root, const char* key, std::string path, const std::vector<Axis>& written,
                       const std::vector<Axis>& axes) {
  const auto has_axis = [&](const std::vector<Axis>& some) {
    return std::ranges::find(some, path, &Axis::path) != some.end();
  };
  if (path.empty() || has_axis(axes)) return path;
  if (has_axis(written)) return "";
  std::vector<std::string> known;
  known.reserve(axes.size());
  for (const auto& axis : axes) known.push_back(axis.path);
  root.refuse(key, Refusal("'{}' is not an axis of the sweep{}", path, known_names(path, known)));
}

/// One axis or several; those that --set took out of the sweep are left out.
std::vector<std::string> read_axes(const Section& root, const char* key, const std::vector<Axis>& written,
                                   const std::vector<Axis>& axes) {
  const auto value = root.optional(key);
  if (!value) return {};
  std::vector<std::string> paths;
  for (const auto& one : value->is_list() ? value->list() : std::vector{*value})
    if (auto path = known_axis(root, key, one.text(), written, axes); !path.empty()) paths.push_back(std::move(path));
  return paths;
}

}  // namespace

namespace {

/// The network that a file names above a sweep over 'network' is of no point, but of whoever reads the file.
void require_base_network(const Section& root, const std::vector<Axis>& axes, const std::string& folder) {
  const auto is_swept = [&](std::string_view path) {
    return std::ranges::any_of(axes, [&](const Axis& axis) { return axis.path.starts_with(path); });
  };
  const auto network = root.optional("network"), platform = root.optional("platform");
  if (!network || !network->is_scalar() || !is_swept("network") || is_swept("platform")) return;
  if (!platform || !platform->is_scalar()) return;
  const Platform known = load_platform(data_path("platforms", platform->text(), "yaml", platform->where(), folder));
  known.network(network->text(), network->where());
}

}  // namespace

std::string Scenario::folder() const {
  const auto parent = std::filesystem::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

Scenario parse_scenario(const Document& original, const std::string& path, const std::vector<std::string>& overrides,
                        const std::string& said_by) {
  const Document document = apply_overrides(original, overrides, said_by);
  const Section root = document.root(scenario_keys());
  Scenario scenario{.name = std::filesystem::path(path).stem().string(), .file = path};
  scenario.title = scenario.name;
  config::read_fields(root, scenario_detail::scenario_fields(), scenario);
  require_distinct(scenario.models);
  scenario.changes = changes_of_points(overrides);
  if (!scenario.changes.empty()) scenario.title += fmt::format(" (with {})", scenario.changes);
  const auto engines = engine_choices();
  if (std::ranges::find(engines, scenario.engine) == engines.end())
    root.refuse("engine", !why_not_built(scenario.engine).empty() ? why_not_built(scenario.engine)
                                                                  : Refusal("unknown engine '{}'{}", scenario.engine,
                                                                            known_names(scenario.engine, engines)));
  require_sharing(scenario.engine, scenario.approximate, root.where("approximate"), "Write 'engine: flow'");
  scenario.changed = std::ranges::any_of(
      overrides, [](const std::string& o) { return !o.starts_with("engine=") && !o.starts_with("tolerance="); });
  const auto written = read_sweep(root);
  const auto axes = with_hpl_runs(
      with_each_place(apply_overrides(written, document, overrides, said_by), document, scenario.folder()), document);
  refuse_too_many_points(axes);
  scenario.average_over =
      known_axis(root, "average-over", root.optional_text("average-over").value_or(""), written, axes);
  scenario.speed_up_over = read_axes(root, "speed-up-over", written, axes);
  const auto only = root.optional_section("only");
  root.finish();
  refuse_beside_jobs(root);
  require_base_network(root, axes, scenario.folder());
  scenario.points = swept(for_points(document), axes);
  if (only) scenario.points = only_some(std::move(scenario.points), *only, scenario.folder());
  read_every_point(scenario, root);
  return scenario;
}

Scenario read_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  require_scenario_kind(path);  // before its keys are called unknown ones
  const Document document = config::read_yaml(path);
  Scenario scenario = parse_scenario(document, path, overrides);
  const EachPoint each = [&](const std::function<void(const PointValues&)>& tell) {
    for (const PointSpec& point : scenario.points) tell({point.flat, point.settings});
  };
  read_own_predictions(scenario.models, each, scenario.folder());
  read_measured_times(scenario, each);
  return scenario;
}

}  // namespace orrery
