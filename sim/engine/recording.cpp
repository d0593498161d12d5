#include "sim/engine/recording.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/program.hpp"

namespace orrery::engine {

namespace {

constexpr std::size_t traced_by_default = 256;   // ranks: more are neither drawn nor read, and cost more than the run
constexpr std::size_t pairs_by_default = 32;     // of neighbours, of more ranks
constexpr std::size_t intervals_most = 1000000;  // a trace of 150 MB
constexpr std::size_t drawn_most = 120000;       // of ranks asked for, over the whole run
constexpr std::size_t in_bins_most = 20000;      // what a page draws
constexpr std::size_t arrows_max = 20000;        // messages, and collectives, kept for the time lines
constexpr std::size_t arrows_most = 200000;      // of a full trace
constexpr std::size_t groups_max = 1024;         // of the sums by rank: they stay in the second-level cache

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
  trace_some(options);
  while (std::size_t{ranks} > groups_max << group_bits_) ++group_bits_;
  times_.resize((std::size_t{ranks} + (std::size_t{1} << group_bits_) - 1) >> group_bits_);
  name_id(default_phase);
}

void Recording::trace_some(const ReplayOptions& options) {
  const std::size_t ranks = ranks_.size();
  std::vector<Rank> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) all.push_back(Rank{rank});
  if (options.full_trace()) {
    intervals_max_ = std::numeric_limits<std::uint32_t>::max();
    trace_from_ = options.trace_from_s;
    trace_until_ = options.trace_until_s;
    deliveries_left_ = spans_left_ = arrows_most;
    trace(options.trace_ranks.empty() ? all : options.trace_ranks, true, !options.has_trace_time());
  } else if (intervals_max_ > 0 && ranks <= traced_by_default) {
    deliveries_left_ = spans_left_ = arrows_max;
    trace(all, true, false);
  } else if (intervals_max_ > 0) {
    std::vector<Rank> pairs;
    for (std::size_t k = 0; k < pairs_by_default; ++k)
      for (const std::size_t beside : {std::size_t{0}, std::size_t{1}})
        pairs.push_back(Rank{static_cast<std::uint32_t>(k * ranks / pairs_by_default + beside)});
    trace(pairs, false, true);
  }
}

void Recording::trace(std::vector<Rank> ranks, bool exactly, bool in_bins) {
  exactly_ = exactly;
  intervals_left_ = in_bins ? drawn_most : intervals_most;
  timelines_.resize(ranks_.size());
  traced_.assign(ranks_.size(), false);
  if (in_bins) rows_.assign(ranks_.size(), none);
  std::uint32_t rows = 0;
  for (const Rank rank : ranks) {
    if (index(rank) >= ranks_.size()) continue;
    traced_[index(rank)] = true;
    if (in_bins) rows_[index(rank)] = rows++;
  }
  if (in_bins) bins_ = std::make_unique<TimelineBins>(rows);
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
  interval.phase = step(rank);
  if (bins_) bins_->add(rows_[index(rank)], interval.activity, interval.begin.si(), interval.end.si(), interval.phase);
  if (!exactly_) return;
  std::vector<Interval>& timeline = timelines_[index(rank)];
  if (timeline.size() < intervals_max_ && intervals_left_ > 0) {
    --intervals_left_;
    timeline.push_back(interval);
  } else if (bins_) {  // they tell the whole run
    exactly_ = false;
    for (auto& kept : timelines_) std::vector<Interval>().swap(kept);
    deliveries_.clear();
    spans_.clear();
    deliveries_left_ = spans_left_ = 0;
  } else {
    cut_ = true;
  }
}

void Recording::received(MessageId message, Delivery delivery) {
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

void Recording::move_bins_into(RunResult& result) {
  auto of_rows = bins_->timelines(result.makespan.si(), in_bins_most);
  for (std::size_t rank = 0; rank < rows_.size(); ++rank)
    if (rows_[rank] != none) timelines_[rank] = std::move(of_rows[rows_[rank]]);
  result.timelines_bin = Seconds{bins_->width()};
}

void Recording::move_into(RunResult& result) {
  if (meter_) result.energy = meter_->result(result, names_);
  if (bins_ && !exactly_) move_bins_into(result);
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

}  // namespace orrery::engine
