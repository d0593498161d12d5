/// A compute model with some nodes that are slower than the model assumes, equally for all work.
///
///   t(rank) = f(rank) t_model(rank)
///
///   f  1 where the rank's node, or GPU, is as it should be; 1.2 where it is 20 % slower
///
/// Checked  tests/unit/study/what_if_test.cpp
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/compute_model.hpp"

namespace orrery {

class SlowedTime final : public ComputeModel {
 public:
  SlowedTime(std::shared_ptr<const ComputeModel> model, std::vector<double> factors)
      : model_(std::move(model)), factors_(std::move(factors)) {}
  std::string description() const override { return model_->description(); }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    return factors_[index(rank)] * model_->compute_time(compute, rank);
  }
  Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t step) const override {
    return factors_[index(rank)] * model_->sampled_time(compute, rank, step);
  }

 private:
  std::shared_ptr<const ComputeModel> model_;
  std::vector<double> factors_;  ///< [ranks]
};

}  // namespace orrery
