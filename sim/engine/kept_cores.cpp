#include "sim/engine/kept_cores.hpp"

#include <algorithm>
#include <map>

namespace orrery::engine {

KeptCores::KeptCores(const Platform& platform, const Layout& layout) : rank_states_(layout.ranks()) {
  if (platform.processors > 0) return;
  std::map<HostId, std::vector<Rank>> ranks;
  for (std::uint32_t i = 0; i < layout.ranks(); ++i) {
    const Placement& placement = layout.of(Rank{i});
    if (!placement.gpu && platform.node_types[placement.node_type].waiting == Waiting::polls)
      ranks[placement.host].push_back(Rank{i});
  }
  for (auto& [host, there] : ranks) {
    const double cores = platform.node_types[layout.of(there.front()).node_type].cores_per_socket;
    double asked = 0.0;
    for (const Rank rank : there) asked += layout.of(rank).cores;
    if (asked <= cores) continue;
    for (const Rank rank : there) {
      rank_states_[index(rank)].host = static_cast<std::uint32_t>(hosts_.size());
      rank_states_[index(rank)].cores = layout.of(rank).cores;
    }
    std::ranges::stable_sort(there, {}, [this](Rank rank) { return rank_states_[index(rank)].cores; });
    hosts_.push_back({cores, std::move(there)});
    deal_out(hosts_.back());
  }
}

/// Who wants least first: what they leave of a fair part is dealt out among the others.
void KeptCores::deal_out(Host& host) {
  double rest = host.cores;
  auto others = static_cast<double>(host.ranks.size());
  for (const Rank rank : host.ranks) {
    RankState& of_rank = rank_states_[index(rank)];
    const double given = std::min(of_rank.cores, rest / others);
    of_rank.speed = given / of_rank.cores;
    rest -= given;
    --others;
  }
}

double KeptCores::begin(Rank rank, double seconds, double now) {
  RankState& of_rank = rank_states_[index(rank)];
  of_rank.at_work = true;
  of_rank.left = seconds;
  of_rank.since = now;
  return of_rank.end = now + seconds / of_rank.speed;
}

bool KeptCores::ends(Rank rank, double now) {
  RankState& of_rank = rank_states_[index(rank)];
  if (!of_rank.at_work || of_rank.end > now) return false;
  of_rank.at_work = false;
  return true;
}

void KeptCores::leave(Rank rank, double now, const std::function<void(Rank, double)>& sooner) {
  const std::uint32_t number = rank_states_[index(rank)].host;
  if (number == none) return;
  Host& host = hosts_[number];
  std::erase(host.ranks, rank);
  for (const Rank other : host.ranks) {
    RankState& of_rank = rank_states_[index(other)];
    of_rank.left = std::max(0.0, of_rank.left - (now - of_rank.since) * of_rank.speed);
    of_rank.since = now;
  }
  deal_out(host);
  for (const Rank other : host.ranks) {
    RankState& of_rank = rank_states_[index(other)];
    const double end = now + of_rank.left / of_rank.speed;
    if (!of_rank.at_work || end >= of_rank.end) continue;
    of_rank.end = end;
    sooner(other, end);
  }
}

}  // namespace orrery::engine
