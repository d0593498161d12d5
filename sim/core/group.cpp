#include "sim/core/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"

namespace orrery {

Group Group::strided(Rank first, std::uint32_t stride, std::uint32_t count, Communicator communicator) {
  if (stride == 0) throw InputError("group: the stride is 0 (members are different ranks). Write 1?");
  Group group;
  group.first_ = first;
  group.stride_ = stride;
  group.size_ = count;
  group.communicator_ = communicator;
  return group;
}

Group Group::of(std::vector<Rank> ranks, Communicator communicator) {
  Group group;
  group.size_ = static_cast<std::uint32_t>(ranks.size());
  group.communicator_ = communicator;
  auto listed = std::make_shared<Listed>();
  for (Member m = 0; m < group.size_; ++m) listed->by_rank.emplace_back(ranks[m], m);
  std::sort(listed->by_rank.begin(), listed->by_rank.end());
  Fingerprint fingerprint;
  for (const Rank rank : ranks) fingerprint.add(index(rank));
  listed->fingerprint = fingerprint.value();
  listed->ranks = std::move(ranks);
  group.listed_ = std::move(listed);
  return group;
}

void Group::refuse(Member member) const {
  throw InputError("group: member {} is asked for (there are {}, numbered from 0). Correct the number?", member, size_);
}

Member Group::find(Rank rank) const {
  if (!listed_) {
    if (rank < first_) return size_;
    const std::uint32_t distance = static_cast<std::uint32_t>(rank) - static_cast<std::uint32_t>(first_);
    return distance % stride_ == 0 ? std::min(distance / stride_, size_) : size_;
  }
  const auto found = std::lower_bound(listed_->by_rank.begin(), listed_->by_rank.end(), std::pair(rank, Member{0}));
  return found != listed_->by_rank.end() && found->first == rank ? found->second : size_;
}

Member Group::member(Rank rank) const {
  const Member found = find(rank);
  if (found >= size_)
    throw InputError(
        "group: rank {} calls a collective of {} ranks, and is none of them (only members "
        "call it). Leave the call out there?",
        index(rank), size_);
  return found;
}

std::uint64_t Group::fingerprint() const {
  Fingerprint members = listed_ ? Fingerprint(listed_->fingerprint) : Fingerprint().add(index(first_)).add(stride_);
  return members.add(size_).add(static_cast<std::uint64_t>(communicator_)).value();
}

bool Group::operator==(const Group& other) const {
  if (size_ != other.size_ || communicator_ != other.communicator_ || !listed_ != !other.listed_) return false;
  if (listed_) return listed_ == other.listed_ || listed_->ranks == other.listed_->ranks;
  return first_ == other.first_ && stride_ == other.stride_;
}

}  // namespace orrery
