#include "sim/core/phase_collectives.hpp"

#include <algorithm>
#include <map>

namespace orrery {

void enter_collectives(Phase& phase, std::vector<Segment>& segments) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> known;  // (group, how many before) -> number
  for (Segment& segment : segments) {
    if (segment.collectives.empty()) continue;
    std::map<std::uint64_t, std::uint32_t> times;
    std::vector<std::uint32_t> numbers;
    for (const CollectiveCall& call : segment.collectives) {
      const std::uint64_t group = call.group.fingerprint();
      const auto next = static_cast<std::uint32_t>(phase.collectives.size());
      const auto [found, fresh] = known.try_emplace({group, times[group]++}, next);
      if (fresh) phase.collectives.push_back({call, {}});
      Bytes& bytes = phase.collectives[found->second].call.bytes;
      bytes = std::max(bytes, call.bytes);
      numbers.push_back(found->second);
    }
    for (Transfer& transfer : segment.transfers)
      if (transfer.collective != none) transfer.collective = numbers[transfer.collective];
  }
}

void list_messages_of_collectives(Phase& phase) {
  for (std::uint32_t m = 0; m < phase.messages.size(); ++m)
    if (const std::uint32_t at = phase.messages[m].collective; at != no_collective)
      phase.collectives[at].messages.push_back(m);
}

}  // namespace orrery
