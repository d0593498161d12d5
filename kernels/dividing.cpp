#include "kernels/dividing.hpp"

#include "kernels/collectives/collective.hpp"
#include "sim/core/elapsed.hpp"

namespace orrery {

namespace {

constexpr Tag sizes_tag{1001}, times_tag{1002};
constexpr Bytes number{8.0};

/// What a rank does in a round; nothing where its share is empty.
struct Benchmark {
  std::vector<Compute> steps;
};

class Dividing final : public Program {
 public:
  Dividing(std::vector<std::vector<Benchmark>> rounds, const Layout& layout, std::unique_ptr<Program> then)
      : rounds_(std::move(rounds)),
        nodes_(collectives::nodes_of(Group::world(then->ranks()), &layout)),
        then_(std::move(then)) {}

  std::string name() const override { return then_->name(); }
  std::uint32_t ranks() const override { return then_->ranks(); }
  Bytes memory(Rank me) const override { return then_->memory(me); }

  Generator<Step> steps(Rank me) const override {
    for (std::uint32_t k = 0; k < rounds_.size(); ++k) {
      co_yield iteration(k);
      co_yield phase(dividing_phase);
      co_yield elements_of(collectives::scatter(call(me, sizes_tag), number));
      for (const Compute& step : rounds_[k][index(me)].steps) co_yield step;
      co_yield elements_of(collectives::gather(call(me, times_tag), number));
    }
    if (!rounds_.empty()) co_yield elements_of(collectives::scatter(call(me, sizes_tag), number));  // the verdict
    co_yield iteration(0);
    co_yield elements_of(then_->steps(me));
  }

 private:
  collectives::Call call(Rank me, Tag tag) const {
    collectives::Call made{.group = Group::world(ranks()), .me = me, .tag = tag};
    made.algorithm = collectives::Choice("openmpi", "dividing");
    made.nodes = nodes_;
    return made;
  }

  std::vector<std::vector<Benchmark>> rounds_;  ///< [rounds][ranks]
  collectives::Nodes nodes_;
  std::unique_ptr<Program> then_;
};

}  // namespace

std::unique_ptr<Program> dividing(const KernelEntry& kernel, const Parameters& parameters, const Layout& layout,
                                  const std::vector<PartitionRound>& rounds, std::unique_ptr<Program> then) {
  std::vector<std::vector<Benchmark>> benchmarks;
  for (const PartitionRound& round : rounds) {
    auto& of_round = benchmarks.emplace_back(round.shares.size());
    for (std::size_t i = 0; i < round.shares.size(); ++i) {
      if (round.shares[i].blocks() <= 0.0) continue;
      auto& steps = of_round[i].steps;
      if (kernel.prepare) steps.push_back(kernel.prepare(parameters, round.shares[i]));
      const bool cut = round.run.times[i] > round.cut_off;
      steps.push_back(cut ? std::get<Compute>(elapsed(round.cut_off)) : kernel.share(parameters, round.shares[i]));
    }
  }
  return std::make_unique<Dividing>(std::move(benchmarks), layout, std::move(then));
}

}  // namespace orrery
