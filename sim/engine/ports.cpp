#include "sim/engine/ports.hpp"

#include <algorithm>
#include <functional>

#include "platforms/frames.hpp"

namespace orrery::engine {

Ports::Ports(const Network& network, std::uint32_t nodes, Loads& loads)
    : loads_(loads), channel_(network.protocol), out_(nodes), in_(nodes) {
  for (std::uint32_t node = 0; node < nodes; ++node)
    out_[node].rate = in_[node].rate = network.nic(NodeId{node}).bandwidth.si();
}

double Ports::on_wire(double bytes) const { return bytes_on_wire(channel_, Bytes{bytes}).si(); }

double Ports::send(double now, NodeId from, NodeId to, double wire_bytes, double latency) {
  Out& out = out_[index(from)];
  const double begin = std::max(now, out.free_at);
  if (begin > out.free_at) {
    told_out(from, out.free_at);
    out.busy_from = begin;
  }
  out.free_at = begin + wire_bytes / out.rate;
  out.carried += wire_bytes;
  In& in = in_[index(to)];
  in.carried += wire_bytes;
  for (const Change& change : {Change{begin + latency, out.rate}, Change{out.free_at + latency, -out.rate}}) {
    in.changes.push_back(change);
    std::push_heap(in.changes.begin(), in.changes.end(), std::greater<>());
  }
  return out.free_at + latency;
}

double Ports::enter(double now, NodeId from, NodeId to, double bytes, double latency) {
  const double end = send(now, from, to, on_wire(bytes), latency);
  if (channel_.acknowledgement > 0.0) send(now, to, from, channel_.acknowledgement * bytes, latency);
  return end;
}

/// Outgoing, up to this date.
void Ports::told_out(NodeId node, double until) {
  Out& out = out_[index(node)];
  if (!(until > out.busy_from)) return;
  if (!ended_)
    loads_.carried(ResourceId{static_cast<std::uint32_t>(node)}, out.rate * (until - out.busy_from), out.busy_from,
                   until);
  out.busy_from = until;
}

/// Up to this date, at the rate at which bytes arrive now.
void Ports::forward(NodeId node, double until) {
  In& port = in_[index(node)];
  const double grows = port.arriving - port.rate, left = port.queued + grows * (until - port.at);
  const double empty_at = grows < 0.0 ? std::min(until, port.at - port.queued / grows) : until;
  const auto carried = [&](double rate, double from, double to) {
    const ResourceId link{nodes() + static_cast<std::uint32_t>(node)};
    if (!ended_ && rate > 0.0 && to > from) loads_.carried(link, rate * (to - from), from, to);
  };
  carried(port.rate, port.at, empty_at);
  carried(port.arriving, empty_at, until);
  port.queued = std::max(0.0, left);
  port.at = until;
}

/// The queue as it is at this date.
void Ports::advance(NodeId node, double now) {
  In& port = in_[index(node)];
  while (!port.changes.empty() && port.changes.front().at <= now) {
    std::pop_heap(port.changes.begin(), port.changes.end(), std::greater<>());
    const Change change = port.changes.back();
    port.changes.pop_back();
    forward(node, change.at);
    port.sources += change.rate > 0.0 ? 1u : -1u;
    port.arriving = port.sources == 0 ? 0.0 : port.arriving + change.rate;
  }
  forward(node, now);
}

double Ports::leave(double now, NodeId from, NodeId to, double bytes) {
  advance(to, now);
  const In& port = in_[index(to)];
  const double last = bytes_stored(channel_, Bytes{bytes}).si();
  return now + port.queued / port.rate + last / std::max(port.rate, out_[index(from)].rate);
}

void Ports::end(double now) {
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    told_out(NodeId{node}, std::min(now, out_[node].free_at));
    advance(NodeId{node}, now);
  }
  ended_ = true;
}

Use Ports::use_out(NodeId node) const {
  return {out_[index(node)].carried, out_[index(node)].carried / out_[index(node)].rate};
}
Use Ports::use_in(NodeId node) const {
  return {in_[index(node)].carried, in_[index(node)].carried / in_[index(node)].rate};
}

}  // namespace orrery::engine
