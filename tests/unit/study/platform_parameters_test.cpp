#include "sim/study/fit/platform_parameters.hpp"

#include <doctest/doctest.h>

#include "platforms/loader.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using test::near;

namespace {

constexpr const char* text = R"(name: two
source: "a test"
node-types:
  node: {count: 2, sockets: 1, cores-per-socket: 2, core-speed: 5 Gflop/s, memory: 4GiB, memory-bandwidth: 50GB/s, copy-bandwidth: 4GB/s, assumed: true, local-work: {reduction: 4GB/s, cache: 1MiB}, shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 64KiB, handshake: 1, copies: [1, 1]}}
networks:
  wire:
    bandwidth: 10GB/s
    latency: 2us
    message-rate: [{from: 16B, rate: 40M/s}, {from: 64B, rate: 10M/s}]
    protocol:
      assumed: "a test"
      send-overhead: [{from: 0B, time: 0.5us}, {from: 4KiB, time: 1.5us}, {from: 8KiB, time: 2us, then-per-byte: 0.1ns/B}]
      isend-overhead: 0.2us
      receive-overhead: 0.4us
      eager: 4KiB
      handshake: 2
      copies: [0, 0]
      latency-factor: [{from: 0B, factor: 1}, {from: 1KiB, factor: 1.5}, {from: 4KiB, factor: 2}]
      wire-efficiency: [{from: 0B, factor: 0.5}, {from: 4KiB, factor: 0.9}]
    topology: {kind: star}
)";

struct Two {
  config::Document document = config::parse_yaml(text, "two.yaml");
  Platform platform = load_platform(document, "two.yaml");
  FittedMachine machine{&platform, &platform.networks[0], &platform.node_types[0]};

  std::optional<double> stated(const std::string& name) const {
    return platform_parameter(name, "test").stated(machine);
  }
  Platform with(const std::map<std::string, double>& values) const {
    return load_platform(with_parameters(document, machine, values, "assumed: \"a test\""), "two.yaml");
  }
};

Phase phase_of(double size, std::uint32_t repeat = 1) {
  Phase phase;
  phase.messages.push_back({.from = Rank{0}, .to = Rank{1}, .size = Bytes(size), .repeat = repeat});
  return phase;
}

Layout two_ranks(std::uint32_t second_node) {
  Layout layout;
  layout.placements = {{.node = NodeId{0}}, {.node = NodeId{second_node}}};
  return layout;
}

}  // namespace

TEST_SUITE("app/platform parameters") {
  TEST_CASE("A parameter begins at what the platform says and not at all where it says nothing") {
    const Two two;
    CHECK(*two.stated("latency") == near(2e-6));
    CHECK(*two.stated("latency-factor") == near(2.0));
    CHECK(*two.stated("message-rate") == near(40e6));
    CHECK(*two.stated("send-overhead") == near(0.5e-6));
    CHECK(*two.stated("send-copy") == near(4096.0 / (4095.0 / 4096.0 * 1e-6)));
    CHECK_FALSE(two.stated("receive-copy"));
    CHECK(*two.stated("rendezvous-overhead") == near(0.4e-6));
    CHECK_FALSE(two.stated("pair-bandwidth"));
    CHECK(*two.stated("reduction") == near(4e9));
    CHECK_FALSE(two.stated("cached-reduction"));  // it follows the other
  }

  TEST_CASE(
      "An overhead with other parameters keeps its breakpoints and its rendezvous moves with its shortest message") {
    const Two two;
    const Platform changed = two.with({{"send-overhead", 1e-6}, {"send-copy", 8.192e9}});
    const auto& send = changed.networks[0].protocol.send_overhead;
    CHECK(send(Bytes{}) == near(1e-6, 1e-5));
    CHECK(send(2048_B) == near(1.25e-6, 1e-3));  // half the copies of before, at twice the rate
    CHECK(send(4096_B) == near(3e-6, 1e-5));     // 1.5 us, twice as 0.5 us became 1 us
    CHECK(send(8192_B) == near(4e-6, 1e-5));
    CHECK(send.slope_after() == near(0.1e-9));
    CHECK(changed.networks[0].protocol.isend_overhead(Bytes{}) == near(1e-6, 1e-5));
    const Platform received = two.with({{"receive-copy", 4.096e9}, {"rendezvous-overhead", 3e-6}});
    const auto& receive = received.networks[0].protocol.receive_overhead;
    CHECK(receive(Bytes{}) == near(0.4e-6, 1e-5));
    CHECK(receive(4095_B) == near(1.4e-6, 1e-3));
    CHECK(receive(4096_B) == near(3e-6, 1e-5));
  }

  TEST_CASE("Steps of a factor keep their part of its distance from one and shares and rates their ratio") {
    const Two two;
    const auto rate = two.with({{"message-rate", 60e6}}).networks[0].adapters.message_rate;
    CHECK(rate(15_B) == PerSecond{});
    CHECK(rate(16_B).si() == near(60e6));
    CHECK(rate(64_B).si() == near(15e6));
    const auto protocol = two.with({{"latency-factor", 3.0}, {"wire-efficiency", 0.4}}).networks[0].protocol;
    CHECK(protocol.latency_factor(Bytes{}) == near(1.0));
    CHECK(protocol.latency_factor(1024_B) == near(2.0));
    CHECK(protocol.latency_factor(4096_B) == near(3.0));
    CHECK(protocol.wire_efficiency(Bytes{}) == near(0.4));
    CHECK(protocol.wire_efficiency(4096_B) == near(0.72));
  }

  TEST_CASE("Every parameter that a platform may hold is read back as it was written") {
    const Two two;
    for (const auto& parameter : platform_parameters()) {
      CAPTURE(parameter.name);
      if (parameter.of_gpus) continue;  // of node types with GPUs: tests/unit/study/fit_scenarios_test.cpp
      const double value = parameter.origin + (parameter.most - parameter.origin) / 3.0;
      const Platform changed = two.with({{parameter.name, value}});
      const auto again = parameter.stated({&changed, &changed.networks[0], &changed.node_types[0]});
      REQUIRE(again);
      CHECK(*again == near(value, 2e-3));  // four significant digits; copies end one byte below the threshold
    }
  }

  TEST_CASE("A parameter matters to the points whose messages and work meet it") {
    const Two two;
    const auto of = [&](const Phase& phase, std::uint32_t node = 1) {
      return uses_of({phase}, two_ranks(node), two.machine);
    };
    CHECK(of(phase_of(512)).eager);
    CHECK_FALSE(of(phase_of(512)).factored);
    CHECK(of(phase_of(2048)).factored);
    CHECK_FALSE(of(phase_of(2048)).rendezvous);
    CHECK(of(phase_of(8192)).rendezvous);
    CHECK(of(phase_of(8192, 4)).eager);  // a train of four
    CHECK(of(phase_of(8192), 0).inside_node);
    CHECK_FALSE(of(phase_of(8192), 0).between_nodes);
    Phase phase;
    phase.computes.push_back({.rank = Rank{0}, .compute = {.work = Work::reduction, .shape = {0.0, 2e6}}});
    CHECK(of(phase).reduction);
    CHECK_FALSE(of(phase).cached_reduction);
    phase.computes[0].compute.shape[1] = 1000.0;
    CHECK(of(phase).cached_reduction);
    CHECK(platform_parameter("reduction", "test").matters(of(phase), two.machine));  // which stands for both here
    CHECK_FALSE(platform_parameter("copy", "test").matters(of(phase), two.machine));
  }
}
