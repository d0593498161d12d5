/// Rates of a kernel by the size of its data: a functional performance model, its cache regimes, and how well it
/// predicts sizes that it was not made of.
///
///   for each size: batches of as many iterations as take `batch_s`; `sampling` of them, outliers measured again
///   speed = flops / mean time of an iteration, with the confidence of the mean
///
///   regimes       straight lines of time by flops between break points, as many as the points speak for
///                 (models/stats/segments.hpp); each has three sizes at least
///   held out      every other size: predicted by interpolating the speeds of its neighbours (as compute model 'table'
///                 does), and by the regimes of the others
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 4.2 (batches of 64 runs, memory locked) and 4.3, which asks for
///          "separate compute-rate entries for distinct intervals" and leaves finding them to people; Lastovetsky &
///          Reddy, IJHPCA 21(1), 2007 (speed by size)
/// Checked  tests/unit/validation/compute_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/stats/segments.hpp"
#include "validation/compute/rate_kernels.hpp"
#include "validation/compute/sampling.hpp"

namespace orrery::rates {

struct SizedRate {
  std::uint64_t n = 0;
  double flops = 0.0, bytes = 0.0;  ///< of an iteration
  double seconds = 0.0;             ///< mean of an iteration
  double half_width = 0.0;          ///< of its confidence interval
  std::size_t again = 0;
  bool settled = true;

  double speed() const { return flops / seconds; }
};

struct CurveWish {
  double from = 1024.0, to = 64.0 * 1024 * 1024;  ///< bytes
  unsigned per_octave = 2;
  double batch_s = 1e-3;
  Sampling sampling = {};
};

/// Sizes from the first to the last, evenly by their logarithm, each n once.
std::vector<std::uint64_t> sizes_of(const RateKernel& kernel, const CurveWish& wish);
SizedRate rate_at(const RateKernel& kernel, std::uint64_t n, const CurveWish& wish);

/// How one size that was held out was predicted.
struct HeldOut {
  std::uint64_t n = 0;
  double measured = 0.0, by_table = 0.0, by_regimes = 0.0;  ///< seconds of an iteration

  double table_error() const { return (by_table - measured) / measured; }
  double regimes_error() const { return (by_regimes - measured) / measured; }
};
/// Every other size of the curve but its ends, predicted by the rest. `noise`: relative deviation that says
/// nothing.
std::vector<HeldOut> held_out(const std::vector<SizedRate>& curve, double noise);

/// Seconds by flops. Of three sizes at least.
stats::SegmentedFit regimes_of_curve(const std::vector<SizedRate>& curve, double noise);

/// The curve as CSV that compute model 'table' reads, with what else is known of it in its comments.
std::string table_csv(const RateKernel& kernel, const std::vector<SizedRate>& curve, const stats::SegmentedFit& regimes,
                      const std::vector<std::string>& remarks);

}  // namespace orrery::rates
