/// The ordered ranks that take part in a collective, as an MPI communicator: member i is rank(i).
///
///   Group::world(p)                    all ranks
///   Group::strided(first, stride, n)   a row, a column or a plane of a grid: nothing is stored
///   Group::of({Rank{3}, Rank{1}})      any subset in any order, stored once and shared by all copies
///
/// The communicator number separates its messages from others with the same tag. `world` is enough if the ranks of
/// overlapping groups call their collectives in one order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery {

/// A rank's number within a group.
using Member = std::uint32_t;

class Group {
 public:
  Group() = default;
  static Group world(std::uint32_t ranks) { return strided(Rank{0}, 1, ranks); }
  static Group strided(Rank first, std::uint32_t stride, std::uint32_t count,
                       Communicator communicator = orrery::world);
  static Group of(std::vector<Rank> ranks, Communicator communicator = orrery::world);

  std::uint32_t size() const { return size_; }
  Communicator communicator() const { return communicator_; }
  /// Throws InputError for a member number that is not in the group.
  Rank rank(Member member) const {
    if (member >= size_) refuse(member);
    return listed_ ? listed_->ranks[member] : Rank{static_cast<std::uint32_t>(first_) + member * stride_};
  }
  bool contains(Rank rank) const { return find(rank) < size_; }
  /// The number of a rank that belongs to the group.
  Member member(Rank rank) const;
  /// Equal for equal groups: distinguishes the groups of a program.
  std::uint64_t fingerprint() const;
  bool operator==(const Group& other) const;

 private:
  struct Listed {
    std::vector<Rank> ranks;
    std::vector<std::pair<Rank, Member>> by_rank;  ///< ascending
    std::uint64_t fingerprint = 0;                 ///< of `ranks`
  };
  Member find(Rank rank) const;  ///< size() when it does not belong
  [[noreturn]] void refuse(Member member) const;

  Rank first_{};
  std::uint32_t stride_ = 1, size_ = 0;
  Communicator communicator_ = orrery::world;
  std::shared_ptr<const Listed> listed_;
};

}  // namespace orrery
