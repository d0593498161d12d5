/// The measurement of tau-Lop's parameters: Ring_tau in each node type and between each two types.
///
///   shared memory   T(m, tau) = o(m) + 2 L0(m, tau)                    (1)
///   network, RDMA   T(m, tau) = o(m) + L1(m, tau)                      (3)  protocol with no copies at either end
///   network, other  T(m, tau) = o(m) + L0_a + L0_b + L1, at one tau    (2)  one copy in each node, 2 L0 when alike
///
///   T     s  measured time of one transmission while tau progress at once      o  s  T(0 B, 1); from the eager
///   L0,L1 s  transfer time through memory, through the network                       threshold on, plus the step there
///
/// Ring_tau: rank i sends to i + 1 and receives from i - 1. In a node, tau ranks; between nodes, 2 tau ranks placed
/// Round Robin on two nodes, so that tau transmissions share each direction (networks are full duplex, and the tables
/// published with the model double from tau = 1 to 2 only under this reading). tau = 1 is a ping-pong, halved.
///
/// One ParameterTable named "channel" per experiment:
///   labels   channel      "shared-memory" | "network"
///            types        "xeon12" (both ends alike, or one node), "xeon12,xeon8" (in the order of the platform)
///            tau_measured the greatest tau that the cores allowed; columns beyond it are extrapolated:
///                         L(m, tau + 1) = L(m, tau) + clamp(L(m, K) - L(m, K - 1), 0, L(m, K) / K)
///   columns  message_B, overhead_s, L1_s, L2_s, ... L<concurrency>_s    (the number is tau)
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, sections 3 and 5.2
/// Checked  tests/unit/models/taulop/calibration_test.cpp
#pragma once

#include "models/model.hpp"

namespace orrery {

/// M_t + R_t (M_t^2 - C(M_t, 2)) experiments for M_t node types and one network (R_t = 1); fewer if a type has a single
/// node, which has no peer of its type.
std::vector<Experiment> taulop_plan(const Platform& platform, const Network& network, const CalibrationRange& range);

/// Maximum simultaneous transmissions of one channel in any stage of a compared phase.
CalibrationNeeds taulop_needs(const PredictionInput& input);

ModelParameters taulop_fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                           const std::vector<Measurement>& measurements);

}  // namespace orrery
