#include "models/barrier/hybrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace orrery {

namespace {

struct Candidate {
  std::string name;
  StagePattern arrivals;    ///< after them the first member knows of all
  StagePattern departures;  ///< from the first member to all; empty where arrivals tell all and this is the top
};

/// A bcast is the second half of a barrier.
bool arrives(PatternGoal goal) { return goal != PatternGoal::bcast; }

StagePattern first_half(const StagePattern& pattern) {
  const auto half = static_cast<std::ptrdiff_t>(pattern.stages.size() / 2);
  return {pattern.ranks, {pattern.stages.begin(), pattern.stages.begin() + half}};
}

/// Whether everybody may tell everybody at once. Below the top one is enough for an allreduce.
bool may_disseminate(PatternGoal goal, std::uint32_t ranks, bool top) {
  return goal == PatternGoal::barrier || (goal == PatternGoal::allreduce && top && std::has_single_bit(ranks));
}

std::vector<Candidate> candidates(std::uint32_t ranks, PatternGoal goal, bool top,
                                  const std::vector<std::uint32_t>& degrees) {
  std::vector<Candidate> all;
  const auto add = [&](std::string name, StagePattern arrivals) {
    StagePattern departures = transposed(arrivals);
    all.push_back({std::move(name), std::move(arrivals), std::move(departures)});
  };
  add("linear", first_half(linear_pattern(ranks)));
  for (const std::uint32_t degree : degrees)
    if (degree < ranks) add(fmt::format("tree of degree {}", degree), first_half(tree_pattern(ranks, degree)));
  if (!may_disseminate(goal, ranks, top)) return all;
  add("dissemination", dissemination_pattern(ranks));
  if (top) all.back().departures.stages.clear();
  return all;
}

StagePattern played(const Candidate& candidate, PatternGoal goal, bool top) {
  StagePattern pattern{candidate.arrivals.ranks, {}};
  const auto append = [&](const StagePattern& stages) {
    pattern.stages.insert(pattern.stages.end(), stages.stages.begin(), stages.stages.end());
  };
  if (arrives(goal)) append(candidate.arrivals);
  if (!top && arrives(goal)) pattern.stages.emplace_back();  // the level above
  append(candidate.departures);
  return pattern;
}

/// One run of the construction: parts as they are decided.
class Construction {
 public:
  Construction(const SignalCosts& costs, PatternGoal goal, const std::vector<std::uint32_t>& degrees)
      : costs_(costs), goal_(goal), degrees_(degrees) {}

  Hybrid make(const Cluster& all) {
    StagePattern arrivals{costs_.ranks, {}};
    for (const Cluster& part : all.parts) overlay(arrivals, collected(part), 0);
    const StagePattern back = transposed(arrivals);
    Hybrid hybrid{{costs_.ranks, {}}, {}, {}};
    const Candidate top = choose(neighbours(all), level_of(all), true);
    const auto append = [&](const StagePattern& stages) {
      hybrid.pattern.stages.insert(hybrid.pattern.stages.end(), stages.stages.begin(), stages.stages.end());
    };
    if (arrives(goal_)) append(arrivals), append(top.arrivals);
    append(top.departures);
    append(back);
    hybrid.pattern = pruned(std::move(hybrid.pattern));
    hybrid.cost = pattern_cost(hybrid.pattern, costs_).total;
    std::ranges::stable_sort(parts_, {}, [](const HybridPart& part) { return std::pair(part.level, part.members[0]); });
    hybrid.parts = std::move(parts_);
    return hybrid;
  }

 private:
  static std::vector<std::uint32_t> neighbours(const Cluster& cluster) {
    if (cluster.parts.empty()) return cluster.members;
    std::vector<std::uint32_t> pivots;
    for (const Cluster& part : cluster.parts) pivots.push_back(part.pivot());
    return pivots;
  }
  static std::uint32_t level_of(const Cluster& cluster) {
    std::uint32_t level = 0;
    for (const Cluster& part : cluster.parts) level = std::max(level, level_of(part) + 1);
    return level;
  }

  /// Steps 1 to 3: stages after which the cluster's pivot knows of all its members.
  StagePattern collected(const Cluster& cluster) {
    StagePattern arrivals{costs_.ranks, {}};
    for (const Cluster& part : cluster.parts) overlay(arrivals, collected(part), 0);
    const auto members = neighbours(cluster);
    if (members.size() > 1)
      overlay(arrivals, choose(members, level_of(cluster), false).arrivals, arrivals.stages.size());
    return arrivals;
  }

  /// The candidate of least cost, among all ranks.
  Candidate choose(const std::vector<std::uint32_t>& members, std::uint32_t level, bool top) {
    const auto count = static_cast<std::uint32_t>(members.size());
    const SignalCosts own = restricted(costs_, members);
    auto all = candidates(count, goal_, top, degrees_);
    std::size_t best = 0;
    Seconds least;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const Seconds cost = pattern_cost(played(all[c], goal_, top), own).total;
      if (c == 0 || cost < least) best = c, least = cost;
    }
    if (count > 1) parts_.push_back({level, members, all[best].name, least});
    return {all[best].name, embedded(all[best].arrivals, members, costs_.ranks),
            embedded(all[best].departures, members, costs_.ranks)};
  }

  const SignalCosts& costs_;
  PatternGoal goal_;
  const std::vector<std::uint32_t>& degrees_;
  std::vector<HybridPart> parts_;
};

/// From j to i what it is from i to j.
SignalCosts backwards(SignalCosts costs) {
  costs.overhead = [there = costs.overhead](std::uint32_t i, std::uint32_t j) { return there(j, i); };
  costs.latency = [there = costs.latency](std::uint32_t i, std::uint32_t j) { return there(j, i); };
  return costs;
}

}  // namespace

PatternCost pattern_cost_of(PatternGoal goal, const StagePattern& pattern, const SignalCosts& costs) {
  return goal == PatternGoal::reduce ? pattern_cost(transposed(pattern), backwards(costs))
                                     : pattern_cost(pattern, costs);
}

Hybrid hybrid_barrier(const Cluster& all, const SignalCosts& costs, PatternGoal goal,
                      const std::vector<std::uint32_t>& degrees) {
  if (goal == PatternGoal::reduce) {
    Hybrid bcast = hybrid_barrier(all, backwards(costs), PatternGoal::bcast, degrees);
    bcast.pattern = transposed(bcast.pattern);
    return bcast;
  }
  Hybrid hybrid = Construction(costs, goal, degrees).make(all);
  if (all.parts.empty()) return hybrid;
  Cluster flat{all.members, {}};
  std::ranges::sort(flat.members);
  Hybrid plain = Construction(costs, goal, degrees).make(flat);
  return plain.cost < hybrid.cost ? plain : hybrid;
}

}  // namespace orrery
