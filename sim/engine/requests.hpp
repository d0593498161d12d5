/// The requests of one rank: numbers chosen by the program, each open until it is waited for.
///
///   slot = requests.open(number, is_receive);  requests[slot] = {...};
///   requests.complete(slot);  requests.await(slot);  requests.close(slot);
///   requests.for_each_open([&](slot) ...);
///
/// A slot stays fixed while its request is open, so messages store it. Numbers below 8, which most programs use, are
/// their own slots: their state is a bit in each of a few masks, so completing a request that is waited for is cheap.
/// If there are many others, a hash table finds them. No allocation in steady state.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/step.hpp"
#include "sim/engine/ids.hpp"

namespace orrery::engine {

/// The content of a request: its arguments or, for a completed receive, the message that came.
struct Request {
  Rank peer = any_rank;
  Tag tag = any_tag;
  Communicator communicator = world;
  std::uint32_t repeat = 1;  ///< length of a received train
  double bytes = 0.0;
  double completed = 0.0;  ///< date, if it was complete before it was waited for
};

class Requests {
 public:
  static constexpr Slot blocking{0};  ///< slot of a blocking call; it is never among the open requests

  Request& operator[](Slot slot) { return is_direct(slot) ? direct_[index(slot)] : at(slot).request; }
  const Request& operator[](Slot slot) const { return is_direct(slot) ? direct_[index(slot)] : at(slot).request; }
  RequestId number(Slot slot) const {
    return is_direct(slot) ? RequestId{static_cast<std::uint32_t>(slot) - 1} : at(slot).number;
  }
  bool is_complete(Slot slot) const { return has(slot, Mark::complete); }
  bool is_awaited(Slot slot) const { return has(slot, Mark::awaited); }
  bool is_receive(Slot slot) const { return has(slot, Mark::receive); }

  /// Slot of an open request, or none.
  Slot find(RequestId number) const;
  /// A fresh request, which must not be open.
  Slot open(RequestId number, bool is_receive);
  /// A blocking call begins: its slot is reset.
  Slot open_blocking(bool is_receive) {
    clear(blocking);
    if (is_receive) mark(blocking, Mark::receive);
    return blocking;
  }
  void complete(Slot slot) { mark(slot, Mark::complete); }
  void await(Slot slot) { mark(slot, Mark::awaited); }
  void close(Slot slot);

  /// Calls `act(slot)` for each, low numbers first; `act` may close that slot.
  template <class Act>
  void for_each_open(Act act) const {
    for (auto left = static_cast<std::uint16_t>(marks_); left != 0;
         left = static_cast<std::uint16_t>(left & (left - 1)))
      act(Slot{static_cast<std::uint32_t>(std::countr_zero(left))});
    for (Slot slot = first_, next = no_slot; slot != no_slot; slot = next) {
      next = at(slot).next;
      act(slot);
    }
  }

 private:
  static constexpr std::uint32_t direct = 8;                 ///< numbers below it need no search: slots 1..8
  static constexpr std::uint32_t first_listed = direct + 1;  ///< slot
  static constexpr std::uint32_t scanned_max = 32;           ///< open requests from which the hash table is used

  /// For each slot up to `direct` a bit per mark, 16 slots apart; a listed request has its own, in the bits of slot 0.
  using Marks = std::uint64_t;
  enum class Mark : std::uint8_t { open = 0, complete = 16, awaited = 32, receive = 48 };
  static constexpr Marks bit(Slot slot, Mark mark) { return Marks{1} << (index(slot) + static_cast<unsigned>(mark)); }
  static constexpr Marks all_of(Slot slot) { return Marks{0x0001'0001'0001'0001} << index(slot); }
  struct Listed {
    Request request;
    Marks marks = 0;
    RequestId number{};
    Slot next = no_slot, previous = no_slot;  ///< in the list of open requests, latest first, or of free slots (`next`)
  };
  /// Open addressing over slots, keyed by their numbers; deletes by shifting back.
  struct Table {
    std::vector<Slot> cells;
  };

  static bool is_direct(Slot slot) { return slot <= Slot{direct}; }
  Listed& at(Slot slot) { return listed_[index(slot) - first_listed]; }
  const Listed& at(Slot slot) const { return listed_[index(slot) - first_listed]; }
  bool has(Slot slot, Mark mark) const {
    return ((is_direct(slot) ? marks_ & bit(slot, mark) : at(slot).marks & bit(blocking, mark)) != 0);
  }
  void mark(Slot slot, Mark mark) {
    if (is_direct(slot))
      marks_ |= bit(slot, mark);
    else
      at(slot).marks |= bit(blocking, mark);
  }
  void clear(Slot slot) { marks_ &= ~all_of(slot); }
  /// Sixteen consecutive numbers have consecutive cells, one cache line: programs count requests up. Rows are hashed.
  std::size_t home(RequestId number) const {
    const auto n = static_cast<std::uint32_t>(number);
    const std::uint32_t scattered = n / 16 * 2654435769u;  // modulo 2^32
    return (std::size_t{16} * scattered + n % 16) & (table_->cells.size() - 1);
  }
  Slot listed_slot();
  void list(Slot slot);
  void insert(Slot slot);
  void erase(Slot slot);
  void build_table(std::size_t cells);
  bool tabled() const { return count_ > scanned_max; }

  Marks marks_ = 0;
  std::array<Request, first_listed> direct_;
  std::vector<Listed> listed_;
  Slot first_ = no_slot, free_ = no_slot;  ///< of the listed
  std::uint32_t count_ = 0;                ///< number of open ones
  std::unique_ptr<Table> table_;
};

}  // namespace orrery::engine
