/// What a user asked `orrery calibrate` or `orrery fit` for, as texts; resolved here into models, network, range,
/// experiments and files.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/core/error.hpp"

namespace orrery::study {

/// The words of lists: of {"taulop,hloggp", "loggp"} three.
std::vector<std::string> words_of(const std::vector<std::string>& lists);

/// Models by name, each once: {"taulop,hloggp", "loggp"}; none: all that have parameters to measure (matrices of them
/// where nodes or cores are told apart). Throws InputError opened by "--model" or "--pairs".
std::vector<const ModelEntry*> models_named(const std::vector<std::string>& names,
                                            CalibrationPairs pairs = CalibrationPairs::types);

/// The network of this name, or the only one. Throws InputError opened by "--network".
const Network& network_named(const Platform& platform, const std::string& name);

/// Sizes as a list ("1B,64B"; empty: the default ones), ascending and each once; concurrency 0: the cores of the
/// greatest node. Throws InputError opened by "--sizes" or "--concurrency".
CalibrationRange calibration_range(const Platform& platform, const std::string& sizes, int concurrency);

/// The micro-benchmarks of a campaign's folder, or the file itself.
std::string benchmarks_file(const std::string& from);

/// The files of scenarios, own or shipped ones, comma-separated; none where micro-benchmarks are meant. Throws
/// InputError opened by `where`.
std::vector<std::string> named_scenarios(const std::string& from, const std::string& where);

/// What is wrong with measured times is wrong with their file.
template <class Fitting>
auto of_file(const std::string& file, const Fitting& fitting) {
  try {
    return fitting();
  } catch (const InputError& error) {
    throw InputError(file.empty() ? error.refusal() : error.refusal().at(file));
  }
}

/// The experiments in words, for a person who runs them on a real machine: name, kernel, where the ranks lie, sizes.
std::string plan_text(const std::vector<Experiment>& plan, const Platform& platform);

}  // namespace orrery::study
