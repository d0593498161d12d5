/// Neighbour exchange: pairs exchange shares, then every member exchanges its two most recent shares with its left and
/// right neighbour in turn.
///
///   messages p^2 / 2     volume (p - 1) total     longest chain p / 2
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_neighborexchange_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const bool even = task.me % 2 == 0;
  const Member right = (task.me + 1) % p, left = (task.me + p - 1) % p;
  const Member partners[] = {even ? right : left, even ? left : right};
  co_yield exchange(partners[0], share(task.shares, task.me), partners[0], share(task.shares, partners[0]));
  // Pairs of shares by their even member: what comes from either side lies ever farther that way.
  const Member pair = even ? task.me : left;
  Member last = pair;
  for (std::uint32_t i = 1; i < p / 2; ++i) {
    const bool from_right = (i % 2 == 0) == even;
    const std::uint32_t away = 2 * ((i + 1) / 2);
    const Member incoming = from_right ? (pair + away) % p : (pair + p - away) % p;
    co_yield exchange(partners[i % 2], cyclic_shares(task.shares, last, 2), partners[i % 2],
                      cyclic_shares(task.shares, incoming, 2));
    last = incoming;
  }
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * p / 2.0, (p - 1.0) * static_cast<double>(task.elements()), p / 2.0};
}

std::string_view instead(const Task& task) { return task.ranks % 2 == 0 ? "" : "ring"; }

const bool entered = enter({Operation::allgather, Operation::allgatherv},
                           {.name = "ompi_neighborexchange",
                            .summary = "neighbour exchange, p / 2 steps",
                            .source = "Chen, Zhang, Zhang & Yuan, HPCAsia 2005; Open MPI neighbor; p odd: ring",
                            .actions = actions,
                            .cost = cost,
                            .instead = instead});

}  // namespace

}  // namespace orrery::collectives::ompi_neighborexchange_allgather
