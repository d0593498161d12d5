#include "models/barrier/exhaustive.hpp"

#include <array>
#include <cassert>

namespace orrery {

namespace {

/// Row i: whom i has heard of, as bits.
using Heard = std::array<std::uint32_t, exhaustive_ranks_max>;

class PatternSearch {
 public:
  explicit PatternSearch(const SignalCosts& costs) : costs_(costs), stages_max_(exhaustive_stages_max(costs.ranks)) {
    for (std::uint32_t from = 0; from < costs.ranks; ++from)
      for (std::uint32_t to = 0; to < costs.ranks; ++to)
        if (from != to) edges_.push_back({from, to});
    best_ = {linear_pattern(costs.ranks), pattern_cost(linear_pattern(costs.ranks), costs).total};
    tried_.ranks = costs.ranks;
  }

  CheapestPattern run() {
    Heard heard{};
    for (std::uint32_t i = 0; i < costs_.ranks; ++i) heard[i] = 1u << i;
    if (costs_.ranks > 1) extend(heard);
    return best_;
  }

 private:
  void extend(const Heard& heard) {
    const bool last = tried_.stages.size() + 1 == stages_max_;
    for (std::uint32_t set = 1; set < 1u << edges_.size(); ++set) {
      Heard after = heard;
      for (std::size_t e = 0; e < edges_.size(); ++e)
        if (set >> e & 1u) after[edges_[e].to] |= heard[edges_[e].from];
      const bool all_know = everyone(after);
      if (last && !all_know) continue;
      push(set);
      const Seconds cost = pattern_cost(tried_, costs_).total;
      if (cost < best_.cost) {
        if (all_know)
          best_ = {tried_, cost};
        else
          extend(after);
      }
      tried_.stages.pop_back();
    }
  }
  bool everyone(const Heard& heard) const {
    for (std::uint32_t i = 0; i < costs_.ranks; ++i)
      if (heard[i] != (1u << costs_.ranks) - 1) return false;
    return true;
  }
  void push(std::uint32_t set) {
    std::vector<Signal> signals;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (set >> e & 1u) signals.push_back(edges_[e]);
    tried_.stages.emplace_back(std::move(signals));
  }

  const SignalCosts& costs_;
  std::size_t stages_max_;
  std::vector<Signal> edges_;
  StagePattern tried_;
  CheapestPattern best_;
};

}  // namespace

CheapestPattern cheapest_pattern(const SignalCosts& costs) {
  assert(costs.ranks >= 1 && costs.ranks <= exhaustive_ranks_max);
  return PatternSearch(costs).run();
}

}  // namespace orrery
