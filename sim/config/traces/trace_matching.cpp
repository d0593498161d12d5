#include "sim/config/traces/trace_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/config/traces/trace_words.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

using Where = std::function<std::string(std::uint32_t rank, std::uint32_t line)>;

struct Balance {
  std::uint32_t sent = 0, received = 0;
  std::vector<float> bytes;  ///< of the messages, in the order they are sent
};
using Balances = std::unordered_map<std::uint64_t, Balance>;  // by (sender, tag), of one receiver

std::uint64_t key_of(Rank from, Tag tag) {
  return (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint32_t>(tag);
}

bool is_wild(const TraceTransfer& receive) { return receive.peer == any_rank || receive.tag == any_tag; }

std::string tag_text(Tag tag) { return tag == any_tag ? "any tag" : fmt::format("tag {}", index(tag)); }

class Receiver {
 public:
  Receiver(const std::vector<RankLines>& ranks, const Where& where, std::uint32_t me)
      : ranks_(ranks), where_(where), me_(me) {}

  void sent(std::uint32_t from, Tag tag, float bytes) {
    Balance& balance = balances_[key_of(Rank{from}, tag)];
    ++balance.sent;
    balance.bytes.push_back(bytes);
    ++sent_;
  }
  void check() {
    std::uint64_t named = 0, wild = 0;
    for (const TraceTransfer& receive : ranks_[me_].receives) {
      if (is_wild(receive)) {
        ++wild;
        continue;
      }
      ++named;
      Balance& balance = balances_[key_of(receive.peer, receive.tag)];
      if (++balance.received > balance.sent) refuse_receive(receive);
      if (const float sent = balance.bytes[balance.received - 1]; wild == 0 && receive.bytes < sent)
        refuse_short(receive, sent);
    }
    if (sent_ < named + wild) refuse_wild();
    if (sent_ > named + wild) refuse_sends();
  }

 private:
  [[noreturn]] void refuse_short(const TraceTransfer& receive, float sent) const {
    throw InputError(
        "{}: rank {} receives {:.9g} B of {} from rank {}, which sends {:.9g} B (a receive holds its message). "
        "Write the same size?",
        where_(me_, receive.line), me_, receive.bytes, tag_text(receive.tag), index(receive.peer), sent);
  }
  [[noreturn]] void refuse_receive(const TraceTransfer& receive) const {
    throw InputError(
        "{}: rank {} receives {} from rank {}, which never sends it (every receive needs a "
        "send). Is the trace cut off?",
        where_(me_, receive.line), me_, tag_text(receive.tag), index(receive.peer));
  }
  [[noreturn]] void refuse_wild() const {
    const auto last = std::find_if(ranks_[me_].receives.rbegin(), ranks_[me_].receives.rend(), is_wild);
    throw InputError(
        "{}: rank {} receives {} from {}, but only {} messages are sent to it and it "
        "receives {} (every receive needs a send). Is the trace cut off?",
        where_(me_, last->line), me_, tag_text(last->tag),
        last->peer == any_rank ? "any rank" : fmt::format("rank {}", index(last->peer)), sent_,
        ranks_[me_].receives.size());
  }
  [[noreturn]] void refuse_sends() const {
    // In the order of senders and lines, so that the message is the same every time.
    for (std::uint32_t from = 0; from < ranks_.size(); ++from) {
      std::unordered_map<std::uint64_t, std::uint32_t> seen;
      for (const TraceTransfer& send : ranks_[from].sends) {
        if (index(send.peer) != me_) continue;
        const Balance& balance = balances_.at(key_of(Rank{from}, send.tag));
        if (seen[key_of(Rank{from}, send.tag)]++ < balance.received) continue;
        throw InputError(
            "{}: rank {} sends {} to rank {}, which never receives it (every send needs a "
            "receive). Is the trace cut off?",
            where_(from, send.line), from, tag_text(send.tag), me_);
      }
    }
    throw InputError("{}: rank {} is sent {} messages and receives {} (the numbers must agree). Is the trace cut off?",
                     where_(me_, 1), me_, sent_, ranks_[me_].receives.size());
  }

  const std::vector<RankLines>& ranks_;
  const Where& where_;
  std::uint32_t me_;
  std::uint64_t sent_ = 0;
  Balances balances_;
};

struct Sent {
  std::uint32_t from;
  Tag tag;
  float bytes;
};

/// Sends by destination: a counting sort, so that one receiver at a time is looked at.
std::pair<std::vector<Sent>, std::vector<std::size_t>> by_destination(const std::vector<RankLines>& ranks) {
  std::vector<std::size_t> first(ranks.size() + 1, 0);
  for (const auto& rank : ranks)
    for (const auto& send : rank.sends) ++first[index(send.peer) + 1];
  for (std::size_t to = 0; to < ranks.size(); ++to) first[to + 1] += first[to];
  std::vector<Sent> sends(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t from = 0; from < ranks.size(); ++from)
    for (const auto& send : ranks[from].sends) sends[next[index(send.peer)]++] = {from, send.tag, send.bytes};
  return {std::move(sends), std::move(first)};
}

std::string described(const TraceCollectiveLine& call) {
  const bool rooted = call.what == Operation::bcast || call.what == Operation::reduce ||
                      call.what == Operation::gather || call.what == Operation::gatherv ||
                      call.what == Operation::scatter || call.what == Operation::scatterv;
  std::string text = ti_operation_name(call.what);
  if (rooted) text += fmt::format(" of root {}", index(call.root));
  if (call.amount >= 0.0) text += fmt::format(" with {} B", call.amount);
  return text;
}

/// Every rank of a group calls its collectives in one order. `lines`: of each rank that has any, in order of ranks.
void require_same_order(const std::vector<std::pair<std::uint32_t, std::vector<TraceCollectiveLine>>>& lines,
                        const std::string& who, const Where& where) {
  const auto& [leader, first] = lines.front();
  for (const auto& [r, mine] : lines) {
    for (std::size_t n = 0; n < std::min(mine.size(), first.size()); ++n)
      if (mine[n].what != first[n].what || mine[n].root != first[n].root || mine[n].amount != first[n].amount)
        throw InputError(
            "{}: collective {} of rank {} is a {}, that of rank {} a {} ({} take part in each). Does the "
            "program use more than one communicator?",
            where(r, mine[n].line), n + 1, r, described(mine[n]), leader, described(first[n]), who);
    if (mine.size() == first.size()) continue;
    const bool fewer = mine.size() < first.size();
    const auto& missed = fewer ? first[mine.size()] : mine[first.size()];
    throw InputError(
        "{}: rank {} enters a {} that rank {} never enters ({} take part in each). Is the "
        "trace cut off?",
        where(fewer ? leader : r, missed.line), fewer ? leader : r, described(missed), fewer ? r : leader, who);
  }
}

void require_same_collectives(const std::vector<RankLines>& ranks, const std::vector<Group>& groups,
                              const Where& where) {
  // [1 + groups] the lines of each member; those of other groups are left out.
  std::vector<std::vector<std::pair<std::uint32_t, std::vector<TraceCollectiveLine>>>> of_group(1 + groups.size());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    of_group[0].push_back({r, {}});
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (groups[g].contains(Rank{r})) of_group[1 + g].push_back({r, {}});
    for (const auto& line : ranks[r].collectives) of_group[line.group].back().second.push_back(line);
  }
  for (std::size_t g = 0; g < of_group.size(); ++g)
    require_same_order(of_group[g],
                       g == 0 ? "all ranks" : fmt::format("all {} of its communicator", groups[g - 1].size()), where);
}

}  // namespace

void require_matched(const std::vector<RankLines>& ranks, const std::vector<Group>& groups, const Where& where) {
  if (ranks.empty()) return;
  const auto [sends, first] = by_destination(ranks);
  for (std::uint32_t to = 0; to < ranks.size(); ++to) {
    Receiver receiver(ranks, where, to);
    for (std::size_t i = first[to]; i < first[to + 1]; ++i) receiver.sent(sends[i].from, sends[i].tag, sends[i].bytes);
    receiver.check();
  }
  require_same_collectives(ranks, groups, where);
}

}  // namespace orrery::config
