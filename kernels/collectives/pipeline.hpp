/// Broadcasts down and reductions up a tree, in segments.
#pragma once

#include "kernels/collectives/tree.hpp"

namespace orrery::collectives {

/// A range of elements cut into segments of one length; the last may be shorter. There is always at least one.
class Segments {
 public:
  Segments(std::uint64_t begin, std::uint64_t elements, std::uint64_t length)
      : begin_(begin), elements_(elements), length_(std::max<std::uint64_t>(1, length)) {}
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (elements_ + length_ - 1) / length_));
  }
  std::uint64_t elements() const { return elements_; }
  Data operator[](std::uint32_t i) const {
    return run(begin_ + i * length_, std::min(length_, elements_ - std::min(elements_, i * length_)));
  }

 private:
  std::uint64_t begin_, elements_, length_;
};

/// The whole vector in segments of size `usual`, unless the task gives another size.
Segments segments_of(const Task& task, Bytes usual);
/// The whole vector in one piece, unless the task gives a segment size.
Segments unsegmented(const Task& task);

/// Open MPI's method: receives are posted one segment ahead; all children's sends complete before the next segment.
Generator<Action> broadcast_ahead(Tree tree, Segments segments);
/// Faraj and Yuan's method: all receives are posted at the beginning; sends are waited for at the end.
Generator<Action> broadcast_posted(Tree tree, Segments segments);
/// For trees that always start at member 0: the same task with that root; the first step of another root, which sends
/// the whole vector to member 0; and the cost of both, given the cost of the tree.
Task from_first(const Task& task);
Generator<Action> hand_to_first(const Task& task);
Cost handed_to_first(const Task& task, const Cost& tree);
/// Open MPI's method: receives alternate between two buffers, so that one is posted while the last is combined; a
/// segment goes to the parent by a blocking send.
Generator<Action> reduce_ahead(Tree tree, Segments segments);

/// Every member except the root gets (or gives) the whole vector once, in segments, along a tree of the given depth.
Cost tree_cost(const Task& task, const Segments& segments, double depth);

}  // namespace orrery::collectives
