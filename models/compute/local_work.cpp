#include "models/compute/local_work.hpp"

#include <algorithm>
#include <utility>

#include "platforms/local_work.hpp"

namespace orrery {

namespace {

class WithLocalWork final : public ComputeModel {
 public:
  WithLocalWork(std::unique_ptr<ComputeModel> others, const Platform& platform, const Layout& layout)
      : others_(std::move(others)), rates_(platform, layout) {}
  std::string description() const override { return others_->description(); }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    if (const auto local = local_time(rates_.of(rank), compute)) return *local;
    return others_->compute_time(compute, rank);
  }
  Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t step) const override {
    if (const auto local = local_time(rates_.of(rank), compute)) return *local;
    return others_->sampled_time(compute, rank, step);
  }

 private:
  std::unique_ptr<ComputeModel> others_;
  RankRates rates_;
};

}  // namespace

std::unique_ptr<ComputeModel> with_local_work(std::unique_ptr<ComputeModel> model, const Platform& platform,
                                              const Layout& layout) {
  const auto costs = [&](const Placement& place) { return kinds_of(platform.local_rates(place)).any(); };
  if (std::ranges::none_of(layout.placements, costs)) return model;
  return std::make_unique<WithLocalWork>(std::move(model), platform, layout);
}

Seconds local_work_time(const Phase& phase, const Platform& platform, const Layout& layout) {
  if (phase.computes.empty()) return {};
  const RankRates rates(platform, layout);
  Seconds most{}, of_rank{};
  for (std::size_t i = 0; i < phase.computes.size(); ++i) {
    const ComputeItem& item = phase.computes[i];
    if (i == 0 || phase.computes[i - 1].rank != item.rank) of_rank = {};
    const auto time = local_time(rates.of(item.rank), item.compute);
    of_rank += static_cast<double>(item.repeat) * time.value_or(Seconds{});
    most = std::max(most, of_rank);
  }
  return most;
}

}  // namespace orrery
