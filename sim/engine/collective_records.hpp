/// Collects the collectives of a run from the marks of its ranks.
///
/// The n-th collective of a group is one call at all its members; it ends when its last member has left. Calls that
/// have ended are added to the record of their kind, so memory grows with open calls and kinds, not with all calls. A
/// program without collectives pays one test per message.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/core/collective_record.hpp"
#include "sim/core/step.hpp"

namespace orrery::engine {

class CollectiveRecords {
 public:
  explicit CollectiveRecords(std::uint32_t ranks) : ranks_(ranks) {}

  void begin(Rank rank, const CollectiveBegin& mark, double now);
  /// The collective that the rank leaves.
  struct Left {
    Operation operation;
    const char* algorithm;
    Bytes bytes;
    double began;
  };
  Left end(Rank rank, double now);
  /// Messages of up to this size are blocks of the rank's collective: one or two of its shares, by their mean. 0: the
  /// rank is in no collective, or in one of whole vectors.
  Bytes block(Rank rank) const { return inside_ == 0 ? Bytes{} : members_[index(rank)].block; }
  /// The team of the rank's collective; empty outside a collective.
  std::span<const Rank> team(Rank rank) const {
    return members_.empty() ? std::span<const Rank>{} : members_[index(rank)].team;
  }
  /// A rank sends a message, or posts the receive of one; each channel has its own tag.
  void sends(Rank rank, Tag tag) {
    if (inside_ > 0) members_[index(rank)].sent.add(tag);
  }
  void receives(Rank rank, Tag tag) {
    if (inside_ > 0) members_[index(rank)].received.add(tag);
  }

  /// Adds calls of one kind that were counted elsewhere; the texts in `others` must outlive these records.
  void add(const CollectiveRecord& others);

  std::vector<CollectiveRecord> records() const;

 private:
  struct Calls {
    std::uint32_t group, times;
  };
  /// Messages of one direction: all, and those of the first channel.
  struct Count {
    std::uint32_t all = 0, of_channel = 0;
    Tag channel{};
    void add(Tag tag) {
      if (all++ == 0) channel = tag;
      if (tag == channel) ++of_channel;
    }
  };
  struct Member {
    double began = 0.0;
    std::uint32_t group = 0, number = 0;  ///< of the open call, in its group
    bool inside = false;                  ///< a call is open
    Bytes block;
    Count sent, received;
    std::vector<Rank> team;                          ///< of the open collective
    boost::container::small_vector<Calls, 1> calls;  ///< begun, by group
  };
  /// A call that some member has begun and that not all members have left.
  struct Open {
    Operation operation;
    const char* name;
    const char* algorithm;
    Bytes bytes;
    double first_began, last_began;
    std::uint32_t members_left;
    std::uint32_t steps = 0;
    std::uint64_t messages = 0;
    double time = 0.0;
  };
  struct Group {
    std::uint32_t size = 0, first = 0;  ///< number of the first open call
    std::deque<Open> open;
  };

  static Bytes longest_block(const CollectiveCall& call);
  std::uint32_t group_number(const CollectiveCall& call);
  void add(const Open& over, std::uint32_t group_size);

  std::uint32_t ranks_;
  std::uint64_t inside_ = 0;     ///< ranks that are in a collective
  std::vector<Member> members_;  ///< [ranks], or none before the first mark
  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< of groups, by fingerprint
  std::map<std::tuple<Operation, std::string_view, std::string_view, std::uint32_t, double>, CollectiveRecord> records_;
};

}  // namespace orrery::engine
