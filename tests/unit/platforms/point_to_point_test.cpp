#include "platforms/point_to_point.hpp"

#include <doctest/doctest.h>

#include "platforms/frames.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

Platform example() {
  Platform platform;
  platform.name = "test";
  NodeType type;
  type.memory_bandwidth = 12_GBps;
  type.copy_bandwidth = 8_GBps;
  type.shared_memory_latency = 1_us;
  type.shared_memory.send_overhead = PiecewiseLinear(2e-6);
  type.shared_memory.receive_overhead = PiecewiseLinear(3e-6);
  type.shared_memory.eager = 4_KiB;
  platform.node_types = {type};
  platform.node_counts = {2};
  Network network;
  network.name = "net";
  network.bandwidth = 4_GBps;
  network.latency = 10_us;
  network.protocol.eager = 1_MiB;
  network.protocol.copies = {0, 0};
  network.protocol.bandwidth_factor = PiecewiseFactor({{0.0, 0.5}});
  platform.networks = {network};
  return platform;
}

PointToPoint over_network(const Platform& platform) {
  const auto routes = build_routes(platform, platform.networks[0]);
  return {platform, platform.networks[0], *routes, NodeId{0}, NodeId{1}};
}

/// Nodes of a socket and two GPUs on a switch of NVLink, each GPU beside a switch of PCI Express with an adapter.
Platform with_gpus() {
  Platform platform = example();
  NodeType& type = platform.node_types[0];
  type.gpus.resize(2);
  type.fabric.switches = {"nvswitch", "plx-0", "plx-1"};
  for (std::uint32_t gpu = 1; gpu < 3; ++gpu) {
    type.fabric.cables.push_back({ResourceKind::nvlink, gpu, 3, 100_GBps, 0.25_us});
    type.fabric.cables.push_back({ResourceKind::pcie, gpu, gpu + 3, 20_GBps, 0.2_us});
    type.fabric.cables.push_back({ResourceKind::pcie, gpu + 3, 0, 20_GBps, 0.3_us});
  }
  type.gpu_messages = GpuMessages{1_us, type.shared_memory};
  ChannelProperties& messages = type.gpu_messages->protocol;
  messages.send_overhead = messages.receive_overhead = PiecewiseLinear(0.5e-6);
  messages.copies = {0, 0};
  messages.handshake = 1;
  messages.wire_efficiency = PiecewiseFactor({{0.0, 0.8}});
  platform.networks[0].adapters.at = {{4, 5}};
  platform.networks[0].protocol.gpu_direct = true;
  return platform;
}

}  // namespace

TEST_SUITE("platforms/point_to_point") {
  TEST_CASE("A message between sockets takes the latency of their link and is copied no faster than that carries") {
    Platform platform = example();
    NodeType& type = platform.node_types[0];
    type.sockets = 2;
    type.fabric.cables.push_back({ResourceKind::upi, 0, 1, 5_GBps, 0.5_us});
    const PointToPoint inside(type), between = PointToPoint::between_sockets(type, FabricRoutes(type), 0, 1);
    CHECK(inside.latency() == near(1_us));
    CHECK(between.latency() == near(1.5_us));
    // 2 + 3 us of overheads; one copy at each end, of which the receiver's passes the link
    CHECK(between.time(2_KiB) == near(Seconds(6.5e-6 + 2048 / 8e9 + 2048 / 5e9)));
    const auto time = [&type](std::array<std::uint8_t, 2> copies) {
      type.shared_memory.copies = copies;
      return PointToPoint::between_sockets(type, FabricRoutes(type), 0, 1).time(2_KiB);
    };
    CHECK(time({1, 0}) == near(Seconds(6.5e-6 + 2048 / 5e9)));
    CHECK(time({0, 2}) == near(Seconds(6.5e-6 + 2048 / 8e9 + 2048 / 5e9)));
    type.shared_memory.bandwidth_factor = PiecewiseFactor(0.75);
    CHECK(time({0, 1}) == near(Seconds(6.5e-6 + 2048 / 5e9)));  // 6 GB/s of its own
    type.shared_memory.bandwidth_factor = PiecewiseFactor(0.5);
    CHECK(time({0, 1}) == near(Seconds(6.5e-6 + 2048 / 4e9)));
  }
  TEST_CASE("A message in shared memory pays overheads and latency and two copies") {
    const Platform platform = example();
    const PointToPoint pair(platform.node_types[0]);
    CHECK(pair.time(4000_B).si() == near(2e-6 + 1e-6 + 2 * 4000 / 8e9 + 3e-6, 1e-12));
    CHECK(pair.time(8000_B).si() == near(2e-6 + 3e-6 + 2 * 8000 / 8e9 + 3e-6, 1e-12));
    CHECK(pair.bandwidth(8000_B).si() == near(4e9));
  }
  TEST_CASE("Pipelined copies in one memory share it") {
    Platform platform = example();
    platform.node_types[0].shared_memory.copy_mode = CopyMode::pipelined;
    CHECK(PointToPoint(platform.node_types[0]).bandwidth(8000_B).si() == near(6e9));
    platform.node_types[0].sockets = 2;
    platform.node_types[0].numa_domain = NumaDomain::socket;
    CHECK(PointToPoint(platform.node_types[0]).bandwidth(8000_B).si() == near(3e9));
  }
  TEST_CASE("A message over a network is held back by the narrowest link and its factor") {
    Platform platform = example();
    CHECK(over_network(platform).latency() == 10_us);
    CHECK(over_network(platform).time(2000_B).si() == near(10e-6 + 2000 / 2e9, 1e-12));
    CHECK(over_network(platform).time(1_MiB).si() == near(30e-6 + 1048576 / 2e9, 1e-12));
  }
  TEST_CASE("One message moves at the efficiency of the wire or at its own limit if that is less") {
    Platform platform = example();
    platform.networks[0].protocol.wire_efficiency = PiecewiseFactor({{0.0, 0.8}});
    CHECK(over_network(platform).bandwidth(2000_B).si() == near(2e9));
    platform.networks[0].protocol.bandwidth_factor = {};
    CHECK(over_network(platform).bandwidth(2000_B).si() == near(3.2e9));
    CHECK(over_network(platform).time(2000_B).si() == near(10e-6 + 2000 / 3.2e9, 1e-12));
  }
  TEST_CASE("A message alone takes no less than one at the rate of its size") {
    Platform platform = example();
    platform.networks[0].adapters.message_rate = PiecewiseRate({{64.0, PerSecond{1e6}}, {3000.0, PerSecond{1e5}}});
    CHECK(over_network(platform).time(63_B).si() == near(10e-6 + 63 / 2e9, 1e-12));  // any number
    CHECK(over_network(platform).time(64_B).si() == near(10e-6 + 1e-6, 1e-12));
    CHECK(over_network(platform).time(2999_B).si() == near(10e-6 + 2999 / 2e9, 1e-12));
    CHECK(over_network(platform).time(3000_B).si() == near(10e-6 + 1e-5, 1e-12));
  }
  TEST_CASE("Copies at the ends of a network add up or overlap") {
    Platform platform = example();
    platform.networks[0].protocol.copies = {1, 2};
    CHECK(over_network(platform).bandwidth(8000_B).si() == near(1 / (3 / 8e9 + 1 / 2e9)));
    platform.networks[0].protocol.copy_mode = CopyMode::pipelined;
    CHECK(over_network(platform).bandwidth(8000_B).si() == near(2e9));
    platform.networks[0].protocol.bandwidth_factor = {};
    platform.node_types[0].copy_bandwidth = 6_GBps;
    CHECK(over_network(platform).bandwidth(8000_B).si() == near(3e9));
  }
  TEST_CASE("A message between GPUs of a node goes over the widest way at the efficiency of its links") {
    Platform platform = with_gpus();
    const NodeType& type = platform.node_types[0];
    const PointToPoint pair(type, FabricRoutes(type), 0, 1);
    CHECK(pair.latency().si() == near(1e-6 + 2 * 0.25e-6));
    CHECK(pair.time(1000_B).si() == near(0.5e-6 + 1.5e-6 + 1000 / (0.8 * 100e9) + 0.5e-6, 1e-12));
    CHECK(pair.time(1_MiB).si() == near(0.5e-6 + 3e-6 + 1048576 / (0.8 * 100e9) + 0.5e-6, 1e-12));
  }
  TEST_CASE("A message between GPUs of two nodes leaves by the adapter beside its GPU") {
    Platform platform = with_gpus();
    const auto routes = build_routes(platform, platform.networks[0]);
    const auto pair = [&](std::uint32_t from, std::uint32_t to) {
      return PointToPoint(platform, platform.networks[0], *routes, PointToPoint::GpuOfNode{NodeId{0}, from},
                          PointToPoint::GpuOfNode{NodeId{1}, to});
    };
    CHECK(pair(0, 0).latency().si() == near(10e-6 + 2 * 0.2e-6));  // over a switch of PCI Express at each end
    CHECK(pair(1, 0).latency().si() == near(10e-6 + 2 * 0.2e-6));
    platform.networks[0].adapters.affinity = {{{1, {1}}, {2, {0}}}};  // GPU 0 is to use adapter 1: over NVLink
    CHECK(pair(0, 1).latency().si() > 10.5e-6);
  }
  TEST_CASE("Through first-in-first-out ports a message pays its headers and its last frame twice") {
    Platform platform = example();
    ChannelProperties& protocol = platform.networks[0].protocol;
    protocol.bandwidth_factor = {};
    protocol.discipline = Discipline::fifo;
    protocol.frame = 1000_B;
    protocol.frame_header = 100_B;
    protocol.handshake = 2;
    platform.networks[0].nics = {{4_GBps, 10_us}, {2_GBps, 10_us}};
    CHECK(over_network(platform).time(2000_B).si() == near(10e-6 + 2200 / 2e9 + 1100 / 4e9, 1e-12));
    CHECK(over_network(platform).time(2_MiB).si() ==
          near(30e-6 + 2 * (100 / 2e9 + 100 / 4e9) + (2097152 + 2098 * 100) / 2e9 + 1100 / 4e9, 1e-12));
  }
  TEST_CASE("The header of a message travels in its frames and may need one more") {
    ChannelProperties channel;
    channel.frame = 1000_B;
    channel.frame_header = 100_B;
    channel.message_header = 24_B;
    CHECK(bytes_on_wire(channel, 0_B) == 124_B);
    CHECK(bytes_on_wire(channel, 976_B) == 1100_B);
    CHECK(bytes_on_wire(channel, 977_B) == 1201_B);
    CHECK(bytes_stored(channel, 1_B) == 125_B);
    CHECK(bytes_stored(channel, 5000_B) == 1100_B);
  }
}
