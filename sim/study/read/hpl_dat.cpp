#include "sim/study/read/hpl_dat.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/config/hpl_dat.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery {

namespace {

/// The folder of the file in "file:line:column", whose own path may hold colons; a flag has none.
std::filesystem::path folder_path(const std::string& where) {
  const auto column = where.rfind(':');
  const auto line = column == std::string::npos || column == 0 ? column : where.rfind(':', column - 1);
  return std::filesystem::path(where.substr(0, line)).parent_path();
}

}  // namespace

void expand_hpl_dat(NamedSpec& kernel) {
  const auto named = std::ranges::find(kernel.settings, "hpl-dat", &NamedSpec::Setting::name);
  if (kernel.name != "hpl" || named == kernel.settings.end()) return;
  const auto beside = folder_path(named->where) / named->value;
  std::error_code ignored;
  const std::string path = std::filesystem::exists(beside, ignored) ? beside.string() : input_path(named->value);
  kernel.settings.erase(named);
  std::vector<NamedSpec::Setting> settings;
  for (const auto& [name, value, where] : config::read_hpl_dat(path)) settings.push_back({name, value, where});
  settings.insert(settings.end(), kernel.settings.begin(), kernel.settings.end());
  kernel.settings = std::move(settings);
}

}  // namespace orrery
