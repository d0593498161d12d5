/// The arguments of `orrery calibrate` or `orrery fit` as texts, resolved here into models, network, range, experiments
/// and files.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/core/error.hpp"

namespace orrery::study {

/// The words of lists: three for {"taulop,hloggp", "loggp"}.
std::vector<std::string> words_of(const std::vector<std::string>& lists);

/// Models by name, without duplicates: {"taulop,hloggp", "loggp"}; empty: all that have parameters to measure (with
/// matrices if `--pairs` selects nodes or cores). Throws InputError that begins with "--model" or "--pairs".
std::vector<const ModelEntry*> models_named(const std::vector<std::string>& names,
                                            CalibrationPairs pairs = CalibrationPairs::types);

/// The network of this name, or the only one. Throws InputError that begins with "--network".
const Network& network_named(const Platform& platform, const std::string& name);

/// Sizes as a list ("1B,64B"; empty: the default ones), ascending without duplicates; concurrency 0: the cores of the
/// largest node. Throws InputError that begins with "--sizes" or "--concurrency".
CalibrationRange calibration_range(const Platform& platform, const std::string& sizes, int concurrency);

/// The micro-benchmarks of a campaign's folder, or the file itself.
std::string benchmarks_file(const std::string& from);

/// The files of scenarios, the user's or shipped ones, comma-separated; empty if `from` is a file of micro-benchmarks.
/// Throws InputError that begins with `where`.
std::vector<std::string> named_scenarios(const std::string& from, const std::string& where);

/// Adds the file's name to errors about measured times.
template <class Fitting>
auto of_file(const std::string& file, const Fitting& fitting) {
  try {
    return fitting();
  } catch (const InputError& error) {
    throw InputError(file.empty() ? error.refusal() : error.refusal().at(file));
  }
}

/// The experiments as text, for a person who runs them on a real cluster: name, kernel, places of the ranks, sizes.
std::string plan_text(const std::vector<Experiment>& plan, const Platform& platform);

}  // namespace orrery::study
