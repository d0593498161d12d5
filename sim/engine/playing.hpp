/// The state of each rank and message of a run: what the player (player.hpp) keeps of them between two events.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>

#include "sim/core/generator.hpp"
#include "sim/core/step.hpp"
#include "sim/engine/ids.hpp"
#include "sim/engine/ports.hpp"
#include "sim/engine/protocol.hpp"
#include "sim/engine/requests.hpp"

namespace orrery::engine::playing {

enum class State : std::uint8_t {
  running,
  computing,
  polling,
  probing,
  sending,
  send_wait,
  receive_wait,
  receiving,
  waiting,
  choosing,
  barrier,
  starting,
  held,  ///< in an interval that is simulated once
  done,
  sleeping
};

/// A compute step that probes, a probe being paid for, a wait for any of several requests, or a sleep: rare states.
struct Polling {
  Probe probe;
  double chunk = 0.0;             ///< s
  std::uint32_t chunks_left = 0;  ///< of the compute step
  Slot polled = no_slot;
  WaitAny any{};
  double wakes = 0.0;  ///< date
};

struct alignas(64) Process {
  Generator<Step> program;
  State state = State::running;
  bool core_busy = false;          ///< while waiting: an overhead is being paid
  bool time_shared = false;        ///< its cores are time-shared, see `cores_`
  std::uint32_t awaited = 0;       ///< requests still to come before the wait ends
  MessageId message = no_message;  ///< the message being sent
  Rank peer = any_rank;            ///< of the interval being recorded
  Bytes bytes;
  double overhead_due = 0.0, since = 0.0;
  std::uint64_t computes : 36 = 0;  ///< compute steps begun: index of the compute model's random numbers
  std::uint64_t steps : 28 = 0;     ///< read so far, for a crash report
  Requests requests;                ///< its masks end the first cache line; most events need no other
  std::unique_ptr<Polling> polling;
};

struct alignas(64) Message {
  double bytes = 0.0;  ///< of one message of a train
  double date = 0.0;   ///< of its present state: read and set by the names below
  Transfer transfer;
  Rank from{}, to{};
  std::uint32_t repeat = 1;
  Slot send_slot = Requests::blocking, receive_slot = no_slot;
  std::uint8_t next_flow = 0, flows_running = 0;
  bool blocking : 1 = false, arrived : 1 = false, sender_free : 1 = false;
  bool by_gpus : 1 = false;              ///< sent by GPU kernels: no core is busy
  std::uint8_t handshakes_left : 4 = 0;  ///< through ports; elsewhere they are part of the delay
  Leg leg = Leg::none;                   ///< its timer reports the end of this

  /// Dates of a message, one at a time: its request comes, then the running flows began, then it arrived.
  double request_comes() const { return assert(flows_running == 0 && !arrived), date; }
  double flows_began() const { return assert(flows_running > 0), date; }
  double arrived_at() const { return assert(arrived && flows_running == 0), date; }
  void request_comes_at(double when) { date = when; }
  void flows_begin(double when) { date = when; }
  void arrives(double when) { arrived = true, date = when; }
};
static_assert(sizeof(Message) == 64);

}  // namespace orrery::engine::playing
