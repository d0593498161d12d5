#include "sim/engine/recording.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/program.hpp"

namespace orrery::replay {

namespace {

constexpr std::size_t traced_by_default = 256;  // ranks: more are neither drawn nor read, and cost more than the run
constexpr std::size_t arrows_max = 20000;       // messages, and collectives, kept for the time lines
constexpr std::size_t groups_max = 1024;        // of the sums by rank: they stay in the second-level cache

}  // namespace

Recording::Recording(std::uint32_t ranks, const ReplayOptions& options, History* history,
                     std::unique_ptr<PowerMeter> meter)
    : history_(history),
      meter_(std::move(meter)),
      load_bins_(options.load_bins),
      intervals_max_(options.intervals_max),
      ranks_(ranks),
      records_of_ranks_(ranks, none) {
  trace_until_ = std::numeric_limits<double>::infinity();
  if (options.full_trace()) {
    intervals_max_ = std::numeric_limits<std::uint32_t>::max();
    trace_from_ = options.trace_from_s;
    trace_until_ = options.trace_until_s;
    timelines_traced_ = ranks;
    deliveries_left_ = spans_left_ = std::numeric_limits<std::size_t>::max();
    if (options.trace_ranks) {
      traced_first_ = std::min<std::size_t>(index(options.trace_ranks->first), ranks);
      timelines_traced_ = std::min<std::size_t>(index(options.trace_ranks->second) + 1, ranks) - traced_first_;
    }
  } else if (intervals_max_ > 0) {
    timelines_traced_ = std::min<std::size_t>(ranks, traced_by_default);
    cut_ = timelines_traced_ < ranks;
    deliveries_left_ = spans_left_ = arrows_max;
  }
  if (timelines_traced_ > 0) timelines_.resize(ranks);
  while (std::size_t{ranks} > groups_max << group_bits_) ++group_bits_;
  times_.resize((std::size_t{ranks} + (std::size_t{1} << group_bits_) - 1) >> group_bits_);
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
  own.iteration = own.first + iteration;
  own.begin = now;
  own.entered.clear();
}

void Recording::again(Rank rank, double now) {
  RankPhase& own = ranks_[index(rank)];
  own.first = own.iteration + 1;
  enter_iteration(rank, 0, now);
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
  PhaseRecord& record = phases_[records[occurrence]];
  record.begin = std::min(record.begin, Seconds{own.begin});
  return records_of_ranks_[index(rank)] = records[occurrence];
}

void Recording::close(Rank rank, double now) {
  std::uint32_t& number = records_of_ranks_[index(rank)];
  if (number == none) return;
  const RankPhase& own = ranks_[index(rank)];
  PhaseRecord& record = phases_[number];
  const Seconds time{now - own.begin};
  if (history_ != nullptr) history_->phase_ended(number, own.name, rank, own.begin, now, time > record.time);
  if (meter_) meter_->phase(rank, own.name, own.begin, now);
  if (time > record.time) {
    record.time = time;
    record.slowest = rank;
  }
  record.end = std::max(record.end, Seconds{now});
  number = none;
}

void Recording::keep(Rank rank, Interval interval) {
  if (interval.end.si() <= trace_from_ || interval.begin.si() >= trace_until_) return;
  std::vector<Interval>& timeline = timelines_[index(rank)];
  if (timeline.size() >= intervals_max_) {
    cut_ = true;
    return;
  }
  interval.phase = step(rank);
  timeline.push_back(interval);
}

void Recording::deliver(MessageId message, Delivery delivery) {
  delivery.sent = Seconds{sent_[message]};
  if (delivery.received.si() <= trace_from_ || delivery.sent.si() >= trace_until_) return;
  --deliveries_left_;
  deliveries_.push_back(delivery);
}

void Recording::collective(Rank rank, const CollectiveRecords::Left& left, double now) {
  if (spans_left_ == 0 || !is_traced(rank) || now <= trace_from_ || left.began >= trace_until_) return;
  --spans_left_;
  spans_.push_back({rank, left.operation, left.algorithm, left.bytes, Seconds{left.began}, Seconds{now}});
}

void Recording::move_into(RunResult& result) {
  if (meter_) result.energy = meter_->result(result, names_);
  result.deliveries = std::move(deliveries_);
  result.collective_spans = std::move(spans_);
  result.phases = std::move(phases_);
  result.timelines = std::move(timelines_);
  result.timelines_cut = cut_;
  if (load_bins_ > 0)
    result.activity_shares =
        shares_.shares(static_cast<std::uint32_t>(ranks_.size()), result.makespan.si(), load_bins_);
  result.activity_group = 1u << group_bits_;
  result.activity_times.assign(activities, std::vector<Seconds>(times_.size()));
  for (std::size_t group = 0; group < times_.size(); ++group)
    for (std::size_t a = 0; a < activities; ++a) result.activity_times[a][group] = Seconds{times_[group][a]};
}

}  // namespace orrery::replay
