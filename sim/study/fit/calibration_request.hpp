/// What a user asked `orrery calibrate` for, as texts; resolved here into models, network, range and experiments.
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"

namespace orrery::app {

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

/// The experiments in words, for a person who runs them on a real machine: name, kernel, where the ranks lie, sizes.
std::string plan_text(const std::vector<Experiment>& plan, const Platform& platform);

}  // namespace orrery::app
