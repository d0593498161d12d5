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

}  // namespace

TEST_SUITE("platforms/point_to_point") {
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
