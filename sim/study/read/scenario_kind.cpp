/// Scenarios, as `orrery check` knows them: every point is loaded as a run would load it, and nothing is played.
#include <fmt/format.h>

#include "sim/config/parameter_file.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/read/measured_times.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

namespace {

std::string check_scenario(const std::string& path) {
  const Scenario scenario = read_scenario(path, {});
  const auto untimed = [](const LoadedPoint&, const PointSpec&, const std::string&) { return Seconds{}; };  // the first candidate will do
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory, untimed);
  for (const auto& point : scenario.points) loader.load(point);
  const CalibrationSpec& calibration = scenario.calibration;
  for (const auto& file : calibration.files)
    config::read_parameter_file(data_path("scenarios", file, "yaml", calibration.where, scenario.folder()));
  std::string notes;
  for (const auto& note : notes_of_measured(scenario)) notes += "\nnote: " + note;
  for (const auto& note : unused_predictions(scenario.models)) notes += "\nnote: " + note;
  return fmt::format("scenario '{}', {} point{}, {} model{}{}", scenario.name, scenario.points.size(),
                     scenario.points.size() == 1 ? "" : "s", scenario.models.size(),
                     scenario.models.size() == 1 ? "" : "s", notes);
}

const bool entered = file_kinds().add({.name = "scenario",
                                       .summary = "a scenario has 'platform' and 'kernel', or 'jobs'",
                                       .keys = {"kernel", "jobs", "models", "sweep"},
                                       .check = check_scenario});

}  // namespace

}  // namespace orrery
