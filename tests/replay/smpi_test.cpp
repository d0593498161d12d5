// The one judge of the protocol that is not ours: SMPI replays what we export.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "play.hpp"
#include "sim/core/trace_of.hpp"
#include "sim/study/play/smpi_export.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::near;

namespace {

class SecondsAsFlops final : public ComputeModel {
 public:
  std::string description() const override { return "flops are seconds"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return Seconds{compute.flops.si()}; }
};

/// Five-point halo exchange on a torus of 4 x 4 ranks that compute for unequal times.
Generator<Step> halo(Rank me) {
  const auto i = static_cast<std::uint32_t>(me), x = i % 4, y = i / 4;
  const std::uint32_t peers[] = {y * 4 + (x + 1) % 4, y * 4 + (x + 3) % 4, (y + 1) % 4 * 4 + x, (y + 3) % 4 * 4 + x};
  for (std::uint32_t k = 0; k < 3; ++k) {
    co_yield compute_for(1e-4 * (1.0 + 0.013 * ((i * 7 + k * 5) % 16)));
    for (std::uint32_t d = 0; d < 4; ++d) co_yield irecv(Rank{peers[d]}, Bytes{50000}, Tag{d}, RequestId{d});
    for (std::uint32_t d = 0; d < 4; ++d) co_yield isend(Rank{peers[d]}, Bytes{50000}, Tag{d ^ 1u}, RequestId{4 + d});
    co_yield wait_all();
  }
}

/// The simulated time that smpirun prints, or a negative number when it cannot be run.
double smpi_time(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return -1.0;
  std::string output;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  pclose(pipe);
  const auto at = output.find("Simulated time: ");
  INFO(output);
  CHECK(at != std::string::npos);
  return at == std::string::npos ? -1.0 : std::stod(output.substr(at + 16));
}

/// Each of six ranks sends every other a message of its own size, all posted at once: the flows of a NIC begin one by
/// one.
Generator<Step> exchange(Rank me) {
  const auto i = static_cast<std::uint32_t>(me), ranks = 6u;
  if (i >= ranks) co_return;
  for (std::uint32_t k = 0; k < ranks; ++k)
    if (k != i) co_yield irecv(Rank{k}, Bytes{3001.0 * k + 977 * i}, Tag{0}, RequestId{k});
  for (std::uint32_t k = 0; k < ranks; ++k)
    if (k != i) co_yield isend(Rank{k}, Bytes{3001.0 * i + 977 * k}, Tag{0}, RequestId{ranks + k});
  co_yield wait_all();
}

/// Each rank computes for a time of its own and sends to the rank four after it, which is on another node when four
/// share one: ranks of a node wait for each other's messages, and for no cores.
Generator<Step> ring_of_nodes(Rank me) {
  const auto i = static_cast<std::uint32_t>(me), ranks = 16u;
  for (std::uint32_t k = 0; k < 3; ++k) {
    co_yield compute_for(1e-3 * (1.0 + 0.01 * i));
    co_yield irecv(Rank{(i + ranks - 4) % ranks}, Bytes{50000}, Tag{k}, RequestId{0});
    co_yield isend(Rank{(i + 4) % ranks}, Bytes{50000}, Tag{k}, RequestId{1});
    co_yield wait_all();
  }
}

/// SMPI adds 16 B of envelope to each message: 3e-4 of 50,000 B, 7e-4 of the exchange.
void require_agreement(Cluster cluster, Generator<Step> (*steps)(Rank), double bandwidth, Seconds latency,
                       Seconds overhead) {
  if (std::system("command -v smpirun > /dev/null") != 0) {
    MESSAGE("skipped: smpirun is not installed (Debian package libsimgrid-dev)");
    return;
  }
  cluster.network().bandwidth = BytesPerSecond(bandwidth);
  cluster.network().latency = latency;
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("orrery-smpi-{}", getpid());
  for (const double limit : {1e6, 1e3}) {  // eager and detached, then rendezvous
    cluster.wire().eager = cluster.wire().detach = Bytes{limit};
    cluster.wire().isend_overhead = cluster.wire().receive_overhead =
        PiecewiseLinear(limit > 1e5 ? overhead.si() : 0.0);
    study::write_smpi_export(folder.string(), trace_of(FunctionProgram("test", 16, steps), SecondsAsFlops{}, "test"),
                             cluster.layout, cluster.platform, cluster.network());
    const double theirs =
        smpi_time(fmt::format("smpirun -no-privatize -np 16 -platform {0}/platform.xml -hostfile {0}/hostfile.txt {1} "
                              "--cfg=smpi/display-timing:yes --log=root.fmt:%m%n -replay {0}/index.txt",
                              folder.string(), study::smpi_options(cluster.network())));
    const double ours = test::makespan(cluster, steps);
    CHECK(ours == near(theirs, 1e-3));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

TEST_SUITE("replay/smpi") {
  TEST_CASE("SMPI replays an exported halo exchange in the same time to one part in a thousand") {
    require_agreement(test::a_rank_per_node(16), halo, 1e9, 10_us, 2_us);
  }

  TEST_CASE("SMPI replays an exported exchange of unequal messages in the same time to one part in a thousand") {
    require_agreement(test::a_rank_per_node(16), exchange, 12.5e9, 2_us, Seconds(0.25e-6));
  }

  TEST_CASE("SMPI replays several ranks to a node in the same time since the exported hosts have their cores") {
    Cluster cluster(4, 4);
    for (std::uint32_t i = 0; i < 16; ++i) cluster.place({i / 4});
    require_agreement(cluster, ring_of_nodes, 1e9, 10_us, 2_us);
    cluster.network().topology = TorusTopology{{4}};
    cluster.network().link_bandwidth = 1_GBps;
    cluster.network().link_latency = 1_us;
    require_agreement(cluster, ring_of_nodes, 1e9, 10_us, 2_us);
  }

  TEST_CASE("SMPI replays a star of nodes with unequal cores in the same time") {
    Cluster cluster(2, 4);
    cluster.platform.node_types.push_back(cluster.type());
    cluster.platform.node_types[1].name = "wide";
    cluster.platform.node_types[1].cores_per_socket = 8;
    cluster.platform.node_counts = {2, 2};
    for (std::uint32_t i = 0; i < 16; ++i)
      cluster.layout.placements.push_back({NodeId{i / 4}, HostId{i / 4}, i / 8, 1, false, 0});
    require_agreement(cluster, ring_of_nodes, 1e9, 10_us, 2_us);
  }
}
