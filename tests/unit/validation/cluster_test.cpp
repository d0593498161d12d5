// The switch of an emulated cluster in virtual time, and what cannot be emulated. Times in us.
#include <doctest/doctest.h>

#include <tuple>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/relative.hpp"
#include "validation/cluster/plan.hpp"
#include "validation/cluster/switch.hpp"

using namespace orrery;
using cluster::Frame;
using cluster::Port;
using cluster::Switch;
using test::near;

namespace {

constexpr double us = 1e-6;
/// 100 bytes on the wire: 1 us at 100 MB/s.
const Frame frame(76);

struct Delivered {
  std::size_t to;
  double at_us;
};

std::vector<Delivered> run(Switch& wires) {
  std::vector<Delivered> delivered;
  while (wires.next_s() < 1.0)
    wires.advance(wires.next_s(), [&](std::size_t to, const Frame&, double due_s) {
      delivered.push_back({to, due_s / us});
    });
  return delivered;
}

std::vector<Port> ports(std::size_t count) { return std::vector<Port>(count, {100e6, 10 * us}); }

void refused(const Platform& platform, const char* message) {
  CHECK_THROWS_WITH_AS(cluster::plan_of(platform, platform.networks[0]), message, InputError);
}

}  // namespace

TEST_SUITE("validation/cluster") {
  TEST_CASE("One frame takes its two transmissions and the latency between them") {
    Switch wires(ports(2));
    CHECK(wires.next_s() > 1e9);
    wires.enter(0, 1, frame, 5 * us);
    const auto delivered = run(wires);
    REQUIRE(delivered.size() == 1);
    CHECK(delivered[0].to == 1);
    CHECK(delivered[0].at_us == near(5.0 + 1.0 + 10.0 + 1.0));
  }

  TEST_CASE("Frames of one port follow each other at its rate") {
    Switch wires(ports(3));
    wires.enter(0, 1, frame, 0.0);
    wires.enter(0, 2, frame, 0.0);
    wires.enter(0, 1, frame, 0.0);
    const auto delivered = run(wires);
    REQUIRE(delivered.size() == 3);
    CHECK(delivered[0].at_us == near(12.0));
    CHECK(delivered[1].at_us == near(13.0));
    CHECK(delivered[1].to == 2);
    CHECK(delivered[2].at_us == near(14.0));
  }

  TEST_CASE("Frames to one port queue there first in first out") {
    Switch wires(ports(4));
    for (const std::size_t from : {2u, 0u, 1u}) wires.enter(from, 3, frame, 0.0);
    const auto delivered = run(wires);
    REQUIRE(delivered.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(delivered[i].at_us == near(12.0 + static_cast<double>(i)));
    CHECK(wires.dropped() == 0);
  }

  TEST_CASE("Each port has its own rate and latency") {
    Switch wires({{100e6, 10 * us}, {50e6, 20 * us}});
    wires.enter(0, 1, frame, 0.0);
    CHECK(run(wires)[0].at_us == near(1.0 + (10.0 + 20.0) / 2 + 2.0));
    wires.enter(1, 0, frame, 100 * us);
    CHECK(run(wires)[0].at_us == near(100.0 + 2.0 + (10.0 + 20.0) / 2 + 1.0));
  }

  TEST_CASE("What does not fit into the queue of a downlink is dropped") {
    Switch wires(ports(4), 2 * frame.size());
    for (const std::size_t from : {0u, 1u, 2u}) wires.enter(from, 3, frame, 0.0);
    CHECK(run(wires).size() == 2);
    CHECK(wires.dropped() == 1);
    wires.enter(0, 3, frame, 50 * us);
    CHECK(run(wires).size() == 1);
  }

  TEST_CASE("A plan has the nodes with names and addresses and cores of the platform") {
    Platform platform = test::platform_of(3, StarTopology{});
    platform.networks[0].bandwidth = BytesPerSecond(12.5e6);
    platform.node_types[0].cores_per_socket = 2;
    const auto plan = cluster::plan_of(platform, platform.networks[0]);
    REQUIRE(plan.nodes.size() == 3);
    CHECK(plan.nodes[2].name == "node-2");
    CHECK(plan.nodes[2].slots == 2);
    CHECK(plan.nodes[2].port.bytes_per_s == near(12.5e6));
    CHECK(plan.nodes[2].port.latency_s == near(2e-6));
    CHECK(cluster::address_of(2) == "10.111.0.3");
  }

  TEST_CASE("What one machine cannot emulate is refused") {
    Platform platform = test::platform_of(3, TorusTopology{{3}});
    platform.file = "p.yaml";
    refused(platform, "p.yaml: network 'net' is no star (an emulated cluster has one switch). Choose another network?");
    platform = test::platform_of(251, StarTopology{});
    platform.file = "p.yaml";
    refused(platform, "p.yaml: 251 nodes are more than 250, the most of an emulated cluster. Use fewer?");
    platform = test::platform_of(3, StarTopology{});
    platform.file = "p.yaml";
    refused(platform,
            "p.yaml: network 'net' has 10 GB/s, but one machine keeps up with 1 Gb/s at most (200 Mb/s for times to be "
            "trusted). Slow it down?");
  }

  TEST_CASE("A node whose type has an adapter of its own gets a port of that rate and latency") {
    Platform platform = test::platform_of(2, StarTopology{});
    platform.networks[0].bandwidth = BytesPerSecond(12.5e6);
    platform.networks[0].nics = {{BytesPerSecond(12.5e6), Seconds(2e-4)}, {BytesPerSecond(5e6), Seconds(6e-4)}};
    const auto plan = cluster::plan_of(platform, platform.networks[0]);
    CHECK(plan.nodes[1].port.bytes_per_s == 5e6);
    Switch wires({plan.nodes[0].port, plan.nodes[1].port});
    wires.enter(0, 1, frame, 0.0);
    const auto delivered = run(wires);
    REQUIRE(delivered.size() == 1);
    CHECK(delivered[0].at_us == near(8.0 + 400.0 + 20.0));
  }
}
