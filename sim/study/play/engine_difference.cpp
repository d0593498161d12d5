#include "sim/study/play/engine_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace orrery::study {

namespace {

/// The k-th record of each (phase, iteration).
class ByName {
 public:
  explicit ByName(const RunResult& run) {
    for (const auto& record : run.phases) records_[{record.phase, record.iteration}].push_back(&record);
  }
  /// The next one not yet taken, or null.
  const PhaseRecord* take(const std::string& phase, std::uint32_t iteration) {
    const auto found = records_.find({phase, iteration});
    if (found == records_.end()) return nullptr;
    std::size_t& next = taken_[found->first];
    return next < found->second.size() ? found->second[next++] : nullptr;
  }

 private:
  using Key = std::pair<std::string, std::uint32_t>;
  std::map<Key, std::vector<const PhaseRecord*>> records_;
  std::map<Key, std::size_t> taken_;
};

EngineDifference::OfPhase& entry_of(EngineDifference& difference, const std::string& phase) {
  const auto known = std::ranges::find(difference.phases, phase, &EngineDifference::OfPhase::phase);
  if (known != difference.phases.end()) return *known;
  difference.phases.push_back({.phase = phase});
  return difference.phases.back();
}

}  // namespace

EngineDifference difference_between(const RunResult& shown, const RunResult& other) {
  EngineDifference difference{.engine = other.engine, .shown_makespan = shown.makespan, .makespan = other.makespan};
  difference.imbalance = other.imbalance;
  difference.wall_s = other.wall_s;
  if (shown.phases.size() != other.phases.size() || shown.messages != other.messages)
    difference.failure = fmt::format("played {} messages in {} phases, {} played {} in {}", other.messages,
                                     other.phases.size(), shown.engine, shown.messages, shown.phases.size());
  ByName others(other);
  for (const auto& record : shown.phases) {
    const PhaseRecord* twin = others.take(record.phase, record.iteration);
    if (twin == nullptr) {
      difference.failure = fmt::format("has no phase '{}' in iteration {}", record.phase, record.iteration);
      continue;
    }
    auto& entry = entry_of(difference, record.phase);
    const PhasePair pair{record.iteration, record.time, twin->time};
    if (entry.records == 0 || pair.absolute() > entry.largest_absolute.absolute()) entry.largest_absolute = pair;
    if (entry.records == 0 || pair.relative() > entry.largest_relative.relative()) entry.largest_relative = pair;
    ++entry.records;
    entry.shown += record.time;
    entry.other += twin->time;
  }
  return difference;
}

}  // namespace orrery::study
