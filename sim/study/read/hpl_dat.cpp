#include "sim/study/read/hpl_dat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/hpl_dat.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery {

namespace {

using config::HplDatSetting;

/// The folder of the file in "file:line:column", whose own path may hold colons; a flag has none.
std::filesystem::path folder_path(const std::string& where) {
  const auto column = where.rfind(':');
  const auto line = column == std::string::npos || column == 0 ? column : where.rfind(':', column - 1);
  return std::filesystem::path(where.substr(0, line)).parent_path();
}

std::vector<HplDatSetting> hpl_settings(const std::string& file, const std::string& where) {
  const auto beside = folder_path(where) / file;
  std::error_code ignored;
  return config::read_hpl_dat(std::filesystem::exists(beside, ignored) ? beside.string() : input_path(file));
}

/// What HPL loops over, outermost first: settings of several values, those of one loop together. `given` says which
/// parameters the kernel has from elsewhere: their lists do not count.
template <class Given>
std::vector<std::vector<HplDatSetting>> loops_of(const std::vector<HplDatSetting>& settings, Given given) {
  std::vector<std::vector<HplDatSetting>> loops;
  for (unsigned loop = 1; loop < 10; ++loop) {
    std::vector<HplDatSetting> together;
    for (const HplDatSetting& setting : settings)
      if (setting.loop == loop && setting.values.size() > 1 && !given(setting.name)) together.push_back(setting);
    if (!together.empty()) loops.push_back(std::move(together));
  }
  return loops;
}

}  // namespace

void expand_hpl_dat(NamedSpec& kernel) {
  const auto named = std::ranges::find(kernel.settings, "hpl-dat", &NamedSpec::Setting::name);
  if (kernel.name != "hpl" || named == kernel.settings.end()) return;
  const auto all = hpl_settings(named->value, named->where);
  kernel.settings.erase(named);
  std::vector<NamedSpec::Setting> settings;
  for (const HplDatSetting& one : all) {
    const bool given = std::ranges::find(kernel.settings, one.name, &NamedSpec::Setting::name) != kernel.settings.end();
    if (one.values.size() > 1 && !given)
      throw InputError(
          "{}: {} values of '{}' (one is taken here: '{}' given beside 'hpl-dat' goes before "
          "the file). Keep one?",
          one.count_where, one.values.size(), one.hpl_name, one.name);
    if (!given) settings.push_back({one.name, one.values.front(), one.where});
  }
  settings.insert(settings.end(), kernel.settings.begin(), kernel.settings.end());
  kernel.settings = std::move(settings);
}

std::vector<Axis> with_hpl_runs(std::vector<Axis> axes, const config::Document& document) {
  if (const auto value = document.root().optional("kernel"); !value || value->is_list()) return axes;
  const auto kernel = document.root().optional_section("kernel");
  if (!kernel || kernel->optional_text("name").value_or("") != "hpl") return axes;
  const auto file = kernel->optional("hpl-dat");
  const auto is_axis = [&](const std::string& path) {
    return std::ranges::find(axes, path, &Axis::path) != axes.end();
  };
  if (!file || !file->is_scalar() || is_axis("kernel") || is_axis("kernel.name") || is_axis("kernel.hpl-dat"))
    return axes;
  std::size_t zip = 0;
  for (const Axis& axis : axes) zip = std::max(zip, axis.zip);
  const auto given = [&](const std::string& name) { return kernel->has(name) || is_axis("kernel." + name); };
  for (const auto& together : loops_of(hpl_settings(file->written(), file->where()), given)) {
    if (together.size() > 1) ++zip;
    for (const HplDatSetting& one : together)
      axes.push_back(
          {"kernel." + one.name,
           document.with("values", fmt::format("[{}]", fmt::join(one.values, ", ")), one.where).root().list("values"),
           together.size() > 1 ? zip : 0});
  }
  return axes;
}

std::vector<PointSpec> each_hpl_run(const PointSpec& point) {
  const auto named = std::ranges::find(point.kernel.settings, "hpl-dat", &NamedSpec::Setting::name);
  std::vector<PointSpec> runs{point};
  if (point.kernel.name == "hpl" && named != point.kernel.settings.end()) {
    const auto given = [&](const std::string& name) {
      return std::ranges::find(point.kernel.settings, name, &NamedSpec::Setting::name) != point.kernel.settings.end();
    };
    for (const auto& together : loops_of(hpl_settings(named->value, named->where), given)) {
      std::vector<PointSpec> more;
      for (const PointSpec& run : runs)
        for (std::size_t i = 0; i < together.front().values.size(); ++i) {
          PointSpec& one = more.emplace_back(run);
          for (const HplDatSetting& setting : together) {
            one.settings.emplace_back("kernel." + setting.name, setting.values[i]);
            one.kernel.settings.push_back({setting.name, setting.values[i], setting.where});
          }
        }
      if (more.size() > points_max)
        throw InputError("{}: the lists make more than {} runs (the most). Shorten one?", together.front().where,
                         points_max);
      runs = std::move(more);
    }
  }
  for (PointSpec& run : runs) expand_hpl_dat(run.kernel);
  return runs;
}

}  // namespace orrery
