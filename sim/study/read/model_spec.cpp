#include "sim/study/read/model_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

namespace {

/// Times of one's own have a name of their own, and nothing to choose.
void check_own(const ModelSpec& spec) {
  if (models().contains(spec.name) || spec.name == "measured")
    throw InputError(
        "{}: '{}' is a name that Orrery uses, and 'predictions' are times of your own. Call them "
        "otherwise?",
        spec.where, spec.name);
  if (!spec.settings.empty())
    throw InputError("{}: '{}' has predictions of its own, so '{}' would have no effect. Remove it?",
                     spec.settings.front().where, spec.name, spec.settings.front().name);
  if (!spec.fit_on_where.empty())
    throw InputError("{}: '{}' has predictions of its own, so 'fit-on' would have no effect. Remove it?",
                     spec.fit_on_where, spec.name);
}

/// A model fitted to runs names them; no other does. Refuses settings that the model does not have, too.
ModelSpec checked(ModelSpec spec) {
  if (spec.is_own()) {
    check_own(spec);
    return spec;
  }
  look_up(spec);
  if (spec.fitted_to_runs() && spec.fit_on.empty())
    throw InputError(
        "{}: model '{}' is fitted to runs, and none are named ('fit-on' has paths and their values). Add "
        "'fit-on: {{kernel.points: [256, 512, 1024]}}'?",
        spec.where, spec.name);
  if (!spec.fitted_to_runs() && !spec.fit_on_where.empty())
    throw InputError("{}: model '{}' is not fitted to runs (those with 'fit-on' are). Remove 'fit-on'?",
                     spec.fit_on_where, spec.name);
  return spec;
}

}  // namespace

void look_up(ModelSpec& spec) {
  spec.entry = &models().at(spec.name, spec.where);
  spec.variant = variant_of(*spec.entry, spec);
  spec.has = parts_of(*spec.entry, spec.variant);
}

void scenario_detail::add_setting(NamedSpec& spec, const std::string& name, const config::Value& value) {
  const auto inside =
      value.is_section() ? value.section().items() : std::vector<std::pair<std::string, config::Value>>{};
  if (!inside.empty())
    throw InputError(
        "{}: '{}' is a section (settings stand beside the name of what they are of). Write '{}: {}' there instead?",
        value.where(), name, inside.front().first,
        inside.front().second.is_scalar() ? inside.front().second.written() : "...");
  spec.settings.push_back({name, value.text(), value.where()});
}

/// Paths may be written inside each other: {kernel: {points: [1, 2]}} is {kernel.points: [1, 2]}.
void scenario_detail::add_condition(PointConditions& conditions, const std::string& path, const config::Value& value) {
  if (value.is_section()) {
    for (const auto& [key, item] : value.section().items()) add_condition(conditions, path + "." + key, item);
    return;
  }
  auto& values = conditions[path] = {};
  for (const auto& one : value.is_list() ? value.list() : std::vector{value}) values.push_back(one.text());
  if (values.empty()) value.refuse("(no point has one of no values). Name a value, or leave the key out?");
}

ModelSpec read_model(const config::Value& value) {
  if (!value.is_section()) return checked({{value.text(), value.where(), {}}});
  const config::Section section = value.section();
  ModelSpec spec{{"", section.where("name"), {}}};
  config::read_fields(section, scenario_detail::model_fields(), spec);
  if (section.has("fit-on")) spec.fit_on_where = section.where("fit-on");
  spec.predictions_where = section.where("predictions");
  return checked(std::move(spec));
}

void require_distinct(const std::vector<ModelSpec>& specs) {
  std::set<std::pair<std::string, std::string>> known;
  for (const ModelSpec& spec : specs) {
    if (spec.is_own()) continue;
    if (!known.emplace(spec.name, spec.variant).second)
      throw InputError("{}: model '{}'{} is there twice (a model's name, mode and options label it{}). Remove one?",
                       spec.where, spec.name, spec.variant.empty() ? "" : " (" + spec.variant + ")",
                       spec.fit_on.empty() ? "" : "; 'fit-on' does not tell two apart: give each a run of its own");
  }
}

void read_own_predictions(std::vector<ModelSpec>& specs, const EachPoint& points, const std::string& folder) {
  for (auto spec = specs.begin(); spec != specs.end(); ++spec) {
    if (!spec->is_own()) continue;
    if (std::any_of(specs.begin(), spec, [&](const ModelSpec& other) { return other.name == spec->name; }))
      throw InputError("{}: two models are called '{}' (a label of the table). Rename one?", spec->where, spec->name);
    const std::string path =
        data_path("scenarios/predictions", spec->predictions, "csv", spec->predictions_where, folder);
    spec->own = std::make_shared<const OwnPredictions>(config::read_csv(path), points);
  }
}

std::vector<ModelDescription> descriptions_of(const std::vector<ModelSpec>& specs) {
  std::vector<ModelDescription> result;
  for (const auto& spec : specs) {
    if (std::ranges::find(result, spec.name, &ModelDescription::name) != result.end()) continue;
    if (spec.is_own()) {
      result.push_back({spec.name, "predictions of the scenario's own", spec.predictions, {}});
      continue;
    }
    result.push_back({spec.entry->name, spec.entry->summary, spec.entry->source, spec.entry->assumptions});
  }
  return result;
}

std::vector<std::string> unused_predictions(const std::vector<ModelSpec>& specs) {
  std::vector<std::string> notes;
  for (const auto& spec : specs)
    if (spec.own && !spec.own->unused().empty()) notes.push_back(spec.own->unused());
  return notes;
}

std::string variant_of(const ModelEntry& entry, const NamedSpec& spec) {
  std::vector<ModelSetting> settings;
  for (const auto& [name, value, where] : spec.settings) settings.push_back({name, value, where});
  return variant_of(entry, settings);
}

bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = parse_quantity(a, Dimension::scalar), y = parse_quantity(b, Dimension::scalar);
  return x.si && y.si && *x.si == *y.si;
}

bool meets(const PointConditions& conditions, const std::map<std::string, std::string>& flat) {
  return std::ranges::all_of(conditions, [&](const auto& wanted) {
    const auto found = flat.find(wanted.first);
    return found != flat.end() &&
           std::ranges::any_of(wanted.second, [&](const auto& value) { return same_value(found->second, value); });
  });
}

}  // namespace orrery
