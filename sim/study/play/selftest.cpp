#include "sim/study/play/selftest.hpp"

#include <fmt/format.h>

#include "sim/config/files.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_of.hpp"
#include "sim/core/version.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

namespace {

constexpr const char* on_two_nodes = R"(source: "orrery selftest"
platform: fermi
network: infiniband
layout: {ranks: 2, per-node: 1}
kernel: {name: pingpong, sizes: "64KiB"}
models: [taulop]
)";

constexpr const char* on_eight_nodes = R"(source: "orrery selftest"
platform: fermi
network: infiniband
layout: {ranks: 8, per-node: 1}
)";

/// Played on every engine there is.
ScenarioResult played(const std::string& file, std::vector<std::string> overrides = {}) {
  if (with_simgrid) overrides.emplace_back("engine=both");
  return run_scenario(read_scenario(file, overrides), {.jobs = 1, .progress = false}).result;
}

ScenarioResult played_from(const std::string& folder, const std::string& name, const std::string& text) {
  config::write_file(folder + "/" + name, text);
  return played(folder + "/" + name);
}

std::string shipped(const std::string& name) {
  return all_hold(played(data_path("scenarios", name, "yaml", "orrery selftest")));
}

/// Of one message tau-Lop's equations are what the engines play, so the two agree to rounding.
std::string prediction(const std::string& folder) {
  return predicted_within(played_from(folder, "message.yaml", on_two_nodes), 1e-6);
}

std::string export_read_back(const std::string& folder) {
  const std::string text = std::string(on_eight_nodes) + "kernel: {name: wave2d, barrier: none}\n";
  const ScenarioResult program = played_from(folder, "program.yaml", text);
  PointLoader loader(folder, "flow");
  const LoadedPoint point = loader.load(read_scenario(folder + "/program.yaml", {}).points.front());
  config::write_file(folder + "/program.ti", config::ti_text(trace_of(*point.program, *point.compute, "selftest")));
  return same_makespan(program, played_from(folder, "trace.yaml",
                                            std::string(on_eight_nodes) + "kernel: {name: trace, file: program.ti}\n"));
}

void require_played(const ScenarioResult& result) {
  for (const PointResult& point : result.points) {
    if (!point.failure.empty()) throw BoundError("{}: {}", result.name, point.failure);
    if (point.other_engine && !point.other_engine->failure.empty())
      throw BoundError("{}: engine {}: {}", result.name, point.other_engine->engine, point.other_engine->failure);
  }
}

}  // namespace

std::string all_hold(const ScenarioResult& result) {
  require_played(result);
  if (result.tolerances.empty()) throw BoundError("{}: states no tolerance, so nothing was checked", result.name);
  if (!result.broken_tolerances.empty()) throw BoundError(Refusal::sentence(result.broken_tolerances.front()));
  return fmt::format("{} points, {} tolerances hold", result.points.size(), result.tolerances.size());
}

std::string predicted_within(const ScenarioResult& result, double share) {
  require_played(result);
  const PointResult& point = result.points.at(0);
  const Prediction& prediction = point.predictions.at(0);
  const double error = relative_error(prediction.time, point.simulated.value());
  if (!(error <= share))
    throw BoundError("{} predicts {:.9g} us, simulated are {:.9g} us: {:.2g} apart (at most {:g})", prediction.label(),
                     prediction.time.si() * 1e6, point.simulated->si() * 1e6, error, share);
  return fmt::format("{} predicts {:.4g} us, simulated are {:.4g} us", prediction.label(), prediction.time.si() * 1e6,
                     point.simulated->si() * 1e6);
}

std::string same_makespan(const ScenarioResult& program, const ScenarioResult& read_back) {
  require_played(program);
  require_played(read_back);
  const Seconds direct = program.points.at(0).run.makespan, again = read_back.points.at(0).run.makespan;
  if (direct != again) throw BoundError("the program takes {:.17g} s, its trace {:.17g} s", direct.si(), again.si());
  return fmt::format("program and trace take {:.4g} ms", direct.si() * 1e3);
}

std::vector<SelfCheck> self_checks() {
  return {{"scenario rico-gallego16-m10", [](const std::string&) { return shipped("rico-gallego16-m10"); }},
          {"scenario belikov12-fig1", [](const std::string&) { return shipped("belikov12-fig1"); }},
          {"prediction of a message", prediction},
          {"export read back", export_read_back}};
}

}  // namespace orrery::study
