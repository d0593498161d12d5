#include "platforms/point_to_point.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "platforms/frames.hpp"

namespace orrery {

PointToPoint::PointToPoint(const NodeType& type)
    : protocol_(&type.shared_memory),
      memory_latency_(type.shared_memory_latency),
      copy_{type.copy_bandwidth, type.copy_bandwidth},
      memory_{type.memory_bandwidth, type.memory_bandwidth},
      shared_memory_(true) {}

namespace {

/// Adapters of a node in the order in which its rank uses them: those nearest to the socket of the first, by number.
std::vector<std::uint32_t> in_order(const FabricRoutes& inside, const std::vector<std::uint32_t>& at) {
  std::vector<std::uint32_t> order(at.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::uint32_t socket = inside.home(at.front());
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return inside.distance(socket, at[a]) < inside.distance(socket, at[b]);
  });
  return order;
}

}  // namespace

PointToPoint::PointToPoint(const Platform& platform, const Network& network, const Routes& routes, NodeId from,
                           NodeId to)
    : protocol_(&network.protocol), message_rate_(network.adapters.message_rate) {
  const NodeId ends[] = {from, to};
  std::vector<std::uint32_t> at[2], order[2];
  for (std::size_t end = 0; end < 2; ++end) {
    const std::uint32_t number = platform.type_of(ends[end]);
    at[end] = network.adapters.at.empty() ? std::vector<std::uint32_t>{0} : network.adapters.at[number];
    order[end] = in_order(routes.inside(ends[end]), at[end]);
    copy_[end] = platform.node_types[number].copy_bandwidth;
    memory_[end] = platform.node_types[number].memory_bandwidth;
    fastest_ = std::max(fastest_, network.nic(ends[end]).bandwidth);
  }
  const auto way = [&](std::uint32_t part) {
    const std::uint32_t mine = order[0][part], its = order[1][part];
    std::vector<LinkId> links;
    const FabricRoutes &here = routes.inside(from), &there = routes.inside(to);
    routes.append_inside(from, here.home(at[0].front()), at[0][mine], links);
    routes.append_route(routes.adapter(from, mine), routes.adapter(to, its), links);
    routes.append_inside(to, at[1][its], there.home(at[1].front()), links);
    return links;
  };
  wire_ = Wire{1, Bytes{}, {}, {}, {}};
  add(routes, {way(0)}, wire_);
  if (network.adapters.stripe_over < 2) return;
  std::vector<std::vector<LinkId>> ways;
  for (std::uint32_t part = 0; part < network.adapters.stripe_over; ++part) ways.push_back(way(part));
  striped_ = Wire{network.adapters.stripe_over, network.adapters.stripe_from, {}, {}, {}};
  add(routes, ways, striped_);
}

/// Each part has its share of the links that parts have in common.
void PointToPoint::add(const Routes& routes, const std::vector<std::vector<LinkId>>& ways, Wire& wire) {
  std::map<LinkId, double> users;
  for (const auto& links : ways)
    for (const LinkId id : links) users[id] += 1.0;
  for (const auto& links : ways) {
    Seconds latency;
    for (const LinkId id : links) {
      const LinkFigures link = routes.figures(id);
      latency += link.latency;
      const BytesPerSecond share = link.bandwidth / users.at(id);
      if (wire.share == BytesPerSecond{} || share < wire.share) wire.share = share;
      if (wire.narrowest == BytesPerSecond{} || link.bandwidth < wire.narrowest) wire.narrowest = link.bandwidth;
    }
    wire.latency = std::max(wire.latency, latency);
  }
}

/// Through two first-in-first-out ports, the second of which waits for the last frame.
Seconds PointToPoint::ports_time(Bytes m) const {
  return bytes_on_wire(*protocol_, m) / wire_.narrowest + bytes_stored(*protocol_, m) / fastest_;
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
  if (wire_.parts > 0 && protocol_->discipline == Discipline::fifo) {
    add(ports_time(m / protocol_->wire_efficiency(m)).si());
  } else if (wire_.parts > 0) {
    const Wire& wire = wire_for(m);
    double share = wire.share.si(), narrowest = wire.narrowest.si();
    if (protocol_->pair_limited(m)) {
      share = std::min(share, protocol_->pair_bandwidth.si() / wire.parts);
      narrowest = std::min(narrowest, protocol_->pair_bandwidth.si());
    }
    const double rate = std::min(protocol_->wire_efficiency(m) * share, factor * narrowest);
    const double bytes_alone = m.si() / wire.parts / rate;
    add(message_rate_ > PerSecond{} && m > Bytes{} ? std::max(bytes_alone, 1.0 / message_rate_.si()) : bytes_alone);
  }
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
  const bool ports = wire_.parts > 0 && protocol_->discipline == Discipline::fifo;
  return Seconds(protocol_->send_overhead(m)) + (ports ? handshakes * ports_time(Bytes{}) : Seconds{}) +
         (handshakes + protocol_->latency_factor(m)) * (shared_memory_ ? memory_latency_ : wire_for(m).latency) +
         flow_time(m) + Seconds(protocol_->receive_overhead(m));
}

BytesPerSecond PointToPoint::bandwidth(Bytes m) const {
  const Seconds time = flow_time(m);
  return time.si() > 0.0 ? m / time : BytesPerSecond(0.0);
}

}  // namespace orrery
