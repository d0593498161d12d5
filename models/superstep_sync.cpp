#include "models/superstep_sync.hpp"

#include <algorithm>
#include <map>

namespace orrery {

namespace {

constexpr Bytes signal_max(64.0), sync_header(16.0);

struct Sent {
  std::uint32_t messages = 0;
  Bytes bytes;
};
/// [stage][rank] what goes to whom, and what comes from whom.
struct ByStage {
  std::vector<std::vector<std::map<Rank, Sent>>> to, from;
};

ByStage traffic_of(const Phase& phase) {
  std::uint32_t stages = 0;
  for (const Message& message : phase.messages) stages = std::max(stages, message.stage + 1);
  ByStage traffic;
  traffic.to.assign(stages, std::vector<std::map<Rank, Sent>>(phase.ranks));
  traffic.from = traffic.to;
  for (const Message& message : phase.messages)
    for (Sent* sent : {&traffic.to[message.stage][index(message.from)][message.to],
                       &traffic.from[message.stage][index(message.to)][message.from]}) {
      sent->messages += message.repeat;
      sent->bytes += message.size;
    }
  return traffic;
}

/// The dearest path: from a rank to itself or to whom it sends.
Seconds dearest_path(const ByStage& traffic, std::uint32_t ranks,
                     const std::function<Seconds(std::size_t stage, Rank rank)>& cost) {
  std::vector<Seconds> rest(ranks);  // of the stages that follow, by the rank that is reached
  for (std::size_t stage = traffic.to.size(); stage-- > 0;) {
    std::vector<Seconds> here(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      Seconds dearest = rest[r];
      for (const auto& [to, sent] : traffic.to[stage][r]) dearest = std::max(dearest, rest[index(to)]);
      here[r] = dearest + cost(stage, Rank{r});
    }
    rest = std::move(here);
  }
  return ranks == 0 ? Seconds{} : std::ranges::max(rest);
}

}  // namespace

bool carries_payload(const Phase& phase) {
  return std::ranges::any_of(phase.messages, [](const Message& message) { return message.size > signal_max; });
}

Seconds sync_as_messages(const Phase& phase, const PairCostOf& cost) {
  const ByStage traffic = traffic_of(phase);
  return dearest_path(traffic, phase.ranks, [&](std::size_t stage, Rank rank) {
    Seconds sum, overhead;
    for (const auto& [to, sent] : traffic.to[stage][index(rank)]) {
      const PairCost pair = cost(rank, to);
      sum += static_cast<double>(sent.messages) * pair.latency + sent.bytes * pair.beta;
      overhead = std::max(overhead, pair.overhead);
    }
    return sum + overhead;
  });
}

Seconds sync_of_parameter_6_2(const Phase& phase, const PairCostOf& cost) {
  const ByStage traffic = traffic_of(phase);
  return dearest_path(traffic, phase.ranks, [&](std::size_t stage, Rank rank) {
    Seconds sum, overhead;
    for (const auto& [to, sent] : traffic.to[stage][index(rank)]) {
      const PairCost there = cost(rank, to), back = cost(to, rank);
      const bool payload = sent.messages > 1;
      overhead = std::max(overhead, payload ? back.overhead : there.overhead);
      sum += 2.0 * there.latency;
      if (payload) sum += (sync_header + 4.0 * (sent.bytes - sync_header)) * there.beta;
    }
    for (const auto& [from, sent] : traffic.from[stage][index(rank)]) {
      if (sent.messages < 2) continue;
      sum += 2.0 * cost(from, rank).latency + (sync_header + 2.0 * (sent.bytes - sync_header)) * cost(rank, from).beta;
    }
    return sum + overhead;
  });
}

}  // namespace orrery
