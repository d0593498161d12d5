// The inside of a node. Network L = 10 us, B = 1 GB/s; memory 4 GB/s, one core copies at C = 1 GB/s, L_m = 1 us
// (tests/support/cluster.hpp). Sockets are joined at 0.5 GB/s and 0.2 us, PCIe has 2 GB/s and 0.3 us, NVLink 8 GB/s and
// 0.1 us; every run on both engines.
#include <doctest/doctest.h>

#include <algorithm>

#include "inside_of_nodes.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, L_m = 1e-6, C = 1e9, m = 1e6;
constexpr double U = 0.5e9, L_u = 0.2e-6, P = 2e9, L_p = 0.3e-6, N = 8e9, L_n = 0.1e-6;

/// Elements: sockets 0 and 1, then the GPUs, then the switches plx-0, plx-1 and nvswitch.
Fabric::Cable upi() { return {ResourceKind::upi, 0, 1, BytesPerSecond{U}, Seconds{L_u}}; }
Fabric::Cable pcie(std::uint32_t a, std::uint32_t b) {
  return {ResourceKind::pcie, a, b, BytesPerSecond{P}, Seconds{L_p}};
}
Fabric::Cable nvlink(std::uint32_t a, std::uint32_t b) {
  return {ResourceKind::nvlink, a, b, BytesPerSecond{N}, Seconds{L_n}};
}

/// Four GPUs, two behind each of two PCIe switches, each of those at a socket; adapters at the PCIe switches.
Cluster four_gpus(std::uint32_t nodes, bool nvswitch) {
  Cluster cluster = two_sockets(nodes, 4);
  Fabric& fabric = cluster.type().fabric;
  fabric.switches = {"plx-0", "plx-1", "nvswitch"};
  fabric.cables = {upi(), pcie(0, 6), pcie(1, 7), pcie(6, 2), pcie(6, 3), pcie(7, 4), pcie(7, 5)};
  if (nvswitch)
    for (std::uint32_t gpu = 2; gpu < 6; ++gpu) fabric.cables.push_back(nvlink(gpu, 8));
  cluster.type().gpu_messages = GpuMessages{1_us, cluster.shared()};
  cluster.wire().gpu_direct = true;
  put_adapters(cluster, {6, 7});
  return cluster;
}

}  // namespace

TEST_SUITE("replay/fabric") {
  TEST_CASE("A copy between sockets is as slow as what joins them") {
    Cluster cluster = two_sockets(1);
    cluster.shared().copies = {1, 1};
    seat(cluster, 0, 0), seat(cluster, 0, 1);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L_m + 2 * m / C));
    cluster.type().fabric.cables = {upi()};
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L_m + L_u + m / C + m / U));
    cluster.layout.placements[1] = cluster.layout.placements[0];
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L_m + 2 * m / C));
  }

  TEST_CASE("Copies in opposite directions do not share what joins the sockets and those in one do") {
    Cluster cluster = two_sockets(1);
    cluster.shared().copies = {0, 1};
    cluster.type().fabric.cables = {upi()};
    for (const std::uint32_t socket : {0u, 1u, 1u, 0u}) seat(cluster, 0, socket);
    CHECK(makespan(cluster, each_to_its_own(2, m)) == near(L_m + L_u + m / U));
    cluster.layout.placements.clear();
    for (const std::uint32_t socket : {0u, 0u, 1u, 1u}) seat(cluster, 0, socket);
    CHECK(makespan(cluster, each_to_its_own(2, m)) == near(L_m + L_u + 2 * m / U));
  }

  TEST_CASE("A message to the adapter of another socket crosses what joins them") {
    Cluster cluster = two_sockets(2);
    cluster.type().fabric.cables = {upi()};
    put_adapters(cluster, {0});
    seat(cluster, 0, 1), seat(cluster, 1, 0);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + L_u + m / U));
  }

  TEST_CASE("GPUs of a node talk over NVLink where there is one and over PCIe else") {
    Cluster with = four_gpus(1, true), without = four_gpus(1, false);
    for (Cluster* cluster : {&with, &without})
      for (const std::uint32_t gpu : {2u, 3u}) seat(*cluster, 0, gpu);
    CHECK(makespan(with, each_to_its_own(1, m)) == near(1e-6 + 2 * L_n + m / N));
    CHECK(makespan(without, each_to_its_own(1, m)) == near(1e-6 + 2 * L_p + m / P));
    without.layout.placements.clear();
    for (const std::uint32_t gpu : {2u, 5u}) seat(without, 0, gpu);  // over both sockets
    CHECK(makespan(without, each_to_its_own(1, m)) == near(1e-6 + 4 * L_p + L_u + m / U));
  }

  TEST_CASE("An NVSwitch gives each GPU its bandwidth in each direction") {
    Cluster cluster = four_gpus(1, true);
    for (const std::uint32_t gpu : {2u, 3u, 4u, 5u}) seat(cluster, 0, gpu);
    const auto ring = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      co_yield irecv(Rank{(i + 3) % 4}, Bytes{m}, Tag{0}, RequestId{0});
      co_yield isend(Rank{(i + 1) % 4}, Bytes{m}, Tag{0}, RequestId{1});
      co_yield wait_all();
    };
    CHECK(makespan(cluster, ring) == near(1e-6 + 2 * L_n + m / N));
    const auto to_one = [](Rank me) -> Generator<Step> {
      if (me != Rank{0}) co_yield send(Rank{0}, Bytes{m}, Tag{0});
      for (std::uint32_t from = 1; me == Rank{0} && from < 4; ++from)
        co_yield irecv(Rank{from}, Bytes{m}, Tag{0}, RequestId{from});
      if (me == Rank{0}) co_yield wait_all();
    };
    CHECK(makespan(cluster, to_one) == near(1e-6 + 2 * L_n + 3 * m / N));
  }

  TEST_CASE("Pairs of NVLink carry what their two GPUs say and no more") {
    Cluster cluster = two_sockets(1, 2);
    cluster.type().fabric.cables = {upi(), pcie(0, 2), pcie(1, 3), nvlink(2, 3)};
    cluster.type().gpu_messages = GpuMessages{1_us, cluster.shared()};
    for (const std::uint32_t gpu : {2u, 2u, 3u, 3u}) seat(cluster, 0, gpu);
    CHECK(makespan(cluster, each_to_its_own(2, m)) == near(1e-6 + L_n + 2 * m / N));
  }

  TEST_CASE("A GPU sends to the adapter of its PCIe switch without passing a socket") {
    Cluster cluster = four_gpus(2, true);
    for (const std::uint32_t node : {0u, 1u})
      for (const std::uint32_t gpu : {2u, 4u}) seat(cluster, node, gpu);
    const RunResult result = test::play(cluster, each_to_its_own(2, m));
    CHECK(result.makespan.si() == near(L + 2 * L_p + m / B));
    for (const auto& resource : result.resources) CHECK(resource.kind != ResourceKind::upi);
  }

  TEST_CASE("A message that is not direct is staged through the socket of each GPU") {
    Cluster cluster = four_gpus(2, true);
    cluster.wire().gpu_direct = false;
    seat(cluster, 0, 2), seat(cluster, 1, 2);
    // To socket 0 over two PCIe links, back to the PCIe switch and out, and the same at the other end.
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + 2 * L_p + 2 * 2 * L_p + 2 * m / P + m / B));
  }

  TEST_CASE("GPUs without messages of their own talk through memory") {
    Cluster cluster = four_gpus(1, true);
    cluster.type().gpu_messages.reset();
    cluster.shared().copies = {0, 1};
    for (const std::uint32_t gpu : {2u, 3u}) seat(cluster, 0, gpu);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L_m + 2 * 2 * L_p + 2 * m / P + m / C));
  }

  TEST_CASE("An NVLink domain spans the nodes that share its switch and no others") {
    Cluster cluster = four_gpus(4, true);
    cluster.type().fabric.span = 2;
    cluster.type().fabric.shared = 8;
    seat(cluster, 0, 2), seat(cluster, 1, 5);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(1e-6 + 2 * L_n + m / N));
    cluster.layout.placements.clear();
    seat(cluster, 1, 2), seat(cluster, 2, 2);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + 2 * L_p + m / B));
  }

  TEST_CASE("Loads are told by kind of link") {
    Cluster cluster = four_gpus(2, true);
    for (const std::uint32_t gpu : {2u, 3u}) seat(cluster, 0, gpu);
    seat(cluster, 1, 2);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield send(Rank{1}, Bytes{m}, Tag{0});
        co_yield send(Rank{2}, Bytes{2 * m}, Tag{0});
      } else {
        co_yield recv(Rank{0}, Bytes{me == Rank{1} ? m : 2 * m}, Tag{0});
      }
    };
    const RunResult result = test::play(cluster, steps);
    const auto carried = [&](ResourceKind kind) {
      const auto found = std::ranges::find(result.kind_loads, kind, &KindLoad::kind);
      return found == result.kind_loads.end() ? 0.0 : found->bytes.si();
    };
    CHECK(carried(ResourceKind::nvlink) == near(2 * m));    // up and down
    CHECK(carried(ResourceKind::pcie) == near(2 * 2 * m));  // to the adapter and from it
    CHECK(carried(ResourceKind::nic_out) == near(2 * m));
    CHECK(carried(ResourceKind::upi) == 0.0);
  }
}
