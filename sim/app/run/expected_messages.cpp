#include "sim/app/run/expected_messages.hpp"

#include <algorithm>
#include <variant>

namespace orrery::app {

namespace {

std::uint64_t sent_by(const Program& program, Rank rank) {
  auto steps = program.steps(rank);
  std::uint64_t sent = 0;
  while (const Step* step = steps.next())
    sent += std::holds_alternative<Send>(*step) || std::holds_alternative<Isend>(*step);
  return sent;
}

}  // namespace

std::uint64_t messages_of(const std::vector<Phase>& phases) {
  std::uint64_t sum = 0;
  for (const auto& phase : phases) sum += phase.repeat * phase.messages.size();
  return sum;
}

std::uint64_t estimated_messages(const Program& program, std::uint32_t sampled) {
  const std::uint32_t others = program.ranks() - 1;
  const std::uint32_t taken = std::min(others, std::max(1u, sampled));
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < taken; ++i)
    sum += sent_by(program, Rank{1 + static_cast<std::uint32_t>(std::uint64_t{i} * others / taken)});
  if (taken > 0) sum = sum * others / taken;
  return sum + sent_by(program, Rank{0});
}

}  // namespace orrery::app
