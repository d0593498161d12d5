// The flow engine against SimGrid: every kernel of the catalogue over every topology, on 8, 24 and 64 ranks.
//
// Over its first iterations a program must come out the same, to one part in 1e9 of every phase and of the makespan
// (SimGrid with tight precision). Long contended runs are chaotic in both engines: there the two are compared as
// samples of one distribution (validation/engines, docs/engines.md).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/kernel.hpp"
#include "sim/engine/batch.hpp"
#include "sim/study/play/engine_difference.hpp"
#include "tests/replay/engines_agree_programs.hpp"
#include "tests/replay/play.hpp"
#include "tests/support/loads.hpp"

using namespace orrery;

namespace {

/// No two ranks compute at one speed, so that they drift apart and messages meet at all phases of each other's life.
class Drifting final : public ComputeModel {
 public:
  std::string description() const override { return "1 Gflop/s, up to 10 % slower by rank"; }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    return Seconds{compute.flops.si() * 1e-9 * (1.0 + 0.1 * static_cast<double>((index(rank) * 7919u) % 101u) / 101.0)};
  }
};

GraphTopology ring_with_a_chord() {
  GraphTopology graph{{"a", "b", "c", "d"}, {}};
  for (std::uint32_t node = 0; node < 8; ++node)
    graph.edges.push_back({fmt::format("node:{0}-{0}", node), graph.switches[node / 2], {}, {}});
  const auto edge = [&](const char* from, const char* to, double gbps, double us) {
    graph.edges.push_back({from, to, gbps * 1_GBps, us * 1_us});
  };
  edge("a", "b", 4, 0.5), edge("b", "c", 3, 0.4), edge("c", "d", 4, 0.5), edge("d", "a", 2, 0.3),
      edge("a", "c", 5, 0.7);
  return graph;
}

struct Place {
  const char* name;
  std::uint32_t nodes;
  Topology topology;
  Discipline discipline = Discipline::fair;
};

const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"star", 16, StarTopology{}},
      {"fat-tree", 16, FatTreeTopology{{4, 4}, {1, 2}, {1, 1}}},
      {"torus", 24, TorusTopology{{2, 3, 4}}},
      {"dragonfly", 12, DragonflyTopology{3, 2, 2, 1}},
      {"graph", 8, ring_with_a_chord()},
      {"switch-first-in-first-out", 16, StarTopology{}, Discipline::fifo},
  };
  return all;
}

/// A few, a number that is no power of two, and many: eight to a node of the graph.
constexpr std::array<std::uint32_t, 3> sizes{8, 24, 64};

/// What the channels between ranks have in common: overheads, factors, both thresholds, a handshake and copies.
ChannelProperties channel(double eager, double overhead_s) {
  ChannelProperties channel;
  channel.send_overhead = PiecewiseLinear{{{0.0, overhead_s}, {65536.0, 3.0 * overhead_s}}, 1e-12};
  channel.isend_overhead = PiecewiseLinear{0.5 * overhead_s};
  channel.receive_overhead = PiecewiseLinear{{{0.0, overhead_s}, {1024.0, 1.25 * overhead_s}}};
  channel.probe_overhead = Seconds{0.1 * overhead_s};
  channel.eager = Bytes{eager};
  channel.detach = Bytes{eager / 4.0};
  channel.handshake = 2;
  channel.copies = {1, 1};
  channel.unexpected_copy = 3_GBps;
  channel.latency_factor = PiecewiseFactor{{{512.0, 1.2}, {eager, 1.5}}};
  channel.bandwidth_factor = PiecewiseFactor{{{0.0, 0.6}, {512.0, 0.8}, {eager, 0.95}}};
  return channel;
}

/// Links between switches are narrower than the NICs.
Platform platform_of(const Place& place) {
  NodeType node;
  node.name = "node";
  node.sockets = 2;
  node.cores_per_socket = 4;
  node.core_speed = FlopsPerSecond{1e9};
  node.memory_bandwidth = 20_GBps;
  node.copy_bandwidth = 6_GBps;
  node.shared_memory_latency = 0.4_us;
  node.shared_memory = channel(4096.0, 0.2e-6);
  Network network;
  network.name = place.name;
  network.bandwidth = 5_GBps;
  network.latency = 1.5_us;
  network.link_bandwidth = 4_GBps;
  network.link_latency = 0.2_us;
  network.protocol = channel(8192.0, 0.4e-6);
  network.protocol.handshake_request = 1;
  network.protocol.copy_mode = CopyMode::pipelined;
  network.protocol.wire_efficiency = PiecewiseFactor{{{0.0, 0.7}, {512.0, 0.9}, {8192.0, 0.97}}};
  network.topology = place.topology;
  if (place.discipline == Discipline::fifo) {
    network.protocol.discipline = Discipline::fifo;
    network.protocol.frame = 1448_B;
    network.protocol.frame_header = 90_B;
    network.protocol.acknowledgement = 0.03;
    network.protocol.overhead_variation = 0.1;  // who is first is all: of ranks in step rounding would decide it
    network.protocol.bandwidth_factor = {};
    network.protocol.wire_efficiency = {};
  }
  Platform platform;
  platform.name = place.name;
  platform.node_types = {node};
  platform.node_counts = {place.nodes};
  platform.networks = {network};
  return platform;
}

/// Ranks go round the nodes, so that neighbours of a grid are on different ones. Few ranks share nodes too, and these
/// lie as far apart as many ranks' do.
Layout layout_of(std::uint32_t ranks, std::uint32_t nodes) {
  const std::uint32_t used = std::min(nodes, std::max(2u, ranks / 2));
  Layout layout{.name = "round the nodes", .placements = {}};
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::uint32_t node = r % used * (nodes / used), socket = (r / used) % 2;
    layout.placements.push_back({NodeId{node}, HostId{2 * node + socket}, 0, 1, false, socket});
  }
  return layout;
}

/// One program on one platform, on both engines.
struct Case {
  std::string name;
  const Platform* platform;
  std::unique_ptr<Program> program;
  Layout layout;
};

std::vector<engine::Played> play(const std::vector<Case>& cases, bool flow) {
  static const Drifting compute;
  std::vector<engine::Simulation> simulations;
  simulations.reserve(cases.size());
  for (const Case& one : cases)
    simulations.push_back({one.name, [&one, flow](const ReplayProgress& tell) {
                             ReplayInput input{one.program.get(), one.platform, &one.platform->networks.front(),
                                               &one.layout,       &compute,     {}};
                             input.options.tight_precision = true;
                             input.options.intervals_max = 0;
                             input.options.load_bins = 20;
                             input.options.critical_path = true;
                             input.options.progress = tell;
                             return (flow ? make_flow_engine() : make_simgrid_engine())->replay(input);
                           }});
  return engine::play_all({.jobs = 2, .threads = flow}, simulations);
}

constexpr double relative_max = 1e-9;
constexpr double instant_s = 1e-13;  ///< below this two dates are one to both engines

void check_near(const PhasePair& pair) {
  INFO("iteration ", pair.iteration, ": simgrid ", pair.shown.si(), " s, flow ", pair.other.si(), " s");
  CHECK(pair.absolute().si() <= relative_max * pair.shown.si() + instant_s);
}

void check_agreement(const std::vector<Case>& cases) {
  const auto simgrid = play(cases, false), flow = play(cases, true);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].name, " on ", cases[i].program->ranks(), " ranks");
    REQUIRE(simgrid[i].error.text() == flow[i].error.text());
    CHECK(simgrid[i].error.empty());
    const EngineDifference difference = study::difference_between(simgrid[i].result, flow[i].result);
    CHECK(difference.failure.empty());
    CHECK(
        (difference.phases.size() > 0 || simgrid[i].result.makespan == Seconds{}));  // without work nothing may be left
    check_near({0, difference.shown_makespan, difference.makespan});
    test::check_loads(flow[i].result);
    test::check_loads(simgrid[i].result);
    test::check_path(flow[i].result, 0.9);
    test::check_path(simgrid[i].result, 0.9);
    for (const auto& phase : difference.phases) {
      INFO(phase.phase);
      check_near(phase.largest_absolute);
      check_near(phase.largest_relative);
    }
  }
}

/// Puts a program to be played over a place among the cases; there must be one.
void add(std::vector<Case>& cases, std::string name, const Platform& platform, std::unique_ptr<Program> program) {
  INFO(name);
  REQUIRE(program != nullptr);
  const Layout layout = layout_of(program->ranks(), platform.nodes());
  cases.push_back({std::move(name), &platform, std::move(program), layout});
}

void every_kernel_over(const Place& place) {
  const Platform platform = platform_of(place);
  std::vector<Case> cases;
  for (const std::uint32_t ranks : sizes)
    for (const auto& [name, entry] : kernels().entries())
      add(cases, name, platform, test::program_on(entry, test::small_parameters(entry, ranks), ranks));
  check_agreement(cases);
}

/// Every word of every parameter, one at a time. Requests that travel early make the ring of 64 ranks over the
/// dragonfly chaotic: on one engine alone, a latency larger by 5e-11 of itself moves an iteration by 0.6 %.
void every_setting_over(const Place& place) {
  Platform platform = platform_of(place);
  platform.networks.front().protocol.handshake_request = 0;
  std::vector<Case> cases;
  for (const std::uint32_t ranks : sizes) {
    for (const auto& [name, entry] : kernels().entries()) {
      for (const auto& parameter : entry.parameters) {
        std::vector<std::string> words = parameter.choices;
        if (parameter.kind == KeyKind::boolean) words = {"true", "false"};
        for (const auto& word : words)
          add(cases, fmt::format("{} {}={}", name, parameter.name, word), platform,
              test::program_on(entry, test::with_setting(entry, parameter.name, word, ranks), ranks));
      }
    }
  }
  check_agreement(cases);
}

}  // namespace

TEST_SUITE("replay/engines_agree") {
  TEST_CASE("Both engines agree on the first iterations of every kernel over a star") {
    every_kernel_over(places()[0]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a fat tree") {
    every_kernel_over(places()[1]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a torus") {
    every_kernel_over(places()[2]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a dragonfly") {
    every_kernel_over(places()[3]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a free graph") {
    every_kernel_over(places()[4]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a switch that is first in first out") {
    every_kernel_over(places()[5]);
  }

  TEST_CASE("Both engines agree on every panel of HPL to its end") {
    std::vector<Platform> platforms;
    for (const Place& place : places()) {
      platforms.push_back(platform_of(place));
      // With efficiencies on the wire two panels of one case part by 0.5 ps of 26 us (sim/engine/flow/README.md).
      platforms.back().networks.front().protocol.wire_efficiency = {};
    }
    std::vector<Case> cases;
    for (const Platform& platform : platforms) {
      const std::string over = " over a " + platform.name;
      for (const std::uint32_t ranks : sizes) {
        add(cases, "HPL" + over, platform, test::whole_hpl(ranks, {}));
        add(cases, "HPL in short panels" + over, platform, test::whole_hpl(ranks, {{"block", "16"}}));
        add(cases, "HPL without local work" + over, platform, test::whole_hpl(ranks, {{"compute", "false"}}));
      }
    }
    check_agreement(cases);
  }
}

TEST_SUITE("replay/engines_agree/slow") {
  TEST_CASE("Both engines agree on every setting of every kernel over a star") { every_setting_over(places()[0]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a fat tree") { every_setting_over(places()[1]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a torus") { every_setting_over(places()[2]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a dragonfly") { every_setting_over(places()[3]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a free graph") {
    every_setting_over(places()[4]);
  }
}
