/// Causes of unequal times of equal work: different hosts, good and bad days, noise from step to step.
///
///   mean(step, host)  = T(step) (1 + c_h z_h) (1 + c_d z_d)
///   time(step)        = mean + s' (|z| - sqrt(2 / pi)),     s' = sigma / sqrt(1 - 2 / pi)
///
///   T        Seconds  s  time of the model that is wrapped
///   c_h, c_d 1        1  coefficients of variation between hosts and between days; z_h, z_d cut at 3
///   sigma    Seconds  s  standard deviation from step to step: measured with the parameters, or else noise x mean
///   z        1        1  standard normal. |z| has mean sqrt(2 / pi) and variance 1 - 2 / pi: mean and sigma stay, and
///                        no step is faster than mean - 1.32 sigma: computing has a floor, and a tail above it
///
/// z_h is a function of (seed, host), z_d of (seed, host, day), z of (seed, day, rank, number of the step): a stateless
/// stream per rank, so that results depend neither on the engine nor on other simulations. `compute_time` is the mean
/// on this host and day; only `sampled_time` varies from step to step.
///
/// Source   Cornebize & Legrand, "Simulation-based optimization and sensibility analysis of MPI applications:
///          variability matters", JPDC 166, 2022: half-normal noise of dgemm, spread between CPUs and between days
/// Checked  tests/unit/models/compute/variability_test.cpp
#pragma once

#include <memory>
#include <vector>

#include "sim/core/compute_model.hpp"
#include "sim/core/parameters.hpp"

namespace orrery {

/// A model whose parameters were measured with their spread.
class MeasuredSpread : public ComputeModel {
 public:
  /// Standard deviation from step to step; 0 if it was not measured.
  virtual Seconds deviation(const Compute& compute, Rank rank) const = 0;
  /// Coefficient of variation from day to day; 0 if it was not measured.
  virtual double day_spread(const Compute& compute, Rank rank) const = 0;
  virtual bool has_spread() const = 0;
};

std::vector<Key> variability_parameters();

/// Whether a model's times depend on its seed.
bool varies(const ComputeModel& model);

/// The model itself if nothing varies.
std::unique_ptr<ComputeModel> with_variability(std::unique_ptr<ComputeModel> model, const Layout& layout,
                                               const Parameters& parameters);

}  // namespace orrery
