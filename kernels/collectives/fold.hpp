/// Recursive doubling and halving need a power of two: of the first 2 r members, r = p - 2^floor(log2 p), one of each
/// pair first gives its data to the other and later gets the result back. The others form a hypercube of 2^k.
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

/// `even`: the even member of a pair stays in the hypercube; otherwise the odd one.
class Fold {
 public:
  Fold(std::uint32_t ranks, Member me, bool even_stays)
      : size_(power_below(ranks)), surplus_(ranks - size_), me_(me), even_stays_(even_stays) {}

  std::uint32_t size() const { return size_; }  ///< of the hypercube
  std::uint32_t surplus() const { return surplus_; }
  bool paired() const { return me_ < 2 * surplus_; }
  bool stays() const { return !paired() || (me_ % 2 == 0) == even_stays_; }
  Member partner() const { return me_ ^ 1u; }
  /// The member's number in the hypercube (of its pair, when folded), and the member of a number.
  std::uint32_t corner() const { return paired() ? me_ / 2 : me_ - surplus_; }
  /// First of the members whose shares a corner represents; corners up to size() are valid.
  Member first_share(std::uint32_t corner) const { return corner < surplus_ ? 2 * corner : corner + surplus_; }
  Member member(std::uint32_t corner) const {
    return corner < surplus_ ? 2 * corner + (even_stays_ ? 0 : 1) : corner + surplus_;
  }

 private:
  std::uint32_t size_, surplus_;
  Member me_;
  bool even_stays_;
};

/// Pieces that a corner is responsible for.
struct Window {
  std::uint32_t begin, end;
};
/// The remaining part of a corner of a hypercube after it has exchanged halves in the rounds of bits 1 up to `bit`: in
/// each round a set bit keeps the upper half and a clear bit the lower half.
Window window(std::uint32_t corner, std::uint32_t bit, std::uint32_t size);
/// A corner's number with its bits reversed: the piece that it has at the end, and the corner of a piece.
std::uint32_t mirrored(std::uint32_t corner, std::uint32_t size);

/// Members outside the hypercube give their vectors to their partners, which combine them.
Generator<Action> hand_over(const Task& task, Fold fold);
/// Size of the buffer that a member receives into, if later data are a part of earlier data: half a vector, or all of
/// it if a partner gave its own vector.
std::uint64_t received(const Task& task, Fold fold);
/// Recursive halving of a vector cut into one piece per corner, nearest first.
Generator<Action> halve(Fold fold, Shares pieces);

/// `instead` of Open MPI's algorithms that give each corner a piece: fewer elements than corners go to the root.
inline std::string_view linear_below_cube(const Task& task) {
  return task.elements() < power_below(task.ranks) ? "ompi_basic_linear" : "";
}

/// Longest chain through folding, k rounds of the hypercube, and unfolding. A chain takes part in all rounds only
/// between opposite corners; both are folded pairs if more than half of the corners are.
inline double folded_rounds(std::uint32_t ranks) {
  const std::uint32_t size = power_below(ranks), surplus = ranks - size;
  return log2_above(size) + (surplus > 0 ? 1.0 : 0.0) + (2 * surplus > size ? 1.0 : 0.0);
}

}  // namespace orrery::collectives
