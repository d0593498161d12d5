#include "models/taulop/timeline.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/taulop/support.hpp"

namespace orrery::test {

using namespace taulop;

namespace {

/// No overheads: T0 = m * 2e-10 (1 + 0.5 (tau - 1)), T1 = m * 4e-10 (1 + 0.75 (tau - 1)).
std::vector<TransmissionTable> synth0() { return synthetic_platforms().front().tables; }

Timeline evaluate(const char* expression) { return timeline(parse(expression).front(), synth0(), Overhead::per_slice); }

/// o = 0.5 us in memory and 2 us on the network; X0 and X1 are the T0 and T1 above.
Timeline stepped(const char* expression, Overhead overhead = Overhead::once) {
  return timeline(parse(expression).front(), synthetic_platforms()[2].tables, overhead);
}

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
    const auto result = timeline(graph, tables, Overhead::per_slice);
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
    CHECK(timeline(std::vector<Sequence>{{a}, {a}}, tables, Overhead::per_slice).time == 1_s);
    CHECK(timeline(std::vector<Sequence>{{a}, {b}}, tables, Overhead::per_slice).time == 3_s);
  }

  TEST_CASE("An empty message still costs one slice") {
    const auto result = evaluate("T(1,0)");
    REQUIRE(result.slices.size() == 1);
    CHECK(result.time / 1_us == near(4e-4));
  }

  TEST_CASE("Nothing to transmit takes no time") {
    CHECK(timeline(std::vector<Sequence>{}, synth0(), Overhead::once).time == 0_s);
  }

  TEST_CASE("Assumption A1 merges neighbours of equal channel and destination and leaves the rest alone") {
    const auto sequence = parse("T(1,10) + T(1,20) + T(1,30,1,1,0,0,1,1) + T(1,5,2) + T(1,5,1,2)")[0][0];
    const auto by_node = merged(sequence, MergeBy::channel_and_node);
    REQUIRE(by_node.size() == 5);
    CHECK(by_node[0].message == 30_B);
    const auto by_channel = merged(sequence, MergeBy::channel);
    REQUIRE(by_channel.size() == 4);
    CHECK(by_channel[0].message == 60_B);
  }

  TEST_CASE("A message alone takes its overhead and then its transfers") {
    const auto result = stepped("T(1,1000)");
    REQUIRE(result.slices.size() == 2);
    CHECK(result.slices[0].part == Part::overhead);
    CHECK(result.slices[0].time == near(2.0 * 1_us));
    CHECK(result.time == near(2.4 * 1_us));
    CHECK(stepped("T(1,0)").time == near(2.0 * 1_us));  // nothing enters the channel
  }

  TEST_CASE("Messages into one node spend their overheads at once and pay none for what is left of them") {
    CHECK(stepped("T(1,1000) ; T(1,3000)").time == near((2.0 + 0.7 + 0.8) * 1_us));
    CHECK(stepped("T(1,1000) ; T(1,3000)", Overhead::per_slice).time == near((2.7 + 2.8) * 1_us));
    // 1022 B of three, 1 B of two, 1 B of one
    CHECK(stepped("T(1,1022) ; T(1,1023) ; T(1,1024)").time == near((2.0 + 1.022 + 7e-4 + 4e-4) * 1_us));
    CHECK(stepped("T(1,1000,3)").time == near((2.0 + 1.0) * 1_us));
  }

  TEST_CASE("Two channels cost exactly the dearer one when each message pays its overhead once") {
    CHECK(stepped("T(0,512) ; T(1,1024)").time == near((2.0 + 0.4096) * 1_us));
    CHECK(stepped("T(0,100000) ; T(1,1024)").time == near((0.5 + 20.0) * 1_us));
  }

  TEST_CASE("A message joins those that inject when its own overhead has elapsed") {
    // The sequence reaches the network at 0.5 + 0.2 and injects at 2.7 us; by then the other has sent 1750 B in 0.7 us.
    const auto result = stepped("T(0,1000) + T(1,1000) ; T(1,10000)");
    CHECK(result.time == near((2.7 + 0.7 + 7250 * 4e-4) * 1_us));
    CHECK(in_words(result.slices[0]) == "o^0(1000 B): 1 transmission starts to inject");
    CHECK(in_words(result.slices[3]) ==
          "rest of o^1(1000 B): 1 transmission starts to inject; 1 elsewhere goes on meanwhile at its own pace (A3)");
    CHECK(in_words(result.slices[4]) ==
          "2 || X^1(1000 B) into node 0: 1 transmission ends, the rest of its group has lost as many bytes (A2)");
  }

  TEST_CASE("Messages into two nodes share nothing however their overheads fall") {
    CHECK(stepped("T(1,1000,1,1,0,0,1,1) ; T(1,3000,1,1,0,0,2,2)").time == near((2.0 + 1.2) * 1_us));
  }

  TEST_CASE("A message whose overhead is longer leaves the channel to others until it injects") {
    const std::vector tables{TransmissionTable{"t", {10_B, 20_B}, {{2_s, 8_s}, {3_s, 10_s}}, {1_s, 6_s}}};
    const Transmission eager{.channel = 0, .tables = 1, .concurrency = 1, .message = 10_B, .to_node = NodeId{0}};
    auto rendezvous = eager;
    rendezvous.message = 20_B;
    CHECK(timeline(std::vector<Sequence>{{eager}, {rendezvous}}, tables, Overhead::once).time == 8_s);
  }

  TEST_CASE("No message ends for free beside a shorter one of another channel") {
    const Seconds alone = stepped("T(1,1)").time;
    for (const auto overhead : {Overhead::once, Overhead::per_slice})
      for (const char* both : {"T(0,1) ; T(1,1)", "T(0,1) ; T(1,0)", "T(0,1) + T(0,1) ; T(1,1)"})
        CHECK(stepped(both, overhead).time >= stepped("T(1,0)", overhead).time);
    CHECK(stepped("T(0,1) ; T(1,1)").time == near((alone / 1_us) * 1_us));
    CHECK(stepped("T(0,1) ; T(1,1)", Overhead::per_slice).time == near((0.5002 + alone / 1_us) * 1_us));  // begun anew
  }

  TEST_CASE("A slice is told in words with the assumption it rests on") {
    const auto result = evaluate("T(0,4000) ; T(1,500) ; T(1,1000)");
    CHECK(in_words(result.slices[0]) ==
          "2 || T^1(500 B) into node 0: 1 transmission ends, the rest of its group has lost as many bytes (A2); "
          "1 elsewhere goes on meanwhile at its own pace (A3)");
  }
}

}  // namespace orrery::test
