#include "models/taulop/timeline.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/core/quantity_text.hpp"

namespace orrery::taulop {

namespace {

using GroupKey = std::pair<std::uint32_t, NodeId>;  ///< channel, destination node

class Stepper {
 public:
  Stepper(const TransmissionGraph& graph, std::span<const TransmissionTable> tables)
      : graph_(graph),
        tables_(tables),
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
    while (!groups_.empty()) {
      result.slices.push_back(step());
      result.time += result.slices.back().time;
    }
    return result;
  }

 private:
  void start(std::uint32_t i) {
    const auto& transmission = graph_.transmissions[i];
    groups_[{transmission.channel, transmission.to_node}].start(i, transmission);
  }

  Slice cheapest() const {
    Slice slice;
    bool first = true;
    for (const auto& [key, group] : groups_) {
      const Seconds time = group.time(tables_);
      if (!first && time >= slice.time) continue;
      slice = {time, key.first, key.second, group.concurrency(), group.shortest(), 0, 0};
      first = false;
    }
    return slice;
  }

  Slice step() {
    Slice slice = cheapest();
    ended_.clear();
    for (auto group = groups_.begin(); group != groups_.end();) {
      const bool is_slice = group->first == GroupKey{slice.channel, slice.to_node};
      if (!is_slice) slice.others += group->second.size();
      const auto ended_before = ended_.size();
      group->second.progress(is_slice ? slice.message : group->second.bytes(slice.time, tables_), ended_);
      if (is_slice) slice.ended = static_cast<std::uint32_t>(ended_.size() - ended_before);
      group = group->second.empty() ? groups_.erase(group) : std::next(group);
    }
    for (const auto i : ended_)
      for (const auto next : successors_[i])
        if (--waiting_for_[next] == 0) start(next);
    return slice;
  }

  const TransmissionGraph& graph_;
  std::span<const TransmissionTable> tables_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::map<GroupKey, ConcurrentGroup> groups_;
  std::vector<std::uint32_t> ended_;
};

}  // namespace

Timeline timeline(const TransmissionGraph& graph, std::span<const TransmissionTable> tables) {
  return Stepper(graph, tables).run();
}

Timeline timeline(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables) {
  TransmissionGraph graph;
  for (const auto& sequence : sequences)
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      graph.after.emplace_back();
      if (i > 0) graph.after.back().push_back(static_cast<std::uint32_t>(graph.transmissions.size() - 1));
      graph.transmissions.push_back(sequence[i]);
    }
  return timeline(graph, tables);
}

std::string term_text(std::uint32_t concurrency, std::uint32_t channel, Bytes message) {
  const std::string transmission = fmt::format("T^{}({:.0f} B)", channel, message / Bytes(1));
  return concurrency == 1 ? transmission : fmt::format("{} || {}", concurrency, transmission);
}

std::string in_words(const Slice& slice) {
  std::string text =
      fmt::format("{} into node {}", term_text(slice.concurrency, slice.channel, slice.message), index(slice.to_node));
  if (slice.ended == 0) return text;
  text += fmt::format(": {} {}", slice.ended, slice.ended == 1 ? "transmission ends" : "transmissions end");
  if (slice.concurrency > slice.ended) text += ", the rest of its group has lost as many bytes (A2)";
  if (slice.others > 0)
    text += fmt::format("; {} elsewhere {} on meanwhile at {} own pace (A3)", slice.others,
                        slice.others == 1 ? "goes" : "go", slice.others == 1 ? "its" : "their");
  return text;
}

}  // namespace orrery::taulop
