#include "kernels/micro_benchmark.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/core/phase.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Program> make(const std::string& kernel, const Settings& settings, std::uint32_t ranks) {
  const auto& entry = kernels().at(kernel, "test");
  Parameters parameters(entry.parameters);
  for (const auto& [name, value] : settings) parameters.set(name, value, "test");
  return entry.make({.parameters = parameters, .ranks = ranks, .partition = nullptr});
}

/// Phases of that name, each repetition apart, in the order of their iterations.
std::vector<Phase> timed(const std::string& kernel, const Settings& settings, std::uint32_t ranks) {
  auto phases = build_phases(*make(kernel, settings, ranks));
  std::erase_if(phases, [](const Phase& phase) { return phase.name != timed_phase; });
  return phases;
}

}  // namespace

TEST_SUITE("kernels/micro_benchmark") {
  TEST_CASE("Ring sends tau messages at once around one node and 2 tau around two") {
    const auto one = timed("ring", {{"sizes", "64B"}, {"concurrency", "3"}}, 4);
    REQUIRE(one.size() == 1);
    REQUIRE(one[0].messages.size() == 3);
    CHECK(one[0].messages[2].from == Rank{2});
    CHECK(one[0].messages[2].to == Rank{0});
    CHECK(std::ranges::all_of(one[0].messages, [](const Message& m) { return m.stage == 0 && m.size == 64_B; }));
    const auto two = timed("ring", {{"sizes", "64B"}, {"concurrency", "3"}, {"directions", "2"}}, 6);
    REQUIRE(two.size() == 1);
    CHECK(two[0].messages.size() == 6);
  }
  TEST_CASE("Ring of one transmission is a ping-pong between ranks 0 and 1") {
    const auto phases = timed("ring", {{"sizes", "64B"}, {"concurrency", "1"}}, 4);
    REQUIRE(phases.size() == 1);
    REQUIRE(phases[0].messages.size() == 2);
    CHECK(phases[0].messages[0].from == Rank{0});
    CHECK(phases[0].messages[1].from == Rank{1});
    CHECK(phases[0].messages[1].stage == 1);
    const auto& entry = kernels().at("ring", "test");
    CHECK(entry.benchmark_points(Parameters(entry.parameters)).front().transmissions == 2.0);
  }
  TEST_CASE("Ring runs every size for every concurrency and repetition in the order of its points") {
    const Settings settings{{"sizes", "0B,1KiB"}, {"concurrency", "1,2"}, {"repetitions", "3"}};
    const auto phases = timed("ring", settings, 2);
    REQUIRE(phases.size() == 4);
    Parameters parameters(kernels().at("ring", "test").parameters);
    for (const auto& [name, value] : settings) parameters.set(name, value, "test");
    const auto points = kernels().at("ring", "test").benchmark_points(parameters);
    REQUIRE(points.size() == 4);
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(phases[i].messages.front().size == points[i].message);
      CHECK(phases[i].first_iteration == 3 * i);
      CHECK(phases[i].repeat == 3);
    }
    CHECK(points[3].variant == "tau=2");
    CHECK(points[3].message == 1_KiB);
  }
  TEST_CASE("Ping-pong returns each message before the next size begins") {
    const auto phases = timed("pingpong", {{"sizes", "1B,64KiB"}}, 3);
    REQUIRE(phases.size() == 2);
    CHECK(phases[1].messages.size() == 2);
    CHECK(phases[1].messages[1].size == 64_KiB);
    CHECK(phases[1].messages[1].to == Rank{0});
  }
  TEST_CASE("Overhead times the sender and then the receiver and then bursts of one and of all messages") {
    const auto phases = timed("overhead", {{"sizes", "1B"}, {"messages", "5"}}, 2);
    REQUIRE(phases.size() == 3);  // while the receiver is timed no message is sent
    CHECK(phases[0].messages.size() == 5);
    CHECK_FALSE(phases[0].messages[0].received_in_phase);
    CHECK(phases[1].messages.size() == 1);
    CHECK(phases[2].messages.size() == 5);
    CHECK(phases[2].messages[4].stage == 4);  // blocking sends follow each other
    const auto set = timed("overhead", {{"sizes", "1B"}, {"messages", "5"}, {"blocking", "false"}}, 2);
    CHECK(set[2].messages[4].stage == 0);
  }
  TEST_CASE("A micro-benchmark with too few ranks is refused and the message says how many it needs") {
    CHECK_THROWS_WITH(make("ring", {{"concurrency", "1,4"}, {"directions", "2"}}, 6),
                      "ring: 6 ranks cannot run it (4 concurrent transmissions need at least 8). Give it 8?");
    CHECK_THROWS_WITH(make("pingpong", {}, 1),
                      "pingpong: 1 rank cannot run it (ping and pong need at least 2). Give it 2?");
    CHECK_THROWS_WITH(make("overhead", {}, 1),
                      "overhead: 1 rank cannot run it (a process and its partner need at least 2). Give it 2?");
  }
  TEST_CASE("A list of sizes without units or of counts that are none is refused") {
    CHECK_THROWS_WITH(parse_sizes("1B,64", "ring"),
                      "ring: size '64' without a unit (B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, PB, EB). Write '64B'?");
    CHECK_THROWS_WITH(parse_sizes("-1B", "ring"), "ring: size '-1B' lies outside 0 B..1e15 B. Choose one inside?");
    CHECK_THROWS_WITH(parse_sizes(" , ", "ring"),
                      "ring: ' , ' names no size (a list such as '1B,64B,4KiB'). Name one?");
    CHECK_THROWS_WITH(parse_counts("2,x", "ring"),
                      "ring: 'x' is not a whole number in 1..1000000. Write for example '1,2,4'?");
    CHECK_THROWS_WITH(parse_counts("", "ring"), "ring: '' names no number (a list such as '1,2,4'). Name one?");
  }
  TEST_CASE("A ping-pong states half the mean round trip of each of its sizes") {
    const auto& entry = kernels().at("pingpong", "test");
    Parameters parameters(entry.parameters);
    parameters.set("sizes", "1B,64KiB", "test");
    parameters.set("repetitions", "2", "test");
    RunResult run;
    const double round_trips_s[] = {2e-6, 4e-6, 20e-6, 60e-6};
    for (std::uint32_t i = 0; i < 4; ++i) {
      run.phases.push_back({.phase = "synchronisation", .iteration = i, .time = Seconds(1.0)});
      run.phases.push_back({.phase = timed_phase, .iteration = i, .time = Seconds(round_trips_s[i])});
    }
    const auto metrics = entry.metrics(parameters, run);
    REQUIRE(metrics.size() == 2);
    CHECK(metrics[0].name == "T(1 B)");
    CHECK(metrics[0].value == test::near(1.5e-6));
    CHECK(metrics[1].name == "T(64 KiB)");
    CHECK(metrics[1].value == test::near(20e-6));
    CHECK(metrics[1].unit == "s");
  }
}
