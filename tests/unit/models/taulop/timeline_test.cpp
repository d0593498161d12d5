#include "models/taulop/timeline.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/taulop/support.hpp"

namespace orrery::test {

using namespace taulop;

namespace {

/// No overheads: T0 = m * 2e-10 (1 + 0.5 (tau - 1)), T1 = m * 4e-10 (1 + 0.75 (tau - 1)).
std::vector<TransmissionTable> synth0() { return synthetic_platforms().front().tables; }

Timeline evaluate(const char* expression) { return timeline(parse(expression).front(), synth0()); }

}  // namespace

TEST_SUITE("models/taulop/timeline") {
  TEST_CASE("Transmissions into one node share its channel until the shortest ends") {
    const auto result = evaluate("T(1,1000) ; T(1,3000)");
    REQUIRE(result.slices.size() == 2);
    CHECK(result.slices[0].concurrency == 2);
    CHECK(result.slices[0].message == 1000_B);
    CHECK(result.slices[0].ended == 1);
    CHECK(result.slices[1].message == 2000_B);
    CHECK(result.time / 1_us == near(0.7 + 0.8));
  }

  TEST_CASE("Transmissions into two nodes do not share a channel") {
    CHECK(evaluate("T(1,1000,1,1,0,0,1,1) ; T(1,1000,1,1,0,0,2,2)").time / 1_us == near(0.4));
  }

  TEST_CASE("A slower channel loses the bytes that it carries during a slice of another") {
    const auto result = evaluate("T(0,1000) ; T(1,1000)");
    REQUIRE(result.slices.size() == 2);
    CHECK(result.slices[0].others == 1);
    CHECK(result.slices[1].message == 500_B);
    CHECK(result.time / 1_us == near(0.4));
  }

  TEST_CASE("A transmission of a sequence starts when the one before it ends") {
    CHECK(evaluate("T(0,1000) + T(1,1000)").time / 1_us == near(0.6));
  }

  TEST_CASE("A transmission with two predecessors starts when both have ended") {
    TransmissionGraph graph;
    const auto tables = synth0();
    graph.transmissions = {parse("T(1,1000,1,1,0,0,1,1)")[0][0][0], parse("T(1,3000,1,1,0,0,2,2)")[0][0][0],
                           parse("T(1,500,1,1,1,1,0,0)")[0][0][0]};
    graph.after = {{}, {}, {0, 1}};
    const auto result = timeline(graph, tables);
    REQUIRE(result.slices.size() == 3);
    CHECK(result.slices[2].message == 500_B);
    CHECK(result.time / 1_us == near(0.4 + 0.8 + 0.2));
  }

  TEST_CASE("A group whose members use two tables takes the dearer one") {
    const TransmissionTable cheap{"cheap", {10_B}, {{1_s}}}, dear{"dear", {10_B}, {{3_s}}};
    Transmission a{.channel = 1, .tables = 1, .concurrency = 1, .message = 10_B, .to_node = NodeId{0}};
    Transmission b = a;
    b.tables = 2;
    const std::vector tables{cheap, dear};
    CHECK(timeline(std::vector<Sequence>{{a}, {a}}, tables).time == 1_s);
    CHECK(timeline(std::vector<Sequence>{{a}, {b}}, tables).time == 3_s);
  }

  TEST_CASE("An empty message still costs one slice") {
    const auto result = evaluate("T(1,0)");
    REQUIRE(result.slices.size() == 1);
    CHECK(result.time / 1_us == near(4e-4));
  }

  TEST_CASE("Nothing to transmit takes no time") { CHECK(timeline(std::vector<Sequence>{}, synth0()).time == 0_s); }

  TEST_CASE("Assumption A1 merges neighbours of equal channel and destination and leaves the rest alone") {
    const auto sequence = parse("T(1,10) + T(1,20) + T(1,30,1,1,0,0,1,1) + T(1,5,2) + T(1,5,1,2)")[0][0];
    const auto by_node = merged(sequence, MergeBy::channel_and_node);
    REQUIRE(by_node.size() == 5);
    CHECK(by_node[0].message == 30_B);
    const auto by_channel = merged(sequence, MergeBy::channel);
    REQUIRE(by_channel.size() == 4);
    CHECK(by_channel[0].message == 60_B);
  }

  TEST_CASE("A slice is told in words with the assumption it rests on") {
    const auto result = evaluate("T(0,4000) ; T(1,500) ; T(1,1000)");
    CHECK(in_words(result.slices[0]) ==
          "2 || T^1(500 B) into node 0: 1 transmission ends, the rest of its group has lost as many bytes (A2); "
          "1 elsewhere goes on meanwhile at its own pace (A3)");
  }
}

}  // namespace orrery::test
