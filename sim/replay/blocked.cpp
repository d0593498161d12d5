#include "sim/replay/blocked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/core/quantity_text.hpp"

namespace orrery::replay {

namespace {

std::string in_words(const Awaited& awaited, bool peer_blocked) {
  const std::string in = awaited.communicator == world
                             ? std::string()
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
      std::ranges::rotate(cycle, std::ranges::min_element(cycle));
      return cycle;
    }
  }
  return {};
}

std::string blocked_report(const std::string& program, std::uint32_t ranks, double now,
                           const std::vector<BlockedRank>& blocked) {
  std::vector<bool> is_blocked(ranks, false);
  for (const BlockedRank& rank : blocked) is_blocked[index(rank.rank)] = true;
  std::string text;
  for (const BlockedRank& rank : blocked) {
    text += fmt::format("{}rank {} waits ", text.empty() ? "" : "\n", index(rank.rank));
    for (std::size_t i = 0; i < rank.awaits.size(); ++i) {
      const Awaited& awaited = rank.awaits[i];
      const bool peer_blocked = awaited.peer != any_rank && is_blocked[index(awaited.peer)];
      text += (i == 0 ? "" : i + 1 == rank.awaits.size() ? " and " : ", ") + in_words(awaited, peer_blocked);
    }
  }
  const std::vector<Rank> cycle = find_cycle(blocked);
  if (!cycle.empty()) {
    text += "\ncycle: ";
    for (const Rank rank : cycle) text += fmt::format("{} -> ", index(rank));
    text += fmt::format("{}", index(cycle.front()));
  }
  return text + fmt::format(" ({}, p={}, t={:.6g}s)", program, ranks, now);
}

}  // namespace orrery::replay
