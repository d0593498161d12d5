#include "sim/study/play/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/show/result/json.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

namespace {

/// With points that can be loaded, as far as a few tell: nobody waits for one side to hear that the other is wrong.
Scenario loadable(const SideRequest& request, const std::string& path, const std::vector<std::string>& overrides) {
  constexpr std::size_t loaded_max = 64;
  Scenario scenario = read_scenario(path, overrides);
  scenario.ignore_memory = scenario.ignore_memory || request.ignore_memory;
  const auto untimed = [](const LoadedPoint&, const PointSpec&, const std::string&) { return Seconds{}; };
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory, untimed);
  for (std::size_t i = 0; i < std::min(loaded_max, scenario.points.size()); ++i) loader.load(scenario.points[i]);
  return scenario;
}

/// What is said of a value of --with names that flag: the scenario knows of --set alone.
Scenario read_with(const SideRequest& request, const std::string& path) {
  const std::string set = "--set";
  try {
    return loadable(request, path, request.overrides);
  } catch (const InputError& error) {
    Refusal refusal = error.refusal();
    if (request.with == 0 || !refusal.place.starts_with(set)) throw;
    loadable(request, path, {request.overrides.begin(), request.overrides.end() - request.with});  // throws of --set
    refusal.place.replace(0, set.size(), "--with");
    for (std::string* text : {&refusal.problem, &refusal.remedy})
      if (const auto at = text->find(set); at != std::string::npos) text->replace(at, set.size(), "--with");
    throw InputError(refusal);
  }
}

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
      throw InputError("{}: the folder has no {} ('orrery run --out {}' writes one). Is it another folder?",
                       folder_or_file, result_file, folder_or_file);
  }
  return show::from_json(config::read_file(path), path);
}

Side read_side(const SideRequest& request) {
  if (names_result(request.text)) return {read_result(request.text), std::nullopt};
  Scenario scenario = read_with(request, data_path("scenarios", request.text, "yaml", "orrery compare"));
  return {std::nullopt, std::move(scenario)};
}

ScenarioResult result_of(Side side, const RunOptions& options, ResultStore& store, std::set<std::string>& ids) {
  if (side.kept) return std::move(*side.kept);
  ScenarioRun run = run_scenario(*side.scenario, options, store);
  ids.merge(run.ids);
  return std::move(run.result);
}

}  // namespace orrery::study
