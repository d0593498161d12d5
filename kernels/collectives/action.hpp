/// What one member does in a collective: steps whose messages know their content.
///
/// An algorithm is a coroutine of these. `collective.hpp` turns them into the steps that engines and models play; the
/// contract test carries them out on labelled data. One text, so that what is timed is what is proved.
///
/// Data live in buffers. Buffer `mine` holds the member's vector: where its own data are when the collective begins
/// and the result is when it ends. Others are scratch, numbered by the algorithm. Receiving into `mine` replaces;
/// `combine` applies the reduction to what lies in a scratch buffer and in another.
///
/// On a GPU thread blocks work beside each other, each on channels of its own: an algorithm may be several such lanes.
/// Lanes start sends and receives, wait for one request at a time and combine; requests are numbered by lane, below
/// `lane_requests`. A channel belongs to one lane at each member.
///
/// A message may be the work of a switch: `reduce` gives its receiver the combination of what all members of the node
/// have, `multicast` gives all of them what its sender has. Between nodes, where switches of the network reduce, messages
/// of one `reduce` to a member are one stream that they combine, those of a `multicast` from one a stream that they
/// copy: what such a message carries is as of any other, but each link carries it once. A `combine` that they do costs
/// nothing.
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
    exchange,       ///< MPI_Sendrecv: receive and send posted together, then both waited for
    start_send,     ///< non-blocking
    start_receive,  ///< non-blocking
    wait,           ///< for one request
    wait_all,       ///< for all open requests
    combine,        ///< input and output of the same elements, into the latter
    copy,           ///< what a buffer holds is in another from now on; costs nothing
    rearrange,      ///< copies within the member: operands, rotations, packing
    allocate,       ///< temporary buffers: `in` what is used of them, `out` the longest
    first_sent,     ///< of the next block of a temporary buffer, `out` long: new memory is registered block by block
    describe        ///< makes a datatype of MPI: which parts of a buffer go next, `in` so many
  };
  Kind kind;
  bool several = false;  ///< of `allocate`: together at least twice the longest
  Member to = 0, from = 0;
  Data out = {}, in = {};
  Buffer out_of = mine, into = mine;
  std::uint32_t request = 0;               ///< chosen by the algorithm from 0 up; free again once waited for
  InSwitch in_switch = InSwitch::nothing;  ///< what the switch of my node, or the network's, does with it
  // Of lanes only.
  std::uint32_t channel = 0;  ///< messages of one channel do not overtake each other
  std::uint32_t turn = 0;     ///< of a wait: who has no clock ends those of lesser turns first

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

/// Local work: what is copied, and how long buffers are. The labelled data stay where they are.
inline Action rearrange(std::uint64_t elements) {
  return {.kind = Action::Kind::rearrange, .in = {.elements = elements}};
}
/// Before a block of a temporary buffer so long is sent, beside the block that was sent before.
inline Action first_sent(std::uint64_t buffer) {
  return {.kind = Action::Kind::first_sent, .out = {.elements = buffer}};
}
inline Action describe(std::uint64_t blocks) { return {.kind = Action::Kind::describe, .in = {.elements = blocks}}; }
/// Buffers that are allocated together, and how much of them is used in all.
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
