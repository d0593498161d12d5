/// The requests of one rank: numbers chosen by the program, each open until it is waited for.
///
///   slot = requests.open(number, is_receive);  requests[slot] = {...};
///   requests.complete(slot);  requests.await(slot);  requests.close(slot);
///   requests.for_each_open([&](slot) ...);
///
/// A slot stays where it is while its request is open, so messages keep it. Numbers below 8, which most programs use,
/// are their own slots: what state they are in is a bit in each of a few masks, and a request that completes while it
/// is waited for costs nothing else. Of the others, many at once are found through a hash table. Nothing is allocated
/// in steady state.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery::replay {

/// What a request is about.
struct Request {
  Rank peer = any_rank;
  Tag tag = any_tag;
  Communicator communicator = world;
  std::uint32_t repeat = 1;  ///< of a received train
  double bytes = 0.0;
  double completed = 0.0;  ///< date, if it was complete before it was waited for
};

class Requests {
 public:
  using Index = std::uint32_t;
  static constexpr Index none = 0xffffffffu;
  static constexpr Index blocking = 0;  ///< slot of a blocking call; it is never among the open requests

  Request& operator[](Index slot) { return slot <= direct ? direct_[slot] : listed_[slot - first_listed].request; }
  const Request& operator[](Index slot) const {
    return slot <= direct ? direct_[slot] : listed_[slot - first_listed].request;
  }
  Index number(Index slot) const { return slot <= direct ? slot - 1 : listed_[slot - first_listed].number; }
  bool is_complete(Index slot) const { return has(slot, Mark::complete); }
  bool is_awaited(Index slot) const { return has(slot, Mark::awaited); }
  bool is_receive(Index slot) const { return has(slot, Mark::receive); }

  /// Slot of an open request, or none.
  Index find(Index number) const;
  /// A fresh request, which must not be open.
  Index open(Index number, bool is_receive);
  /// A blocking call begins: its slot is as new.
  Index open_blocking(bool is_receive) {
    clear(blocking);
    if (is_receive) mark(blocking, Mark::receive);
    return blocking;
  }
  void complete(Index slot) { mark(slot, Mark::complete); }
  void await(Index slot) { mark(slot, Mark::awaited); }
  void close(Index slot);

  /// `act(slot)` for each, the low numbers first; it may close that slot.
  template <class Act>
  void for_each_open(Act act) const {
    for (auto left = static_cast<std::uint16_t>(marks_); left != 0;
         left = static_cast<std::uint16_t>(left & (left - 1)))
      act(static_cast<Index>(std::countr_zero(left)));
    for (Index slot = first_, next = none; slot != none; slot = next) {
      next = at(slot).next;
      act(slot);
    }
  }

 private:
  static constexpr Index direct = 8;                 ///< numbers below it are found without looking; slots 1..8
  static constexpr Index first_listed = direct + 1;  ///< slot
  static constexpr Index scanned_max = 32;           ///< open requests from which the hash table is kept

  /// For each slot up to `direct` a bit per mark, 16 slots apart; a listed request has its own, as slot 0.
  using Marks = std::uint64_t;
  enum class Mark : std::uint8_t { open = 0, complete = 16, awaited = 32, receive = 48 };
  static constexpr Marks bit(Index slot, Mark mark) { return Marks{1} << (slot + static_cast<unsigned>(mark)); }
  static constexpr Marks all_of(Index slot) { return Marks{0x0001'0001'0001'0001} << slot; }
  struct Listed {
    Request request;
    Marks marks = 0;
    Index number = 0;
    Index next = none, previous = none;  ///< open requests, latest first; `next` also of free slots
  };
  /// Open addressing over slots, keyed by their numbers; erased by shifting back.
  struct Table {
    std::vector<Index> cells;
  };

  Listed& at(Index slot) { return listed_[slot - first_listed]; }
  const Listed& at(Index slot) const { return listed_[slot - first_listed]; }
  bool has(Index slot, Mark mark) const {
    return ((slot <= direct ? marks_ & bit(slot, mark) : at(slot).marks & bit(0, mark)) != 0);
  }
  void mark(Index slot, Mark mark) {
    if (slot <= direct)
      marks_ |= bit(slot, mark);
    else
      at(slot).marks |= bit(0, mark);
  }
  void clear(Index slot) { marks_ &= ~all_of(slot); }
  std::size_t home(Index number) const {
    const std::uint32_t mixed = number * 2654435769u;  // modulo 2^32
    return mixed & (table_->cells.size() - 1);
  }
  Index listed_slot();
  void list(Index slot);
  void insert(Index slot);
  void erase(Index slot);
  void build_table(std::size_t cells);
  bool tabled() const { return count_ > scanned_max; }

  Marks marks_ = 0;
  std::array<Request, first_listed> direct_;
  std::vector<Listed> listed_;
  Index first_ = none, free_ = none, count_ = 0;  ///< of the listed
  std::unique_ptr<Table> table_;
};

}  // namespace orrery::replay
