#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives {

Segments segments_of(const Task& task, Bytes usual) { return {0, task.elements(), task.segment_or(usual)}; }

Segments unsegmented(const Task& task) {
  return {0, task.elements(), task.segment > 0 ? task.segment : task.elements()};
}

Generator<Action> broadcast_ahead(Tree tree, Segments segments) {
  // Requests 0 and 1 receive; children have theirs from 2 on.
  if (!tree.is_root) co_yield start_receive(0, tree.parent, segments[0]);
  for (std::uint32_t s = 0; s < segments.count(); ++s) {
    if (!tree.is_root) {
      if (s + 1 < segments.count()) co_yield start_receive((s + 1) % 2, tree.parent, segments[s + 1]);
      co_yield wait(s % 2);
    }
    std::uint32_t request = 2;
    for (const Member child : tree.children) co_yield start_send(request++, child, segments[s]);
    for (std::uint32_t sent = 2; sent < request; ++sent) co_yield wait(sent);
  }
}

Generator<Action> broadcast_posted(Tree tree, Segments segments) {
  const std::uint32_t count = segments.count();
  if (!tree.is_root)
    for (std::uint32_t s = 0; s < count; ++s) co_yield start_receive(s, tree.parent, segments[s]);
  std::uint32_t request = count;
  for (std::uint32_t s = 0; s < count; ++s) {
    if (!tree.is_root) co_yield wait(s);
    for (const Member child : tree.children) co_yield start_send(request++, child, segments[s]);
  }
  if (!tree.children.empty()) co_yield wait_all();
}

namespace {

/// Two segments that arrive, the second of which is used where two arrive, and the sum of all but the root.
Action allocate_for_children(const Tree& tree, const Segments& segments) {
  const std::uint64_t sum = tree.is_root ? 0 : segments.elements(), one = segments[0].elements;
  const bool both = tree.children.size() > 1 || segments.count() > 1;
  return allocate({sum, one, one}, sum + (both ? 2 * one : one));
}

}  // namespace

Generator<Action> reduce_ahead(Tree tree, Segments segments) {
  const std::uint32_t count = segments.count();
  if (tree.children.empty()) {
    for (std::uint32_t s = 0; s < count; ++s) co_yield send(tree.parent, segments[s]);
    co_return;
  }
  co_yield allocate_for_children(tree, segments);
  std::uint32_t posted = 0;  // receives so far; they alternate between requests 0 and 1 and the buffers of these
  for (std::uint32_t s = 0; s <= count; ++s)
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      if (s < count) co_yield start_receive(posted % 2, tree.children[i], segments[s], scratch + posted % 2);
      if (posted > 0) {
        const Data arrived = i > 0 ? segments[s] : segments[s - 1];
        co_yield wait((posted + 1) % 2);
        co_yield combine(arrived, scratch + (posted + 1) % 2);
      }
      if (i == 0 && s > 0 && !tree.is_root) co_yield send(tree.parent, segments[s - 1]);
      if (s == count) co_return;
      ++posted;
    }
}

Cost tree_cost(const Task& task, const Segments& segments, double depth) {
  const double others = task.ranks - 1;
  return {others * segments.count(), others * static_cast<double>(task.elements()), depth};
}

Task from_first(const Task& task) {
  Task shifted = task;
  shifted.root = 0;
  return shifted;
}

Generator<Action> hand_to_first(const Task& task) {
  if (task.root == 0) co_return;
  if (task.me == task.root) co_yield send(0, whole(task.shares));
  if (task.me == 0) co_yield receive(task.root, whole(task.shares));
}

Cost handed_to_first(const Task& task, const Cost& tree) {
  if (task.root == 0) return tree;
  return {tree.messages + 1.0, tree.elements + static_cast<double>(task.elements()), tree.rounds + 1.0};
}

}  // namespace orrery::collectives
