#include "sim/app/compare/sides.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/report/json.hpp"
#include "sim/scenario/data_path.hpp"

namespace orrery::app {

namespace {

constexpr const char* result_file = "result.json";

bool is_folder(const std::string& text) {
  std::error_code failed;
  return std::filesystem::is_directory(text, failed);
}

}  // namespace

bool names_result(const std::string& text) { return text.ends_with(".json") || is_folder(text); }

ScenarioResult read_result(const std::string& folder_or_file) {
  std::string path = folder_or_file;
  if (is_folder(path)) {
    path += (path.ends_with('/') ? "" : "/") + std::string(result_file);
    std::error_code failed;
    if (!std::filesystem::exists(path, failed))
      throw InputError(fmt::format("{}: the folder has no {} ('orrery run --out {}' writes one). Is it another folder?",
                                   folder_or_file, result_file, folder_or_file));
  }
  return report::from_json(config::read_file(path), path);
}

ScenarioResult result_of(const SideRequest& side, const RunOptions& options) {
  if (names_result(side.text)) return read_result(side.text);
  Scenario scenario = read_scenario(data_path("scenarios", side.text, "yaml", "orrery compare"), side.overrides);
  scenario.ignore_memory = scenario.ignore_memory || side.ignore_memory;
  return run_scenario(scenario, options).result;
}

}  // namespace orrery::app
