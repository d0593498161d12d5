/// The actions of one member in a collective: steps whose messages know their content.
///
/// An algorithm is a coroutine of these. `collective.hpp` turns them into the steps for engines and models; the
/// contract test executes them on labelled data. Both use one text, so the proof covers what is timed.
///
/// Data are in buffers. Buffer `mine` holds the member's vector: its own data when the collective begins and the result
/// when it ends. Others are scratch, numbered by the algorithm. Receiving into `mine` replaces its content; `combine`
/// applies the reduction to a scratch buffer and another buffer.
///
/// On a GPU, thread blocks work in parallel, each on separate channels: an algorithm may have several such lanes. Lanes
/// start sends and receives, wait for one request at a time and combine; requests are numbered by lane, below
/// `lane_requests`. A channel belongs to one lane at each member.
///
/// A message may be an operation of a switch: `reduce` gives its receiver the combination of the data of all members of
/// the node, `multicast` gives all of them the data of its sender. Between nodes, if switches of the network reduce,
/// the messages of one `reduce` to a member are one stream that the switches combine. Those of a `multicast` from one
/// member are a stream that they copy. Such a message has the content of any other, but each link carries it once. A
/// `combine` by switches costs nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "kernels/collectives/data.hpp"
#include "sim/core/gpu_parameters.hpp"

namespace orrery::collectives {

using Buffer = std::uint32_t;
inline constexpr Buffer mine = 0, scratch = 1;
inline constexpr std::uint32_t lane_requests = 256;

struct Action {
  enum class Kind : std::uint8_t {
    send,           ///< blocking
    receive,        ///< blocking
    exchange,       ///< MPI_Sendrecv: receive and send posted together, then a wait for both
    start_send,     ///< non-blocking
    start_receive,  ///< non-blocking
    wait,           ///< for one request
    wait_all,       ///< for all open requests
    combine,        ///< input and output of the same elements, into the latter
    copy,           ///< the content of a buffer is now in another; costs nothing
    rearrange,      ///< copies within the member: operands, rotations, packing
    allocate,       ///< temporary buffers: `in` their used size, `out` the longest
    first_sent,     ///< of the next block of a temporary buffer of size `out`: new memory is registered by block
    describe        ///< makes an MPI datatype: the next parts of a buffer, `in` of them
  };
  Kind kind;
  bool several = false;  ///< of `allocate`: total is at least twice the longest
  Member to = 0, from = 0;
  Data out = {}, in = {};
  Buffer out_of = mine, into = mine;
  std::uint32_t request = 0;               ///< chosen by the algorithm from 0 up; free again after its wait
  InSwitch in_switch = InSwitch::nothing;  ///< operation of the node's switch, or of the network's
  // For lanes only.
  std::uint32_t channel = 0;  ///< messages of one channel do not overtake each other
  std::uint32_t turn = 0;     ///< of a wait: readers without a clock end lower turns first

  Action on(std::uint32_t its_channel) const {
    Action action = *this;
    action.channel = its_channel;
    return action;
  }
  Action at(std::uint32_t its_turn) const {
    Action action = *this;
    action.turn = its_turn;
    return action;
  }
  Action by(InSwitch what) const {
    Action action = *this;
    action.in_switch = what;
    return action;
  }
};

inline Action send(Member to, Data data, Buffer out_of = mine) {
  return {.kind = Action::Kind::send, .to = to, .out = data, .out_of = out_of};
}
inline Action receive(Member from, Data data, Buffer into = mine) {
  return {.kind = Action::Kind::receive, .from = from, .in = data, .into = into};
}
inline Action exchange(Member to, Data out, Member from, Data in, Buffer into = mine, Buffer out_of = mine) {
  return {.kind = Action::Kind::exchange,
          .to = to,
          .from = from,
          .out = out,
          .in = in,
          .out_of = out_of,
          .into = into,
          .request = 0};
}
inline Action start_send(std::uint32_t request, Member to, Data data, Buffer out_of = mine) {
  return {.kind = Action::Kind::start_send, .to = to, .out = data, .out_of = out_of, .request = request};
}
inline Action start_receive(std::uint32_t request, Member from, Data data, Buffer into = mine) {
  return {.kind = Action::Kind::start_receive, .from = from, .in = data, .into = into, .request = request};
}
inline Action wait(std::uint32_t request) { return {.kind = Action::Kind::wait, .request = request}; }
inline Action wait_all() { return {.kind = Action::Kind::wait_all}; }
inline Action combine(Data data, Buffer out_of = scratch, Buffer into = mine) {
  return {.kind = Action::Kind::combine, .out = data, .in = data, .out_of = out_of, .into = into};
}
inline Action copy(Data data, Buffer out_of, Buffer into) {
  return {.kind = Action::Kind::copy, .out = data, .in = data, .out_of = out_of, .into = into};
}

/// Local work: copies and lengths of buffers. The labelled data do not move.
inline Action rearrange(std::uint64_t elements) {
  return {.kind = Action::Kind::rearrange, .in = {.elements = elements}};
}
/// Before a block of a temporary buffer of this size is sent after an adjacent block.
inline Action first_sent(std::uint64_t buffer) {
  return {.kind = Action::Kind::first_sent, .out = {.elements = buffer}};
}
inline Action describe(std::uint64_t blocks) { return {.kind = Action::Kind::describe, .in = {.elements = blocks}}; }
/// Buffers allocated together, and their total used size.
inline Action allocate(std::initializer_list<std::uint64_t> buffers, std::uint64_t used) {
  Action action{.kind = Action::Kind::allocate, .in = {.elements = used}};
  std::uint64_t all = 0;
  for (const std::uint64_t elements : buffers) {
    all += elements;
    action.out.elements = std::max(action.out.elements, elements);
  }
  action.several = all >= 2 * action.out.elements;
  return action;
}
inline Action allocate(std::initializer_list<std::uint64_t> buffers) {
  std::uint64_t all = 0;
  for (const std::uint64_t elements : buffers) all += elements;
  return allocate(buffers, all);
}

}  // namespace orrery::collectives
