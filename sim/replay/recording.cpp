#include "sim/replay/recording.hpp"

#include <algorithm>

#include "sim/core/program.hpp"

namespace orrery::replay {

Recording::Recording(std::uint32_t ranks, std::uint32_t intervals_max)
    : intervals_max_(intervals_max), ranks_(ranks), timelines_(intervals_max == 0 ? 0 : ranks) {
  name_id(default_phase);
}

std::uint32_t Recording::name_id(const char* name) {
  const auto [at, fresh] = name_ids_.try_emplace(name, 0u);
  if (!fresh) return at->second;
  const auto known = std::ranges::find(names_, name);  // the same word may be two literals
  at->second = static_cast<std::uint32_t>(known - names_.begin());
  if (known == names_.end()) names_.emplace_back(name);
  return at->second;
}

void Recording::enter_phase(Rank rank, const char* name, double now) {
  close(rank, now);
  ranks_[index(rank)].name = name_id(name);
  ranks_[index(rank)].begin = now;
}

void Recording::enter_iteration(Rank rank, std::uint32_t iteration, double now) {
  close(rank, now);
  RankPhase& own = ranks_[index(rank)];
  own.name = 0;  // the default phase, entered first
  own.iteration = iteration;
  own.begin = now;
  own.entered.clear();
}

std::uint32_t Recording::open(Rank rank) {
  RankPhase& own = ranks_[index(rank)];
  auto entered = std::ranges::find(own.entered, own.name, &Entered::name);
  if (entered == own.entered.end()) entered = own.entered.insert(own.entered.end(), {own.name, 0});
  const std::uint32_t occurrence = entered->times++;
  std::vector<std::uint32_t>& records = records_[(std::uint64_t{own.name} << 32) | own.iteration];
  if (records.size() <= occurrence) {
    records.push_back(static_cast<std::uint32_t>(phases_.size()));
    PhaseRecord record;
    record.phase = names_[own.name];
    record.iteration = own.iteration;
    record.begin = Seconds{own.begin};
    record.time = Seconds{-1.0};
    phases_.push_back(std::move(record));
  }
  own.record = records[occurrence];
  PhaseRecord& record = phases_[own.record];
  record.begin = std::min(record.begin, Seconds{own.begin});
  return own.record;
}

void Recording::close(Rank rank, double now) {
  RankPhase& own = ranks_[index(rank)];
  if (own.record == none) return;
  PhaseRecord& record = phases_[own.record];
  const Seconds time{now - own.begin};
  if (time > record.time) {
    record.time = time;
    record.slowest = rank;
  }
  record.end = std::max(record.end, Seconds{now});
  own.record = none;
}

void Recording::interval(Rank rank, Activity activity, double begin, double end, Rank peer, Bytes m) {
  if (intervals_max_ == 0 || end <= begin) return;
  std::vector<Interval>& timeline = timelines_[index(rank)];
  if (timeline.size() >= intervals_max_) {
    cut_ = true;
    return;
  }
  timeline.push_back({activity, Seconds{begin}, Seconds{end}, peer, m, step(rank)});
}

void Recording::move_into(RunResult& result) {
  result.phases = std::move(phases_);
  result.timelines = std::move(timelines_);
  result.timelines_cut = cut_;
}

}  // namespace orrery::replay
