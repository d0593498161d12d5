/// The requests of one rank: numbers chosen by the program, each open until it is waited for.
///
///   slot = requests.open(number);  requests[slot]...;  requests.close(slot);
///   requests.for_each_open([&](slot) ...);
///
/// A slot stays where it is while its request is open, so messages keep it. Numbers below 8, which most programs use,
/// are their own slots, lie in the rank's own memory and are found in a mask; of the others, many at once are found
/// through a hash table. Nothing is allocated in steady state.
#pragma once

#include <bit>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery::replay {

struct Request {
  using Index = std::uint32_t;
  enum class Phase : std::uint8_t { closed, open, complete } phase = Phase::closed;
  bool is_receive = false, awaited = false;
  Rank peer = any_rank;
  Tag tag = any_tag;
  Communicator communicator = world;
  double bytes = 0.0;
  double completed = 0.0;        ///< date, of a complete request
  Index repeat = 1;              ///< of a received train
  Index number = 0;              ///< the program's RequestId
  Index next = 0, previous = 0;  ///< open requests from number 8 on, latest first; `next` also of free slots
};

class Requests {
 public:
  using Index = Request::Index;
  static constexpr Index none = 0xffffffffu;
  static constexpr Index blocking = 0;  ///< slot of a blocking call; it is never among the open requests

  Requests() : slots_(1 + direct) {}

  Request& operator[](Index slot) { return slots_[slot]; }
  const Request& operator[](Index slot) const { return slots_[slot]; }

  /// Slot of an open request, or none.
  Index find(Index number) const;
  /// A fresh request, which must not be open.
  Index open(Index number);
  void close(Index slot);

  /// `act(slot)` for each, the low numbers first; it may close that slot.
  template <class Act>
  void for_each_open(Act act) const {
    for (std::uint32_t left = direct_open_; left != 0; left &= left - 1)
      act(static_cast<Index>(1 + std::countr_zero(left)));
    for (Index slot = first_, next = none; slot != none; slot = next) {
      next = slots_[slot].next;
      act(slot);
    }
  }

 private:
  static constexpr Index direct = 8;        ///< numbers below it are found without looking
  static constexpr Index scanned_max = 32;  ///< open requests from which the hash table is kept

  /// Open addressing over slots, keyed by their numbers; erased by shifting back.
  struct Table {
    std::vector<Index> cells;
  };
  std::size_t home(Index number) const {
    const std::uint32_t mixed = number * 2654435769u;  // modulo 2^32
    return mixed & (table_->cells.size() - 1);
  }
  Index listed_slot();
  void list(Index slot);
  void insert(Index slot);
  void erase(Index slot);
  void build_table(std::size_t cells);
  bool tabled() const { return listed_ > scanned_max; }

  boost::container::small_vector<Request, 1 + direct> slots_;
  std::uint8_t direct_open_ = 0;                   ///< a bit for each number below `direct`
  Index first_ = none, free_ = none, listed_ = 0;  ///< the others
  std::unique_ptr<Table> table_;
};

}  // namespace orrery::replay
