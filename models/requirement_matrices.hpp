/// Requirements and costs of a superstep as matrices, and their products.
///
///   kernels   R  [p x k]  amount of each kind of work a process has   C  [p x k]  seconds per amount on each processor
///   messages  R  [p x p]  messages from process to process            C  [p x p]  latency L, s
///   data      R  [p x p]  their bytes                                 C  [p x p]  inverse bandwidth beta, s/B
///
///   (R (x) C) . s     element-wise product, summed along the rows: seconds of each process            (3.13), (3.15)
///   T = (Tcomp - T'comp) + (Tcomm - T'comm) + max(T'comp, T'comm)         of each process; ' is maskable  (1.4)
///   Toverlap = Tcomp + Tcomm - T = min(T'comp, T'comm)                                                   (3.16)
///
/// Amounts are flops, or bytes of memory for work without flops. For a processor without work of a kind in the phase,
/// the cost is its time for another process's piece.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, equations 1.4 and 3.8 to 3.16
/// Valid    work whose time is in proportion to its amount, off the diagonal; communication is counted at its sender
/// Differs  of the p x p matrices only what is not zero is looked at
/// Checked  tests/unit/models/requirement_matrices_test.cpp
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "models/prediction.hpp"

namespace orrery {

using Matrix = std::vector<std::vector<double>>;

/// (R (x) C) . s. Throws InputError where the shapes differ.
std::vector<double> row_sums_of_product(const Matrix& requirement, const Matrix& cost);

struct KernelMatrices {
  std::vector<Work> kinds;   ///< [k]
  Matrix requirement, cost;  ///< [p x k]
};

/// For all computation of the phase.
KernelMatrices kernel_matrices(const Phase& phase, const ComputeModel& compute);

/// L_ij and beta_ij between the ranks of a run.
struct LinkCosts {
  std::function<Seconds(Rank, Rank)> latency;
  std::function<SecondsPerByte(Rank, Rank)> inverse_bandwidth;
};

/// Seconds of each process in one superstep.  [ranks]
struct SuperstepTimes {
  std::vector<Seconds> computation, maskable_computation;
  std::vector<Seconds> communication, maskable_communication;

  Seconds overlap(std::size_t rank) const;  ///< (3.16)
  Seconds total(std::size_t rank) const;    ///< (1.4), without synchronisation
  std::size_t slowest() const;              ///< the first with the largest total
};

/// Only communication, if the computation is not known.
SuperstepTimes communication_times(const Phase& phase, const LinkCosts& links);
SuperstepTimes superstep_times(const Phase& phase, const LinkCosts& links, const ComputeModel& compute);

/// Two ranks that should exchange processors, if the busiest one gains by it.
struct Exchange {
  std::size_t busiest = 0, other = 0;
  Seconds now, then;  ///< of the busiest rank of the phase
};
/// Compares the busiest rank with each other rank; empty if no exchange saves a hundredth.
std::optional<Exchange> best_exchange(const KernelMatrices& kernels);

}  // namespace orrery
