// What a platform file says of the inside of nodes, adapters and routing.
#include <doctest/doctest.h>

#include <string>

#include "platforms/node_choice.hpp"
#include "platforms/routes.hpp"
#include "sim/core/error.hpp"
#include "tests/support/platform_text.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::load;
using test::near;

namespace {

const std::string example = R"(name: pod
source: test
node-types:
  gpu-node:
    count: 8
    sockets: 2
    cores-per-socket: 8
    core-speed: 10Gflop/s
    memory: 8GiB
    memory-bandwidth: 20GB/s
    copy-bandwidth: 5GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 2, copies: [1, 1]}
    gpus: [{count: 4, model: G, speed: 1Tflop/s, memory: 6GB, memory-bandwidth: 1TB/s}]
    fabric:
      - {link: upi, among: sockets, bandwidth: 40GB/s, latency: 0.1us}
      - {link: pcie, between: [sockets, plx-0..1], bandwidth: 30GB/s, latency: 0.3us}
      - {link: pcie, between: [plx-0..1, gpus], bandwidth: 30GB/s, latency: 0.3us}
      - {link: nvlink, between: [gpus, nvswitch], bandwidth: 300GB/s, latency: 0.2us, spans: 2}
    gpu-messages: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 1, copies: [0, 0]}
networks:
  rails:
    bandwidth: 200Gbps
    adapters: plx-0..1
    affinity: {gpu-0..1: [0, 1], socket-1: 1}
    message-rate: 5M/s
    striping: {from: 1MiB, over: 2}
    routing: {kind: hash, seed: 7}
    latency: 1us
    topology: {kind: fat-tree, down: [4, 4], taper: 2, rail-leaves: true}
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 12KiB, handshake: 1, copies: [0, 0]}
)";

std::string refusal(const std::string& from, const std::string& to) { return test::refusal(example, from, to); }

}  // namespace

TEST_SUITE("platforms/nodes loader") {
  TEST_CASE("Names of nodes are as many as nodes") {
    CHECK(load(std::string(example).insert(example.find("    sockets: 2"), "    names: g[1-8]\n"))
              .node_types.at(0)
              .names == "g[1-8]");
    CHECK(refusal("    sockets: 2", "    names: g[1-4]\n    sockets: 2") ==
          "p.yaml:6:12: 'names' is 'g[1-4]' 4 names of 8 nodes (one for each). Count the brackets?");
    CHECK(refusal("    sockets: 2", "    names: g[4-1]\n    sockets: 2") ==
          "p.yaml:6:12: 'names' is 'g[4-1]' no names of nodes. Write 'rack[1-4]node[01-32]'?");
  }

  TEST_CASE("What two ranks share is read and belongs to fair wires") {
    std::string text = example;
    const std::string end = "eager: 12KiB, handshake: 1, copies: [0, 0]}";
    text.replace(text.rfind(end), end.size(),
                 "eager: 12KiB, handshake: 1, copies: [0, 0], pair-bandwidth: 25GB/s, pair-from: 4MiB}");
    const ChannelProperties protocol = load(text).networks.at(0).protocol;
    CHECK(protocol.pair_bandwidth == 25_GBps);
    CHECK(protocol.pair_limited(4_MiB));
    CHECK_FALSE(protocol.pair_limited(4_MiB - 1_B));
    CHECK_FALSE(load(example).networks.at(0).protocol.pair_limited(4_MiB));
  }

  TEST_CASE("A message rate by size ascends and has no step that takes nothing") {
    const auto rate = [](const std::string& written) {
      std::string text = example;
      text.replace(text.find("5M/s"), 4, written);
      return load(text).networks.at(0).adapters.message_rate;
    };
    const PiecewiseRate stepped = rate("[{from: 8B, rate: 65M/s}, {from: 64B, rate: 8.87M/s}]");
    CHECK(stepped(7_B) == PerSecond{});  // any number
    CHECK(stepped(8_B) == PerSecond(65e6));
    CHECK(stepped(63_B) == PerSecond(65e6));
    CHECK(stepped(64_B) == PerSecond(8.87e6));
    CHECK(stepped(1_MiB) == PerSecond(8.87e6));
    CHECK_FALSE(stepped.constant());
    CHECK(rate("[{from: 0B, rate: 65M/s}]").constant() == PerSecond(65e6));
    const auto refused = [](const std::string& written) { return refusal("5M/s", written); };
    CHECK(refused("[{from: 64B, rate: 8.87M/s}, {from: 0B, rate: 65M/s}]") ==
          "p.yaml:25:55: 'from' is '0B' not above the breakpoint before it (breakpoints increase). Sort the list?");
    CHECK(refused("[{from: 0B, rate: 0/s}]") ==
          "p.yaml:25:37: 'rate' is '0/s' outside 1 /s..1000 G/s. Choose a value in that range?");
    CHECK(refused("[{from: 0B, rate: 65}]") ==
          "p.yaml:25:37: 'rate' is '65' without a unit (/s, k/s, M/s, G/s). Write '65M/s'?");
    CHECK(refused("[{from: 0B, factor: 65M/s}]") ==
          "p.yaml:25:20: 'message-rate[1]' has no 'rate' (required). Add 'rate: ...'?");
    CHECK(refused("[]") == "p.yaml:25:19: 'message-rate' is a list without steps. Write '[{from: 0B, rate: 65M/s}]'?");
  }

  TEST_CASE("The inside of a node is read as cables between numbered elements") {
    const NodeType type = load(example).node_types.at(0);
    CHECK(type.fabric.switches == std::vector<std::string>{"plx-0", "plx-1", "nvswitch"});
    REQUIRE(type.fabric.cables.size() == 1 + 2 + 4 + 4);
    CHECK(type.fabric.cables[2].from == 1);  // a switch to each socket
    CHECK(type.fabric.cables[2].to == 7);
    CHECK(type.fabric.cables[5].from == 7);  // two GPUs to each switch
    CHECK(type.fabric.cables[5].to == 4);
    CHECK(type.fabric.cables[5].kind == ResourceKind::pcie);
    CHECK(type.fabric.span == 2);
    CHECK(type.fabric.shared == 8);
    REQUIRE(type.gpu_messages.has_value());
    CHECK(type.gpu_messages->latency == 1_us);
  }

  TEST_CASE("Adapters and routing are read with their places") {
    const Network network = load(example).networks.at(0);
    CHECK(network.adapters.at == std::vector<std::vector<std::uint32_t>>{{6, 7}});
    CHECK(network.adapters.affinity.at(0).at(3) == std::vector<std::uint32_t>{0, 1});
    CHECK(network.adapters.affinity.at(0).at(1) == std::vector<std::uint32_t>{1});
    CHECK(network.adapters.message_rate.constant() == PerSecond(5e6));
    CHECK(network.adapters.stripe_over == 2);
    CHECK(network.adapters.stripe_from == 1_MiB);
    CHECK(network.adapters.rail_leaves);
    CHECK(network.routing.kind == Routing::Kind::hash);
    CHECK(network.routing.seed == 7);
    CHECK(std::get<FatTreeTopology>(network.topology).up == std::vector<std::uint32_t>{1, 2});
  }

  TEST_CASE("A number of adapters spreads them over the sockets") {
    std::string text = example;
    text.replace(text.find("adapters: plx-0..1"), 18, "adapters: 4");
    text.replace(text.find("down: [4, 4]"), 12, "down: [4, 8]");
    CHECK(load(text).networks.at(0).adapters.at.at(0) == std::vector<std::uint32_t>{0, 0, 1, 1});
    text.replace(text.find("adapters: 4"), 11, "adapters: {gpu-node: [gpu-0, socket-1]}");
    CHECK(load(text).networks.at(0).adapters.at.at(0) == std::vector<std::uint32_t>{2, 1});
  }

  TEST_CASE("A type of nodes without adapters is not on the network and some type is") {
    std::string text = example;
    text.replace(text.find("networks:"), 9, R"(  cpu-node:
    count: 4
    sockets: 1
    cores-per-socket: 8
    core-speed: 10Gflop/s
    memory: 8GiB
    memory-bandwidth: 20GB/s
    copy-bandwidth: 5GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 2, copies: [1, 1]}
networks:)");
    text.replace(text.find("adapters: plx-0..1"), 18, "adapters: {gpu-node: plx-0..1, cpu-node: 0}");
    const Platform platform = load(text);
    CHECK(platform.networks.at(0).adapters.at == std::vector<std::vector<std::uint32_t>>{{6, 7}, {}});
    CHECK(platform.networks.at(0).adapters.of_type(1) == 0);
    CHECK(refusal("adapters: plx-0..1", "adapters: 0") ==
          "p.yaml:23:15: no node has an adapter on network 'rails' (0 says that a type is not on it). Give some type "
          "one, or leave the network out?");
    CHECK(refusal("adapters: plx-0..1", "adapters: 97") ==
          "p.yaml:23:15: 'adapters' is '97' outside 0..96. Choose a value in that range?");
    Layout layout{"two", {}};
    layout.placements.push_back({NodeId{0}, HostId{0}, 0, 1, false, 0});
    layout.placements.push_back({NodeId{9}, HostId{0}, 1, 1, false, 0});
    CHECK_THROWS_WITH_AS(require_joined(platform, platform.networks.at(0), layout, "--ranks"),
                         "--ranks: rank 1 is on node 9 of type 'cpu-node', which has no adapter on network 'rails' "
                         "(those with one: gpu-node). Place all ranks on these, or choose another network?",
                         InputError);
    layout.placements.erase(layout.placements.begin());
    CHECK_NOTHROW(require_joined(platform, platform.networks.at(0), layout, "--ranks"));
  }

  TEST_CASE("The taper of a tree counts bandwidth and not cables") {
    std::string text = example;
    text.replace(text.find("    latency: 1us\n    topology"), 17, "    link-bandwidth: 400Gbps\n    latency: 1us\n");
    CHECK(std::get<FatTreeTopology>(load(text).networks.at(0).topology).up == std::vector<std::uint32_t>{1, 1});
    text.replace(text.find("down: [4, 4], taper: 2"), 22, "down: [4, 2, 2], taper: 1, parallel: [1, 2, 1]");
    const auto tree = std::get<FatTreeTopology>(load(text).networks.at(0).topology);
    CHECK(tree.up == std::vector<std::uint32_t>{1, 1, 4});
  }

  TEST_CASE("What is not there in a node is refused with what is") {
    CHECK(refusal("adapters: plx-0..1", "adapters: socket-2") ==
          "p.yaml:23:15: 'gpu-node' has no 'socket-2' (2 sockets, 0..1). Name one of them?");
    CHECK(refusal("adapters: plx-0..1", "adapters: plx-0..2") ==
          "p.yaml:23:15: 'gpu-node' has no element 'plx-2' (known: gpu-0, gpu-1, gpu-2, gpu-3, nvswitch, plx-0, plx-1, "
          "socket-0, socket-1). Did you mean 'plx-0'?");
    CHECK(refusal("[plx-0..1, gpus]", "[plx-0..1, gpu-0..4]") ==
          "p.yaml:17:42: 'gpu-node' has no 'gpu-4' (4 GPUs, 0..3). Name one of them?");
    CHECK(refusal("[plx-0..1, gpus]", "[plx-0..1, gpu-0..2]") ==
          "p.yaml:17:42: 'between[2]' is 'gpu-0..2' 2 and 3 elements (the one is divided evenly among the other). Name "
          "2 and 2?");
    CHECK(refusal("[plx-0..1, gpus]", "[plx-0..1, plx-0..1]") ==
          "p.yaml:17:42: 'between[2]' is 'plx-0..1' a cable to itself. Name another end?");
    CHECK(refusal("[plx-0..1, gpus]", "[plx-0..1, gpu 1]") ==
          "p.yaml:17:42: 'between[2]' is 'gpu 1' no element of a node (socket-0, gpus, plx-0..3). Write 'plx-0..3'?");
    CHECK(refusal("      - {link: pcie, between: [plx-0..1, gpus], bandwidth: 30GB/s, latency: 0.3us}\n", "") ==
          "p.yaml:15:7: no cable joins GPU 0 of 'gpu-node' to a socket (its rank holds a core). Add one, or "
          "'link-bandwidth' to the GPU?");
    CHECK(refusal("affinity: {gpu-0..1: [0, 1]", "affinity: {gpu-0..1: [0, 2]") ==
          "p.yaml:24:30: 'gpu-0..1[2]' is '2' but a node of 'gpu-node' has 2 adapters on this network (0..1). Name one "
          "of them?");
    CHECK(refusal("socket-1: 1", "gpu-4: 1") ==
          "p.yaml:24:41: 'gpu-node' has no 'gpu-4' (4 GPUs, 0..3). Name one of "
          "them?");
    CHECK(refusal("socket-1: 1", "plx-0: 1") ==
          "p.yaml:24:41: 'plx-0' is '1' but no rank is on 'plx-0' (on sockets and GPUs). Write 'socket-0'?");
  }

  TEST_CASE("More parts of a message than adapters and a taper that nothing divides are refused") {
    CHECK(refusal("over: 2", "over: 3") ==
          "p.yaml:26:34: 'over' is 3, but a node of 'gpu-node' has 2 adapters on network 'rails'. Stripe over 2?");
    CHECK(refusal("taper: 2", "taper: 0") ==
          "p.yaml:29:53: 'taper' is '0' outside 0.125..64. Choose a value in that range?");
    CHECK(refusal("taper: 2", "taper: 3") ==
          "p.yaml:29:53: 'taper' 3 gives a switch of level 1 1.333 uplinks, 1 to each switch above (whole numbers). "
          "Choose 'taper' so that it divides 'down', or give 'up' and 'parallel'?");
    CHECK(refusal("taper: 2", "taper: 2, up: [1, 2]") ==
          "p.yaml:29:53: both 'taper' and 'up' say how many uplinks there are. Remove one?");
    CHECK(refusal("down: [4, 4]", "down: [4, 3]") ==
          "p.yaml:23:15: network 'rails' has 12 places, but rails of the platform's 8 nodes take 16 (each fills leaves "
          "of "
          "its own). Enlarge its topology, or use fewer adapters?");
    for (const char* kind : {"kind: star", "kind: torus, dimensions: [4, 4]"})
      CHECK(refusal("kind: fat-tree, down: [4, 4], taper: 2", kind)
                .ends_with("'rail-leaves' of a topology without leaves (fat-tree, dragonfly and dragonfly-plus have "
                           "some). Remove it, or "
                           "choose 'kind: fat-tree'?"));
    CHECK(refusal("{kind: hash, seed: 7}", "{kind: split, paths: 8}") ==
          "p.yaml:27:14: a message over 2 adapters in 8 ways each has 16 parts (at most 12). Split over fewer?");
    CHECK(refusal("message-rate: 5M/s", "message-rate: 5") ==
          "p.yaml:25:19: 'message-rate' is '5' without a unit (/s, k/s, M/s, G/s). Write '5M/s'?");
    CHECK(refusal("message-rate: 5M/s", "message-rate: 0/s") ==
          "p.yaml:25:19: 'message-rate' is '0/s' outside 1 /s..1000 G/s. Choose a value in that range?");
    CHECK(refusal("message-rate: 5M/s", "send-queues: 0") ==
          "p.yaml:25:18: 'send-queues' is '0' outside 1..64. Choose a value in that range?");
    CHECK(refusal("message-rate: 5M/s", "send-queues: 4") ==
          "p.yaml:25:18: 'send-queues' is 4 beside 'striping' (a message over several adapters would wait in one of "
          "them alone). Leave one of the two out?");
  }
}
