/// What a calibration leaves behind: the parameter file's opening comment, tau-Lop's text tables, curves, warnings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "sim/study/fit/calibrate.hpp"

namespace orrery::cli {

/// Opening lines of a parameter file: what it holds, who measured it, how to use and edit it.
std::vector<std::string> parameter_comment(const std::vector<ModelParameters>& sets, const CalibrationRange& range);

/// tau-Lop's tables as the calculator `orrery taulop` reads them, by path below the folder: "SHM.txt" and "IB.txt"
/// (RDMA) or "TCP.txt" (copies at the ends), for messages within one type of node; below a folder per type when there
/// are several.
std::vector<std::pair<std::string, std::string>> taulop_text_tables(const ModelParameters& parameters,
                                                                    const Platform& platform, const Network& network);

/// What a reader of the parameters should know: columns that were extrapolated, values that are not positive.
std::vector<std::string> calibration_notes(const std::vector<ModelParameters>& sets);

/// All curves below each other: L(m, tau) per tau-Lop table (a few tau), and T(m) of each other model with what was
/// measured. Follows the reader's light or dark scheme.
std::string calibration_svg(const std::vector<const ModelEntry*>& entries, const std::vector<ModelParameters>& sets,
                            const Platform& platform, const CalibrationRange& range, const study::Measured& measured);

}  // namespace orrery::cli
