// This machine as a platform file: what is read, what is refused, and what stands in the file.
#include "validation/commands/measured_platform.hpp"

#include <doctest/doctest.h>

#include "platforms/loader.hpp"
#include "sim/config/reader.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::cli;
using test::near;

namespace {

constexpr const char* two_sockets =
    "processor\t: 0\nmodel name\t: Some Processor\nphysical id\t: 0\ncore id\t\t: 0\n\n"
    "processor\t: 1\nmodel name\t: Some Processor\nphysical id\t: 1\ncore id\t\t: 0\n\n"
    "processor\t: 2\nmodel name\t: Some Processor\nphysical id\t: 0\ncore id\t\t: 0\n\n"
    "processor\t: 3\nmodel name\t: Some Processor\nphysical id\t: 1\ncore id\t\t: 0\n";

MeasuredParameters parameters() {
  MeasuredParameters all{.machine = machine_of(two_sockets, 4, 4),
                         .fit = {},
                         .core_speed = 45.6e9,
                         .core_speed_source = "dgemm",
                         .source = "measured in a test",
                         .remarks = {"a remark"},
                         .played = {}};
  all.machine.memory_B = 24e9;
  all.fit.node.latency = Seconds(1.5e-6);
  all.fit.node.send_overhead = Seconds(0.25e-6);
  all.fit.node.receive_overhead = Seconds(0.5e-6);
  all.fit.node.copy_bandwidth = BytesPerSecond(5e9);
  all.fit.node.concurrency = 2;
  all.fit.latency_factor = {{Bytes(0.0), 1.0}, {Bytes(5000.0), 2.5}};
  return all;
}

Platform read(const MeasuredParameters& all) {
  return load_platform(config::parse_yaml(measured_platform_text("here", all), "here.yaml"), "here.yaml");
}

}  // namespace

TEST_SUITE("validation/measured platform") {
  TEST_CASE("Cores of a machine are counted once however many threads they have") {
    const ThisMachine machine = machine_of(two_sockets, 4, 4);
    CHECK(machine.sockets == 2);
    CHECK(machine.cores_per_socket == 1);
    CHECK(machine.processor == "Some Processor");
    CHECK(machine_of("", 6, 6).cores() == 6);
    const ThisMachine part = machine_of(two_sockets, 4, 1);
    CHECK(part.cores() == 1);
  }

  TEST_CASE("A platform that was measured holds what was measured and says what was not") {
    const Platform platform = read(parameters());
    const NodeType& node = platform.node_types.front();
    CHECK(platform.nodes() == 1);
    CHECK(node.cores() == 2);
    CHECK(node.core_speed.si() == near(45.6e9, 1e-9));
    CHECK(node.copy_bandwidth.si() == near(5e9, 1e-9));
    CHECK(node.shared_memory_latency.si() == near(1.5e-6, 1e-9));
    CHECK(node.memory_bandwidth.si() == near(10e9, 1e-9));  // as no copy waited for another
    CHECK(node.shared_memory.latency_factor(Bytes(6000.0)) == near(2.5, 1e-9));
    const std::string text = measured_platform_text("here", parameters());
    CHECK(text.find("assumed: \"nothing of a network was measured") != std::string::npos);
    MeasuredParameters contended = parameters();
    contended.fit.node.memory_bandwidth = BytesPerSecond(7e9);
    CHECK(read(contended).node_types.front().memory_bandwidth.si() == near(7e9, 1e-9));
  }

  TEST_CASE("How far the file is from what was measured stands in it size by size") {
    MeasuredParameters all = parameters();
    all.played = {{"ping-pong", {{Bytes(1.0), Seconds(2e-6)}}, {{Bytes(1.0), Seconds(2.2e-6)}}}};
    const std::string text = measured_platform_text("here", all);
    CHECK(text.find("#   ping-pong: 10 % off in the median, 10 % at most\n") != std::string::npos);
    CHECK(text.find("2 us measured     2.2 us simulated  +10.0 %") != std::string::npos);
    CHECK(read(all).nodes() == 1);
  }

  TEST_CASE("Times that do not repeat are counted") {
    const Repeats repeats = repeats_of(
        "# a comment\nid,message_B,time_s,low_s,high_s,repetitions\npingpong/x,1,1e-6,0.9e-6,1.1e-6,51\n"
        "pingpong/x,64,1e-6,0.5e-6,5e-6,51\nring/x,64,1e-6,0.8e-6,1.2e-6,51\nstart-skew,0,1,0.1,9,51\n");
    CHECK(repeats.rows == 3);
    CHECK(repeats.loose == 1);
    CHECK(repeats.median == near(0.2, 1e-9));
    CHECK(repeats.loosest == "64 B of pingpong/x in 1 us");
    const Repeats late = repeats_of("ring/x,1,5e-6,4e-6,6e-6,51\nring/x,64,1e-6,0.9e-6,1.1e-6,51\n");
    CHECK(late.loose == 1);  // a longer message was faster
    CHECK(late.loosest.empty());
  }

  TEST_CASE("Of times that were measured again the least is kept") {
    const std::string first = "# one\nid,message_B,time_s,low_s,high_s,repetitions\na,1,3,2,4,51\na,2,3,2,4,51\n";
    const std::string again = "# two\nid,message_B,time_s,low_s,high_s,repetitions\na,1,2,1,3,51\na,2,4,1,9,51\n";
    CHECK(least_rows(first, again) ==
          "# one\nid,message_B,time_s,low_s,high_s,repetitions\na,1,2,1,3,51\na,2,3,2,4,51\n");
  }
}
