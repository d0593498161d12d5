// Memories of sockets (`numa-domain: socket`). Memory of a node M = 4 GB/s, one core copies at C = 1 GB/s, L_m = 1 us
// (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include <algorithm>

#include "inside_of_nodes.hpp"
#include "kernels/collectives/collective.hpp"
#include "platforms/local_work.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L_m = 1e-6, M = 4e9, C = 1e9, m = 1e6;

/// One node of two sockets, one copy at the sender; ranks on these elements: sockets, then GPUs.
Cluster node(NumaDomain domain, const std::vector<std::uint32_t>& elements, std::uint32_t gpus = 0) {
  Cluster cluster = two_sockets(1, gpus);
  cluster.type().numa_domain = domain;
  cluster.shared().copies = {1, 0};
  for (const std::uint32_t element : elements) seat(cluster, 0, element);
  return cluster;
}

/// What the resource carried; 0 if there is none of that name.
double bytes_of(const RunResult& run, std::string_view name) {
  const auto found = std::ranges::find(run.resources, name, &ResourceRecord::name);
  return found == run.resources.end() ? 0.0 : found->bytes.si();
}

/// Two ranks that reduce a vector in memory, at most r and copying c.
double allreduce_time(NumaDomain domain, const std::vector<std::uint32_t>& sockets) {
  Cluster cluster = node(domain, sockets);
  cluster.shared().copies = {0, 0};
  LocalRates& rates = cluster.type().local_work;
  rates.reduction = rates.cached_reduction = BytesPerSecond{2e9};
  rates.copy = rates.cached_copy = BytesPerSecond{3e9};
  rates.cache = {};
  for (Placement& place : cluster.layout.placements) place.local_work = kinds_of(rates);
  const Group world = Group::world(2);
  const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
  return makespan(cluster, [=](Rank me) {
    const collectives::Call call{.group = world, .me = me, .algorithm = collectives::Choice("rdb"), .nodes = nodes};
    return collectives::allreduce(call, Bytes{m});
  });
}

}  // namespace

TEST_SUITE("replay/numa") {
  TEST_CASE("Ranks on one socket have half of a divided memory and ranks on both have all of it") {
    const std::vector<std::uint32_t> one(8, 0), both{0, 1, 0, 1, 0, 0, 0, 0};  // the first four send
    const auto time = [](NumaDomain domain, const std::vector<std::uint32_t>& sockets) {
      return makespan(node(domain, sockets), each_to_its_own(4, m));
    };
    CHECK(time(NumaDomain::node, one) == near(L_m + 4 * m / M));
    CHECK(time(NumaDomain::node, both) == near(L_m + 4 * m / M));
    CHECK(time(NumaDomain::socket, one) == near(L_m + 4 * m / (M / 2)));
    CHECK(time(NumaDomain::socket, both) == near(L_m + 4 * m / M));
    CHECK(time(NumaDomain::socket, {0, 0, 0, 1, 0, 0, 0, 0}) == near(L_m + 3 * m / (M / 2)));
  }

  TEST_CASE("A copy loads the memory of the socket whose core copies and none other") {
    Cluster cluster = node(NumaDomain::socket, {0, 0, 0, 1, 1, 1});
    RunResult run = play(cluster, each_to_its_own(3, m));
    CHECK(bytes_of(run, "memory of socket 0 of node-0") == near(3 * m));
    CHECK(bytes_of(run, "memory of socket 1 of node-0") == 0.0);
    cluster.shared().copies = {0, 1};
    run = play(cluster, each_to_its_own(3, m));
    CHECK(run.makespan.si() == near(L_m + 3 * m / (M / 2)));
    CHECK(bytes_of(run, "memory of socket 0 of node-0") == 0.0);
    CHECK(bytes_of(run, "memory of socket 1 of node-0") == near(3 * m));
  }

  TEST_CASE("A copy over what joins the sockets loads the memory of its core") {
    Cluster cluster = node(NumaDomain::socket, {0, 1});
    cluster.shared().copies = {0, 1};
    cluster.type().fabric.cables = {{ResourceKind::upi, 0, 1, BytesPerSecond{C / 2}, Seconds{L_m}}};
    const RunResult run = play(cluster, each_to_its_own(1, m));
    CHECK(run.makespan.si() == near(2 * L_m + m / (C / 2)));
    CHECK(bytes_of(run, "memory of socket 0 of node-0") == 0.0);
    CHECK(bytes_of(run, "memory of socket 1 of node-0") == near(m));
  }

  TEST_CASE("A memory that all its socket's ranks wait for has a load of one and the other of what it carries") {
    Cluster cluster = node(NumaDomain::socket, {0, 0, 0, 1, 0, 0, 0, 1});
    cluster.type().shared_memory_latency = {};
    cluster.options.load_bins = 10;
    const RunResult run = play(cluster, each_to_its_own(4, m));
    CHECK(run.makespan.si() == near(3 * m / (M / 2)));
    const auto loads = [&](std::string_view name) {
      const auto found = std::ranges::find(run.resources, name, &ResourceRecord::name);
      REQUIRE(found != run.resources.end());
      CHECK(found->capacity == BytesPerSecond{M / 2});
      REQUIRE(!found->load.empty());
      return found->load;
    };
    for (const double load : loads("memory of socket 0 of node-0")) CHECK(load == near(1.0, 1e-6));
    const std::vector<double> other = loads("memory of socket 1 of node-0");
    CHECK(other.front() == near(C / (M / 2), 1e-6));
    CHECK(other.back() == 0.0);
  }

  TEST_CASE("Ranks that reduce on one socket have half of the memory that those of a node have") {
    // Reducing a byte sweeps as much memory as copying 1.5; a rank alone would copy 3 GB/s of it.
    const double of_node = 2 * m / M + L_m + 1.5 * 2 * m / M;
    CHECK(allreduce_time(NumaDomain::node, {0, 0}) == near(of_node));
    CHECK(allreduce_time(NumaDomain::socket, {0, 1}) == near(of_node));
    CHECK(allreduce_time(NumaDomain::socket, {0, 0}) == near(2 * (of_node - L_m) + L_m));
  }

  TEST_CASE("What a rank on a GPU copies loads the memory of the socket nearest to the GPU") {
    for (const bool crossed : {false, true}) {
      Cluster cluster = node(NumaDomain::socket, {3, 0}, 4);  // the second of four GPUs sends
      for (Gpu& gpu : cluster.type().gpus) gpu.link_bandwidth = BytesPerSecond{2 * C};
      const auto pcie = [](std::uint32_t socket, std::uint32_t gpu) {
        return Fabric::Cable{ResourceKind::pcie, socket, gpu, BytesPerSecond{2 * C}, {}};
      };
      if (crossed)
        cluster.type().fabric.cables = {
            {ResourceKind::upi, 0, 1, BytesPerSecond{C / 2}, {}}, pcie(0, 2), pcie(1, 3), pcie(0, 4), pcie(1, 5)};
      const RunResult run = play(cluster, each_to_its_own(1, m));
      CHECK(bytes_of(run, "memory of socket 0 of node-0") == near(crossed ? 0.0 : m));
      CHECK(bytes_of(run, "memory of socket 1 of node-0") == near(crossed ? m : 0.0));
    }
  }

  TEST_CASE("A node of one socket has one memory whoever has memories of their own") {
    Cluster cluster = Cluster(1).place({0, 0});
    cluster.shared().copies = {1, 0};
    cluster.type().numa_domain = NumaDomain::socket;
    const RunResult run = play(cluster, each_to_its_own(1, m));
    CHECK(bytes_of(run, "memory of node-0") == near(m));
  }
}
