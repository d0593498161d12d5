#include "models/superstep_predictor.hpp"

#include <algorithm>
#include <map>

namespace orrery {

Seconds parameter_8_9_communication(const Phase& phase, const LinkCosts& links,
                                    const std::function<Seconds(Rank, Rank)>& overhead) {
  constexpr Bytes header(16.0);
  std::vector<std::map<Rank, Bytes>> sent(phase.ranks);
  for (const Message& message : phase.messages) sent[index(message.from)][message.to] += message.size;
  Seconds carried, most;
  for (std::uint32_t r = 0; r < phase.ranks; ++r) {
    Seconds time;
    for (std::uint32_t dst = 0; dst < phase.ranks; ++dst) {
      if (dst == r) continue;  // nothing on the diagonal
      const auto found = sent[r].find(Rank{dst});
      if (found != sent[r].end()) carried = std::max(carried, overhead(Rank{r}, Rank{dst}));
      const Bytes data = header + (found == sent[r].end() ? Bytes{} : found->second);
      time = std::max(
          time, 2.0 * links.latency(Rank{r}, Rank{dst}) + data * links.inverse_bandwidth(Rank{r}, Rank{dst}) / 2.0);
    }
    most = std::max(most, time + carried);
  }
  return most;
}

PhaseTime parameter_8_17_superstep(const BorderCase& given) {
  const double b = given.border, w = given.width, h = given.height;
  const double mask = (w - b) * (w - b) / (w * w);
  const Seconds iteration(w * h / given.rate);
  Seconds extra;
  for (std::uint32_t i = 0; i + 1 < given.border; ++i) extra += Seconds((w + i) * (h + i) / given.rate);
  return {.communication = b * given.communication,
          .computation = extra + b * iteration,
          .overlap = b * std::min(mask * iteration, given.communication)};
}

}  // namespace orrery
