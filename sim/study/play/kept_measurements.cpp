#include "sim/study/play/kept_measurements.hpp"

#include <fmt/format.h>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"

namespace orrery::study {

namespace {

constexpr const char* made = "measured";  // ResultStore::of_other_builds leaves these out

/// Everything of the experiment that decides its times beside platform, network and engine.
std::string inputs_of(const Experiment& experiment) {
  std::string text = fmt::format("{}\n{}\n", experiment.id, experiment.kernel);
  for (const auto& [name, value] : experiment.kernel_parameters) text += fmt::format("{}={}\n", name, value);
  for (const auto& [node, core] : experiment.placement) text += fmt::format("{}.{}\n", index(node), core);
  return text;
}

/// The first line says who measured.
std::string bytes_of(const Measured& measured) { return measured.origin + "\n" + measured_csv(measured); }

std::optional<Measured> measured_from(const std::string& bytes) {
  const auto end = bytes.find('\n');
  if (end == std::string::npos) return std::nullopt;
  try {
    Measured measured = parse_measured_csv(bytes.substr(end + 1), "points.sqlite");
    measured.origin = bytes.substr(0, end);
    return measured;
  } catch (const InputError&) {
    return std::nullopt;  // it is measured again
  }
}

}  // namespace

CalibrationOptions KeptMeasurements::in(CalibrationOptions options, const Platform& platform, const Network& network,
                                        const std::string& engine) {
  const std::string machine =
      fmt::format("{}\n{}\n{}\n{}\n", config::read_file(platform.file), platform.name, network.name, engine);
  const auto key_of = [machine](const Experiment& experiment) {
    return ResultKey{fmt::format("calibration {:016x}", fingerprint(machine + inputs_of(experiment))), made};
  };
  options.known = [this, key_of](const Experiment& experiment) -> std::optional<Measured> {
    const ResultKey key = key_of(experiment);
    ids_.insert(key.point);
    const auto bytes = resume_ ? store_.find(key) : std::nullopt;
    auto measured = bytes ? measured_from(*bytes) : std::nullopt;
    if (measured) ++found_;
    return measured;
  };
  options.keep = [this, key_of](const Experiment& experiment, const Measured& measured) {
    store_.keep(key_of(experiment), bytes_of(measured));
    ++measured_;
  };
  return options;
}

}  // namespace orrery::study
