#include "sim/study/read/engines.hpp"

#include <doctest/doctest.h>

#include "sim/show/tables/part_tables.hpp"
#include "sim/study/play/engine_difference.hpp"
#include "sim/study/play/expected_messages.hpp"
#include "sim/study/play/progress.hpp"
#include "tests/support/relative.hpp"

using namespace orrery::study;
using namespace orrery;
using test::near;

namespace {

PhaseRecord record(const char* phase, std::uint32_t iteration, double time_s) {
  return {phase, iteration, Seconds{time_s}, Rank{0}, Seconds{0.0}, Seconds{time_s}, {}};
}

RunResult run(std::vector<PhaseRecord> phases, double makespan_s) {
  RunResult result;
  result.engine = "one";
  result.makespan = Seconds{makespan_s};
  result.messages = 8;
  result.phases = std::move(phases);
  return result;
}

Generator<Step> to_root(Rank me, std::uint32_t ranks) {
  if (me == Rank{0}) {
    for (std::uint32_t r = 1; r < ranks; ++r) co_yield recv(any_rank, Bytes{1.0}, Tag{0});
    co_return;
  }
  co_yield isend(Rank{0}, Bytes{1.0}, Tag{0}, RequestId{0});
  co_yield wait_all();
}

}  // namespace

TEST_SUITE("app/engines") {
  TEST_CASE("Both engines are played with SimGrid shown and one engine alone is itself") {
    const std::vector<std::string> all{"both", "flow", "simgrid"}, one{"flow"};
    CHECK(engine_choices() == (with_simgrid ? all : one));
    CHECK(engines_of("both") == std::vector<std::string>{default_engine, "flow"});
    CHECK(engines_of("flow") == std::vector<std::string>{"flow"});
  }

  TEST_CASE("An engine that was not built is named as such and a misspelt one is not") {
    CHECK(why_not_built("simgrid").text() ==
          (with_simgrid
               ? ""
               : "'simgrid' is not in this program, which was built without SimGrid (known: flow). Use 'flow'?"));
    CHECK(why_not_built("both").empty() == with_simgrid);
    CHECK(why_not_built("flow").empty());
    CHECK(why_not_built("simgird").empty());
  }

  TEST_CASE("A run that may keep SimGrid busy for more than a minute is told so and flow is named") {
    CHECK(slow_notice("simgrid", {{1024, 390'000}}, 1) ==
          "engine simgrid: 390000 messages, up to 1024 ranks: about 4 s "
          "while the ranks stay in step, 62 s once they drift apart. "
          "Faster: --engine flow");
    CHECK(slow_notice("simgrid", {{1024, 370'000}}, 1).empty());
    CHECK(slow_notice("flow", {{1024, 390'000'000}}, 1).empty());
    CHECK(slow_notice(engines_of("both").front(), {{64, 60'000'000}}, 2).empty() == !with_simgrid);
    // Two jobs share many points, not one.
    CHECK(simgrid_time({{64, 100'000}, {64, 100'000}}, 2).drifting_s == near(1.0));
    CHECK(simgrid_time({{64, 100'000}}, 2).drifting_s == near(1.0));
  }

  TEST_CASE("An all-to-all that sends all at once is told to be slow before it starts and flow is named") {
    // 512 ranks took 177 s, 192 ranks 4.5 s.
    CHECK(slow_notice("simgrid", {{.ranks = 512, .messages = 261'632, .at_once = 261'632}}, 1) ==
          "engine simgrid: 261632 messages, up to 512 ranks: about 3 min while the ranks stay in step, 3 min once they "
          "drift apart. Faster: --engine flow");
    CHECK(slow_notice("simgrid", {{.ranks = 192, .messages = 36'672, .at_once = 36'672}}, 1).empty());
    CHECK(slow_notice("simgrid", {{.ranks = 512, .messages = 261'632, .at_once = 512}}, 1).empty());
    CHECK(slow_notice("flow", {{.ranks = 512, .messages = 261'632, .at_once = 261'632}}, 1).empty());
    CHECK(slow_notice("flow", {{.ranks = 500, .messages = 249'500, .at_once = 249'500, .gpus = true}}, 1) ==
          "engine flow: GPUs send 249500 messages at once: about 3 min. Faster: an algorithm that sends fewer at once");
    CHECK(slow_notice("flow", {{.ranks = 192, .messages = 36'672, .at_once = 36'672, .gpus = true}}, 1).empty());
  }

  TEST_CASE("How many messages are sent at once is counted with them") {
    const auto at_once = [](std::function<Generator<Step>(Rank)> steps) {
      const FunctionProgram program("p", 10, std::move(steps));
      MessageCount count(program);
      count.advance(1'000'000);
      return count.at_once();
    };
    CHECK(at_once([](Rank) -> Generator<Step> {
            for (int i = 0; i < 7; ++i) co_yield send(Rank{0}, Bytes{1.0}, Tag{0});
          }) == 10);
    CHECK(at_once([](Rank) -> Generator<Step> {
            for (std::uint32_t i = 0; i < 7; ++i) co_yield isend(Rank{0}, Bytes{1.0}, Tag{0}, RequestId{i});
            co_yield wait_all();
            co_yield isend(Rank{0}, Bytes{1.0}, Tag{0}, RequestId{0});
            co_yield wait(RequestId{0});
          }) == 70);
    CHECK(at_once([](Rank) -> Generator<Step> {
            for (std::uint32_t i = 0; i < 7; ++i) {
              co_yield isend(Rank{0}, Bytes{1.0}, Tag{0}, RequestId{0});
              co_yield wait(RequestId{0});
            }
          }) == 10);
  }

  TEST_CASE("Messages of a program are counted before it is played") {
    const auto program = [](std::uint32_t ranks) {
      return FunctionProgram("to root", ranks, [ranks](Rank me) { return to_root(me, ranks); });
    };
    const auto counted = [&](std::uint32_t ranks) {
      const auto counting = program(ranks);
      MessageCount count(counting);
      count.advance(1'000'000);
      CHECK(count.whole());
      return count.messages();
    };
    CHECK(counted(1) == 0);
    CHECK(counted(9) == 8);
    CHECK(counted(5000) == 4999);
  }

  TEST_CASE("Where every second rank is silent about half of the ranks are found to be") {
    const FunctionProgram program("every second", 2048, [](Rank me) -> Generator<Step> {
      if (static_cast<std::uint32_t>(me) % 2 == 0) co_yield send(me, Bytes{1.0}, Tag{0});
    });
    MessageCount count(program);
    count.advance(1'000'000);
    CHECK(static_cast<double>(count.messages()) == near(1024.0, 0.1));
  }

  TEST_CASE("A program without an end is counted for as many steps as asked and the count goes on") {
    const FunctionProgram program("endless", 3, [](Rank) -> Generator<Step> {
      for (;;) co_yield send(Rank{0}, Bytes{1.0}, Tag{0});
    });
    MessageCount count(program);
    CHECK(count.advance(1000) == 1000);
    CHECK_FALSE(count.whole());
    CHECK(count.messages() == 1000);
    CHECK(count.advance(500) == 500);
    CHECK(count.messages() == 1500);
  }

  TEST_CASE("Messages counted in pieces are those counted at once") {
    const FunctionProgram program("to root", 40, [](Rank me) { return to_root(me, 40); });
    MessageCount whole(program), pieces(program);
    whole.advance(1'000'000);
    int turns = 0;
    while (!pieces.whole() && ++turns < 1000) pieces.advance(1);
    CHECK(pieces.whole());
    CHECK(pieces.messages() == whole.messages());
    CHECK(whole.messages() == 39);
  }

  TEST_CASE("The difference of two engines is told for the iterations that differ most") {
    const auto shown = run({record("a", 0, 1.0), record("b", 0, 2.0), record("a", 1, 0.1), record("a", 1, 3.0)}, 4.0);
    const auto other = run({record("b", 0, 2.0), record("a", 0, 1.5), record("a", 1, 0.2), record("a", 1, 3.0)}, 4.4);
    const EngineDifference difference = difference_between(shown, other);
    CHECK(difference.failure.empty());
    REQUIRE(difference.phases.size() == 2);
    const auto& a = difference.phases[0];
    CHECK(a.phase == "a");
    CHECK(a.records == 3);
    CHECK(a.shown.si() == near(4.1));
    CHECK(a.other.si() == near(4.7));
    CHECK(a.largest_absolute.iteration == 0);
    CHECK(a.largest_absolute.absolute().si() == near(0.5));
    CHECK(a.largest_relative.iteration == 1);
    CHECK(a.largest_relative.relative() == near(1.0));
    CHECK(difference.phases[1].largest_relative.relative() == 0.0);
    CHECK(difference.makespan == Seconds{4.4});
  }

  TEST_CASE("Engines that played different phases are told apart") {
    const auto shown = run({record("a", 0, 1.0), record("b", 0, 2.0)}, 3.0);
    CHECK(difference_between(shown, run({record("a", 0, 1.0), record("c", 0, 2.0)}, 3.0)).failure ==
          "has no phase 'b' in iteration 0");
    CHECK(
        difference_between(shown, run({record("a", 0, 1.0), record("b", 0, 2.0), record("b", 1, 1.0)}, 3.0)).failure ==
        "played 8 messages in 3 phases, one played 8 in 2");
  }

  TEST_CASE("The table of two engines names point and phase and iteration of the largest difference") {
    ScenarioResult result;
    PointResult point{.kernel = "ring", .layout_name = "M10"};
    point.other_engine = difference_between(run({record("a", 4, 1.0)}, 4.0), run({record("a", 4, 1.25)}, 4.0));
    result.points.push_back(point);
    CHECK(show::engine_sentence(result) ==
          "the engines differ by 0.25 at most, relatively: a of iteration 4, ring on M10");
    const std::string table = show::engine_table(result, 200, false);
    CHECK(table.find("makespan") != std::string::npos);
    CHECK(table.find(" 0.25 ") != std::string::npos);
    result.points[0].other_engine.reset();
    CHECK(show::engine_table(result, 200, false).empty());
  }

  TEST_CASE("Progress of simulations says time and messages and what is left where that can be known") {
    SimulationCounts counts{.what = "simulating on flow",
                            .total = 1,
                            .simulated_s = 0.01234,
                            .messages = 1'200'000,
                            .expected = 8'190'000,
                            .messages_per_s = 411'900.0,
                            .elapsed_s = 3.0};
    CHECK(simulation_text(counts) ==
          "simulating on flow: t=0.01234 s, 1.20M of 8.19M messages, 412k messages/s, about 17 s left");
    counts.expected = 0;
    CHECK(simulation_text(counts) == "simulating on flow: t=0.01234 s, 1.20M messages, 412k messages/s");
    counts.total = 8;
    counts.done = 2;
    CHECK(simulation_text(counts) ==
          "simulating on flow 2/8: t=0.01234 s, 1.20M messages, 412k messages/s, about 9 s left");
    counts.expected = 1'000'000;  // more messages than expected: the expectation says nothing any more
    CHECK(simulation_text(counts) ==
          "simulating on flow 2/8: t=0.01234 s, 1.20M messages, 412k messages/s, about 9 s left");
  }

  TEST_CASE("Progress fits terminals of 80 and 60 and 40 columns and always says what is left") {
    const SimulationCounts counts{.what = "simulating on simgrid",
                                  .done = 12,
                                  .total = 128,
                                  .simulated_s = 0.012345,
                                  .messages = 11'200'000,
                                  .expected = 16'770'000,
                                  .messages_per_s = 411'900.0,
                                  .elapsed_s = 30.0};
    CHECK(simulation_text(counts) ==
          "simulating on simgrid 12/128: t=0.01235 s, 11.20M of 16.77M messages, 412k messages/s, about 14 s left");
    CHECK(simulation_text(counts, 80) == "simgrid 12/128: t=0.01235 s, 11.20M of 16.77M messages, 412k/s, 14 s left");
    CHECK(simulation_text(counts, 70) == "simgrid 12/128: t=0.0123 s, 11.20M of 16.77M, 412k/s, 14 s left");
    CHECK(simulation_text(counts, 60) == "12/128 t=0.0123 s, 67 %, 412k/s, 14 s left");
    CHECK(simulation_text(counts, 40) == "12/128 t=0.0123 s, 67 %, 14 s left");
    CHECK(simulation_text(counts, 22) == "12/128 67 %, 14 s left");
    CHECK(simulation_text(counts, 5) == "12/12");
    const StepCounts counted{"predicting sweep", "kernel wave2d", 30, 120, 2.0};
    CHECK(counted_text(counted, 200) ==
          "predicting sweep [######..................] 30/120, about 6 s left  kernel wave2d");
    CHECK(counted_text(counted, 79) == "predicting sweep [######..................] 30/120, about 6 s left");
    CHECK(counted_text(counted, 50) == "predicting sweep 30/120, about 6 s left");
    CHECK(counted_text(counted, 30) == "predicting 30/120, 6 s left");
    CHECK(counted_text(counted, 20) == "30/120, 6 s left");
  }
}
