#include "sim/study/play/smpi_export.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_of.hpp"
#include "sim/study/play/watched_program.hpp"

using namespace orrery;

namespace {

class TwoSeconds final : public ComputeModel {
 public:
  std::string description() const override { return "2 s"; }
  Seconds compute_time(const Compute&, Rank) const override { return 2_s; }
};

Platform two_nodes() {
  NodeType type;
  type.name = "node";
  Network network;
  network.name = "net";
  network.bandwidth = 1_GBps;
  network.latency = 2_us;
  Platform platform;
  platform.name = "two";
  platform.node_types = {type};
  platform.node_counts = {2};
  platform.networks = {network};
  return platform;
}

std::string trace(std::function<Generator<Step>(Rank)> steps) {
  const FunctionProgram program("test", 2, std::move(steps));
  return config::ti_text(trace_of(program, TwoSeconds{}, "ti"), Rank{1});
}

}  // namespace

TEST_SUITE("app/smpi-export") {
  TEST_CASE("A program of more steps than memory holds is refused as it is read") {
    const FunctionProgram endless("endless", 2, [](Rank) -> Generator<Step> {
      for (;;) co_yield compute(Work::generic, 5_flop);
    });
    CHECK_THROWS_WITH_AS(
        trace_of(study::WatchedProgram(endless, 1000), TwoSeconds{}, "ti"),
        "endless: more than 1000 steps (what is exported is in memory first). Fewer ranks or iterations?", InputError);
  }
  TEST_CASE("A trace for SMPI has one line per call and waits name their messages") {
    const auto steps = [](Rank) -> Generator<Step> {
      co_yield phase("p");
      co_yield compute(Work::generic, 5_flop);
      co_yield irecv(Rank{0}, 8_B, Tag{3}, RequestId{0});
      co_yield isend(Rank{0}, 16_B, Tag{4}, RequestId{1});
      co_yield wait(RequestId{1});
      co_yield isend(Rank{0}, 16_B, Tag{5}, RequestId{1});
      co_yield wait_all();
      co_yield wait_all();
      co_yield send(Rank{0}, 1_KiB, Tag{6});
      co_yield recv(any_rank, 1_B, any_tag);
    };
    CHECK(trace(steps) ==
          "1 init\n#orrery 1 phase p\n1 compute 2000000000\n1 irecv 0 3 8\n1 isend 0 4 16\n1 wait 1 0 4\n1 isend 0 5 "
          "16\n1 waitall 2\n"
          "1 send 0 6 1024\n1 recv -555 -444 1\n1 finalize\n");
  }

  TEST_CASE("A train of messages is one line of all its bytes after a comment that says how many they are") {
    const auto steps = [](Rank) -> Generator<Step> {
      const Step train = Send{Rank{0}, 2_B, Tag{0}, world, 128};
      co_yield train;
    };
    CHECK(trace(steps) == "1 init\n#orrery 1 train 128\n1 send 0 0 256\n1 finalize\n");
  }

  TEST_CASE("What all directions share is written so") {
    Platform platform = two_nodes();
    Network& network = platform.networks.front();
    const auto holds = [&](const std::string& piece) {
      return study::simgrid_xml(platform, network).find(piece) != std::string::npos;
    };
    CHECK(holds("sharing_policy=\"SPLITDUPLEX\"/>"));
    network.sharing = Sharing::half_duplex;
    network.both_ways = 1.5_GBps;
    CHECK(holds("sharing_policy=\"SHARED\" limiter_link=\"1500000000Bps\"/>"));
    network.sharing = Sharing::none;
    network.both_ways = {};
    network.topology = StarTopology{Medium{"", 2_GBps, 3_us}};
    CHECK(
        holds("sharing_policy=\"FATPIPE\" bb_bw=\"2000000000Bps\" bb_lat=\"3.0000000000000001e-06s\" "
              "bb_sharing_policy=\"SHARED\"/>"));
    // Of other topologies each is a link on the routes: the NICs, 4 and 5 the wires or directions, then what is shared.
    network.sharing = Sharing::full_duplex;
    network.topology = GraphTopology{
        {"a", "b"},
        {{"node:0-0", "a", {}, {}}, {"node:1-1", "b", {}, {}}, {"a", "b", 1_GBps, 1_us, Sharing::half_duplex}}};
    CHECK(
        holds("<route src=\"node-0\" dst=\"node-1\" symmetrical=\"NO\"><link_ctn id=\"0\"/><link_ctn "
              "id=\"4\"/><link_ctn id=\"6\"/><link_ctn id=\"3\"/></route>"));
    CHECK(
        holds("<route src=\"node-1\" dst=\"node-0\" symmetrical=\"NO\"><link_ctn id=\"1\"/><link_ctn "
              "id=\"5\"/><link_ctn id=\"6\"/><link_ctn id=\"2\"/></route>"));
    CHECK(holds("<link id=\"6\" bandwidth=\"1000000000Bps\" latency=\"0s\"/>"));
    network.topology = GraphTopology{{}, {{"node:0-1", "bus", {}, {}}}, {{"bus", 0.5_GBps, 1_us, Sharing::none}}};
    CHECK(holds("<link_ctn id=\"0\"/><link_ctn id=\"4\"/><link_ctn id=\"3\"/>"));
    CHECK(
        holds("<link id=\"4\" bandwidth=\"500000000Bps\" latency=\"9.9999999999999995e-07s\" "
              "sharing_policy=\"FATPIPE\"/>"));
  }

  TEST_CASE("A star is written as a cluster and each half of the latency belongs to one NIC") {
    const Platform platform = two_nodes();
    CHECK(study::simgrid_xml(platform, platform.networks[0]) ==
          "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n  <cluster id=\"cluster\" prefix=\"node-\" suffix=\"\" radical=\"0-1\" "
          "speed=\"1Gf\" core=\"1\" bw=\"1000000000Bps\" lat=\"9.9999999999999995e-07s\" "
          "sharing_policy=\"SPLITDUPLEX\"/>\n"
          "</platform>\n");
  }

  TEST_CASE("Hosts have the cores of their nodes and a star of several kinds a cluster of each") {
    Platform platform = two_nodes();
    platform.node_types[0].sockets = 2;
    platform.node_types[0].cores_per_socket = 6;
    CHECK(study::simgrid_xml(platform, platform.networks[0]).find(" core=\"12\"") != std::string::npos);
    platform.node_types.push_back(platform.node_types[0]);
    platform.node_types[1].cores_per_socket = 4;
    platform.node_counts = {2, 3};
    const std::string star = study::simgrid_xml(platform, platform.networks[0]);
    CHECK(star.find("id=\"cluster-of-8\" prefix=\"node-\" suffix=\"\" radical=\"2-4\" speed=\"1Gf\" core=\"8\"") !=
          std::string::npos);
    CHECK(star.find("id=\"cluster-of-12\" prefix=\"node-\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" core=\"12\"") !=
          std::string::npos);
    CHECK(study::simgrid_xml(platform, platform.networks[0], {NodeId{3}, NodeId{4}}).find("zone") == std::string::npos);
    platform.networks[0].topology = TorusTopology{{5}};
    const std::string torus = study::simgrid_xml(platform, platform.networks[0]);
    CHECK(torus.find("<host id=\"node-1\" speed=\"1Gf\" core=\"12\"/>") != std::string::npos);
    CHECK(torus.find("<host id=\"node-2\" speed=\"1Gf\" core=\"8\"/>") != std::string::npos);
  }

  TEST_CASE("A part of a machine is exported as the nodes of its job and the links between them") {
    Platform platform = two_nodes();
    platform.node_counts = {9};
    const std::vector<NodeId> job{NodeId{1}, NodeId{2}, NodeId{3}, NodeId{7}};
    CHECK(study::simgrid_xml(platform, platform.networks[0], job).find("radical=\"1-3,7\"") != std::string::npos);
    platform.networks[0].topology = TorusTopology{{9}};
    const std::string xml = study::simgrid_xml(platform, platform.networks[0], {NodeId{0}, NodeId{7}});
    CHECK(xml.find("<host id=\"node-7\"") != std::string::npos);
    CHECK(xml.find("node-1") == std::string::npos);
    CHECK(xml.find("<route src=\"node-7\" dst=\"node-0\"") != std::string::npos);
    std::size_t links = 0;  // four NICs, and two cables each way
    for (auto at = xml.find("<link id="); at != std::string::npos; at = xml.find("<link id=", at + 1)) ++links;
    CHECK(links == 8);
  }

  TEST_CASE("The nodes of a job count against what a routed export writes and not those of the platform") {
    Platform platform = two_nodes();
    platform.node_counts = {600};
    platform.networks[0].topology = TorusTopology{{600}};
    CHECK_NOTHROW(study::simgrid_xml(platform, platform.networks[0], {NodeId{0}, NodeId{599}}));
    CHECK_THROWS_WITH_AS(study::simgrid_xml(platform, platform.networks[0]),
                         "simgrid-xml: 600 nodes of platform 'two' (at most 512 unless the topology is a star: each "
                         "pair's route is written). Export a smaller platform?",
                         InputError);
  }

  TEST_CASE("Links are exported with what they carry of payload") {
    Platform platform = two_nodes();
    platform.networks[0].protocol.wire_efficiency = PiecewiseFactor({{0.0, 0.5}, {8192.0, 0.75}});
    CHECK(study::simgrid_xml(platform, platform.networks[0]).find("bw=\"750000000Bps\"") != std::string::npos);
    platform.networks[0].topology = TorusTopology{{2}};
    CHECK(study::simgrid_xml(platform, platform.networks[0]).find("bandwidth=\"750000000Bps\"") != std::string::npos);
  }

  TEST_CASE("Overheads become SMPI's piecewise form of offset and slope") {
    Platform platform = two_nodes();
    ChannelProperties& protocol = platform.networks[0].protocol;
    protocol.send_overhead = PiecewiseLinear({{0.0, 1.0}, {10.0, 6.0}}, 0.25);
    protocol.eager = protocol.detach = 100_B;
    const std::string options = study::smpi_options(platform.networks[0]);
    CHECK(options.find("smpi/os:\"0:1:0;0:1:0.5;10:3.5:0.25\"") != std::string::npos);
    CHECK(options.find("smpi/or:\"0:0:0\"") != std::string::npos);
    CHECK(options.find("smpi/async-small-thresh:100 ") != std::string::npos);
    CHECK(options.find("network/optim:Full ") != std::string::npos);
  }

  TEST_CASE("What SMPI cannot be told is named") {
    Platform platform = two_nodes();
    ChannelProperties& protocol = platform.networks[0].protocol;
    protocol.copies = {0, 0};
    protocol.handshake = 0;
    CHECK(study::smpi_differences(platform, platform.networks[0]).size() == 2);  // envelope and unexpected copy
    protocol.copies = {1, 1};
    protocol.handshake = 2;
    const auto differences = study::smpi_differences(platform, platform.networks[0]);
    CHECK(differences.size() == 4);
    CHECK(differences[0] == "network 'net' copies 1 + 1 times per message; SMPI does not");
    CHECK(differences[1] == "a rendezvous starts after 2 latencies; SMPI starts it at once");
    protocol.handshake_request = 1;
    CHECK(study::smpi_differences(platform, platform.networks[0])[2] ==
          "the request of a rendezvous travels before its receive is posted (handshake-request); SMPI sends none");
    protocol.handshake_request = 0;
    protocol.block_overhead = PiecewiseLinear(1e-5);
    CHECK(study::smpi_differences(platform, platform.networks[0])[2] ==
          "telling an adapter of a collective's blocks takes time (block-overhead); in SMPI none");
    protocol.block_overhead = {};
    platform.networks[0].adapters.message_rate = PiecewiseRate({{0.0, PerSecond(65e6)}, {64.0, PerSecond(8.87e6)}});
    CHECK(study::smpi_differences(platform, platform.networks[0]).back() ==
          "an adapter takes 65 M/s messages, from 64 B on 8.87 M/s; here any number");
    platform.networks[0].adapters.message_rate = PiecewiseRate(PerSecond(8.87e6));
    CHECK(study::smpi_differences(platform, platform.networks[0]).back() ==
          "an adapter takes 8.87 M/s messages; here any number");
    platform.networks[0].adapters.message_rate = {};
    protocol.latency_factor = protocol.bandwidth_factor = PiecewiseFactor({{0.0, 0.5}});
    protocol.wire_efficiency = PiecewiseFactor({{0.0, 0.5}, {8192.0, 0.75}});
    const auto factors = study::smpi_differences(platform, platform.networks[0]);
    REQUIRE(factors.size() == 7);
    CHECK(factors[2] == "latency changes with the message size; CM02 takes one factor for all sizes");
    CHECK(
        factors[3] ==
        "one message gets a part of the bandwidth (bandwidth-factor), several more; a factor of SimGrid holds for one "
        "flow up to 3.27 and for all together from 3.28 on, so it is left out");
    CHECK(factors[4] == "what a link carries changes with the message size; here it is that of the longest messages");
  }
  TEST_CASE("Memories of sockets are named for SMPI where a node has several") {
    Platform platform = two_nodes();
    platform.node_types[0].numa_domain = NumaDomain::socket;
    const std::string note =
        "each socket has a memory of its own (numa-domain: socket); in SMPI nothing waits for memory";
    const auto named = [&] {
      const auto differences = study::smpi_differences(platform, platform.networks[0]);
      return std::ranges::count(differences, note);
    };
    CHECK(named() == 0);
    platform.node_types[0].sockets = 2;
    CHECK(named() == 1);
  }
}
