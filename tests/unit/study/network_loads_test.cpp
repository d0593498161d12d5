#include "sim/study/play/network_loads.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using test::near;

namespace {

/// Two nodes on one switch, 1 GB/s: slots 0 and 1 are the NICs of node 0, 2 and 3 those of node 1.
OutlinedNetwork pair() {
  Platform platform;
  platform.name = "pair";
  platform.node_types.emplace_back().name = "node";
  platform.node_counts = {2};
  Network network;
  network.name = "net";
  network.bandwidth = 1_GBps;
  platform.networks.push_back(network);
  return outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0]));
}

PhaseRecord phase(const std::string& name, double begin, double end, double network_B) {
  PhaseRecord record{.phase = name, .begin = Seconds(begin), .end = Seconds(end)};
  record.traffic[1] = {network_B > 0.0 ? 1u : 0u, Bytes(network_B)};
  return record;
}

/// 10 s in ten bins; node 0 sends to node 1.
RunResult run_of(std::vector<PhaseRecord> phases, std::vector<double> load) {
  RunResult run;
  run.makespan = Seconds(10.0);
  run.phases = std::move(phases);
  double sum = 0.0;
  for (const double share : load) sum += share / static_cast<double>(load.size());
  for (const std::uint32_t link : {0u, 3u})
    run.resources.push_back(
        {"NIC", link == 0 ? ResourceKind::nic_out : ResourceKind::nic_in, 1_GBps, Bytes(sum * 1e10), {}, load, link});
  run.resources.push_back({"memory", ResourceKind::memory, 1_GBps, Bytes(1e9), {}, {}, no_link});
  return run;
}

}  // namespace

TEST_SUITE("app/network loads") {
  TEST_CASE("The load of a phase is what its bins carried over the time it went on") {
    const std::vector<double> load{0.8, 0.8, 0, 0, 0, 0.4, 0.4, 0, 0, 0};
    const auto run = run_of({phase("communication", 0, 2, 1e9), phase("computation", 2, 5, 0),
                             phase("communication", 5, 7, 1e9), phase("computation", 7, 10, 0)},
                            load);
    const auto all = network_loads(pair(), run);
    REQUIRE(all.size() == 2);  // of the whole run, and of the only phase with messages
    CHECK(all[0].phase.empty());
    CHECK(all[0].slots[0].most == near(0.24, 1e-6));
    CHECK(all[0].slots[1].most == 0.0f);
    CHECK(all[1].phase == "communication");
    CHECK(all[1].time.si() == near(4.0));
    CHECK(all[1].slots[0].mean == near(0.6, 1e-6));
    CHECK(all[1].slots[3].mean == near(0.6, 1e-6));
    CHECK(all[1].slots[2].mean == 0.0f);
  }

  TEST_CASE("A phase shorter than a bin gets all that the bin carried if no other phase sends") {
    std::vector<PhaseRecord> phases;
    for (int i = 0; i < 100; ++i) {
      phases.push_back(phase("communication", 0.1 * i, 0.1 * i + 0.02, 1e6));
      phases.push_back(phase("computation", 0.1 * i + 0.02, 0.1 * i + 0.1, 0));
    }
    const auto all = network_loads(pair(), run_of(phases, std::vector<double>(10, 0.1)));
    REQUIRE(all.size() == 2);
    CHECK(all[1].time.si() == near(2.0, 1e-9));
    CHECK(all[1].slots[0].mean == near(0.5, 1e-6));
  }

  TEST_CASE("Phases that share a bin share what it carried by the traffic they post") {
    const auto all = network_loads(
        pair(), run_of({phase("halo", 0, 5, 3e9), phase("sum", 5, 10, 1e9)}, std::vector<double>(1, 0.4)));
    REQUIRE(all.size() == 3);
    CHECK(all[1].phase == "halo");  // most traffic first
    CHECK(all[1].slots[0].mean == near(0.6, 1e-6));
    CHECK(all[2].slots[0].mean == near(0.2, 1e-6));
  }

  TEST_CASE("Ranks that drift apart do not make a phase longer than the run") {
    const auto all = network_loads(
        pair(), run_of({phase("halo", 0, 8, 1e9), phase("halo", 2, 10, 1e9)}, std::vector<double>(10, 0.5)));
    REQUIRE(all.size() == 2);
    CHECK(all[1].time.si() == near(10.0));
    CHECK(all[1].slots[0].mean == near(0.5, 1e-6));
  }

  TEST_CASE("A link without a load curve of its own has the course of its kind") {
    const std::vector<double> load{0.8, 0.8, 0, 0, 0, 0.4, 0.4, 0, 0, 0};
    auto run = run_of({phase("halo", 0, 2, 3e9), phase("sum", 5, 7, 1e9)}, load);
    run.kind_loads = {{ResourceKind::nic_out, 1, 1_GBps, Bytes(2.4e9), load},
                      {ResourceKind::nic_in, 1, 1_GBps, Bytes(2.4e9), load}};
    run.resources[0].load.clear();
    const auto all = network_loads(pair(), run);
    REQUIRE(all.size() == 3);
    CHECK(all[1].slots[0].mean == near(0.8, 1e-6));  // the outgoing NIC by its kind
    CHECK(all[1].slots[3].mean == near(0.8, 1e-6));  // the incoming one by itself
    CHECK(all[2].slots[0].mean == near(0.4, 1e-6));
  }

  TEST_CASE("Without load curves the loads of the whole run are known and a run without time has none") {
    auto run = run_of({phase("communication", 0, 10, 1e9)}, {0.5});
    for (auto& resource : run.resources) resource.load.clear();
    const auto all = network_loads(pair(), run);
    REQUIRE(all.size() == 1);
    CHECK(all[0].slots[0].mean == near(0.5, 1e-6));
    run.makespan = {};
    CHECK(network_loads(pair(), run).empty());
  }
}
