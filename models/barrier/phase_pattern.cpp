#include "models/barrier/phase_pattern.hpp"

#include <algorithm>

namespace orrery {

StagePattern pattern_of(const Phase& phase) {
  std::uint32_t stages = 0;
  for (const Message& message : phase.messages) stages = std::max(stages, message.stage + 1);
  std::vector<std::vector<Signal>> signals(stages);
  for (const Message& message : phase.messages)
    if (message.from != message.to)
      signals[message.stage].push_back(
          {static_cast<std::uint32_t>(message.from), static_cast<std::uint32_t>(message.to)});
  StagePattern pattern{phase.ranks, {}};
  for (auto& stage : signals) pattern.stages.emplace_back(std::move(stage));
  return pattern;
}

}  // namespace orrery
