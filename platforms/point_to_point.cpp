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
      memory_{type.domain_bandwidth(), type.domain_bandwidth()},
      shared_memory_(true) {}

PointToPoint PointToPoint::between_sockets(const NodeType& type, const FabricRoutes& inside, std::uint32_t from,
                                           std::uint32_t to) {
  PointToPoint pair(type);
  for (const std::uint32_t link : inside.route(from, to)) {
    const Fabric::Cable& cable = inside.fabric().cables[link / 2];
    pair.memory_latency_ += cable.latency;
    if (pair.last_copy_ == BytesPerSecond{} || cable.bandwidth < pair.last_copy_) pair.last_copy_ = cable.bandwidth;
  }
  return pair;
}

PointToPoint::PointToPoint(const NodeType& type, const FabricRoutes& inside, std::uint32_t from, std::uint32_t to)
    : protocol_(&type.gpu_messages->protocol),
      copy_{type.copy_bandwidth, type.copy_bandwidth},
      memory_{type.domain_bandwidth(), type.domain_bandwidth()} {
  wire_ = Wire{1, Bytes{}, type.gpu_messages->latency, {}, {}};
  for (const std::uint32_t link : inside.route(inside.gpu(from), inside.gpu(to))) {
    const Fabric::Cable& cable = inside.fabric().cables[link / 2];
    wire_.latency += cable.latency;
    if (wire_.narrowest == BytesPerSecond{} || cable.bandwidth < wire_.narrowest) wire_.narrowest = cable.bandwidth;
  }
  wire_.share = wire_.narrowest;
}

namespace {

std::vector<std::uint32_t> adapters_at(const Platform& platform, const Network& network, NodeId node) {
  return network.adapters.at.empty() ? std::vector<std::uint32_t>{0} : network.adapters.at[platform.type_of(node)];
}

/// Adapters in the order in which a rank uses them: those nearest to where it is, by number, from its `turn`th of
/// equally near ones on.
std::vector<std::uint32_t> in_order(const FabricRoutes& inside, const std::vector<std::uint32_t>& at,
                                    std::uint32_t element, std::uint32_t turn) {
  std::vector<std::uint32_t> order(at.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto distance = [&](std::uint32_t k) { return inside.distance(element, at[k]); };
  std::ranges::stable_sort(order, {}, distance);
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::uint32_t k) { return distance(*first) < distance(k); });
    std::rotate(first, first + turn % (last - first), last);
    first = last;
  }
  return order;
}

}  // namespace

PointToPoint::End PointToPoint::socket_end(const Platform& platform, const Network& network, const Routes& routes,
                                           NodeId node) {
  const FabricRoutes& inside = routes.inside(node);
  const auto at = adapters_at(platform, network, node);
  const std::uint32_t socket = inside.home(at.front());
  return {node, socket, in_order(inside, at, socket, 0)};
}

PointToPoint::End PointToPoint::gpu_end(const Platform& platform, const Network& network, const Routes& routes,
                                        GpuOfNode of) {
  const FabricRoutes& inside = routes.inside(of.node);
  const std::uint32_t gpu = inside.gpu(of.gpu);
  End end{of.node, gpu, in_order(inside, adapters_at(platform, network, of.node), gpu, of.gpu)};
  if (network.adapters.affinity.empty()) return end;
  const auto& affinity = network.adapters.affinity[platform.type_of(of.node)];
  if (const auto stated = affinity.find(gpu); stated != affinity.end()) {
    std::erase_if(end.order,
                  [&](std::uint32_t k) { return std::ranges::find(stated->second, k) != stated->second.end(); });
    end.order.insert(end.order.begin(), stated->second.begin(), stated->second.end());
  }
  return end;
}

PointToPoint::PointToPoint(const Platform& platform, const Network& network, const Routes& routes, NodeId from,
                           NodeId to)
    : PointToPoint(platform, network, routes, socket_end(platform, network, routes, from),
                   socket_end(platform, network, routes, to)) {}

PointToPoint::PointToPoint(const Platform& platform, const Network& network, const Routes& routes, GpuOfNode from,
                           GpuOfNode to)
    : PointToPoint(platform, network, routes, gpu_end(platform, network, routes, from),
                   gpu_end(platform, network, routes, to)) {}

PointToPoint::PointToPoint(const Platform& platform, const Network& network, const Routes& routes, const End& from,
                           const End& to)
    : protocol_(&network.protocol), message_rate_(network.adapters.message_rate) {
  std::size_t number = 0;
  for (const End* end : {&from, &to}) {
    const NodeType& type = platform.node_types[platform.type_of(end->node)];
    copy_[number] = type.copy_bandwidth;
    memory_[number++] = type.domain_bandwidth();
    fastest_ = std::max(fastest_, network.nic(end->node).bandwidth);
  }
  const auto here = adapters_at(platform, network, from.node), there = adapters_at(platform, network, to.node);
  const auto way = [&](std::uint32_t part) {
    const std::uint32_t mine = from.order[part], its = to.order[part];
    std::vector<LinkId> links;
    routes.append_inside(from.node, from.element, here[mine], links);
    routes.append_route(routes.adapter(from.node, mine), routes.adapter(to.node, its), links);
    routes.append_inside(to.node, there[its], to.element, links);
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
      const LinkProperties link = routes.parameters(id);
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
    const PerSecond rated = message_rate_(m);
    add(rated > PerSecond{} && m > Bytes{} ? std::max(bytes_alone, 1.0 / rated.si()) : bytes_alone);
  }
  for (std::size_t end = 0; end < 2; ++end) {
    const double copies = protocol_->copies[end];
    double rate = std::min(copy_[end].si(), memory_[end].si());
    if (shared_memory_) rate *= factor;
    if (pipelined && copies > 0.0)
      rate = std::min({rate, copy_[end].si() / copies, memory_[end].si() / (shared_memory_ ? all_copies : copies)});
    for (int i = 0; i < protocol_->copies[end]; ++i) {
      const bool last = i + 1 == protocol_->copies[end] && (end == 1 || protocol_->copies[1] == 0);
      add(m.si() / (last && last_copy_ > BytesPerSecond{} ? std::min(rate, last_copy_.si()) : rate));
    }
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
