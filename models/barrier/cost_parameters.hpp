/// O_ii, O_ij and L_ij of a platform: measured by its node types, or from matrices by nodes or cores.
///
///   table 'pair', by channel and types of node     invocation_s  O_ii    overhead_s  O_ij    latency_s  L_ij
///   matrices O and L, in s, by cores               O's diagonal is O_ii, L's means nothing
///   matrices O and L, in s, by nodes               their diagonals are of two ranks of one node; O_ii from table
///                                                  'invocation'
///
/// The matrices need not be symmetric.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 5.6.3
/// Differs  the thesis fits its lines by plain least squares; here deviations are relative, so that L_ij is near the
///          time of a short message and not what rendezvous of 1 MiB extrapolate to
/// Checked  tests/unit/models/barrier_matrix_test.cpp
#pragma once

#include "models/barrier/pattern_cost.hpp"
#include "models/model.hpp"
#include "sim/core/layout.hpp"

namespace orrery {

/// The costs between the ranks of a layout. Refers to `parameters` and `platform`, which must outlive the result.
/// Throws InputError if only one matrix is given or a channel has no table, DomainError like matrix_rows_of.
SignalCosts signal_costs(const ModelParameters& parameters, const Platform& platform, const Layout& layout);

std::vector<Experiment> barrier_cost_plan(const Platform& platform, const Network& network,
                                          const CalibrationRange& range);
ModelParameters fit_barrier_costs(const Platform& platform, const Network& network, const CalibrationRange& range,
                                  const std::vector<Measurement>& measurements);

}  // namespace orrery
