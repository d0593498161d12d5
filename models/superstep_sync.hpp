/// The cost of bsp_sync whose signals carry the message map: the most expensive path through its stages.
///
///   as messages   cost(s, i) = sum_j (n_ij L_ij + d_ij beta_ij) + max_j O_ij                 (3.15, stage by stage)
///   figure 6.2    cost(s, i) = max_j O_ji + sum_j 2 L_ij + 2 L_ji + 16 B (beta_ij + beta_ji)
///                                                 + 4 d_ij beta_ij + 2 d_ji beta_ij
///                 over those i sends to and those it receives from; a stage of plain signals, as of the second
///                 barrier, is 2 sum_j L_ij + max_j O_ij (5.4)
///
///   n, d   1, B            messages and bytes from i to j in the stage; a header of 16 B is one of two
///   L, O   Seconds         s     latency, overhead      beta  SecondsPerByte  s/B  inverse bandwidth
///
/// Figure 6.2 charges twice as much for sending as for receiving, because the volume doubles from stage to stage, and
/// charges everything twice again, for sorting the map.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 6.5, figure 6.2
/// Differs  the recursion over all paths is a sweep from the last stage; beta of a receipt is beta_ij there too, as
///          printed
/// Checked  tests/unit/models/superstep_sync_test.cpp
#pragma once

#include <functional>

#include "models/pair_costs.hpp"

namespace orrery {

/// Whether the phase has messages that are no signals: then its bytes count.
bool carries_payload(const Phase& phase);

using PairCostOf = std::function<PairCost(Rank, Rank)>;

Seconds sync_as_messages(const Phase& phase, const PairCostOf& cost);
Seconds sync_of_parameter_6_2(const Phase& phase, const PairCostOf& cost);

}  // namespace orrery
