/// Collects what a run tells: phases, traffic, time lines.
///
/// A rank is in the iteration of its latest iteration mark and in the phase of the latest phase mark after it (before
/// that: the default phase), as the phase builder has it. A phase of a rank
/// begins at its mark (when a step follows before the next mark) and ends at its next phase or iteration mark or at its
/// end. The k-th time ranks enter the same (phase, iteration) is one record; its time is max over ranks (end - own
/// start).
///
/// Time lines, and messages and collectives between them, are kept of all ranks up to 256; of more ranks of some, evenly
/// spread and in pairs (two neighbours compute alike or are the two streams of a GPU), over the whole run in bins and
/// without messages. Of ranks asked for every activity is kept, or, where those are too many and no span of time was
/// asked for, bins. What all ranks do is kept as shares over time, and what each did in all as sums, of each rank or of
/// groups of ranks so that memory stays the same however many they are.
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
  /// `history`, if any, hears when a phase of a rank ends; `meter` what the ranks do.
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
  /// The rank plays its program once more: its iterations are later ones.
  void again(Rank rank, double now);
  void message(Rank from, ChannelKind kind, Bytes m, std::uint32_t count = 1) {
    Traffic& traffic = phases_[step(from)].traffic[static_cast<std::size_t>(kind)];
    traffic.messages += count;
    traffic.bytes += count * m;
  }
  /// So many bytes in all.
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

  /// A message leaves that was sent then, and comes to its receiver.
  void sent(MessageId message, Rank from, double date) {
    if (deliveries_left_ == 0 || !is_traced(from)) return;
    if (!sent_.has(message)) sent_.resize(std::max<std::size_t>(index(message) + 1, 2 * sent_.size()));
    sent_[message] = date;
  }
  /// Whether a message between them is kept when its receiver has it; that it has.
  bool keeps(Rank from, Rank to) const { return deliveries_left_ > 0 && is_traced(from) && is_traced(to); }
  void received(MessageId message, Delivery delivery);
  void collective(Rank rank, const CollectiveRecords::Left& left, double now);
  /// Whether it has a time line.
  bool is_traced(Rank rank) const { return !traced_.empty() && traced_[index(rank)]; }

  /// This rank will go on soon.
  void fetch_rank(Rank rank) const {
    fetch(&ranks_[index(rank)]);
    fetch(&records_of_ranks_[index(rank)]);
  }

  /// Number of the name of the phase a rank is in.
  std::uint32_t phase(Rank rank) const { return ranks_[index(rank)].name; }
  const std::vector<std::string>& phase_names() const { return names_; }
  const std::vector<PhaseRecord>& phases() const { return phases_; }

  /// Moves everything collected into the result, whose makespan and loads are known.
  void move_into(RunResult& result);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Entered {
    std::uint32_t name, times;
  };
  struct alignas(64) RankPhase {
    std::uint32_t name = 0, iteration = 0, first = 0;  ///< `first`: iteration that the program calls 0
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
  std::vector<bool> traced_;         ///< [ranks] with a time line; empty: none
  std::vector<std::uint32_t> rows_;  ///< [ranks] of those in `bins_`
  std::unique_ptr<TimelineBins> bins_;
  std::size_t intervals_left_ = 0;  ///< as many may still be kept, of all ranks
  bool exactly_ = false;            ///< every activity is kept, so far
  ActivityShares shares_;
  std::uint32_t group_bits_ = 0;                       ///< 2^group_bits_ consecutive ranks share a row of:
  std::vector<std::array<double, activities>> times_;  ///< [groups][activities] s
  std::vector<RankPhase> ranks_;
  std::vector<std::uint32_t> records_of_ranks_;  ///< [ranks] of the phase each is in; none: it has not begun
  std::vector<std::string> names_;
  std::unordered_map<const char*, std::uint32_t> name_ids_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> records_;  ///< (name, iteration) -> by occurrence
  std::vector<PhaseRecord> phases_;
  std::vector<std::vector<Interval>> timelines_;
  std::size_t deliveries_left_ = 0, spans_left_ = 0;  ///< as many may still be kept
  IdVector<MessageId, double> sent_;
  std::vector<Delivery> deliveries_;
  std::vector<CollectiveSpan> spans_;
  bool cut_ = false;
};

}  // namespace orrery::engine
