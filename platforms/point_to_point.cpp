#include "platforms/point_to_point.hpp"

#include <algorithm>

#include "platforms/frames.hpp"

namespace orrery {

PointToPoint::PointToPoint(const NodeType& type)
    : protocol_(&type.shared_memory),
      latency_(type.shared_memory_latency),
      copy_{type.copy_bandwidth, type.copy_bandwidth},
      memory_{type.memory_bandwidth, type.memory_bandwidth},
      shared_memory_(true) {}

PointToPoint::PointToPoint(const Platform& platform, const Network& network, const Routes& routes, NodeId from,
                           NodeId to)
    : protocol_(&network.protocol), latency_(routes.latency(from, to)), wire_(routes.bandwidth(from, to)) {
  const NodeId ends[] = {from, to};
  for (std::size_t end = 0; end < 2; ++end) {
    const NodeType& type = platform.node_types[platform.type_of(ends[end])];
    copy_[end] = type.copy_bandwidth;
    memory_[end] = type.memory_bandwidth;
    fastest_ = std::max(fastest_, network.adapter(ends[end]).bandwidth);
  }
}

/// Through two first-in-first-out ports, the second of which waits for the last frame.
Seconds PointToPoint::ports_time(Bytes m) const {
  return bytes_on_wire(*protocol_, m) / wire_ + bytes_stored(*protocol_, m) / fastest_;
}

Seconds PointToPoint::flow_time(Bytes m) const {
  const double factor = protocol_->bandwidth_factor(m);
  const bool pipelined = protocol_->copy_mode == CopyMode::pipelined;
  const double all_copies = protocol_->copies[0] + protocol_->copies[1];
  double total = 0.0, slowest = 0.0;
  const auto add = [&](double seconds) {
    total += seconds;
    slowest = std::max(slowest, seconds);
  };
  if (wire_.si() > 0.0 && protocol_->discipline == Discipline::fifo)
    add(ports_time(m / protocol_->wire_efficiency(m)).si());
  else if (wire_.si() > 0.0)
    add(m.si() / (std::min(factor, protocol_->wire_efficiency(m)) * wire_.si()));
  for (std::size_t end = 0; end < 2; ++end) {
    const double copies = protocol_->copies[end];
    double rate = std::min(copy_[end].si(), memory_[end].si());
    if (shared_memory_) rate *= factor;
    if (pipelined && copies > 0.0)
      rate = std::min({rate, copy_[end].si() / copies, memory_[end].si() / (shared_memory_ ? all_copies : copies)});
    for (int i = 0; i < protocol_->copies[end]; ++i) add(m.si() / rate);
  }
  return Seconds(pipelined ? slowest : total);
}

Seconds PointToPoint::time(Bytes m) const {
  const double handshakes = m >= protocol_->eager ? protocol_->handshake : 0.0;
  const bool ports = wire_.si() > 0.0 && protocol_->discipline == Discipline::fifo;
  return Seconds(protocol_->send_overhead(m)) + (ports ? handshakes * ports_time(Bytes{}) : Seconds{}) +
         (handshakes + protocol_->latency_factor(m)) * latency_ + flow_time(m) +
         Seconds(protocol_->receive_overhead(m));
}

BytesPerSecond PointToPoint::bandwidth(Bytes m) const {
  const Seconds time = flow_time(m);
  return time.si() > 0.0 ? m / time : BytesPerSecond(0.0);
}

}  // namespace orrery
