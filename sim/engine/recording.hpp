/// Collects the results of a run: phases, traffic, timelines.
///
/// A rank is in the iteration of its latest iteration mark and in the phase of the latest phase mark after it (before
/// that: the default phase), as in the phase builder. A phase of a rank begins at its mark (if a step follows before
/// the next mark) and ends at its next phase or iteration mark or at its end. The k-th time ranks enter the same
/// (phase, iteration) is one record; its time is max over ranks (end - own start).
///
/// Timelines, and messages and collectives between them, are kept for all ranks up to 256. Of more ranks only a sample
/// has timelines, evenly spread and in pairs (two neighbours have the same computation or are the two streams of a
/// GPU), in bins over the whole run and without messages. Requested ranks keep every activity, or bins if those are too
/// many and no time span was requested. Activities of all ranks are kept as shares over time, and their totals as sums,
/// by rank or by groups of ranks, so that memory does not grow with the number of ranks.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/core/fetch.hpp"
#include "sim/engine/activity_shares.hpp"
#include "sim/engine/collective_records.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/history.hpp"
#include "sim/engine/power_meter.hpp"
#include "sim/engine/timeline_bins.hpp"

namespace orrery::engine {

class Recording {
 public:
  /// `history`, if given, is called when a phase of a rank ends; `meter` with the activities of the ranks.
  Recording(std::uint32_t ranks, const ReplayOptions& options, History* history = nullptr,
            std::unique_ptr<PowerMeter> meter = nullptr);

  void enter_phase(Rank rank, const char* name, double now);
  void enter_iteration(Rank rank, std::uint32_t iteration, double now);
  /// A step that is not a mark begins; returns the index of its phase record.
  std::uint32_t step(Rank rank) {
    const std::uint32_t record = records_of_ranks_[index(rank)];
    return record != none ? record : open(rank);
  }
  void finish(Rank rank, double now) { close(rank, now); }
  /// The rank repeats its program: its iterations get later numbers.
  void again(Rank rank, double now);
  void message(Rank from, ChannelKind kind, Bytes m, std::uint32_t count = 1) {
    Traffic& traffic = phases_[step(from)].traffic[static_cast<std::size_t>(kind)];
    traffic.messages += count;
    traffic.bytes += count * m;
  }
  /// `bytes` is the sum of the messages.
  void messages(Rank from, ChannelKind kind, std::uint64_t count, Bytes bytes) {
    Traffic& traffic = phases_[step(from)].traffic[static_cast<std::size_t>(kind)];
    traffic.messages += count;
    traffic.bytes += bytes;
  }
  void interval(Rank rank, Activity activity, double begin, double end, Rank peer, Bytes m) {
    if (!(end > begin)) return;
    shares_.add(activity, begin, end);
    times_[index(rank) >> group_bits_][static_cast<std::size_t>(activity)] += end - begin;
    if (meter_) meter_->interval(rank, activity, ranks_[index(rank)].name, begin, end);
    if (is_traced(rank)) keep(rank, {activity, Seconds{begin}, Seconds{end}, peer, m, 0});
  }

  /// A message leaves that was sent at `date`; `received` when its receiver has it.
  void sent(MessageId message, Rank from, double date) {
    if (deliveries_left_ == 0 || !is_traced(from)) return;
    if (!sent_.has(message)) sent_.resize(std::max<std::size_t>(index(message) + 1, 2 * sent_.size()));
    sent_[message] = date;
  }
  /// Whether a message between them is recorded when its receiver has it.
  bool keeps(Rank from, Rank to) const { return deliveries_left_ > 0 && is_traced(from) && is_traced(to); }
  void received(MessageId message, Delivery delivery);
  void collective(Rank rank, const CollectiveRecords::Left& left, double now);
  /// Whether the rank has a timeline.
  bool is_traced(Rank rank) const { return !traced_.empty() && traced_[index(rank)]; }

  /// Prefetches: this rank will soon continue.
  void fetch_rank(Rank rank) const {
    fetch(&ranks_[index(rank)]);
    fetch(&records_of_ranks_[index(rank)]);
  }

  /// Number of the name of the phase a rank is in.
  std::uint32_t phase(Rank rank) const { return ranks_[index(rank)].name; }
  const std::vector<std::string>& phase_names() const { return names_; }
  const std::vector<PhaseRecord>& phases() const { return phases_; }

  /// Moves all records into the result, whose makespan and loads are already set.
  void move_into(RunResult& result);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Entered {
    std::uint32_t name, times;
  };
  struct alignas(64) RankPhase {
    std::uint32_t name = 0, iteration = 0, first = 0;  ///< `first`: number of the program's iteration 0
    double begin = 0.0;
    boost::container::small_vector<Entered, 2> entered;  ///< how often each phase began in this iteration
  };
  std::uint32_t open(Rank rank);
  void close(Rank rank, double now);
  std::uint32_t name_id(const char* name);

  void trace(std::vector<Rank> ranks, bool exactly, bool in_bins);
  void trace_some(const ReplayOptions& options);
  void keep(Rank rank, Interval interval);
  void move_bins_into(RunResult& result);

  History* history_;
  std::unique_ptr<PowerMeter> meter_;
  std::uint32_t load_bins_, intervals_max_;
  double trace_from_ = 0.0, trace_until_ = 0.0;
  std::vector<bool> traced_;         ///< [ranks] with a timeline; empty: none
  std::vector<std::uint32_t> rows_;  ///< [ranks] row in `bins_`
  std::unique_ptr<TimelineBins> bins_;
  std::size_t intervals_left_ = 0;  ///< number that may still be kept, over all ranks
  bool exactly_ = false;            ///< so far every activity is kept
  ActivityShares shares_;
  std::uint32_t group_bits_ = 0;                       ///< 2^group_bits_ consecutive ranks share a row of:
  std::vector<std::array<double, activities>> times_;  ///< [groups][activities] s
  std::vector<RankPhase> ranks_;
  std::vector<std::uint32_t> records_of_ranks_;  ///< [ranks] record of its phase; none: it has not begun
  std::vector<std::string> names_;
  std::unordered_map<const char*, std::uint32_t> name_ids_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> records_;  ///< (name, iteration) -> by occurrence
  std::vector<PhaseRecord> phases_;
  std::vector<std::vector<Interval>> timelines_;
  std::size_t deliveries_left_ = 0, spans_left_ = 0;  ///< numbers that may still be kept
  IdVector<MessageId, double> sent_;
  std::vector<Delivery> deliveries_;
  std::vector<CollectiveSpan> spans_;
  bool cut_ = false;
};

}  // namespace orrery::engine
