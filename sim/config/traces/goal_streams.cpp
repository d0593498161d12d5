#include "sim/config/traces/goal_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::config {

namespace {

using Several = std::map<std::uint32_t, std::vector<GoalOperation>>;

std::string tag_words(Tag tag) { return tag == any_tag ? "any tag" : fmt::format("tag {}", index(tag)); }
std::string rank_words(Rank rank) { return rank == any_rank ? "any rank" : fmt::format("rank {}", index(rank)); }

/// On which cpu a rank sends, or receives, the messages of each peer and tag.
class Ends {
 public:
  Ends(const std::string& file, std::uint32_t me, const std::vector<GoalOperation>& operations,
       GoalOperation::Kind kind)
      : file_(file), me_(me), kind_(kind) {
    for (const GoalOperation& operation : operations)
      if (operation.kind == kind) enter(operation);
    for (const auto& [key, first] : wild_)
      for (const auto& [other, operation] : by_peer_)
        if (meet(key, other)) require_one(*first, *operation);
  }

  /// The cpu for this peer and tag. Every send has its receive: there is one.
  std::uint8_t cpu(Rank peer, Tag tag) const {
    if (const auto found = by_peer_.find({peer, tag}); found != by_peer_.end()) return found->second->cpu;
    for (const auto& [key, operation] : by_peer_)
      if (meet(key, {peer, tag})) return operation->cpu;
    return by_peer_.empty() ? std::uint8_t{0} : by_peer_.begin()->second->cpu;
  }
  /// Of a receive of any tag: all messages to the peer come from one cpu.
  void require_one_for_all(Rank peer) const {
    const GoalOperation* first = nullptr;
    for (const auto& [key, operation] : by_peer_) {
      if (key.first != peer) continue;
      if (first != nullptr) require_one(*first, *operation);
      first = operation;
    }
  }

 private:
  using Key = std::pair<Rank, Tag>;

  static bool meet(const Key& a, const Key& b) {
    return (a.first == b.first || a.first == any_rank || b.first == any_rank) &&
           (a.second == b.second || a.second == any_tag || b.second == any_tag);
  }
  void enter(const GoalOperation& operation) {
    const Key key{operation.peer, operation.tag};
    const auto known = by_peer_.try_emplace(key, &operation).first;
    require_one(*known->second, operation);
    if (operation.peer == any_rank || operation.tag == any_tag) wild_.emplace(key, &operation);
  }
  void require_one(const GoalOperation& a, const GoalOperation& b) const {
    if (a.cpu == b.cpu) return;
    const GoalOperation &first = a.line < b.line ? a : b, &second = a.line < b.line ? b : a;
    const bool sends = kind_ == GoalOperation::Kind::send;
    throw InputError(
        "{}:{}: rank {} {} {} {} {} on cpu {}, and on cpu {} in line {} (cpus work at the same time, so that time "
        "would say which message is which). Give each cpu tags of its own?",
        file_, second.line, me_, sends ? "sends" : "receives", tag_words(second.tag), sends ? "to" : "from",
        rank_words(second.peer), second.cpu, first.cpu, first.line);
  }

  const std::string& file_;
  std::uint32_t me_;
  GoalOperation::Kind kind_;
  std::map<Key, const GoalOperation*> by_peer_;
  std::map<Key, const GoalOperation*> wild_;
};

class Streams {
 public:
  Streams(const Several& several, Trace& trace, GoalNotes& notes) : several_(several), trace_(trace), notes_(notes) {
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
      first_.push_back(count_);
      std::vector<std::uint8_t> cpus;
      if (const auto found = several.find(rank); found != several.end()) {
        for (const GoalOperation& operation : found->second) cpus.push_back(operation.cpu);
        std::ranges::sort(cpus);
        cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
        sends_.emplace(rank, Ends(trace.file, rank, found->second, GoalOperation::Kind::send));
        receives_.emplace(rank, Ends(trace.file, rank, found->second, GoalOperation::Kind::recv));
      }
      count_ += std::max<std::uint32_t>(1, static_cast<std::uint32_t>(cpus.size()));
      cpus_.push_back(std::move(cpus));
    }
  }

  void write(const std::vector<RankLines>& lines) {
    for (std::uint32_t rank = 0; rank < lines.size(); ++rank)
      for (const TraceTransfer& receive : lines[rank].receives)
        if (const auto sender = sends_.find(static_cast<std::uint32_t>(receive.peer));
            receive.tag == any_tag && sender != sends_.end())
          sender->second.require_one_for_all(Rank{rank});
    const std::vector<RankTrace> read = std::exchange(trace_.ranks, std::vector<RankTrace>(count_));
    for (std::uint32_t rank = 0; rank < read.size(); ++rank) {
      if (const auto found = several_.find(rank); found != several_.end())
        split(rank, found->second);
      else
        move(rank, read[rank], trace_.ranks[first_[rank]]);
    }
  }

 private:
  std::uint32_t stream(std::uint32_t rank, std::uint8_t cpu) const {
    const auto& cpus = cpus_[rank];
    return first_[rank] + static_cast<std::uint32_t>(std::ranges::lower_bound(cpus, cpu) - cpus.begin());
  }
  /// The stream at the other end of a message.
  Rank peer_of(std::uint32_t me, Rank peer, Tag tag, bool sends) const {
    if (peer == any_rank) return peer;
    const auto rank = static_cast<std::uint32_t>(peer);
    const auto& ends = sends ? receives_ : sends_;
    const auto found = ends.find(rank);
    return Rank{found == ends.end() ? first_[rank] : stream(rank, found->second.cpu(Rank{me}, tag))};
  }

  /// The calls of a rank of one cpu, with the streams at the other ends of its messages.
  void move(std::uint32_t rank, const RankTrace& from, RankTrace& into) const {
    TraceCursor cursor(from);
    TraceCall call;
    for (std::size_t begin = 0; cursor.next(call);) {
      const std::size_t end = from.bytes.size() - cursor.bytes_left();
      TraceWriter writer(into);
      const auto peer = [&](bool sends) { return peer_of(rank, call.peer, call.tag, sends); };
      const Bytes bytes(call.amount);
      if (call.kind == TraceCall::Kind::send)
        writer.send(peer(true), call.tag, bytes);
      else if (call.kind == TraceCall::Kind::isend)
        writer.isend(peer(true), call.tag, bytes, call.request);
      else if (call.kind == TraceCall::Kind::recv)
        writer.recv(peer(false), call.tag, bytes);
      else if (call.kind == TraceCall::Kind::irecv)
        writer.irecv(peer(false), call.tag, bytes, call.request);
      else
        writer.copy(from.bytes, begin, end);
      begin = end;
    }
  }

  /// Each cpu's operations, with signals where one requires another of another cpu.
  void split(std::uint32_t rank, const std::vector<GoalOperation>& all) {
    require_no_cycle(rank, all);
    const std::uint32_t first = first_[rank];
    trace_.groups.push_back(
        Group::strided(Rank{first}, 1, static_cast<std::uint32_t>(cpus_[rank].size()), between_streams));
    std::vector<std::vector<GoalOperation>> of_stream(cpus_[rank].size());
    std::vector<std::uint32_t> place(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto& its = of_stream[stream(rank, all[i].cpu) - first];
      place[i] = static_cast<std::uint32_t>(its.size());
      its.push_back(all[i]);
      GoalOperation& copy = its.back();
      copy.after.clear();
      copy.started.clear();
      if (copy.kind != GoalOperation::Kind::calc)
        copy.peer = peer_of(rank, copy.peer, copy.tag, copy.kind == GoalOperation::Kind::send);
    }
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> awaits;  // of whom, where, its end
    std::uint32_t signals = 0;
    const auto depend = [&](std::size_t i, std::uint32_t on, bool ended) {
      const std::uint32_t here = stream(rank, all[i].cpu) - first, there = stream(rank, all[on].cpu) - first;
      if (here == there) {
        GoalOperation& later = of_stream[here][place[i]];
        return (ended ? later.after : later.started).push_back(place[on]);
      }
      const auto [known, fresh] =
          awaits.try_emplace({on, here, ended}, static_cast<std::uint32_t>(of_stream[here].size()));
      if (fresh) {
        const Tag tag{signals++};
        GoalOperation signal{
            .kind = GoalOperation::Kind::signal, .peer = Rank{first + here}, .tag = tag, .line = all[on].line};
        (ended ? signal.after : signal.started).push_back(place[on]);
        of_stream[there].push_back(std::move(signal));
        of_stream[here].push_back(
            {.kind = GoalOperation::Kind::await, .peer = Rank{first + there}, .tag = tag, .line = all[i].line});
      }
      of_stream[here][place[i]].after.push_back(known->second);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const std::uint32_t on : all[i].after) depend(i, on, true);
      for (const std::uint32_t on : all[i].started) depend(i, on, false);
    }
    for (std::size_t s = 0; s < of_stream.size(); ++s) write_in_order(of_stream[s], trace_.ranks[first + s], notes_);
  }

  void require_no_cycle(std::uint32_t rank, const std::vector<GoalOperation>& all) const {
    std::vector<std::size_t> before(all.size()), free;
    std::vector<std::vector<std::uint32_t>> next(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      before[i] = all[i].after.size() + all[i].started.size();
      if (before[i] == 0) free.push_back(i);
      for (const std::uint32_t on : all[i].after) next[on].push_back(i);
      for (const std::uint32_t on : all[i].started) next[on].push_back(i);
    }
    while (!free.empty()) {
      const std::size_t i = free.back();
      free.pop_back();
      for (const std::uint32_t later : next[i])
        if (--before[later] == 0) free.push_back(later);
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      if (before[i] > 0) refuse_cycle(trace_.file, all[i], rank);
  }

  const Several& several_;
  Trace& trace_;
  GoalNotes& notes_;
  std::uint32_t count_ = 0;                      ///< of streams
  std::vector<std::uint32_t> first_;             ///< [ranks of the file]
  std::vector<std::vector<std::uint8_t>> cpus_;  ///< [ranks of the file] of those on several
  std::map<std::uint32_t, Ends> sends_, receives_;
};

}  // namespace

void refuse_cycle(const std::string& file, const GoalOperation& operation, std::uint32_t rank) {
  throw InputError(
      "{}:{}: this operation of rank {} can never start: it depends on itself (a schedule "
      "has no cycles). Remove a 'requires'?",
      file, operation.line, rank);
}

void write_streams(const Several& several, const std::vector<RankLines>& lines, Trace& trace, GoalNotes& notes) {
  if (!several.empty()) Streams(several, trace, notes).write(lines);
}

}  // namespace orrery::config
