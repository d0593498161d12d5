/// Messages that wait for their turn at the sending adapter, which has q queues; each queue sends one at a time.
///
///   the i-th message that an adapter is to send joins queue i mod q and enters the wire as the one before it there ends
///
/// A message joins when only its wire remains: latency, handshake, staging and copies are over. Its turn ends when its
/// last byte is through, in all parts, and when the copies that run parallel to the wire (`copy-mode: pipelined`) end.
/// Messages without bytes do not wait. Messages that have their turn share links as usual: an adapter whose first q
/// messages leave by one link is as slow as that link, whatever the messages behind them need.
///
/// The segments of a stream that network switches reduce or multicast (`aggregation`) have a separate queue with q = 1:
/// they follow each other.
///
///   i        of one adapter, from 0
///   q    1   `send-queues` of the network (platforms/network_fields.cpp)
///
/// Source   Ajima et al., The Tofu Interconnect D, IEEE CLUSTER 2018: interfaces of a node that work through commands
/// Valid    of what is sent; what is received waits for nothing
/// Differs  libraries may give a message to a queue by its receiver instead of in turn
/// Checked  tests/replay/send_queues_test.cpp; validation/pico (all-to-alls of Fugaku)
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/engine/ids.hpp"

namespace orrery::engine {

class SendQueues {
 public:
  struct Waiting {
    MessageId message = no_message;
    double since = 0.0;
  };

  /// Whether the message has its turn, now or already before. If not, it waits until `end` returns it. `queues` is the
  /// number of queues of the adapter, the same at each call.
  bool has_turn(std::uint32_t adapter, std::uint32_t queues, MessageId message, double now) {
    if (adapter >= adapters_.size()) adapters_.resize(adapter + 1);
    Adapter& own = adapters_[adapter];
    if (own.queues.empty()) own.queues.resize(queues);
    if (std::ranges::find(own.queues, message, &Queue::served) != own.queues.end()) return true;
    Queue& queue = own.queues[own.next];
    own.next = (own.next + 1) % queues;
    if (queue.served != no_message) return queue.waiting.push_back({message, now}), false;
    queue.served = message;
    return true;
  }
  /// The turn of this message is over; returns the message whose turn it is now, if any.
  Waiting end(std::uint32_t adapter, MessageId message) {
    Queue& queue = *std::ranges::find(adapters_[adapter].queues, message, &Queue::served);
    Waiting next;
    if (queue.first < queue.waiting.size()) next = queue.waiting[queue.first++];
    if (queue.first == queue.waiting.size()) queue.waiting.clear(), queue.first = 0;
    queue.served = next.message;
    return next;
  }

 private:
  struct Queue {
    MessageId served = no_message;
    std::size_t first = 0;  ///< of those still waiting
    std::vector<Waiting> waiting;
  };
  struct Adapter {
    std::uint32_t next = 0;
    std::vector<Queue> queues;
  };
  std::vector<Adapter> adapters_;
};

}  // namespace orrery::engine
