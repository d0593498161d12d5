/// The data of a collective, counted in elements: the layout of its vector and the content of one message.
///
/// A message has its size, which is all that engines and models need, and a function that lists its content, which only
/// the contract test calls. Nothing here grows with the number of ranks unless sizes were given one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/core/group.hpp"

namespace orrery::collectives {

/// A vector cut into one share per member, in the order of the members.
class Shares {
 public:
  Shares() = default;
  static Shares equal(std::uint32_t members, std::uint64_t each);
  /// As equal as whole elements permit: the first `total % members` shares have one more.
  static Shares balanced(std::uint32_t members, std::uint64_t total);
  /// `ceil(total / members)` each until none are left: the last members may have fewer, or none.
  static Shares ceiling(std::uint32_t members, std::uint64_t total);
  /// Stored once and shared by all copies: create it where the program is made, not in each rank.
  static Shares of(const std::vector<std::uint64_t>& sizes);

  std::uint32_t members() const { return members_; }
  std::uint64_t begin(Member member) const {
    return prefix_ ? (*prefix_)[member] : std::min(limit_, member * each_ + std::min<std::uint64_t>(member, longer_));
  }
  std::uint64_t size(Member member) const { return begin(member + 1) - begin(member); }
  std::uint64_t total() const { return begin(members_); }

 private:
  std::uint32_t members_ = 0;
  std::uint64_t each_ = 0, longer_ = 0, limit_ = 0xffffffffffffffffu;
  std::shared_ptr<const std::vector<std::uint64_t>> prefix_;  ///< [members + 1]
};

/// Number of elements of each member for each other.
class PairSizes {
 public:
  using Function = std::function<std::uint64_t(Member from, Member to)>;

  PairSizes() = default;
  static PairSizes equal(std::uint64_t each);
  static PairSizes of(Function size);  ///< called once or twice per message; must be pure

  std::uint64_t operator()(Member from, Member to) const { return size_ ? (*size_)(from, to) : each_; }

 private:
  std::uint64_t each_ = 0;
  std::shared_ptr<const Function> size_;
};

/// Content of a message. Units are elements of the vector or, in an all-to-all, blocks numbered from * members + to.
struct Data {
  using Parts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  ///< (first unit, number of units)

  std::uint64_t elements = 0;
  std::uint64_t a = 0, b = 0, c = 0;  ///< input of `list`
  const void* context = nullptr;      ///< pointer into the task, if numbers are not enough
  void (*list)(const Data&, Parts&) = nullptr;
};

/// Empty: a signal.
inline Data nothing() { return {}; }
/// Consecutive elements.
Data run(std::uint64_t begin, std::uint64_t elements);
/// Consecutive elements of a vector of `total` that wraps around.
Data cyclic_run(std::uint64_t begin, std::uint64_t elements, std::uint64_t total);
Data whole(const Shares& shares);
Data share(const Shares& shares, Member member);
/// Shares of the members from `first` up to but excluding `last`.
Data shares_between(const Shares& shares, Member first, Member last);
/// Shares of `count` members from `first` on; member 0 follows the last.
Data cyclic_shares(const Shares& shares, Member first, std::uint32_t count);
/// The data of `from` for `to`.
Data block(std::uint32_t members, Member from, Member to, const PairSizes& sizes);

}  // namespace orrery::collectives
