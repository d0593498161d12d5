#include "platforms/loader.hpp"

#include <doctest/doctest.h>

#include <string>

#include "platforms/faults.hpp"
#include "platforms/routes.hpp"
#include "tests/support/platform_text.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::load;
using test::near;

namespace {

const std::string example = R"(name: mini
source: test
node-types:
  cpu:
    count: 4
    sockets: 2
    cores-per-socket: 3
    core-speed: {value: 10Gflop/s, source: datasheet}
    memory: {value: 8GiB, assumed: true}
    memory-bandwidth: 20GB/s
    copy-bandwidth: 5GB/s
    shared-memory:
      latency: 0.4us
      send-overhead: 0.2us
      receive-overhead: {value: [{from: 0B, time: 1us}, {from: 1KiB, time: 2us, then-per-byte: 1ns/B}], source: paper}
      eager: 4KiB
      handshake: 2
      copies: [1, 1]
    gpus:
      - model: G
        count: 2
        source: card
        speed: 500Gflop/s
        memory: 6GB
        memory-bandwidth: 150GB/s
        link-bandwidth: 8GB/s
        link-latency: 5us
networks:
  net:
    bandwidth: 8Gbps
    latency: 1us
    topology: {kind: star}
    protocol:
      send-overhead: 0.3us
      isend-overhead: 0.1us
      receive-overhead: 0.3us
      probe-overhead: 0.05us
      eager: 12KiB
      detach: 1KiB
      handshake: 1
      copies: [0, 2]
      copy-mode: pipelined
      unexpected-copy: 3GB/s
      latency-factor: [{from: 1KiB, factor: 2}]
      bandwidth-factor: 0.9
      wire-efficiency: [{from: 0B, factor: 0.5}, {from: 1KiB, factor: 0.95}]
      gpu-direct: true
)";

std::string refusal(const std::string& from, const std::string& to) { return test::refusal(example, from, to); }

}  // namespace

TEST_SUITE("platforms/loader") {
  TEST_CASE("Node types are read with their units") {
    const Platform platform = load(example);
    CHECK(platform.name == "mini");
    CHECK(platform.nodes() == 4);
    const NodeType& type = platform.node_types.at(0);
    CHECK(type.cores() == 6);
    CHECK(type.core_speed.si() == 10e9);
    CHECK(type.memory == Bytes(8.0 * 1024 * 1024 * 1024));
    CHECK(type.copy_bandwidth == 5_GBps);
    CHECK(type.shared_memory.send_overhead(1_MiB) == 0.2e-6);
    CHECK(type.shared_memory.isend_overhead(1_B) == 0.2e-6);
    CHECK(type.shared_memory.receive_overhead(512_B) == near(1.5e-6));
    CHECK(type.shared_memory.receive_overhead(2_KiB) == near(2e-6 + 1024e-9));
    CHECK(type.shared_memory.detach == 4_KiB);
    CHECK(type.shared_memory.copy_mode == CopyMode::sequential);
    REQUIRE(type.gpus.size() == 2);
    CHECK(type.gpus[1].link_bandwidth == 8_GBps);
  }
  TEST_CASE("A source of all networks or of all node types is no network and no node type") {
    for (const char* list : {"networks:\n", "node-types:\n"}) {
      for (const char* said : {"  source: a datasheet\n", "  assumed: typical\n"}) {
        std::string text = example;
        text.insert(text.find(list) + std::string(list).size(), said);
        CAPTURE(text);
        CHECK(load(text).networks.size() == 1);
        CHECK(load(text).node_types.size() == 1);
      }
    }
  }
  TEST_CASE("Every property of a protocol is read") {
    const Network network = load(example).networks.at(0);
    CHECK(network.bandwidth == 1_GBps);
    CHECK(network.link_bandwidth == 1_GBps);
    const ChannelProperties& protocol = network.protocol;
    CHECK(protocol.isend_overhead(1_B) == 0.1e-6);
    CHECK(protocol.probe_overhead.si() == near(0.05e-6));
    CHECK(protocol.eager == 12_KiB);
    CHECK(protocol.detach == 1_KiB);
    CHECK(protocol.handshake == 1);
    CHECK(protocol.handshake_request == 0);
    CHECK(protocol.copies[0] == 0);
    CHECK(protocol.copies[1] == 2);
    CHECK(protocol.copy_mode == CopyMode::pipelined);
    CHECK(protocol.unexpected_copy == 3_GBps);
    CHECK(protocol.latency_factor(1023_B) == 1.0);
    CHECK(protocol.latency_factor(1_KiB) == 2.0);
    CHECK(protocol.bandwidth_factor(0_B) == 0.9);
    CHECK(protocol.wire_efficiency(1023_B) == 0.5);
    CHECK(protocol.wire_efficiency(1_KiB) == 0.95);
    CHECK(protocol.gpu_direct);
  }
  TEST_CASE("Each parameter knows where it comes from") {
    const auto source = [](const std::string& parameter) {
      const Platform platform = load(example);
      for (const auto& entry : platform.provenance)
        if (entry.parameter == parameter) return entry.value + " | " + entry.source;
      return std::string("missing");
    };
    CHECK(source("node-types.cpu.core-speed") == "10Gflop/s | datasheet");
    CHECK(source("node-types.cpu.memory") == "8GiB | assumed");
    CHECK(source("node-types.cpu.copy-bandwidth") == "5GB/s | test");
    CHECK(source("node-types.cpu.gpus[1].speed") == "500Gflop/s | card");
    CHECK(source("node-types.cpu.shared-memory.receive-overhead") ==
          "[from 0B, time 1us, from 1KiB, time 2us, then-per-byte 1ns/B] | paper");
    CHECK(source("networks.net.protocol.copies") == "[0, 2] | test");
  }
  TEST_CASE("A parameter without a source is refused") {
    CHECK(refusal("source: test\nnode-types:\n", "node-types:\n") ==
          "p.yaml:1:1: the file has no 'source' (required). Add 'source: ...'?");
    CHECK(refusal("source: test\n", "source: \"\"\n") ==
          "p.yaml:2:9: 'source' is '' (a datasheet, paper or campaign expected). Who says so?");
    CHECK(refusal("assumed: true", "assumed: false") ==
          "p.yaml:9:36: 'assumed' is 'false' (true or the reason). Name a source instead?");
    CHECK(refusal("assumed: true", "assumed: true, source: me") ==
          "p.yaml:9:36: 'memory' has both a source and 'assumed' (only one is allowed). Remove one?");
  }
  TEST_CASE("Wrong parameters are refused with their place") {
    CHECK(refusal("sockets: 2", "sockets: 2\n    power: {idle: 300W, computing: 200W}") ==
          "p.yaml:7:36: 'computing' is 200 W, below 'idle' 300 W (work draws no less). Swap them?");
    CHECK(refusal("sockets: 2", "sockets: 2\n    power: {idle: 300, computing: 200W}") ==
          "p.yaml:7:19: 'idle' is '300' without a unit (W, kW, MW). Write '300W'?");
    CHECK(refusal("source: test\n", "source: test\nforwarding: 40us\n") ==
          "p.yaml:3:13: 'forwarding' is 40 us of the processors of one machine that emulates all nodes (there are "
          "none). Say "
          "how many: 'processors: 2'?");
    CHECK(refusal("source: test\n", "source: test\nprocessors: 2\nforwarding: 10us\nforwarding-next: 40us\n") ==
          "p.yaml:5:18: 'forwarding-next' is 40 us, above 'forwarding' 10 us (a switch that is awake has less to do). "
          "Swap "
          "them?");
    CHECK(refusal("latency: 1us", "latency: 1") ==
          "p.yaml:31:14: 'latency' is '1' without a unit (ns, us, ms, s, min, h). Write '1us'?");
    CHECK(refusal("copy-bandwidth: 5GB/s", "copy-bandwidth: 50GB/s") ==
          "p.yaml:11:21: 'copy-bandwidth' is 50 GB/s, above 'memory-bandwidth' 20 GB/s (one core copies no faster than "
          "the node). Swap them?");
    CHECK(refusal("copy-bandwidth: 5GB/s", "numa-domain: socket\n    copy-bandwidth: 15GB/s") ==
          "p.yaml:12:21: 'copy-bandwidth' is 15 GB/s, above the 10 GB/s that each of 2 sockets has of "
          "'memory-bandwidth' ('numa-domain: socket'). Lower it?");
    CHECK(refusal("copy-bandwidth: 5GB/s", "numa-domain: sockets\n    copy-bandwidth: 5GB/s") ==
          "p.yaml:11:18: 'numa-domain' is 'sockets' (known: node, socket). Did you mean 'socket'?");
    CHECK(refusal("detach: 1KiB", "detach: 16KiB") ==
          "p.yaml:39:15: 'detach' is 16 KiB, above 'eager' 12 KiB (at most that). Lower it?");
    CHECK(refusal("handshake: 1\n", "handshake: 1\n      handshake-request: 2\n") ==
          "p.yaml:41:26: 'handshake-request' is 2, above 'handshake' 1 (a part of that). Lower it?");
    CHECK(refusal("bandwidth-factor: 0.9", "discipline: fifo\n      progress: in-calls") ==
          "p.yaml:46:17: 'progress' is 'in-calls' beside 'discipline: fifo', whose handshakes queue at the ports by "
          "themselves (independent). Leave it out?");
    std::string polls = example;
    polls.replace(polls.find("source: test\n"), 13, "source: test\nprocessors: 2\n");
    polls.replace(polls.find("    sockets: "), 0, "    waiting: polls\n");
    try {
      load(polls);
      FAIL("ranks that take turns until they wait cannot poll");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()) ==
            "p.yaml:3:13: 'processors' of one machine that emulates all nodes beside 'waiting: polls' (its ranks take "
            "turns, each until it waits). Leave one of them out?");
    }
    CHECK(refusal("copies: [0, 2]", "copies: [0, 3]") ==
          "p.yaml:41:19: 'copies[2]' is '3' outside 0..2. Choose a value in that range?");
    CHECK(refusal("copies: [0, 2]", "copies: [0]") ==
          "p.yaml:41:15: 'copies' has 1 numbers (two: sender's and receiver's end). Write '[1, 1]'?");
    CHECK(refusal("bandwidth-factor: 0.9", "bandwidth-factor: 1.2") ==
          "p.yaml:45:25: 'bandwidth-factor' is '1.2' outside 0.001..1. Choose a value in that range?");
    CHECK(refusal("factor: 0.95}", "factor: 0}") ==
          "p.yaml:46:71: 'factor' is '0' outside 0.001..1. Choose a value in that range?");
    CHECK(refusal("wire-efficiency: [{from: 0B, factor: 0.5}, {from: 1KiB, factor: 0.95}]", "wire-efficiency: -1") ==
          "p.yaml:46:24: 'wire-efficiency' is '-1' outside 0.001..1. Choose a value in that range?");
    CHECK(refusal("      receive-overhead: {value", "      wire-efficiency: 0.9\n      receive-overhead: {value")
              .find("p.yaml:15:7: 'shared-memory' has an unknown key 'wire-efficiency'") == 0);
    CHECK(refusal("{from: 1KiB, time: 2us", "{from: 0B, time: 2us") ==
          "p.yaml:15:64: 'from' is '0B' not above the breakpoint before it (breakpoints increase). Sort the list?");
    CHECK(
        refusal("sockets: 2", "socket: 2") ==
        "p.yaml:6:5: 'cpu' has an unknown key 'socket' (known: assumed, copy-bandwidth, core-speed, cores-per-socket, "
        "count, fabric, gpu-messages, gpus, local-work, memory, memory-bandwidth, names, numa-domain, power, "
        "power-cap, price, "
        "shared-memory, "
        "sockets, "
        "source, time-sharing-overhead, waiting). Did you mean 'sockets'?");
    CHECK(refusal("sockets: 2", "power-cap: 5kW\n    sockets: 2") ==
          "p.yaml:6:16: 'power-cap' is 5 kW, and the node states no 'power' (a cap slows by what it draws). Add it?");
    CHECK(refusal("  cpu:", "  CPU:") ==
          "p.yaml:5:5: name 'CPU' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?");
    CHECK(refusal("count: 4", "count: 0") ==
          "p.yaml:5:12: 'count' is '0' outside 1..4194304. Choose a value in that range?");
    CHECK(refusal("count: 2", "count: 7") ==
          "p.yaml:20:7: 7 GPUs, but 6 cores (a GPU process holds one core). Fewer GPUs?");
  }
  TEST_CASE("A topology of groups says what its links between groups take beyond others") {
    std::string groups = example;
    groups.replace(groups.find("{kind: star}"), 12,
                   "{kind: dragonfly, groups: 2, routers: 2, nodes: 1, global-links: 1, global-latency: 900ns}");
    const Platform platform = load(groups);
    CHECK(std::get<DragonflyTopology>(platform.networks[0].topology).global_latency.si() == near(900e-9));
  }
  TEST_CASE("Wrong topologies are refused with their place") {
    const auto with = [](const std::string& topology) { return refusal("{kind: star}", topology); };
    CHECK(with("{kind: ring}") ==
          "p.yaml:32:22: 'kind' is 'ring' (known: dragonfly, dragonfly-plus, fat-tree, graph, star, torus).");
    CHECK(with("{kind: star, down: [4]}") ==
          "p.yaml:32:28: 'down' is of kind fat-tree, and 'kind' is star. Remove it?");
    CHECK(with("{kind: torus, dimensions: [4], nodes: 1}") ==
          "p.yaml:32:46: 'nodes' is of kind dragonfly, graph, dragonfly-plus, and 'kind' is torus. Remove it?");
    CHECK(with("{kind: torus, dimensions: [4], global-latency: 1us}") ==
          "p.yaml:32:46: 'global-latency' is of kind dragonfly, dragonfly-plus, and 'kind' is torus. Remove it?");
    CHECK(with("{kind: torus, dimensions: [3]}") ==
          "p.yaml:32:41: network 'net' has 3 places, but the platform has 4 nodes (each needs a place). Enlarge its "
          "topology?");
    CHECK(
        with("{kind: fat-tree, down: [2, 2], up: [1]}") ==
        "p.yaml:32:50: 'down' has 2 levels, 'up' 1 and 'parallel' 2 (they must be equal). Give one number per level?");
    CHECK(with("{kind: fat-tree, down: [2, 2], up: [2, 1]}") ==
          "p.yaml:32:50: a node has 2 x 1 links to leaf switches (adapters are places of their own, so 1 x 1). Write 1 "
          "and "
          "1, and 'adapters: 2' in the network, or 2 times its 'bandwidth' where all of them share every message?");
    CHECK(with("{kind: torus, dimensions: [65536, 65536]}") ==
          "p.yaml:32:22: 67108865 places are more than 67108864 (the limit). Use smaller counts?");
    CHECK(with("{kind: dragonfly, groups: 4, routers: 2, nodes: 1, global-links: 1}") ==
          "p.yaml:32:80: 4 groups need 3 global links per group, but 2 routers x 1 give 2 (at least one to each other "
          "group). Add global links?");
    CHECK(with("{kind: graph, switches: [a], nodes: {b: 0-3}}") ==
          "p.yaml:32:55: unknown switch 'b' (known: a). Did you mean 'a'?");
    CHECK(with("{kind: graph, switches: [a], nodes: {a: 0-2}}") ==
          "p.yaml:32:51: node 3 is attached to no switch (all of 0..3 are). Add it to 'nodes'?");
    CHECK(with("{kind: graph, switches: [a], nodes: {a: [0-2, 2-3]}}") ==
          "p.yaml:32:61: 'a[2]' is '2-3' but node 2 is attached already (once each). Remove one?");
    CHECK(with("{kind: graph, switches: [a], nodes: {a: 0-4}}") ==
          "p.yaml:32:55: 'a' is '0-4' outside the nodes 0..3, or backwards. Write '0-3'?");
  }
  TEST_CASE("A graph topology is read and routed") {
    std::string text = example;
    text.replace(text.find("{kind: star}"), 12,
                 "{kind: graph, switches: [a, b], nodes: {a: [0, 2-3], b: 1},"
                 " links: [{between: [a, b], bandwidth: 4Gbps, latency: 100ns}]}");
    const Platform platform = load(text);
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(routes->route(NodeId{0}, NodeId{2}).size() == 2);
    CHECK(routes->latency(NodeId{0}, NodeId{1}).si() == near(1.1e-6));
    CHECK(routes->bandwidth(NodeId{3}, NodeId{1}) == 0.5_GBps);
  }
  TEST_CASE("A network that is first in first out has frames and acknowledgements and one switch") {
    std::string text = example;
    text.replace(text.find("bandwidth-factor: 0.9"), 21,
                 "discipline: fifo\n      frame: 1448B\n      frame-header: 90B\n      message-header: 24B\n      "
                 "acknowledgement: 3%\n      "
                 "overhead-variation: 0.2");
    const ChannelProperties protocol = load(text).networks.at(0).protocol;
    CHECK(protocol.discipline == Discipline::fifo);
    CHECK(protocol.frame == 1448_B);
    CHECK(protocol.frame_header == 90_B);
    CHECK(protocol.message_header == 24_B);
    CHECK(protocol.acknowledgement == near(0.03));
    CHECK(protocol.overhead_variation == near(0.2));
    CHECK(load(example).networks.at(0).protocol.discipline == Discipline::fair);
    CHECK(refusal("gpu-direct: true", "discipline: fifo") ==
          "p.yaml:45:25: 'bandwidth-factor' beside 'discipline: fifo' (a message has the port to itself while it goes "
          "out). Leave it out?");
    text.replace(text.find("{kind: star}"), 12, "{kind: torus, dimensions: [4]}");
    try {
      load(text);
      FAIL("a torus is taken for one switch");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()) ==
            "p.yaml:45:19: 'discipline' is fifo (only for topology star: one switch). Use fair?");
    }
  }
  TEST_CASE("A network says what messages that cannot go on do to others") {
    CHECK(load(example).networks.at(0).congestion == Congestion::ideal);
    std::string text = example;
    text.replace(text.find("    topology:"), 0, "    congestion: head-of-line\n");
    CHECK(load(text).networks.at(0).congestion == Congestion::head_of_line);
    CHECK(refusal("    topology:", "    congestion: blocking\n    topology:") ==
          "p.yaml:32:17: 'congestion' is 'blocking' (known: head-of-line, ideal).");
    text.replace(text.find("bandwidth-factor: 0.9"), 21, "discipline: fifo");
    try {
      load(text);
      FAIL("ports have lines of their own");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()) ==
            "p.yaml:46:19: 'discipline' is fifo beside 'congestion: head-of-line' (its ports have lines of their own, "
            "without bounds). Leave one of the two out?");
    }
  }
  TEST_CASE("Messages progress in calls and waiting ranks poll where a platform says so") {
    CHECK(load(example).networks.at(0).protocol.progress == MessageProgress::independent);
    CHECK(load(example).node_types.at(0).waiting == Waiting::blocks);
    std::string text = example;
    text.replace(text.find("bandwidth-factor: 0.9"), 0, "progress: in-calls\n      ");
    text.replace(text.find("    sockets: "), 0, "    waiting: polls\n");
    CHECK(load(text).networks.at(0).protocol.progress == MessageProgress::in_calls);
    CHECK(load(text).node_types.at(0).waiting == Waiting::polls);
  }
  TEST_CASE("Sockets have equal parts of a node's memory bandwidth where a platform says so") {
    CHECK(load(example).node_types.at(0).domain_bandwidth() == 20_GBps);
    std::string text = example;
    text.replace(text.find("    copy-bandwidth: "), 0, "    numa-domain: socket\n");
    const NodeType type = load(text).node_types.at(0);
    CHECK(type.domain_bandwidth() == 10_GBps);
    CHECK(type.numa_domains() == 2);
    text.replace(text.find("    sockets: 2"), 14, "    sockets: 1");
    CHECK(load(text).node_types.at(0).domain_bandwidth() == 20_GBps);
  }
  TEST_CASE("Adapters may differ by the type of their nodes") {
    std::string text = example;
    text.replace(text.find("    topology:"), 0, "    nic: {cpu: {bandwidth: 4Gbps, latency: 3us}}\n");
    const Platform platform = load(text);
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(routes->bandwidth(NodeId{0}, NodeId{1}) == 0.5_GBps);
    CHECK(routes->latency(NodeId{0}, NodeId{1}).si() == near(3e-6));
    CHECK(platform.networks[0].bandwidth == 1_GBps);
    CHECK(refusal("    topology:", "    nic: {gpu: {bandwidth: 4Gbps}}\n    topology:") ==
          "p.yaml:32:16: unknown type of node 'gpu' (known: cpu). Did you mean 'cpu'?");
  }
  TEST_CASE("A platform may be emulated on a machine of few processors") {
    std::string text = example;
    text.insert(text.find("node-types:"), "processors: 2\n");
    CHECK(load(text).processors == 2);
    CHECK(load(example).processors == 0);
  }
}
