/// Output of a calibration: the comment of the parameter file, tau-Lop's text tables, curves, warnings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "sim/study/fit/calibrate.hpp"

namespace orrery::cli {

/// First lines of a parameter file: its content, the source of the measurements, how to use and edit it.
std::vector<std::string> parameter_comment(const std::vector<ModelParameters>& sets, const CalibrationRange& range);

/// tau-Lop's tables in the format of the calculator `orrery taulop`, by path below the folder: "SHM.txt" and "IB.txt"
/// (RDMA) or "TCP.txt" (copies at the ends), for messages within one node type; below a folder per type if there are
/// several.
std::vector<std::pair<std::string, std::string>> taulop_text_tables(const ModelParameters& parameters,
                                                                    const Platform& platform, const Network& network);

/// Notes for readers of the parameters: extrapolated columns, values that are not positive.
std::vector<std::string> calibration_notes(const std::vector<ModelParameters>& sets);

/// All curves one below the other: L(m, tau) per tau-Lop table (a few tau), and T(m) of each other model with the
/// measurements. Follows the reader's light or dark scheme.
std::string calibration_svg(const std::vector<const ModelEntry*>& entries, const std::vector<ModelParameters>& sets,
                            const Platform& platform, const CalibrationRange& range, const study::Measured& measured);

}  // namespace orrery::cli
