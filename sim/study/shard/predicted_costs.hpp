/// Expected simulation times of the points of a sweep, for packing: an order of magnitude, and the same numbers on
/// every computer and in every call, because nothing is timed.
///
///   cost = 5 ms + sum over the engines of messages / rate      us
///
///   messages   of the program, from four of its ranks (expected_messages.hpp); of 64 million steps over all points
///              that are looked at, so that of very long programs it is the least there are
///   rate       flow: 400,000 messages a second; simgrid: as once ranks drift apart (engines.hpp)
///
/// Up to 256 points are each examined. Of more points only those are examined in which a value of an axis appears for
/// the first time; the others get the product of the factors of their values.
///
/// Source   validation/bench/README.md for the rates
/// Valid    sweeps whose axes act by factors; a wrong cost costs balance, never a point
/// Checked  tests/unit/study/predicted_costs_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/study/read/loaded_points.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

inline constexpr std::size_t looked_at_max = 256;

/// [points]  us
std::vector<std::uint64_t> predicted_costs(const Scenario& scenario, const LoadedPoints& points);

/// The same for points that these settings distinguish; `look` finds the cost of one.  [points]  us
std::vector<std::uint64_t> costs_by_axes(std::size_t points, const std::function<Settings(std::size_t)>& settings,
                                         const std::function<double(std::size_t)>& look);

/// Indices of the examined points.
std::vector<std::size_t> looked_at(std::size_t points, const std::function<Settings(std::size_t)>& settings);

}  // namespace orrery::study
