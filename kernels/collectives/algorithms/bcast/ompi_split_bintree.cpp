/// Split binary tree: one half of the message goes down the left subtree, the other down the right, in segments; then
/// pairs of members of the two subtrees exchange halves.
///
///   messages: segments of the halves, and p - 1     volume (p - 1) m     longest chain floor(log2 p) + [p is not 2^k]
///
/// If p is even, the last member has no pair: the root sends it the second half.
///
/// Segments hold 1 KiB, or 8 KiB from 370,728 B on. The root sends messages too short to be split to every member.
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_split_bintree_bcast {

namespace {

Bytes usual_segment(const Task& task) {
  return static_cast<double>(task.elements()) * task.element < Bytes{370728.0} ? 1_KiB : 8_KiB;
}
Segments half(const Task& task, std::uint32_t which) {
  const std::uint64_t first = task.elements() - task.elements() / 2;
  const std::uint64_t length = task.segment_or(usual_segment(task));
  return which == 0 ? Segments(0, first, length) : Segments(first, task.elements() / 2, length);
}
Data whole_half(const Task& task, std::uint32_t which) {
  const std::uint64_t first = task.elements() - task.elements() / 2;
  return which == 0 ? run(0, first) : run(first, task.elements() / 2);
}

Generator<Action> root_part(const Task& task) {
  const Tree tree = binary_interleaved(task);
  const Segments halves[] = {half(task, 0), half(task, 1)};
  for (std::uint32_t s = 0; s < halves[0].count(); ++s)
    for (std::uint32_t which = 0; which < tree.children.size(); ++which)
      if (s < halves[which].count()) co_yield send(tree.children[which], halves[which][s]);
}

Generator<Action> relay(const Task& task, std::uint32_t which) {
  const Tree tree = binary_interleaved(task);
  const Segments segments = half(task, which);
  if (tree.children.empty()) {
    for (std::uint32_t s = 0; s < segments.count(); ++s) co_yield receive(tree.parent, segments[s]);
    co_return;
  }
  co_yield start_receive(0, tree.parent, segments[0]);
  for (std::uint32_t s = 0; s < segments.count(); ++s) {
    if (s + 1 < segments.count()) co_yield start_receive((s + 1) % 2, tree.parent, segments[s + 1]);
    co_yield wait(s % 2);
    for (const Member child : tree.children) co_yield send(child, segments[s]);
  }
}

Generator<Action> actions(const Task& task) {
  const std::uint32_t distance = task.distance(), which = distance % 2 == 1 ? 0 : 1;
  const bool even = task.ranks % 2 == 0;
  if (distance == 0) {
    co_yield elements_of(root_part(task));
    if (even) co_yield send(task.from_root(task.ranks - 1), whole_half(task, 1));
    co_return;
  }
  co_yield elements_of(relay(task, which));
  if (even && distance == task.ranks - 1) {
    co_yield receive(task.root, whole_half(task, 1));
    co_return;
  }
  const Member pair = task.from_root(which == 0 ? distance + 1 : distance - 1);
  co_yield exchange(pair, whole_half(task, which), pair, whole_half(task, 1 - which));
}

Cost cost(const Task& task) {
  const std::uint32_t left = task.ranks / 2, right = (task.ranks - 1) / 2;
  const double messages = left * half(task, 0).count() + right * half(task, 1).count() + (task.ranks - 1);
  // Of 2^k members the deepest is the last one, which exchanges nothing.
  const double rounds = binary_depth(task.ranks) + (power_of_two(task.ranks) ? 0.0 : 1.0);
  return {messages, (task.ranks - 1.0) * static_cast<double>(task.elements()), rounds};
}

std::string_view instead(const Task& task) {
  return task.elements() / 2 < task.segment_or(usual_segment(task)) ? "flattree" : "";
}

const bool entered =
    enter({Operation::bcast}, {.name = "ompi_split_bintree",
                               .summary = "halves down two subtrees, then exchanged; segments of 1 or 8 KiB",
                               .source = "Open MPI split_binary_tree; too short to be split: flattree",
                               .actions = actions,
                               .cost = cost,
                               .instead = instead});

}  // namespace

}  // namespace orrery::collectives::ompi_split_bintree_bcast
