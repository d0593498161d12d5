#include "sim/study/read/compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/compute/catalogue.hpp"
#include "models/compute/variability.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/point.hpp"

namespace orrery {

namespace {

constexpr const char* file_setting = "parameters";

std::string folder_of(const std::string& file) {
  const auto parent = std::filesystem::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Takes the setting `parameters` out of a spec and reads the file it names.
std::shared_ptr<const DataTable> take_table(NamedSpec& spec, const std::string& folder) {
  const auto named = std::ranges::find(spec.settings, file_setting, &NamedSpec::Setting::name);
  if (named == spec.settings.end()) return nullptr;
  auto table = std::make_shared<const DataTable>(
      config::read_csv(data_path("platforms/compute", named->value, "csv", named->where, folder)));
  spec.settings.erase(named);
  return table;
}

std::string identity_of(const NamedSpec& spec, const Parameters& parameters, const DataTable* table) {
  std::string text = spec.name;
  for (const auto& [name, value] : parameters.rendered()) text += fmt::format(" {}={}", name, value);
  if (table == nullptr) return text;
  for (const auto& column : table->columns) text += "," + column;
  for (const auto& row : table->rows)
    for (const auto& cell : row.cells) text += "," + cell;
  return text;
}

/// The platform's choice as a scenario writes one.
NamedSpec spec_of(const ComputeChoice& choice) {
  NamedSpec own{choice.model, choice.where, {}};
  for (const auto& [name, value, where] : choice.settings) own.settings.push_back({name, value, where});
  return own;
}

}  // namespace

std::shared_ptr<const DataTable> compute_rows(const Platform& platform) {
  NamedSpec own = spec_of(platform.compute);
  return platform.compute.rows ? platform.compute.rows : take_table(own, folder_of(platform.file));
}

ComputeSetup make_compute(const ComputeRequest& request, const Platform& platform, const Layout& layout) {
  NamedSpec spec = request.spec;
  auto table = request.rows;
  if (auto named = take_table(spec, request.folder)) {
    if (table) throw InputError("{}: has both 'parameters' and 'rows' (only one is allowed). Remove one?", spec.where);
    table = std::move(named);
  }
  const ComputeChoice& choice = platform.compute;
  if (!choice.model.empty() && (spec.name.empty() || spec.name == choice.model)) {
    NamedSpec own = spec_of(choice);
    auto shipped = take_table(own, folder_of(platform.file));
    if (!table) table = choice.rows ? choice.rows : shipped;
    own.settings.insert(own.settings.end(), spec.settings.begin(), spec.settings.end());
    spec = std::move(own);
  }
  const auto varied = variability_parameters();
  const auto variability = [&](const NamedSpec::Setting& setting) {
    return std::ranges::find(varied, setting.name, &Key::name) != varied.end();
  };
  const bool assumed = spec.name.empty() && std::ranges::all_of(spec.settings, variability);
  if (spec.name.empty()) spec.name = "constant";
  const auto& entry = compute_models().at(spec.name, spec.where);
  const Parameters parameters = parameters_of(compute_parameters(entry), spec);
  ComputeSetup setup;
  setup.model = make_compute_model(entry, {platform, layout, parameters, table.get()}, spec.where);
  setup.assumed = assumed;
  setup.varies = varies(*setup.model);
  setup.seed = parameters.integer("seed");
  setup.identity = identity_of(spec, parameters, table.get());
  return setup;
}

}  // namespace orrery
