/// Calibrations that separate all pairs of nodes, or of cores: experiments for matrices by (from, to).
///
/// A series is called <kernel>/<nodes|cores>/<from>-<to>: "pingpong/nodes/3-7", from <= to.
///
///   nodes   n (n - 1) / 2 pairs, each measured between the first cores of its nodes; and each node with itself,
///           between its first two cores, if it has two
///   cores   c (c - 1) / 2 pairs
///
/// Checked  tests/unit/models/hockney_test.cpp, tests/replay/calibration_test.cpp
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/calibration.hpp"

namespace orrery {

/// The rows of the matrices of such a calibration.
MatrixRows rows_of(CalibrationPairs pairs);

std::string series_name(const std::string& kernel, MatrixRows rows, std::size_t from, std::size_t to);

/// Ping-pong on each pair. Throws DomainError beyond 20,000 experiments.
std::vector<Experiment> pingpong_plan_of_pairs(const Platform& platform, const Network& network,
                                               const CalibrationRange& range);

/// Each measured pair, from <= to.
void for_each_measured_pair(const Platform& platform, MatrixRows rows,
                            const std::function<void(std::uint32_t from, std::uint32_t to)>& f);

/// A symmetric matrix of values of measured pairs, 0 where nothing is measured (a core with itself).
///   value  of the series of a pair, by its name
std::vector<std::vector<double>> matrix_of(const Platform& platform, MatrixRows rows, const std::string& kernel,
                                           const std::function<double(const std::string& series)>& value);

}  // namespace orrery
