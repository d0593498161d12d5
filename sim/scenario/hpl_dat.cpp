#include "sim/scenario/hpl_dat.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/config/hpl_dat.hpp"

namespace orrery {

namespace {

/// The folder of the file in "file:line:column"; a flag has none.
std::filesystem::path folder_of(const std::string& where) {
  return std::filesystem::path(where.substr(0, where.find(':'))).parent_path();
}

}  // namespace

void expand_hpl_dat(NamedSpec& kernel) {
  const auto named = std::ranges::find(kernel.settings, "hpl-dat", &NamedSpec::Setting::name);
  if (kernel.name != "hpl" || named == kernel.settings.end()) return;
  const auto beside = folder_of(named->where) / named->value;
  std::error_code ignored;
  const std::string path = std::filesystem::exists(beside, ignored) ? beside.string() : named->value;
  kernel.settings.erase(named);
  std::vector<NamedSpec::Setting> settings;
  for (const auto& [name, value, where] : config::read_hpl_dat(path)) settings.push_back({name, value, where});
  settings.insert(settings.end(), kernel.settings.begin(), kernel.settings.end());
  kernel.settings = std::move(settings);
}

}  // namespace orrery
