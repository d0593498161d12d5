/// Every node's network card carries one message at a time, in or out: the busiest node is the time.
///
///   T = max over nodes n of  sum over messages from and to n of (alpha + m / B)
///
///   m      Bytes           B    message to another node
///   alpha  Seconds         s    latency of the network
///   B      BytesPerSecond  B/s  bandwidth of a node's card
///
/// Source   an example
/// Checked  tests/architecture/consumer.cmake
#include <algorithm>
#include <string>

#include "models/model.hpp"

namespace orrery {

namespace {

class OneCard final : public PhaseModel {
 public:
  OneCard(const Platform& platform, const Network& network)
      : nodes_(platform.nodes()), alpha_(network.latency), bandwidth_(network.bandwidth) {}

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    std::vector<Seconds> busy(nodes_);
    for (const Message& message : phase.messages) {
      if (layout.same_node(message.from, message.to)) continue;
      const Seconds time = static_cast<double>(message.repeat) * alpha_ + message.size / bandwidth_;
      for (const Rank end : {message.from, message.to}) busy[index(layout.of(end).node)] += time;
    }
    const auto busiest = std::ranges::max_element(busy);
    if (steps != nullptr)
      steps->push_back({"all messages of node " + std::to_string(busiest - busy.begin()), *busiest});
    return *busiest;
  }

 private:
  std::uint32_t nodes_;
  Seconds alpha_;
  BytesPerSecond bandwidth_;
};

const bool entered = models().add({
    .name = "one-card",
    .summary = "the busiest node's card, one message at a time",
    .source = "an example",
    .page = "T = max over nodes of the sum over its messages of (alpha + m / B)",
    .assumptions = {"a card carries one message at a time, in or out", "messages within a node cost nothing"},
    .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
      return std::make_unique<OneCard>(input.platform, input.network);
    },
});

}  // namespace

}  // namespace orrery
