// Energy of runs in closed form. Flops are seconds, C = 1 GB/s (play.hpp).
#include "platforms/energy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "play.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::near;
using test::play;

namespace {

/// Two nodes of four cores: 100 W idle, 300 W computing, 200 W in calls.
Cluster two_nodes() {
  Cluster cluster(2, 4);
  cluster.type().power = PowerDraw{Watts(100.0), Watts(300.0), Watts(200.0)};
  return cluster;
}
double part(const RunResult& run, EnergyPart which) { return run.energy.parts[static_cast<std::size_t>(which)]; }
double sum_of_phases(const Energy& energy) {
  double sum = 0.0;
  for (const PhaseEnergy& phase : energy.phases) sum += phase.energy_j;
  return sum;
}
double mean_power(const Energy& energy) {
  return std::accumulate(energy.power_w.begin(), energy.power_w.end(), 0.0) /
         static_cast<double>(energy.power_w.size());
}
double of_phase(const Energy& energy, const std::string& name) {
  for (const PhaseEnergy& phase : energy.phases)
    if (phase.phase == name) return phase.energy_j;
  return 0.0;
}
/// Parts, phases and power over time are three views of one energy.
void check_conserved(const RunResult& run) {
  const double total = run.energy.total_j();
  CHECK(sum_of_phases(run.energy) == near(total, 1e-9));
  CHECK(mean_power(run.energy) * run.makespan.si() == near(total, 1e-6));  // as loads over time
}

/// One computes for 2 s and sends, the other waits.
Generator<Step> compute_and_send(Rank me) {
  co_yield phase("work");
  if (me == Rank{0}) co_yield compute_for(2.0);
  co_yield phase("exchange");
  if (me == Rank{0}) co_yield send(Rank{1}, Bytes{1e9}, Tag{0});
  if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{1e9}, Tag{0});
}

}  // namespace

TEST_SUITE("replay/energy") {
  TEST_CASE("A core that computes or waits in a call adds its share of what the node draws more than idle") {
    Cluster cluster = two_nodes();
    cluster.place({0, 1});
    const RunResult run = play(cluster, compute_and_send);
    const double end = 3.0 + 10e-6;  // 2 s, then 1 GB at 1 GB/s
    CHECK(run.makespan.si() == near(end));
    CHECK(run.energy.nodes == 2);
    CHECK(part(run, EnergyPart::idle) == near(200.0 * end));
    CHECK(part(run, EnergyPart::cores) == near(2.0 * 200.0 / 4 + end * 100.0 / 4));  // rank 0 computes, rank 1 waits
    CHECK(part(run, EnergyPart::gpus) == 0.0);
    CHECK(of_phase(run.energy, "work") == near(2.0 * (100.0 + 200.0 / 4)));
    CHECK(of_phase(run.energy, "exchange") == near(end * (100.0 + 100.0 / 4)));
    CHECK(of_phase(run.energy, energy_after_ranks) == near((end - 2.0) * 100.0));  // eager: rank 0 is done
    check_conserved(run);
  }
  TEST_CASE("A node whose cores all compute draws what it states for that") {
    Cluster cluster = two_nodes();
    cluster.place({0, 0, 0, 0});
    const RunResult run = play(cluster, [](Rank) -> Generator<Step> { co_yield compute_for(5.0); });
    CHECK(run.energy.total_j() == near(5.0 * 300.0));  // the second node is not the run's
    CHECK(run.energy.nodes == 1);
    for (const double watts : run.energy.power_w) CHECK(watts == near(300.0));
    check_conserved(run);
  }
  TEST_CASE("Ranks that share the cores of a node draw no more than all of its cores") {
    Cluster cluster = two_nodes();
    cluster.place({0, 0, 0, 0, 0, 0, 0, 0});
    const RunResult run = play(cluster, [](Rank) -> Generator<Step> { co_yield compute_for(1.0); });
    CHECK(run.energy.total_j() == near(run.makespan.si() * 300.0));
    check_conserved(run);
  }
  TEST_CASE("Adapters draw by the load of their two directions and switches by the share of the nodes") {
    Cluster cluster(4, 4);
    cluster.type().power = PowerDraw{Watts(0.0), Watts(0.0), Watts(0.0)};
    cluster.network().power = NetworkPower{Watts(10.0), Watts(30.0), Watts(400.0)};
    cluster.place({0, 1});
    const RunResult run = play(cluster, compute_and_send);
    const double end = 3.0 + 10e-6;
    // Two adapters idle; 1 s of one out of two directions of each at full rate.
    CHECK(part(run, EnergyPart::adapters) == near(2 * 10.0 * end + 2 * 20.0 * 0.5 * 1.0));
    CHECK(part(run, EnergyPart::switches) == near(400.0 * end * 2 / 4));
    CHECK(of_phase(run.energy, energy_of_network) == near(run.energy.total_j()));
    check_conserved(run);
  }
  TEST_CASE("Nodes that are not on a network pay for none of its switches") {
    const auto switches_j = [](std::uint32_t others, std::vector<std::uint32_t> placed) {
      Cluster cluster(3, 4);
      cluster.type().power = PowerDraw{Watts(0.0), Watts(0.0), Watts(0.0)};
      cluster.network().power = NetworkPower{Watts(0.0), Watts(0.0), Watts(400.0)};
      if (others > 0) {
        cluster.platform.node_types.push_back(cluster.type());
        cluster.platform.node_types.back().name = "other";
        cluster.platform.node_counts.push_back(others);
        cluster.network().adapters.at = {{0}, {}};
      }
      for (const std::uint32_t node : placed)
        cluster.layout.placements.push_back({NodeId{node}, HostId{node}, node < 3 ? 0u : 1u, 1, false, 0});
      return part(play(cluster, compute_and_send), EnergyPart::switches);
    };
    const double end = 3.0 + 10e-6;
    CHECK(switches_j(0, {0, 1}) == near(400.0 * end * 2 / 3));
    CHECK(switches_j(6, {0, 1}) == near(400.0 * end * 2 / 3));  // the same machine beside six nodes of another network
    CHECK(switches_j(6, {3, 3}) == 0.0);                        // one of those six alone: it has no part in the network
  }
  TEST_CASE("A GPU draws by what its rank does and the core that drives it is in calls") {
    Cluster cluster = two_nodes();
    Gpu gpu;
    gpu.model = "G";
    gpu.speed = FlopsPerSecond{1.0};
    gpu.power = PowerDraw{Watts(50.0), Watts(700.0), Watts(150.0)};
    cluster.type().gpus = {gpu, gpu};
    cluster.layout.placements.push_back({NodeId{0}, HostId{1}, 0, 1, true, 0});
    const RunResult run = play(cluster, [](Rank) -> Generator<Step> { co_yield compute_for(2.0); });
    CHECK(part(run, EnergyPart::idle) == near(2.0 * (100.0 + 2 * 50.0)));
    CHECK(part(run, EnergyPart::gpus) == near(2.0 * 650.0));
    CHECK(part(run, EnergyPart::cores) == near(2.0 * 100.0 / 4));
    check_conserved(run);
  }
  TEST_CASE("Of two ranks on one GPU the one that computes longer counts for so much more") {
    Cluster cluster = two_nodes();
    Gpu gpu;
    gpu.model = "G";
    gpu.speed = FlopsPerSecond{1.0};
    gpu.power = PowerDraw{Watts(50.0), Watts(700.0), Watts(150.0)};
    cluster.type().gpus = {gpu};
    for (int rank = 0; rank < 2; ++rank) cluster.layout.placements.push_back({NodeId{0}, HostId{1}, 0, 1, true, 0});
    // They take turns: 4 s of the first, 2 s of the second, which waits for as long.
    const RunResult run = play(cluster, [](Rank me) -> Generator<Step> {
      co_yield compute_for(me == Rank{0} ? 3.0 : 1.0);
      co_yield barrier();
    });
    const double of_first = 2.0 / 3.0 * 650.0 * 4.0, of_second = 1.0 / 3.0 * (650.0 * 2.0 + 100.0 * 2.0);
    CHECK(part(run, EnergyPart::gpus) == near(of_first + of_second));
    check_conserved(run);
  }
  TEST_CASE("A node under a cap computes slower and draws the cap") {
    Cluster cluster = two_nodes();  // 100 W idle, 300 W computing
    cluster.place({0, 0, 0, 0});
    cluster.type().power_cap = Watts(225.0);
    const double speed = std::cbrt(0.625);  // what is left above idle is 125 of 200 W
    const auto factors = slowed_by_caps(cluster.platform, cluster.layout);
    REQUIRE(factors.size() == 4);
    CHECK(factors[3] == near(1.0 / speed));
    const RunResult run =
        play(cluster, [&](Rank me) -> Generator<Step> { co_yield compute_for(5.0 * factors[index(me)]); });
    CHECK(run.energy.total_j() == near(225.0 * 5.0 / speed));
    for (const double watts : run.energy.power_w) CHECK(watts == near(225.0));
    check_conserved(run);
    cluster.type().power_cap = Watts(300.0);  // nothing to slow
    CHECK(slowed_by_caps(cluster.platform, cluster.layout).empty());
  }
  TEST_CASE("A cap slows a node by what its ranks draw and not by what all its cores could") {
    Cluster cluster = two_nodes();  // four cores: a rank that computes adds 50 W to 100
    cluster.place({0, 0, 0, 1});
    cluster.type().power_cap = Watts(225.0);
    const double speed = std::cbrt(125.0 / 150.0);
    const auto speeds = capped_speeds(cluster.platform, cluster.layout);
    REQUIRE(speeds.size() == 4);
    CHECK(speeds[2] == near(speed));
    CHECK(speeds[3] == 1.0);  // alone on its node, which draws 150 W
    const auto factors = slowed_by_caps(cluster.platform, cluster.layout);
    const RunResult run =
        play(cluster, [&](Rank me) -> Generator<Step> { co_yield compute_for(5.0 * factors[index(me)]); });
    CHECK(run.energy.power_w.front() == near(225.0 + 150.0));
    check_conserved(run);
    cluster.layout.placements.erase(cluster.layout.placements.begin(), cluster.layout.placements.end() - 1);
    CHECK(slowed_by_caps(cluster.platform, cluster.layout).empty());
  }
  TEST_CASE("Whatever cores and GPUs of a node under a cap do it draws no more") {
    Cluster cluster = two_nodes();
    Gpu gpu;
    gpu.model = "G";
    gpu.speed = FlopsPerSecond{1.0};
    gpu.power = PowerDraw{Watts(50.0), Watts(700.0), Watts(150.0)};
    cluster.type().gpus = {gpu, gpu};
    cluster.type().power_cap = Watts(900.0);  // idle 200 W
    const auto on_gpu = [](std::uint32_t number) {
      return Placement{NodeId{0}, HostId{1 + number}, 0, 1, true, number};
    };
    // A rank on each GPU: they add 1,300 W, the two cores that drive them 25 W each.
    cluster.layout.placements = {on_gpu(0), on_gpu(1)};
    CHECK(capped_speeds(cluster.platform, cluster.layout).front() == near(std::cbrt(650.0 / 1300.0)));
    const auto slowed = slowed_by_caps(cluster.platform, cluster.layout);
    const RunResult run = play(cluster, [&](Rank me) -> Generator<Step> { co_yield compute_for(slowed[index(me)]); });
    for (const double watts : run.energy.power_w) CHECK(watts == near(900.0));
    // And two on cores, which compute (100 W) or communicate (50 W): GPUs and cores, GPUs alone, cores alone.
    for (int rank = 0; rank < 2; ++rank) cluster.layout.placements.push_back({NodeId{0}, HostId{0}, 0, 1, false, 0});
    const double both = 650.0 / 1400.0, of_gpus = 600.0 / 1300.0;
    REQUIRE(of_gpus < both);
    CHECK(capped_speeds(cluster.platform, cluster.layout).front() == near(std::cbrt(of_gpus)));
    // One GPU alone is far below the cap.
    cluster.layout.placements = {on_gpu(0)};
    CHECK(slowed_by_caps(cluster.platform, cluster.layout).empty());
  }
  TEST_CASE("A cap is above what a node draws as it communicates") {
    Cluster cluster = two_nodes();
    CHECK(cap_problem(cluster.type()).empty());
    cluster.type().power_cap = Watts(200.5);
    CHECK(cap_problem(cluster.type()).empty());
    cluster.type().power_cap = Watts(200.0);
    CHECK(cap_problem(cluster.type()).text() ==
          "'power-cap' is 200 W, and the node draws 200 W as it communicates (a cap slows computation alone, so it is "
          "above that). Raise it?");
    Gpu gpu;
    gpu.model = "G";
    cluster.type().gpus = {gpu};
    CHECK(cap_problem(cluster.type()).text() ==
          "'power-cap' is 200 W, and GPU 'G' states no 'power' (a cap is of a node with its GPUs). Add it?");
    cluster.type().power.reset();
    CHECK(cap_problem(cluster.type()).text() ==
          "'power-cap' is 200 W, and the node states no 'power' (a cap slows by what it draws). Add it?");
  }
  TEST_CASE("A platform without power has no energy and one that states it of some nodes only is refused") {
    Cluster cluster(2, 4);
    cluster.place({0, 1});
    CHECK_FALSE(play(cluster, compute_and_send).energy.stated());
    Cluster some = two_nodes();
    NodeType other = some.type();
    other.name = "other";
    other.power.reset();
    some.platform.node_types.push_back(other);
    some.platform.node_counts = {1, 1};
    some.layout.placements = {{NodeId{0}, HostId{0}, 0, 1, false, 0}, {NodeId{1}, HostId{1}, 1, 1, false, 0}};
    CHECK_THROWS_WITH_AS(
        power_stated(some.platform, some.layout),
        "platform 'test': node type 'other' states no 'power', 'node' does (all that a run uses do, or "
        "none). Add it?",
        InputError);
    some.layout.placements.pop_back();
    CHECK(power_stated(some.platform, some.layout));
    Gpu gpu;
    gpu.model = "G";
    some.type().gpus = {gpu};
    CHECK_THROWS_WITH_AS(power_stated(some.platform, some.layout),
                         "platform 'test': node type 'node' states its power, its GPU 'G' does not (that of a node is "
                         "without its GPUs). Add 'power' to the GPU?",
                         InputError);
  }
}
