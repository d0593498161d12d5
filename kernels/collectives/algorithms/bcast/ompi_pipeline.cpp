/// Pipeline along a chain: each member passes on the segment it has while it waits for the next.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain p - 1          n = ceil(m / segment) segments
///
/// Segments hold 128 KiB, or 64 KiB or 16 KiB if the message is short for the number of members: the rule of Open MPI
/// before 4.1, which SMPI keeps. Open MPI 4.1 and later send one segment.
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_pipeline_bcast {

namespace {

/// Least number of members from which a shorter segment is taken: slope x message + offset.
struct Limit {
  double per_byte, offset;
  Bytes segment;
};
constexpr Limit limits[] = {{1.6134e-6, 2.1102, 128_KiB}, {2.3679e-6, 1.1787, 64_KiB}, {3.2118e-6, 8.7936, 16_KiB}};

Segments segments(const Task& task) {
  const double message = static_cast<double>(task.elements()) * task.element.si();
  for (const Limit& limit : limits)
    if (task.ranks < limit.per_byte * message + limit.offset) return segments_of(task, limit.segment);
  return segments_of(task, 128_KiB);
}

Generator<Action> actions(const Task& task) { return broadcast_ahead(chains(task, 1), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), task.ranks - 1); }

const bool entered = enter({Operation::bcast}, {
                                                   .name = "ompi_pipeline",
                                                   .summary = "chain, in segments of 16 to 128 KiB",
                                                   .source = "Open MPI pipeline (chain)",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives::ompi_pipeline_bcast
