/// Durations as compute steps: a trace that says "2 ms" means 2 ms on every host, whatever the compute model.
///
///   co_yield elapsed(Seconds{2e-3});                       a step of Work::elapsed
///   auto model = with_elapsed(constant.make(...));         answers for those steps, asks `constant` for the others
///
/// Checked  tests/unit/core/trace_test.cpp
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sim/core/compute_model.hpp"

namespace orrery {

inline constexpr double elapsed_flops_per_second = 1e9;

inline Step elapsed(Seconds duration) {
  return compute(Work::elapsed, Flops(duration.si() * elapsed_flops_per_second));
}

class ElapsedTime final : public ComputeModel {
 public:
  explicit ElapsedTime(std::unique_ptr<ComputeModel> others) : others_(std::move(others)) {}
  std::string description() const override { return others_->description(); }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    if (compute.work == Work::elapsed) return Seconds(compute.flops.si() / elapsed_flops_per_second);
    return others_->compute_time(compute, rank);
  }
  Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t step) const override {
    return compute.work == Work::elapsed ? compute_time(compute, rank) : others_->sampled_time(compute, rank, step);
  }

 private:
  std::unique_ptr<ComputeModel> others_;
};

inline std::unique_ptr<ComputeModel> with_elapsed(std::unique_ptr<ComputeModel> others) {
  return std::make_unique<ElapsedTime>(std::move(others));
}

}  // namespace orrery
