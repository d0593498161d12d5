#include "models/taulop/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "sim/core/quantity_text.hpp"

namespace orrery::taulop {

namespace {

using GroupKey = std::pair<std::uint32_t, NodeId>;  ///< channel, destination node

class Stepper {
 public:
  Stepper(const TransmissionGraph& graph, std::span<const TransmissionTable> tables, Overhead overhead)
      : graph_(graph),
        tables_(tables),
        overhead_(overhead),
        waiting_for_(graph.transmissions.size()),
        successors_(graph.transmissions.size()) {
    for (std::uint32_t i = 0; i < graph.after.size(); ++i)
      for (const auto before : graph.after[i]) {
        successors_[before].push_back(i);
        ++waiting_for_[i];
      }
    for (std::uint32_t i = 0; i < waiting_for_.size(); ++i)
      if (waiting_for_[i] == 0) start(i);
  }

  Timeline run() {
    Timeline result;
    while (!groups_.empty() || !calling_.empty()) result.slices.push_back(step());
    result.time = now_;
    return result;
  }

 private:
  /// A transmission that spends its overhead.
  struct Call {
    Seconds until, since;
    std::uint32_t id = 0;
    bool operator>(const Call& other) const { return until != other.until ? until > other.until : id > other.id; }
  };

  void start(std::uint32_t i) {
    const auto& transmission = graph_.transmissions[i];
    if (overhead_ == Overhead::once)
      calling_.push({now_ + overhead_of(transmission.tables, transmission.message, tables_), now_, i});
    else
      inject(i);
  }

  void inject(std::uint32_t i) {
    auto transmission = graph_.transmissions[i];
    if (overhead_ != Overhead::once)  // T(0 B) = T(1 B), and who has no byte to carry would end beside any other
      transmission.message = std::max(transmission.message, Bytes(1));
    groups_[{transmission.channel, transmission.to_node}].start(i, transmission);
  }

  /// The next end of a group's shortest transmission or of an overhead.
  Slice next_slice() const {
    Slice slice;
    bool first = true;
    if (!calling_.empty()) {
      const auto& call = graph_.transmissions[calling_.top().id];
      slice = {std::max(Seconds(0), calling_.top().until - now_),
               Part::overhead,
               call.channel,
               call.to_node,
               0,
               call.message};
      slice.begun = calling_.top().since < now_;
      first = false;
    }
    for (const auto& [key, group] : groups_) {
      const Seconds time = group.time(tables_, overhead_);
      if (!first && time >= slice.time) continue;
      const auto part = overhead_ == Overhead::once ? Part::transfer : Part::transmission;
      slice = {time, part, key.first, key.second, group.concurrency(), group.shortest()};
      first = false;
    }
    return slice;
  }

  Slice step() {
    Slice slice = next_slice();
    ended_.clear();
    for (auto group = groups_.begin(); group != groups_.end();) {
      const bool is_slice = slice.part != Part::overhead && group->first == GroupKey{slice.channel, slice.to_node};
      if (!is_slice) slice.others += group->second.size();
      const auto ended_before = ended_.size();
      group->second.progress(is_slice ? slice.message : group->second.progress_in(slice.time, tables_, overhead_),
                             ended_);
      if (is_slice) slice.ended = static_cast<std::uint32_t>(ended_.size() - ended_before);
      group = group->second.empty() ? groups_.erase(group) : std::next(group);
    }
    now_ += slice.time;
    if (slice.part == Part::overhead) end_overheads(slice);
    for (const auto i : ended_)
      for (const auto next : successors_[i])
        if (--waiting_for_[next] == 0) start(next);
    return slice;
  }

  /// Those whose overhead ends with the slice start to inject; who has nothing to inject has ended.
  void end_overheads(Slice& slice) {
    for (const Seconds end = calling_.top().until; !calling_.empty() && calling_.top().until == end; calling_.pop()) {
      const auto id = calling_.top().id;
      slice.concurrency += graph_.transmissions[id].concurrency;
      if (graph_.transmissions[id].message > Bytes(0))
        inject(id);
      else
        ended_.push_back(id);
    }
  }

  const TransmissionGraph& graph_;
  std::span<const TransmissionTable> tables_;
  Overhead overhead_;
  Seconds now_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::priority_queue<Call, std::vector<Call>, std::greater<>> calling_;
  std::map<GroupKey, ConcurrentGroup> groups_;
  std::vector<std::uint32_t> ended_;
};

}  // namespace

Timeline timeline(const TransmissionGraph& graph, std::span<const TransmissionTable> tables, Overhead overhead) {
  return Stepper(graph, tables, overhead).run();
}

Timeline timeline(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables,
                  Overhead overhead) {
  TransmissionGraph graph;
  for (const auto& sequence : sequences)
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      graph.after.emplace_back();
      if (i > 0) graph.after.back().push_back(static_cast<std::uint32_t>(graph.transmissions.size() - 1));
      graph.transmissions.push_back(sequence[i]);
    }
  return timeline(graph, tables, overhead);
}

std::string term_text(std::uint32_t concurrency, std::uint32_t channel, Bytes message, Part part) {
  const char* symbol = part == Part::transmission ? "T" : part == Part::transfer ? "X" : "o";
  const std::string term = fmt::format("{}^{}({:.0f} B)", symbol, channel, message / Bytes(1));
  return concurrency == 1 || part == Part::overhead ? term : fmt::format("{} || {}", concurrency, term);
}

std::string term_text(const Slice& slice) {
  const std::string term = term_text(slice.concurrency, slice.channel, slice.message, slice.part);
  return slice.begun ? "rest of " + term : term;
}

std::string in_words(const Slice& slice) {
  const std::string term = term_text(slice);
  std::string text;
  if (slice.part == Part::overhead) {
    text = fmt::format("{}: {} {} to inject", term, slice.concurrency,
                       slice.concurrency == 1 ? "transmission starts" : "transmissions start");
  } else {
    text = fmt::format("{} into node {}", term, index(slice.to_node));
    if (slice.ended == 0) return text;
    text += fmt::format(": {} {}", slice.ended, slice.ended == 1 ? "transmission ends" : "transmissions end");
    if (slice.concurrency > slice.ended) text += ", the rest of its group has lost as many bytes (A2)";
  }
  if (slice.others > 0)
    text += fmt::format("; {} elsewhere {} on meanwhile at {} own pace (A3)", slice.others,
                        slice.others == 1 ? "goes" : "go", slice.others == 1 ? "its" : "their");
  return text;
}

}  // namespace orrery::taulop
