/// Chain towards the root in segments of 8 KiB, all receives posted at the beginning.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain p - 1
///
/// Differs  SMPI reduces what is left after whole segments by a collective of its own; here it is the last segment
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ntsl_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Segments segments = segments_of(task, 8_KiB);
  const Tree tree = chains(task, 1);
  const std::uint32_t count = segments.count();
  for (std::uint32_t s = 0; s < count; ++s)
    for (const Member child : tree.children) co_yield start_receive(s, child, segments[s], scratch);
  for (std::uint32_t s = 0; s < count; ++s) {
    if (!tree.children.empty()) {
      co_yield wait(s);
      co_yield combine(segments[s]);
    }
    if (!tree.is_root) co_yield start_send(count + s, tree.parent, segments[s]);
  }
  if (!tree.is_root) co_yield wait_all();
}

Cost cost(const Task& task) { return tree_cost(task, segments_of(task, 8_KiB), task.ranks - 1); }

const bool entered = enter({Operation::reduce}, {
                                                    .name = "NTSL",
                                                    .summary = "chain, in segments of 8 KiB",
                                                    .source = "Patarasuk, Yuan & Faraj, JPDC 68(6), 2008 (SMPI 'NTSL')",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ntsl_reduce
