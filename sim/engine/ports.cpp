#include "sim/engine/ports.hpp"

#include <algorithm>
#include <functional>

#include "platforms/frames.hpp"

namespace orrery::replay {

Ports::Ports(const Network& network, std::uint32_t nodes) : channel_(network.protocol), out_(nodes), in_(nodes) {
  for (std::uint32_t node = 0; node < nodes; ++node)
    out_[node].rate = in_[node].rate = network.nic(NodeId{node}).bandwidth.si();
}

double Ports::on_wire(double bytes) const { return bytes_on_wire(channel_, Bytes{bytes}).si(); }

double Ports::send(double now, NodeId from, NodeId to, double wire_bytes, double latency) {
  Out& out = out_[index(from)];
  const double begin = std::max(now, out.free_at);
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

/// The queue as it is at this date.
void Ports::advance(In& port, double now) {
  const auto until = [&](double date) {
    port.queued = std::max(0.0, port.queued + (port.arriving - port.rate) * (date - port.at));
    port.at = date;
  };
  while (!port.changes.empty() && port.changes.front().at <= now) {
    std::pop_heap(port.changes.begin(), port.changes.end(), std::greater<>());
    const Change change = port.changes.back();
    port.changes.pop_back();
    until(change.at);
    port.sources += change.rate > 0.0 ? 1u : -1u;
    port.arriving = port.sources == 0 ? 0.0 : port.arriving + change.rate;
  }
  until(now);
}

double Ports::leave(double now, NodeId from, NodeId to, double bytes) {
  In& port = in_[index(to)];
  advance(port, now);
  const double last = bytes_stored(channel_, Bytes{bytes}).si();
  return now + port.queued / port.rate + last / std::max(port.rate, out_[index(from)].rate);
}

Use Ports::use_out(NodeId node) const {
  return {out_[index(node)].carried, out_[index(node)].carried / out_[index(node)].rate};
}
Use Ports::use_in(NodeId node) const {
  return {in_[index(node)].carried, in_[index(node)].carried / in_[index(node)].rate};
}

}  // namespace orrery::replay
