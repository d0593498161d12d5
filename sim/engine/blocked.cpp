#include "sim/engine/blocked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/core/quantity_text.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::engine {

namespace {

constexpr std::size_t ranks_shown = 16, awaited_shown = 4;  // of more, nobody reads all

std::string in_words(const Awaited& awaited, bool peer_blocked) {
  const std::string in = awaited.communicator == world ? std::string()
                         : awaited.communicator == between_streams
                             ? " of another stream of its rank"
                             : fmt::format(" in communicator {}", static_cast<std::uint32_t>(awaited.communicator));
  if (awaited.what == Awaited::What::barrier) return "for everyone to enter the barrier";
  if (awaited.what == Awaited::What::receiver)
    return fmt::format("for rank {} to receive tag {}{} ({}){}", index(awaited.peer), index(awaited.tag), in,
                       to_text(awaited.message), peer_blocked ? "" : ", which never receives it");
  const std::string tag = awaited.tag == any_tag ? "any tag" : fmt::format("tag {}", index(awaited.tag));
  if (awaited.peer == any_rank) return fmt::format("for {}{} from any rank, and none sends it", tag, in);
  return fmt::format("for {}{} from rank {}{}", tag, in, index(awaited.peer),
                     peer_blocked ? "" : ", which never sends it");
}

/// Of many things awaited the first, and what the cycle goes through.
std::string in_words(const BlockedRank& rank, const std::vector<bool>& is_blocked, Rank next_in_cycle) {
  std::string text = fmt::format("rank {} waits ", index(rank.rank));
  std::vector<Awaited> awaits = rank.awaits;
  const std::size_t shown = std::min(awaits.size(), awaited_shown), left = awaits.size() - shown;
  const auto closing = std::ranges::find(awaits, next_in_cycle, &Awaited::peer);
  if (closing != awaits.end() && closing - awaits.begin() >= static_cast<std::ptrdiff_t>(shown))
    std::swap(awaits[shown - 1], *closing);
  for (std::size_t i = 0; i < shown; ++i) {
    const Awaited& awaited = awaits[i];
    const bool peer_blocked = awaited.peer != any_rank && is_blocked[index(awaited.peer)];
    text += (i == 0 ? "" : i + 1 == shown && left == 0 ? " and " : ", ") + in_words(awaited, peer_blocked);
  }
  return left == 0 ? text : text + fmt::format(" and for {} more", left);
}

std::string in_words(const std::vector<Rank>& cycle) {
  std::string text = "cycle: ";
  for (std::size_t i = 0; i < std::min(cycle.size(), ranks_shown); ++i) text += fmt::format("{} -> ", index(cycle[i]));
  if (cycle.size() > ranks_shown) text += fmt::format("{} more -> ", cycle.size() - ranks_shown);
  return text + fmt::format("{}", index(cycle.front()));
}

/// The first of the cycle, then the least, in order.
std::vector<const BlockedRank*> worth_showing(const std::vector<BlockedRank>& blocked, const std::vector<Rank>& cycle,
                                              std::uint32_t ranks) {
  std::vector<bool> in_cycle(ranks, false);
  for (std::size_t i = 0; i < std::min(cycle.size(), ranks_shown); ++i) in_cycle[index(cycle[i])] = true;
  std::vector<const BlockedRank*> shown(blocked.size());
  std::ranges::transform(blocked, shown.begin(), [](const BlockedRank& rank) { return &rank; });
  std::stable_partition(shown.begin(), shown.end(),
                        [&](const BlockedRank* rank) { return in_cycle[index(rank->rank)]; });
  shown.resize(std::min(shown.size(), ranks_shown));
  std::ranges::sort(shown, {}, [](const BlockedRank* rank) { return rank->rank; });
  return shown;
}

}  // namespace

std::vector<Rank> find_cycle(const std::vector<BlockedRank>& blocked) {
  std::unordered_map<std::uint32_t, std::size_t> position;
  for (std::size_t i = 0; i < blocked.size(); ++i) position[static_cast<std::uint32_t>(blocked[i].rank)] = i;
  enum class Mark : std::uint8_t { fresh, on_path, done };
  std::vector<Mark> marks(blocked.size(), Mark::fresh);
  struct Visit {
    std::size_t at, next;
  };
  std::vector<Visit> path;
  for (std::size_t start = 0; start < blocked.size(); ++start) {
    if (marks[start] != Mark::fresh) continue;
    path.push_back({start, 0});
    marks[start] = Mark::on_path;
    while (!path.empty()) {
      Visit& visit = path.back();
      const std::vector<Awaited>& awaits = blocked[visit.at].awaits;
      if (visit.next == awaits.size()) {
        marks[visit.at] = Mark::done;
        path.pop_back();
        continue;
      }
      const auto found = position.find(static_cast<std::uint32_t>(awaits[visit.next++].peer));
      if (found == position.end() || marks[found->second] == Mark::done) continue;
      if (marks[found->second] == Mark::fresh) {
        marks[found->second] = Mark::on_path;
        path.push_back({found->second, 0});
        continue;
      }
      std::vector<Rank> cycle;
      const auto first = std::ranges::find(path, found->second, &Visit::at);
      for (auto it = first; it != path.end(); ++it) cycle.push_back(blocked[it->at].rank);
      std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
      return cycle;
    }
  }
  return {};
}

std::string blocked_report(const std::string& program, std::uint32_t ranks, double now,
                           const std::vector<BlockedRank>& blocked) {
  std::vector<bool> is_blocked(ranks, false);
  for (const BlockedRank& rank : blocked) is_blocked[index(rank.rank)] = true;
  const std::vector<Rank> cycle = find_cycle(blocked);
  const std::vector<const BlockedRank*> shown = worth_showing(blocked, cycle, ranks);
  std::string text;
  for (const BlockedRank* rank : shown) {
    const auto at = std::ranges::find(cycle, rank->rank);
    const Rank next = at == cycle.end() ? rank->rank : at + 1 == cycle.end() ? cycle.front() : at[1];
    text += (text.empty() ? "" : "\n") + in_words(*rank, is_blocked, next);
  }
  if (shown.size() < blocked.size()) text += fmt::format("\nand {} more ranks wait", blocked.size() - shown.size());
  if (!cycle.empty()) text += "\n" + in_words(cycle);
  return text + fmt::format(" ({}, p={}, t={:.6g}s)", program, ranks, now);
}

}  // namespace orrery::engine
