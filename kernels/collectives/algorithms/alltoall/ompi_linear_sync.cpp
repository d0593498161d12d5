/// Linear with few requests: as many receives and sends as the library permits are posted, in the order of the linear
/// algorithm; after each completed one the next of its kind is posted.
///
///   messages p (p - 1)     volume: all blocks but one's own     longest chain ceil((p - 1) / 128)
///
/// Differs  the oldest request is waited for, where Open MPI takes any that has completed
#include <algorithm>

#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::ompi_linear_sync_alltoall {

namespace {

/// ompi_coll_tuned_init_max_requests. Open MPI permitted so many up to 1.6; later it sets no limit unless told to, and
/// the algorithm is then `basic_linear`.
constexpr std::uint32_t requests_max = 128;

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks, window = std::min(requests_max, p - 1);
  const auto source = [&](std::uint32_t i) { return (task.me + i + 1) % p; };
  const auto target = [&](std::uint32_t i) { return (task.me + p - i - 1) % p; };
  for (std::uint32_t i = 0; i < window; ++i) co_yield start_receive(i, source(i), block_for_me(task, source(i)));
  for (std::uint32_t i = 0; i < window; ++i) co_yield start_send(window + i, target(i), my_block(task, target(i)));
  for (std::uint32_t i = window; i < p - 1; ++i) {
    const std::uint32_t slot = i % window;
    co_yield wait(slot);
    co_yield start_receive(slot, source(i), block_for_me(task, source(i)));
    co_yield wait(window + slot);
    co_yield start_send(window + slot, target(i), my_block(task, target(i)));
  }
  co_yield wait_all();
}

Cost cost(const Task& task) {
  Cost cost = direct_cost(task);
  cost.rounds = (task.ranks + requests_max - 2) / requests_max;
  return cost;
}

const bool entered = enter({Operation::alltoall}, {.name = "ompi_linear_sync",
                                                   .summary = "as the linear one, 128 requests at a time",
                                                   .source = "Open MPI linear_sync, 128 requests",
                                                   .actions = actions,
                                                   .cost = cost});

}  // namespace

}  // namespace orrery::collectives::ompi_linear_sync_alltoall
