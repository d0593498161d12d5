/// Ring in phases: every share is cut into segments of at most 1 MiB, reduced around the ring one segment after
/// another, then the whole shares are passed around.
///
///   messages (n + 1) p (p - 1)     volume 2 (p - 1) m     longest chain (n + 1) (p - 1)          n phases
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_ring_segmented_allreduce {

namespace {

/// Phases of the reduction; 0: the message is too short for segments.
std::uint32_t phases(const Task& task) {
  const std::uint64_t segment = std::min(task.segment_or(1_MiB), task.elements());
  const std::uint64_t round = segment * task.ranks, rest = round > 0 ? task.elements() % round : 0;
  if (round == 0 || task.elements() < round) return 0;
  return static_cast<std::uint32_t>(task.elements() / round) + (rest >= task.ranks && rest > round / 2 ? 1 : 0);
}

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks, count = phases(task);
  const Member next = (task.me + 1) % p, previous = (task.me + p - 1) % p;
  co_yield rearrange(task.elements());
  for (std::uint32_t phase = 0; phase < count; ++phase) {
    const auto piece = [&](std::uint32_t behind) {
      const Member owner = (task.me + p - behind) % p;
      const Shares cut = Shares::balanced(count, task.shares.size(owner));
      return run(task.shares.begin(owner) + cut.begin(phase), cut.size(phase));
    };
    co_yield start_receive(0, previous, piece(1), scratch);
    co_yield send(next, piece(0));
    for (std::uint32_t k = 1; k + 1 < p; ++k) {
      co_yield start_receive(k % 2, previous, piece(k + 1), scratch + k % 2);
      co_yield wait((k + 1) % 2);
      co_yield combine(piece(k), scratch + (k + 1) % 2);
      co_yield send(next, piece(k));
    }
    co_yield wait(p % 2);
    co_yield combine(piece(p - 1), scratch + p % 2);
  }
  for (std::uint32_t k = 0; k + 1 < p; ++k)
    co_yield exchange(next, share(task.shares, (task.me + 1 + p - k) % p), previous,
                      share(task.shares, (task.me + p - k) % p));
}

Cost cost(const Task& task) {
  const double p = task.ranks, turns = phases(task) + 1.0;
  return {turns * p * (p - 1.0), 2.0 * (p - 1.0) * static_cast<double>(task.elements()), turns * (p - 1.0)};
}

std::string_view instead(const Task& task) { return phases(task) == 0 ? "lr" : ""; }

const bool entered = enter({Operation::allreduce}, {.name = "ompi_ring_segmented",
                                                    .summary = "ring in phases of 1 MiB per share",
                                                    .source = "Open MPI segmented_ring; too short for segments: lr",
                                                    .actions = actions,
                                                    .cost = cost,
                                                    .instead = instead});

}  // namespace

}  // namespace orrery::collectives::ompi_ring_segmented_allreduce
