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

/// The whole vector in segments that `usual` holds, unless the task says otherwise.
Segments segments_of(const Task& task, Bytes usual);
/// The whole vector in one piece, unless the task says otherwise.
Segments unsegmented(const Task& task);

/// Open MPI's way: receives are posted one segment ahead; sends to all children are waited for before the next segment.
Generator<Action> broadcast_ahead(Tree tree, Segments segments);
/// Faraj and Yuan's way: all receives are posted at once; sends are waited for at the end.
Generator<Action> broadcast_posted(Tree tree, Segments segments);
/// Trees that always start at member 0: the same task with that root; what another root does first, handing it the
/// whole vector; and what both cost, given the cost of the tree.
Task from_first(const Task& task);
Generator<Action> hand_to_first(const Task& task);
Cost handed_to_first(const Task& task, const Cost& tree);
/// Open MPI's way: receives alternate between two buffers, so that one is posted while the last is combined; a segment
/// goes to the parent by a blocking send.
Generator<Action> reduce_ahead(Tree tree, Segments segments);

/// Every member but the root gets (or gives) the whole vector once, in segments, along a tree of a depth.
Cost tree_cost(const Task& task, const Segments& segments, double depth);

}  // namespace orrery::collectives
