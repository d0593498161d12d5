#include "models/allocation/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace orrery {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::uint64_t progress_every = 1u << 16;

using Stages = std::array<double, 2>;

Stages known(const Stages& stages) {
  return std::isnan(stages[0]) || std::isnan(stages[1]) ? Stages{infinite, infinite} : stages;
}
void raise(Stages& greatest, const Stages& other) {
  for (std::size_t s = 0; s < 2; ++s) greatest[s] = std::max(greatest[s], other[s]);
}
void lower(Stages& least, const Stages& other) {
  for (std::size_t s = 0; s < 2; ++s) least[s] = std::min(least[s], other[s]);
}

/// Times of every kind by ranks to a core and ranks in all, asked once; bounds from them.
class Times {
 public:
  explicit Times(const AllocationProblem& problem) {
    for (const auto& kind : problem.kinds) ranks_max_ += kind.nodes * kind.per_core_max * kind.cores;
    for (std::uint32_t k = 0; k < problem.kinds.size(); ++k) {
      const auto& kind = problem.kinds[k];
      auto& of_kind = several_.emplace_back();
      auto& least = least_.emplace_back();
      auto& alone = alone_.emplace_back();
      for (std::uint32_t m = 1; m <= kind.per_core_max; ++m) {
        auto& by_p = of_kind.emplace_back(ranks_max_ + 2, Stages{infinite, infinite});
        for (std::uint32_t p = m * kind.cores; p <= ranks_max_; ++p) by_p[p] = known(problem.time(k, m, p, false));
        auto suffix = by_p;
        for (std::uint32_t p = ranks_max_ + 1; p-- > 0;) lower(suffix[p], suffix[p + 1]);
        least.push_back(std::move(suffix));
        alone.push_back(known(problem.time(k, m, m * kind.cores, true)));
      }
    }
    for (std::uint32_t p = 0; p <= ranks_max_; ++p) {
      permitted_.push_back(p > 0 && (!problem.permitted || problem.permitted(p)));
      bytes_.push_back(p > 0 && permitted_.back() && problem.bytes_of_rank ? problem.bytes_of_rank(p) : 0.0);
    }
  }

  const Stages& several(std::size_t kind, std::uint32_t m, std::uint32_t p) const { return several_[kind][m - 1][p]; }
  const Stages& alone(std::size_t kind, std::uint32_t m) const { return alone_[kind][m - 1]; }
  /// The least stages of a kind in a job of p ranks or more.
  const Stages& least(std::size_t kind, std::uint32_t m, std::uint32_t p) const { return least_[kind][m - 1][p]; }
  bool permitted(std::uint32_t p) const { return permitted_[p]; }
  double bytes(std::uint32_t p) const { return bytes_[p]; }

 private:
  std::uint32_t ranks_max_ = 0;
  std::vector<std::vector<std::vector<Stages>>> several_, least_;  ///< [kinds][ranks to a core - 1][ranks]
  std::vector<std::vector<Stages>> alone_;                         ///< [kinds][ranks to a core - 1]
  std::vector<bool> permitted_;
  std::vector<double> bytes_;  ///< [ranks]
};

class Search {
 public:
  Search(const AllocationProblem& problem, bool cuts, const EachAllocation& each, const SearchProgress& progress)
      : problem_(problem), times_(problem), cuts_(cuts), each_(each), progress_(progress) {
    at_.configuration.parts.resize(problem.kinds.size());
    for (const auto& kind : problem.kinds) {
      price_max_ += kind.nodes * kind.price;
      power_max_ += kind.nodes * kind.power;
    }
  }

  AllocationSearch run() {
    if (!problem_.kinds.empty()) descend(0);
    return found_;
  }

 private:
  using Part = Configuration::Part;

  /// Chooses for one kind after the other: many nodes first, as good configurations come early then.
  void descend(std::size_t kind) {
    if (stopped_) return;
    if (kind == problem_.kinds.size()) return examine();
    const AllocationKind& of = problem_.kinds[kind];
    Part& part = at_.configuration.parts[kind];
    for (std::uint32_t nodes = of.nodes; nodes > 0; --nodes)
      for (std::uint32_t m = 1; m <= of.per_core_max; ++m) {
        part = {nodes, m};
        enter(of, part, 1);
        if (cuts_ && hopeless(kind))
          ++found_.cut;
        else
          descend(kind + 1);
        enter(of, part, -1);
      }
    part = {};
    descend(kind + 1);
  }

  void enter(const AllocationKind& of, Part part, int sign) {
    const std::uint32_t ranks = part.nodes * part.per_core * of.cores;
    ranks_ = sign > 0 ? ranks_ + ranks : ranks_ - ranks;
    nodes_ = sign > 0 ? nodes_ + part.nodes : nodes_ - part.nodes;
  }

  /// Rates in the order of the kinds each time: sums kept up to date would differ by rounding from path to path.
  double rate(double AllocationKind::*of) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < problem_.kinds.size(); ++k)
      sum += at_.configuration.parts[k].nodes * problem_.kinds[k].*of;
    return sum;
  }

  /// No choice of the kinds after `last` can beat the best.
  bool hopeless(std::size_t last) const {
    Stages greatest{-infinite, -infinite};
    for (std::size_t k = 0; k <= last; ++k) {
      const Part part = at_.configuration.parts[k];
      if (part.nodes == 0) continue;
      Stages of_kind = times_.least(k, part.per_core, ranks_);
      if (nodes_ == 1) lower(of_kind, times_.alone(k, part.per_core));
      raise(greatest, of_kind);
    }
    const double least = greatest[0] + greatest[1];
    if (least == infinite || (problem_.limit && least > *problem_.limit)) return true;
    if (!found_.best) return false;
    const double value = found_.best->value(problem_.objective);
    if (problem_.objective == AllocationObjective::time) return least > value;
    const bool cost = problem_.objective == AllocationObjective::cost;
    const double rate_least = rate(cost ? &AllocationKind::price : &AllocationKind::power);
    return least * (least < 0.0 ? (cost ? price_max_ : power_max_) : rate_least) > value + 1e-12 * std::abs(value);
  }

  bool fits() const {
    const double bytes = times_.bytes(ranks_);
    for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
      const auto& kind = problem_.kinds[k];
      const Part part = at_.configuration.parts[k];
      if (part.nodes > 0 && kind.memory > 0.0 && bytes * part.per_core * kind.cores > kind.memory) return false;
    }
    return true;
  }

  void examine() {
    if (ranks_ == 0) return;
    if (++found_.examined % progress_every == 0 && progress_ && !progress_(found_.examined)) stopped_ = true;
    if (!times_.permitted(ranks_) || !fits()) return;
    Stages greatest{-infinite, -infinite};
    for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
      const Part part = at_.configuration.parts[k];
      if (part.nodes == 0) continue;
      raise(greatest, nodes_ == 1 ? times_.alone(k, part.per_core) : times_.several(k, part.per_core, ranks_));
    }
    const double longest = greatest[0] + greatest[1];
    if (longest == infinite || (problem_.limit && longest > *problem_.limit)) return;
    at_.ranks = ranks_;
    at_.seconds = longest;
    at_.cost = longest * rate(&AllocationKind::price);
    at_.energy = longest * rate(&AllocationKind::power);
    if (each_) each_(at_);
    if (!found_.best || better(at_, *found_.best, problem_.objective)) found_.best = at_;
  }

  const AllocationProblem& problem_;
  Times times_;
  bool cuts_, stopped_ = false;
  EachAllocation each_;
  SearchProgress progress_;
  Allocation at_;
  std::uint32_t ranks_ = 0, nodes_ = 0;
  double price_max_ = 0.0, power_max_ = 0.0;
  AllocationSearch found_;
};

}  // namespace

bool better(const Allocation& a, const Allocation& b, AllocationObjective objective) {
  if (a.value(objective) != b.value(objective)) return a.value(objective) < b.value(objective);
  if (a.seconds != b.seconds) return a.seconds < b.seconds;
  if (a.configuration.nodes() != b.configuration.nodes()) return a.configuration.nodes() < b.configuration.nodes();
  return a.configuration.parts < b.configuration.parts;
}

AllocationSearch search_all(const AllocationProblem& problem, const EachAllocation& each,
                            const SearchProgress& progress) {
  return Search(problem, false, each, progress).run();
}

AllocationSearch branch_and_bound(const AllocationProblem& problem, const SearchProgress& progress) {
  return Search(problem, true, {}, progress).run();
}

double configurations_of(const AllocationProblem& problem) {
  double count = 1.0;
  for (const auto& kind : problem.kinds) count *= 1.0 + static_cast<double>(kind.nodes) * kind.per_core_max;
  return count - 1.0;
}

}  // namespace orrery
