// The flow engine against SimGrid on clusters, protocols and programs that are drawn: `play` compares the engines to
// 1e-9, and no resource may be loaded over 1. Parameters are drawn to many digits, so that nothing is tied but what is
// tied by construction: messages that begin together over the same resources.
#include <doctest/doctest.h>

#include <algorithm>

#include "play.hpp"
#include "sim/core/mixed.hpp"

using namespace orrery;
using test::Cluster;

namespace {

/// Numbers drawn one after another, the same on every machine.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(mixed(seed)) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  bool once_in(std::uint32_t n) { return below(n) == 0; }
  double between(double least, double most) {
    return least + (most - least) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t next() { return state_ = mixed(state_); }
  std::uint64_t state_;
};

ChannelProperties channel(Draws& draws) {
  ChannelProperties channel;
  const double overhead = draws.between(0.1e-6, 3e-6);
  channel.send_overhead = PiecewiseLinear{{{0.0, overhead}, {65536.0, draws.between(1.0, 3.0) * overhead}}, 1e-12};
  channel.isend_overhead = PiecewiseLinear{draws.between(0.2, 1.0) * overhead};
  channel.receive_overhead = PiecewiseLinear{draws.between(0.1e-6, 3e-6)};
  channel.eager = Bytes{draws.between(1e3, 2e5)};
  channel.detach = channel.eager * draws.between(0.0, 1.0);
  channel.handshake = draws.below(4);
  channel.handshake_request = draws.below(channel.handshake + 1);
  channel.copies = {static_cast<std::uint8_t>(draws.below(3)), static_cast<std::uint8_t>(draws.below(3))};
  channel.copy_mode = draws.once_in(2) ? CopyMode::pipelined : CopyMode::sequential;
  if (draws.once_in(2)) channel.unexpected_copy = BytesPerSecond{draws.between(1e9, 5e9)};
  return channel;
}

Topology topology(Draws& draws) {
  switch (draws.below(4)) {
    case 0:
      return FatTreeTopology{{4, 2}, {1, 1 + draws.below(3)}, {1, 1 + draws.below(2)}};
    case 1:
      return TorusTopology{{2, 4}, {draws.once_in(2), draws.once_in(2)}};
    case 2:
      return DragonflyTopology{2, 2, 2, 1};
    default:
      return StarTopology{};
  }
}

Cluster drawn_cluster(Draws& draws) {
  constexpr std::uint32_t nodes = 8, cores = 4;
  Cluster cluster(nodes, cores);
  cluster.type().memory_bandwidth = BytesPerSecond{draws.between(2e9, 9e9)};
  cluster.type().copy_bandwidth = BytesPerSecond{draws.between(1e9, 4e9)};
  cluster.type().shared_memory_latency = Seconds{draws.between(0.2e-6, 2e-6)};
  cluster.shared() = channel(draws);
  Network& network = cluster.network();
  network.bandwidth = BytesPerSecond{draws.between(0.5e9, 5e9)};
  network.latency = Seconds{draws.between(1e-6, 3e-5)};
  network.link_bandwidth = network.bandwidth * draws.between(0.3, 1.5);
  network.link_latency = Seconds{draws.between(0.0, 1e-6)};
  network.protocol = channel(draws);
  if (draws.once_in(4)) {
    network.protocol.discipline = Discipline::fifo;
    network.protocol.overhead_variation = draws.between(0.05, 0.4);
    // Who is first at a port is all. Copies that end together would let rounding decide it, in 2 of some 1,300 clusters.
    network.protocol.copies = {0, 0};
    network.protocol.frame = Bytes{draws.between(500.0, 9000.0)};
    network.protocol.frame_header = Bytes{draws.between(0.0, 100.0)};
    network.protocol.acknowledgement = draws.once_in(2) ? draws.between(0.0, 0.05) : 0.0;
  } else {
    network.topology = topology(draws);
    if (draws.once_in(3)) network.protocol.bandwidth_factor = PiecewiseFactor{{{0.0, draws.between(0.3, 1.0)}}};
    if (draws.once_in(3)) network.protocol.wire_efficiency = PiecewiseFactor{{{0.0, draws.between(0.7, 1.0)}}};
    if (draws.once_in(3)) network.routing = {Routing::Kind::hash, 1, draws.below(99)};
    if (draws.once_in(6)) network.protocol.pair_bandwidth = network.bandwidth * draws.between(0.4, 0.9);
  }
  const std::uint32_t per_node = 1 + draws.below(cores);
  std::vector<std::uint32_t> places;
  for (std::uint32_t rank = 0; rank < 2 * nodes; ++rank) {
    const std::uint32_t node = draws.below(nodes);
    if (std::ranges::count(places, node) < per_node) places.push_back(node);
  }
  return cluster.place(places);
}

/// Some rounds: everybody computes, sends to others at three distances and receives what comes from there.
std::function<Generator<Step>(Rank)> drawn_program(Draws& draws, std::uint32_t ranks) {
  const std::uint32_t seed = draws.below(1u << 30), rounds = 1 + draws.below(3);
  const bool equal_sizes = draws.once_in(3), in_step = draws.once_in(4);
  const double size = draws.between(1e2, 3e5), work = draws.between(0.0, 1e-4);
  std::vector<std::uint32_t> strides{1 + draws.below(ranks), 1 + draws.below(ranks), 1 + draws.below(ranks)};
  return [=](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    const auto share = [=](std::uint32_t rank, std::uint32_t what) {
      return static_cast<double>(mixed((std::uint64_t{seed} << 20) + rank * 32u + what) % 100'003) / 100'003.0;
    };
    const auto bytes = [=](std::uint32_t from, std::uint32_t k) {
      return Bytes{equal_sizes ? size : std::max(1.0, size * share(from, k))};
    };
    for (std::uint32_t round = 0; round < rounds; ++round) {
      co_yield test::compute_for(in_step ? work : work * share(i, 16 + round));
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t from = (i + ranks - strides[k] % ranks) % ranks;
        if (from != i) co_yield irecv(Rank{from}, bytes(from, k), Tag{k}, RequestId{k});
      }
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t to = (i + strides[k]) % ranks;
        if (to != i) co_yield isend(Rank{to}, bytes(i, k), Tag{k}, RequestId{3 + k});
      }
      co_yield wait_all();
    }
  };
}

void agree_on(std::uint64_t first, std::uint64_t last, Congestion congestion = Congestion::ideal) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    CAPTURE(seed);
    Draws draws(seed);
    Cluster cluster = drawn_cluster(draws);
    cluster.network().congestion = congestion;  // which ports have no use for
    test::play(cluster, drawn_program(draws, cluster.layout.ranks()));
  }
}

Sharing sharing(Draws& draws) {
  constexpr Sharing all[] = {Sharing::full_duplex, Sharing::half_duplex, Sharing::none};
  return all[draws.below(3)];
}

/// A bus, three switches on it, two links between these, and perhaps a route.
GraphTopology graph_with_media(Draws& draws, BytesPerSecond nic) {
  const auto bandwidth = [&] { return nic * draws.between(0.3, 2.0); };
  const auto latency = [&] { return Seconds{draws.between(0.0, 2e-6)}; };
  GraphTopology graph{{"a", "b", "c"}, {}};
  constexpr const char* places[] = {"a", "b", "c", "bus"};
  for (int node = 0; node < 8; ++node)
    graph.edges.push_back({"node:" + std::to_string(node), places[draws.below(4)], {}, {}});
  graph.edges.push_back({"a", "b", bandwidth(), latency(), sharing(draws), "ab"});
  graph.edges.push_back({"b", "c", bandwidth(), latency(), sharing(draws), "bc"});
  graph.media.push_back({"bus", bandwidth(), latency(), draws.once_in(3) ? Sharing::none : Sharing::half_duplex});
  graph.media[0].between = {"a", "b", "c"};
  if (draws.once_in(2)) graph.routes.push_back({"a", "c", {"ab", "bc"}, ""});
  if (draws.once_in(2)) graph.routes.push_back({"b", "a", {"bus"}, ""});
  return graph;
}

void share(Network& network, Draws& draws) {
  network.protocol.discipline = Discipline::fair;
  network.routing = {};
  network.sharing = sharing(draws);
  if (draws.once_in(2)) network.both_ways = network.bandwidth * draws.between(0.5, 1.9);
  if (draws.once_in(4))
    network.topology = StarTopology{Medium{"", network.bandwidth * draws.between(0.5, 6.0), Seconds{1e-6},
                                           draws.once_in(3) ? Sharing::none : Sharing::half_duplex}};
  else if (!draws.once_in(4))
    network.topology = graph_with_media(draws, network.bandwidth);
}

}  // namespace

TEST_SUITE("replay/drawn clusters") {
  TEST_CASE("Both engines agree on a hundred drawn clusters whose directions share media") {
    for (std::uint64_t seed = 2000; seed < 2100; ++seed) {
      CAPTURE(seed);
      Draws draws(seed);
      Cluster cluster = drawn_cluster(draws);
      share(cluster.network(), draws);
      test::play(cluster, drawn_program(draws, cluster.layout.ranks()));
    }
  }
  TEST_CASE("Both engines agree on two hundred drawn clusters") { agree_on(0, 200); }
  TEST_CASE("Both engines agree on a hundred drawn clusters whose messages hold up others") {
    agree_on(0, 100, Congestion::head_of_line);
  }
}
TEST_SUITE("replay/drawn clusters/slow") {
  TEST_CASE("Both engines agree on five thousand drawn clusters") { agree_on(200, 5200); }
}
