/// The predictor programs of Meyer's thesis as printed: figures 8.9 and 8.17.
///
///   figure 8.9    comm(r) = max_dst { 2 L(r,dst) + 16 B beta(r,dst) / 2 + d(r,dst) beta(r,dst) / 2 } + o(r)
///                 o(r)    = max over all ranks up to r and their destinations of O
///                 T       = max(comp, max_r comm(r))                            per superstep, without barrier
///   figure 8.17   T       = b [ extra / b + (1 - mask) comp + max(mask comp, comm) ],    b iterations in a superstep
///                 extra   = sum_{i=0}^{b-2} (w + i)(h + i) / rate,   mask = (w - b)^2 / w^2
///
///   L, O  Seconds         s    latency; overhead of a message      comp  Seconds  s    one iteration of w x h points
///   beta  SecondsPerByte  s/B  inverse bandwidth                   b     1        1    width of the border
///   d     Bytes           B    from r to dst in the superstep      rate  1/s      1/s  points updated
///
/// As printed, in contrast to equation 3.15: destinations are compared, not summed; every rank is a destination with
/// latency and header, whether it gets a message or not; O carries over from rank to rank; all computation can be
/// masked. Figure 8.17 divides neither the last iteration nor its communication by b, removes one border where a domain
/// has two, and lets regions grow by one line where they grow by two.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, figures 8.8, 8.9 and 8.17
/// Checked  tests/unit/models/superstep_predictor_test.cpp
#pragma once

#include "models/requirement_matrices.hpp"

namespace orrery {

/// max_r comm(r) of figure 8.9.
Seconds parameter_8_9_communication(const Phase& phase, const LinkCosts& links,
                                    const std::function<Seconds(Rank, Rank)>& overhead);

struct BorderCase {
  double width = 0.0, height = 0.0;  ///< points of a local domain
  std::uint32_t border = 1;
  double rate = 0.0;  ///< points per second
  Seconds communication;
};

/// One superstep of figure 8.17 without its barrier: extra iterations, b times the last one.
PhaseTime parameter_8_17_superstep(const BorderCase& given);

}  // namespace orrery
