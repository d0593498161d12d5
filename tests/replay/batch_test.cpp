#include "sim/engine/batch.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "play.hpp"
#include "sim/core/error.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/wire_format.hpp"

using namespace orrery;
using engine::BatchState;
using engine::play_all;
using engine::Played;
using engine::Simulation;

namespace {

Simulation counted(std::uint64_t messages) {
  return {"simulation", [messages](const ReplayProgress&) {
            RunResult result;
            result.messages = messages;
            return result;
          }};
}

/// Tells forever, until it is told to stop.
Simulation endless() {
  return {"endless", [](const ReplayProgress& tell) -> RunResult {
            while (tell(0.25, 8)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw Interrupted("stopped");
          }};
}

void for_both(const std::function<void(bool threads)>& check) {
  for (const bool threads : {false, true}) {
    INFO((threads ? "on threads" : "in children"));
    check(threads);
  }
}

Generator<Step> halo(Rank me) {
  const auto i = static_cast<std::uint32_t>(me);
  const Rank right{(i + 1) % 6}, left{(i + 5) % 6};
  for (std::uint32_t k = 0; k < 40; ++k) {
    co_yield iteration(k);
    co_yield compute(Work::generic, Flops{1e-5 * (i + 1)});
    co_yield isend(right, Bytes{1e5 * (1.0 + k % 3)}, Tag{k}, RequestId{0});
    co_yield irecv(left, Bytes{1e5 * (1.0 + k % 3)}, Tag{k}, RequestId{1});
    co_yield wait_all();
  }
}

}  // namespace

TEST_SUITE("replay/batch") {
  TEST_CASE("Simulations of a batch give their results in order whatever the number of jobs") {
    for_both([](bool threads) {
      std::vector<Simulation> simulations;
      for (std::uint64_t i = 0; i < 9; ++i) simulations.push_back(counted(i));
      for (const unsigned jobs : {1u, 2u, 4u, 16u}) {
        const auto played = play_all({.jobs = jobs, .threads = threads}, simulations);
        REQUIRE(played.size() == 9);
        for (std::uint64_t i = 0; i < 9; ++i) CHECK(played[i].value().messages == i);
      }
      CHECK(play_all({.jobs = 2, .threads = threads}, {}).empty());
    });
  }

  TEST_CASE("An error of one simulation of a batch costs only that one and keeps its kind") {
    for_both([](bool threads) {
      const std::vector<Simulation> simulations = {
          counted(1),
          {"second", [](const ReplayProgress&) -> RunResult { throw ReplayError("rank 0 waits"); }},
          {"third", [](const ReplayProgress&) -> RunResult { throw std::logic_error("no rank"); }},
          counted(4)};
      std::size_t done = 0;
      const auto played = play_all({.jobs = 2, .threads = threads}, simulations, [&](const BatchState& state) {
        done = state.done;
        return true;
      });
      CHECK(played[0].value().messages == 1);
      CHECK_THROWS_WITH_AS(played[1].value(), "rank 0 waits", ReplayError);
      CHECK(played[1].exit_code == 4);
      CHECK_THROWS_WITH_AS(played[2].value(), "third: no rank", std::runtime_error);
      CHECK(played[3].value().messages == 4);
      if (threads) CHECK(done == 4);
    });
  }

  TEST_CASE("A batch that is told to stop says how far simulated time got") {
    for_both([](bool threads) {
      const auto once_told = [](const BatchState& state) { return state.under_way.empty(); };
      CHECK_THROWS_WITH_AS(play_all({.jobs = 2, .threads = threads}, {endless()}, once_told),
                           "interrupted: the simulation had reached t=0.25s, 8 messages", Interrupted);
      const auto both_told = [](const BatchState& state) { return state.under_way.size() < 2 || state.done < 1; };
      CHECK_THROWS_WITH_AS(
          play_all({.jobs = 2, .threads = threads}, {counted(1), endless(), endless(), endless()}, both_told),
          "interrupted: 1 of 4 simulations were complete; 2 running, the furthest at t=0.25s, 8 messages", Interrupted);
    });
  }

  TEST_CASE("The flow engine gives the same bits on any number of threads") {
    test::Cluster cluster(6);
    cluster.place({0, 1, 2, 3, 4, 5});
    const FunctionProgram program("halo", 6, halo);
    const test::SecondsAsFlops compute;
    const ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                            &cluster.layout, &compute,          cluster.options};
    const auto play = [&](const ReplayProgress& tell) {
      ReplayInput mine = input;
      mine.options.progress = tell;
      RunResult result = make_flow_engine()->replay(mine);
      result.wall_s = 0.0;
      return result;
    };
    const std::vector<Simulation> simulations(8, {"halo", play});
    const std::string expected = engine::to_bytes(play([](double, std::uint64_t) { return true; }));
    CHECK(expected.size() > 1000);
    for (const unsigned jobs : {1u, 2u, 4u})
      for (const Played& played : play_all({.jobs = jobs, .threads = true}, simulations))
        CHECK(engine::to_bytes(played.value()) == expected);
  }

  TEST_CASE("The engine knows whether it may play beside itself in one process") {
    CHECK(make_flow_engine()->reentrant());
    if (with_simgrid) CHECK_FALSE(make_simgrid_engine()->reentrant());
  }
}
