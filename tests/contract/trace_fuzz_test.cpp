/// Readers of traces survive damaged files: accepted or refused with a clear error, no crash, no hang. What is accepted
/// can be written again and played.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "kernels/kernel.hpp"
#include "platforms/loader.hpp"
#include "platforms/routes.hpp"
#include "platforms/simgrid_import.hpp"
#include "sim/config/reader.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"
#include "tests/contract/mutation.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;

namespace {

const char* ti = R"(#orrery 0 speed 1e9
0 init
1 init
2 init
#orrery 0 phase communication
0 compute 1e6
1 sleep 0.5
0 send 1 7 1e3
1 recv 0 7 1000
0 isend 2 8 10 0
2 irecv -555 -444 10 0
0 wait 0 2 8
2 wait 0 2 8
0 sendRecv 5 1 5 2
1 sendRecv 5 2 5 0
2 sendRecv 5 0 5 1
0 bcast 5e4 1 0
1 bcast 5e4 1 0
2 bcast 5e4 1 0
0 alltoallv 3 1 2 3 9 1 4 6
1 alltoallv 3 4 5 6 9 2 5 7
2 alltoallv 3 6 7 8 9 3 6 8
0 gatherv 1 1 2 3 1 6 6
1 gatherv 2 1 2 3 1 6 6
2 gatherv 3 1 2 3 1 6 6
0 finalize
1 finalize
2 finalize
)";

const char* goal = R"(num_ranks 2
rank 0 {
a: calc 100 cpu 0
b: send 10b to 1 tag 3 cpu 0 nic 0
c: recv 20b from 1 tag 4
b requires a
d: calc 50 cpu 1
d requires c
d irequires b
}
rank 1 {
a: recv 10b from -1 tag -1
b: send 20b to 0 tag 4 // back
b requires a
}
)";

const char* simgrid = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="General"><prop id="smpi/send-is-detached-thresh" value="4096"/></config>
  <zone id="grid" routing="Full">
    <cluster id="x" prefix="x" suffix="" radical="0-2" speed="1Gf" bw="1GBps" lat="1us" bb_bw="2GBps"/>
    <zone id="z" routing="Floyd">
      <host id="a" speed="1Gf,2Gf"/>
      <host id="b" speed="1Gf" core="4"/>
      <router id="r"/>
      <link id="l" bandwidth="1Gbps" latency="50us"/>
      <link id="m" bandwidth="125MBps" latency="5ms" sharing_policy="SPLITDUPLEX"/>
      <route src="a" dst="r"><link_ctn id="l"/></route>
      <route src="b" dst="r"><link_ctn id="m_UP"/></route>
    </zone>
    <link id="wan" bandwidth="100MBps" latency="5ms"/>
    <zoneRoute src="x" dst="z" gw_src="xx_router" gw_dst="r"><link_ctn id="wan"/></zoneRoute>
  </zone>
</platform>
)";

const char* simgrid_tree = R"(<platform version="4.1">
  <cluster id="x" prefix="x" suffix="" radical="0-11" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE"
           topo_parameters="2;4,3;1,2;1,2" loopback_bw="10GBps" loopback_lat="0.1us" sharing_policy="SHARED"/>
</platform>
)";

/// Imports, loads what was written, and routes from the first to the last node.
void import_platform(const std::string& text) {
  const ImportedPlatform imported = parse_simgrid_xml(text, "p.xml");
  const Platform platform = load_platform(config::parse_yaml(imported.yaml, "p.yaml"), "p.yaml");
  const auto routes = build_routes(platform, platform.networks.front());
  CHECK((platform.nodes() == 1 || routes->bandwidth(NodeId{0}, NodeId{platform.nodes() - 1}).si() > 0.0));
}

/// Writes, reads again, and pulls the steps of a trace that is not too large.
void use(const Trace& trace) {
  if (streams_of(trace).empty()) CHECK(config::parse_ti(config::ti_text(trace), "again").calls() == trace.calls());
  if (trace.ranks.size() > 64) return;
  const KernelEntry& kernel = kernels().at("trace", "test");
  const KernelInput input{Parameters(kernel.parameters), static_cast<std::uint32_t>(trace.ranks.size()), nullptr,
                          std::make_shared<const Trace>(trace)};
  const auto program = kernel.make(input);
  for (std::uint32_t rank = 0; rank < program->ranks(); ++rank) {
    auto steps = program->steps(Rank{rank});
    for (std::uint32_t n = 0; n < 10000 && steps.next() != nullptr; ++n) continue;
  }
}

}  // namespace

TEST_SUITE("contract/trace files") {
  TEST_CASE("TI traces damaged at random are read or refused with a clear error") {
    const auto count = tests::fuzz(ti, 600, [](const std::string& text) { use(config::parse_ti(text, "t.ti")); });
    CHECK(count.accepted > 10);
    CHECK(count.refused > 200);
  }
  TEST_CASE("GOAL schedules damaged at random are read or refused with a clear error") {
    const auto count = tests::fuzz(goal, 600, [](const std::string& text) { use(config::parse_goal(text, "g.goal")); });
    CHECK(count.accepted > 10);
    CHECK(count.refused > 100);
  }
  TEST_CASE("SimGrid platforms damaged at random are read or refused with a clear error") {
    for (const char* original : {simgrid, simgrid_tree}) {
      const auto count = tests::fuzz(original, 300, import_platform);
      CHECK(count.accepted > 10);
      CHECK(count.refused > 50);
    }
  }
}
