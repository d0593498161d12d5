#include "sim/core/stage_pattern.hpp"

#include <algorithm>
#include <cassert>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

bool by_receiver(const Signal& a, const Signal& b) { return a.to != b.to ? a.to < b.to : a.from < b.from; }

/// Those of `sorted` whose `side` is the rank. (No std::ranges::subrange, of which clang 15 and libstdc++ make an error.)
std::span<const Signal> of_rank(const std::vector<Signal>& sorted, std::uint32_t rank, std::uint32_t Signal::*side) {
  const auto first = std::ranges::lower_bound(sorted, rank, {}, side);
  const auto end = std::ranges::upper_bound(sorted, rank, {}, side);
  return {first, end};
}

}  // namespace

PatternStage::PatternStage(std::vector<Signal> signals) : by_sender_(std::move(signals)) {
  if (!std::ranges::is_sorted(by_sender_)) std::ranges::sort(by_sender_);
  by_sender_.erase(std::unique(by_sender_.begin(), by_sender_.end()), by_sender_.end());
  by_receiver_ = by_sender_;
  std::ranges::sort(by_receiver_, by_receiver);
}

std::span<const Signal> PatternStage::sent_by(std::uint32_t rank) const {
  return of_rank(by_sender_, rank, &Signal::from);
}

std::span<const Signal> PatternStage::received_by(std::uint32_t rank) const {
  return of_rank(by_receiver_, rank, &Signal::to);
}

PatternStage PatternStage::transposed() const {
  PatternStage result;
  for (const Signal& signal : by_receiver_) result.by_sender_.push_back({signal.to, signal.from});
  for (const Signal& signal : by_sender_) result.by_receiver_.push_back({signal.to, signal.from});
  return result;
}

std::uint64_t StagePattern::signals() const {
  std::uint64_t count = 0;
  for (const PatternStage& stage : stages) count += stage.signals().size();
  return count;
}

namespace {

/// Arrivals, then the same stages transposed, last first.
StagePattern there_and_back(StagePattern arrivals) {
  const StagePattern back = transposed(arrivals);
  arrivals.stages.insert(arrivals.stages.end(), back.stages.begin(), back.stages.end());
  return arrivals;
}

}  // namespace

StagePattern linear_pattern(std::uint32_t ranks) {
  if (ranks <= 1) return {ranks, {}};
  std::vector<Signal> arrivals;
  for (std::uint32_t rank = 1; rank < ranks; ++rank) arrivals.push_back({rank, 0});
  return there_and_back({ranks, {PatternStage(std::move(arrivals))}});
}

StagePattern tree_pattern(std::uint32_t ranks, std::uint32_t degree) {
  if (degree < 2) throw InputError("pattern: a tree has degree 2 at least. Write 2?");
  StagePattern arrivals{ranks, {}};
  for (std::uint64_t step = 1; step < ranks; step *= degree) {
    std::vector<Signal> signals;
    for (std::uint64_t rank = step; rank < ranks; rank += step)
      if (const std::uint64_t behind = rank % (step * degree); behind != 0)
        signals.push_back({static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(rank - behind)});
    arrivals.stages.emplace_back(std::move(signals));
  }
  return there_and_back(std::move(arrivals));
}

StagePattern dissemination_pattern(std::uint32_t ranks) {
  StagePattern pattern{ranks, {}};
  for (std::uint64_t distance = 1; distance < ranks; distance *= 2) {
    std::vector<Signal> signals;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      signals.push_back({rank, static_cast<std::uint32_t>((rank + distance) % ranks)});
    pattern.stages.emplace_back(std::move(signals));
  }
  return pattern;
}

StagePattern transposed(const StagePattern& pattern) {
  StagePattern result{pattern.ranks, {}};
  for (auto stage = pattern.stages.rbegin(); stage != pattern.stages.rend(); ++stage)
    result.stages.push_back(stage->transposed());
  return result;
}

StagePattern pruned(StagePattern pattern) {
  std::erase_if(pattern.stages, [](const PatternStage& stage) { return stage.empty(); });
  return pattern;
}

StagePattern embedded(const StagePattern& pattern, std::span<const std::uint32_t> members, std::uint32_t ranks) {
  assert(members.size() == pattern.ranks);
  StagePattern result{ranks, {}};
  for (const PatternStage& stage : pattern.stages) {
    std::vector<Signal> signals;
    for (const auto& [from, to] : stage.signals()) signals.push_back({members[from], members[to]});
    result.stages.emplace_back(std::move(signals));
  }
  return result;
}

void overlay(StagePattern& into, const StagePattern& pattern, std::size_t first) {
  assert(into.ranks == pattern.ranks);
  if (into.stages.size() < first + pattern.stages.size()) into.stages.resize(first + pattern.stages.size());
  for (std::size_t k = 0; k < pattern.stages.size(); ++k) {
    const auto there = into.stages[first + k].signals(), more = pattern.stages[k].signals();
    std::vector<Signal> both(there.begin(), there.end());
    both.insert(both.end(), more.begin(), more.end());
    into.stages[first + k] = PatternStage(std::move(both));
  }
}

}  // namespace orrery
