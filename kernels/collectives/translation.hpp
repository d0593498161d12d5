/// Translation of a member's actions into the steps for engines and models. Private to kernels/collectives.
#pragma once

#include <vector>

#include "kernels/collectives/algorithm.hpp"
#include "sim/core/fresh_buffer.hpp"
#include "sim/core/step.hpp"

namespace orrery::collectives {

inline constexpr std::uint32_t channel_bits = 16;  // of a tag, below those of the channel

/// Translates actions into steps.
struct Translation {
  CollectiveCall call;
  Tag tag;
  RequestId first_request;
  Bytes element;
  LocalWork local;  ///< of this member
  GpuProtocol protocol;
  Seconds launch;
  Bytes vector;  ///< of the whole collective: decides whether its data stay in caches

  /// Bytes of a message, including the protocol's flags.
  Bytes sent(const Data& data) const { return flagged(protocol) * size(data); }
  Bytes size(const Data& data) const { return static_cast<double>(data.elements) * element; }
  Rank rank(Member member) const { return call.group.rank(member); }
  Communicator communicator() const { return call.group.communicator(); }
  RequestId request(std::uint32_t number) const {
    return RequestId{static_cast<std::uint32_t>(first_request) + number};
  }
  Tag tag_of(const Action& action) const {
    return Tag{static_cast<std::uint32_t>(tag) ^ (action.channel << channel_bits)};
  }
  Send message(const Action& action) const {
    return {.to = rank(action.to),
            .message = sent(action.out),
            .tag = tag_of(action),
            .communicator = communicator(),
            .protocol = protocol,
            .in_switch = action.in_switch};
  }
  Step receive_step(const Action& action) const {
    return recv(rank(action.from), sent(action.in), tag, communicator());
  }
  Step send_step(const Action& action) const { return message(action); }
  Step start_receive_step(const Action& action) const {
    return irecv(rank(action.from), sent(action.in), tag_of(action), request(action.request), communicator());
  }
  Step start_send_step(const Action& action, std::uint32_t number) const {
    return Isend{message(action), request(number)};
  }
  /// Two operands are read and one result is written.
  Step combine_step(const Action& action) const {
    return local_step(Work::reduction, Flops(static_cast<double>(action.in.elements)), action, 3.0);
  }
  /// For the longest buffer and the total used size; both determine whether malloc gives the buffers back
  /// (platforms/local_work.hpp).
  Step fresh_step(const Action& action) const {
    const std::array<double, 3> shape{size(action.out).si(), vector.si(),
                                      action.several ? FreshBuffer::several : FreshBuffer::one};
    return compute(Work::fresh_buffer, Flops{}, shape, size(action.in));
  }
  Step first_sent_step(const Action& action) const {
    return compute(Work::fresh_buffer, Flops{}, {size(action.out).si(), vector.si(), FreshBuffer::block});
  }
  Step local_step(Work work, Flops flops, const Action& action, double accesses) const {
    const std::array<double, 3> shape{static_cast<double>(action.in.elements), vector.si(), 0.0};
    return compute(work, flops, shape, accesses * size(action.in));
  }
};

/// All lanes of a member in parallel: any lane that can continue does. Readers without a clock use their turns.
Generator<Step> play_lanes(std::vector<Generator<Action>> lanes, Nodes nodes, Translation to);

}  // namespace orrery::collectives
