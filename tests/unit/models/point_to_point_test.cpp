#include "models/point_to_point.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// One second per byte, on the sender's port only or on both.
CostOfMessage second_per_byte(bool both_ports = false) {
  return [both_ports](const Message& message) -> TransmissionCost {
    const Seconds time(message.size.si());
    return {time, time, both_ports ? time : Seconds(0.0)};
  };
}

}  // namespace

TEST_SUITE("models/point_to_point") {
  TEST_CASE("Models that fit a line refuse one message size") {
    const Platform platform = test::two_types();
    const CalibrationRange range{.sizes = {1_KiB}, .concurrency = 2};
    for (const std::string name : {"hockney", "loggp", "loggph", "hloggp", "mlog_np"})
      CHECK_THROWS_WITH_AS(
          models().at(name, "test").fit(platform, platform.networks[0], range, {}),
          (name + ": 1 message size cannot fit a line (2 or more sizes). Add one with --sizes?").c_str(), InputError);
  }
  TEST_CASE("An empty phase costs nothing") { CHECK(compose(test::phase_of({}), second_per_byte(), nullptr) == 0_s); }
  TEST_CASE("Transmissions of one rank add up and the slowest rank decides") {
    const auto phase = test::phase_of({{0, 1, 3}, {0, 2, 4}, {1, 0, 5}});
    std::vector<Explanation> steps;
    CHECK(compose(phase, second_per_byte(), &steps) == 7_s);
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].text == "rank 0 sends 2 messages, 7 B in all, the last to rank 2");
    CHECK(steps[0].cost == 7_s);
  }
  TEST_CASE("A message that must wait for another starts when that one ends") {
    // 0 sends to 1 (3 s); 1 then sends to 2 (4 s); 0 meanwhile sends to 2 (1 s).
    const auto phase = test::phase_of({{0, 1, 3}, {0, 2, 1, 1, {0}}, {1, 2, 4, 1, {0}}});
    std::vector<Explanation> steps;
    CHECK(compose(phase, second_per_byte(), &steps) == 7_s);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].text == "rank 0 sends 3 B to rank 1");
    CHECK(steps[0].cost == 3_s);
    CHECK(steps[1].cost == 4_s);
  }
  TEST_CASE("Declared stages take the maximum over ranks each and add up") {
    auto phase = test::phase_of({{0, 1, 3}, {1, 2, 5}, {2, 0, 4, 1}, {1, 0, 1, 1}});
    test::declare(phase, {"column", "row"});
    std::vector<Explanation> steps;
    CHECK(compose(phase, second_per_byte(), &steps) == 9_s);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].text == "column: rank 1 sends 5 B to rank 2");
    CHECK(steps[1].text == "row: rank 2 sends 4 B to rank 0");
  }
  TEST_CASE("A receiver with one port takes messages one at a time in the order in which they start") {
    const auto incast = test::phase_of({{0, 2, 3}, {1, 2, 4}});
    CHECK(compose(incast, second_per_byte(), nullptr) == 4_s);
    CHECK(compose(incast, second_per_byte(true), nullptr) == 7_s);
    std::vector<Explanation> steps;
    compose(incast, second_per_byte(true), &steps);
    REQUIRE(steps.size() == 2);  // what the port was busy with is part of the explanation
    CHECK(steps[0].text == "rank 0 sends 3 B to rank 2");
    CHECK(steps[0].cost == 3_s);
    CHECK(steps[1].text == "rank 1 sends 4 B to rank 2");
    CHECK(steps[1].cost == 4_s);
    const auto exchange = test::phase_of({{0, 1, 3}, {1, 0, 3}});  // both ways at once
    CHECK(compose(exchange, second_per_byte(true), nullptr) == 3_s);
  }
  TEST_CASE("A train of messages costs as many latencies as it has messages") {
    auto phase = test::phase_of({{0, 1, 15}});
    phase.messages[0].repeat = 5;
    const auto ten_and_bytes = [](const Message& message) -> TransmissionCost {
      return {10_s + Seconds(message.size.si()), Seconds(message.size.si()), Seconds(0.0)};
    };
    CHECK(compose(phase, ten_and_bytes, nullptr) == 5.0 * 10_s + 15_s);
  }
  TEST_CASE("Messages outside the calibrated sizes are noted") {
    test::Run run{{test::phase_of({{0, 1, 3}, {1, 0, 2048}})}};
    CHECK(notes_on_sizes(run.input(), {1_B, 4_KiB}).empty());
    CHECK(notes_on_sizes(run.input(), {1_B, 1_KiB}) ==
          std::vector<std::string>{"1 message of 2 KiB lies outside the calibrated 1 B..1 KiB: the line is continued"});
  }
  TEST_CASE("Messages outside the calibrated sizes are counted over all phases that are compared") {
    test::Run run{{test::phase_of({{0, 1, 2048}}), test::phase_of({{1, 0, 4096}}), test::phase_of({{1, 0, 8192}})}};
    run.phases[0].repeat = 10;
    run.phases[2].name = "computation";
    CHECK(notes_on_sizes(run.input(), {1_B, 1_KiB}) ==
          std::vector<std::string>{
              "11 messages of 2 KiB..4 KiB lie outside the calibrated 1 B..1 KiB: the line is continued"});
  }
}
