#include "validation/mpi/needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::mpi {

namespace {

constexpr std::size_t message_max = 0x7fffffff;  // an int counts its bytes

std::size_t whole(Bytes bytes) { return static_cast<std::size_t>(std::llround(bytes.si())); }

void require_possible(const Send& send, const Program& program, Rank me, std::uint32_t tag_max) {
  if (static_cast<std::uint32_t>(send.to) >= program.ranks())
    throw InputError("{}: rank {} sends to rank {} (ranks are 0..{}). Correct it?", program.name(), index(me),
                     index(send.to), program.ranks() - 1);
  if (send.repeat > 1)
    throw InputError(
        "{}: rank {} sends {} equal messages as a train, which one receive takes (MPI has no such "
        "call). Write them as messages of their own?",
        program.name(), index(me), send.repeat);
  if (static_cast<std::uint32_t>(send.tag) > tag_max)
    throw InputError("{}: rank {} sends with tag {}, but this MPI's greatest is {}. Use smaller tags?", program.name(),
                     index(me), index(send.tag), tag_max);
  if (whole(send.message) > message_max)
    throw InputError("{}: rank {} sends {} bytes in one message, but MPI counts up to {}. Split it?", program.name(),
                     index(me), whole(send.message), message_max);
}

}  // namespace

Needs needs_of(const Program& program, Rank me, std::uint32_t tag_max) {
  Needs needs;
  const auto see = [&](Communicator communicator) {
    if (communicator == between_streams)
      throw InputError(
          "{}: rank {} is a stream of a rank that does several things at once (a process of MPI "
          "does one). Simulate it instead?",
          program.name(), index(me));
    needs.greatest_communicator = std::max(needs.greatest_communicator, static_cast<std::uint32_t>(communicator));
  };
  const auto see_send = [&](const Send& send) {
    require_possible(send, program, me, tag_max);
    needs.largest = std::max(needs.largest, whole(send.message));
    see(send.communicator);
    ++needs.sends;
  };
  auto steps = program.steps(me);
  while (const Step* step = steps.next()) {
    if (const auto* send = std::get_if<Send>(step)) see_send(*send);
    if (const auto* isend = std::get_if<Isend>(step)) see_send(isend->send);
    if (const auto* recv = std::get_if<Recv>(step)) see(recv->communicator);
    if (const auto* irecv = std::get_if<Irecv>(step)) see(irecv->recv.communicator);
    if (const auto* begin = std::get_if<CollectiveBegin>(step)) {
      if (whole(begin->call->bytes) > message_max - sizeof(double))
        throw InputError("{}: a collective of {} bytes, but MPI counts up to {}. Make it smaller?", program.name(),
                         whole(begin->call->bytes), message_max);
      needs.groups.emplace(begin->call->group.fingerprint(), begin->call->group);
      needs.largest = std::max(needs.largest, whole(begin->call->bytes));
    }
  }
  return needs;
}

}  // namespace orrery::mpi
