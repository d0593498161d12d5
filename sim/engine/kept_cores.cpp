#include "sim/engine/kept_cores.hpp"

#include <algorithm>
#include <map>

namespace orrery::engine {

KeptCores::KeptCores(const Platform& platform, const Layout& layout) : seats_(layout.ranks()) {
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
      seats_[index(rank)].host = static_cast<std::uint32_t>(hosts_.size());
      seats_[index(rank)].cores = layout.of(rank).cores;
    }
    std::ranges::stable_sort(there, {}, [this](Rank rank) { return seats_[index(rank)].cores; });
    hosts_.push_back({cores, std::move(there)});
    deal_out(hosts_.back());
  }
}

/// Who wants least first: what they leave of a fair part is dealt out among the others.
void KeptCores::deal_out(Host& host) {
  double rest = host.cores;
  auto others = static_cast<double>(host.ranks.size());
  for (const Rank rank : host.ranks) {
    Seat& seat = seats_[index(rank)];
    const double given = std::min(seat.cores, rest / others);
    seat.speed = given / seat.cores;
    rest -= given;
    --others;
  }
}

double KeptCores::begin(Rank rank, double seconds, double now) {
  Seat& seat = seats_[index(rank)];
  seat.at_work = true;
  seat.left = seconds;
  seat.since = now;
  return seat.end = now + seconds / seat.speed;
}

bool KeptCores::ends(Rank rank, double now) {
  Seat& seat = seats_[index(rank)];
  if (!seat.at_work || seat.end > now) return false;
  seat.at_work = false;
  return true;
}

void KeptCores::leave(Rank rank, double now, const std::function<void(Rank, double)>& sooner) {
  const std::uint32_t number = seats_[index(rank)].host;
  if (number == none) return;
  Host& host = hosts_[number];
  std::erase(host.ranks, rank);
  for (const Rank other : host.ranks) {
    Seat& seat = seats_[index(other)];
    seat.left = std::max(0.0, seat.left - (now - seat.since) * seat.speed);
    seat.since = now;
  }
  deal_out(host);
  for (const Rank other : host.ranks) {
    Seat& seat = seats_[index(other)];
    const double end = now + seat.left / seat.speed;
    if (!seat.at_work || end >= seat.end) continue;
    seat.end = end;
    sooner(other, end);
  }
}

}  // namespace orrery::engine
