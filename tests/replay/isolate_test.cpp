#include "sim/engine/isolate.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "sim/core/error.hpp"
#include "sim/engine/wire_format.hpp"

using namespace orrery;
using engine::Outcome;
using engine::run_isolated;
using engine::Task;

TEST_SUITE("replay/isolate") {
  TEST_CASE("A child returns its bytes however many there are") {
    CHECK(run_isolated("empty", [] { return std::string(); }).empty());
    const std::string large(3'000'000, '\0');
    CHECK(run_isolated("large", [&] { return large; }) == large);
  }

  TEST_CASE("An error in a child arrives as its own kind") {
    CHECK_THROWS_WITH_AS(run_isolated("t", []() -> std::string { throw InputError("a"); }), "a", InputError);
    CHECK_THROWS_WITH_AS(run_isolated("t", []() -> std::string { throw DomainError("b"); }), "b", DomainError);
    CHECK_THROWS_WITH_AS(run_isolated("t", []() -> std::string { throw ReplayError("c"); }), "c", ReplayError);
    CHECK_THROWS_WITH_AS(run_isolated("t", []() -> std::string { throw BoundError("d"); }), "d", BoundError);
    CHECK_THROWS_WITH_AS(run_isolated("t", []() -> std::string { throw Skipped("e"); }), "e", Skipped);
    CHECK_THROWS_WITH_AS(run_isolated("t", []() -> std::string { throw Interrupted("f"); }), "f", Interrupted);
    CHECK_THROWS_WITH_AS(run_isolated("task 3", []() -> std::string { throw std::logic_error("g"); }), "task 3: g",
                         std::runtime_error);
  }

  TEST_CASE("A child that crashes costs only its own task and is named") {
    const std::vector<Task> tasks = {{"first", [](const ReplayProgress&) { return std::string("1"); }},
                                     {"second",
                                      [](const ReplayProgress&) -> std::string {
                                        std::signal(SIGKILL, SIG_DFL);
                                        std::raise(SIGKILL);
                                        return "never";
                                      }},
                                     {"third", [](const ReplayProgress&) { return std::string("3"); }}};
    std::vector<std::size_t> done;
    const std::vector<Outcome> outcomes =
        run_isolated(2, tasks, [&](std::size_t task, const Outcome&) { done.push_back(task); });
    CHECK(done.size() == 3);
    CHECK(outcomes[0].value() == "1");
    CHECK(outcomes[2].value() == "3");
    CHECK(outcomes[1].exit_code == 4);
    CHECK(outcomes[1].error.text() == "second: the simulation was killed by signal 9 (Killed)");
    CHECK_THROWS_AS(outcomes[1].value(), ReplayError);
  }

  TEST_CASE("Results come in the order of the tasks whoever ends first") {
    std::vector<Task> tasks;
    for (int i = 0; i < 12; ++i) tasks.push_back({"task", [i](const ReplayProgress&) { return std::to_string(i); }});
    const std::vector<Outcome> outcomes = run_isolated(3, tasks);
    for (std::size_t i = 0; i < 12; ++i) CHECK(outcomes[i].value() == std::to_string(i));
  }

  TEST_CASE("A poll that says no ends the children") {
    const std::vector<Task> tasks = {{"endless", [](const ReplayProgress&) -> std::string {
                                        while (true) ::pause();
                                      }}};
    int polls = 0;
    CHECK_THROWS_WITH_AS(run_isolated(1, tasks, {}, [&] { return ++polls < 3; }),
                         "interrupted: the running simulations were stopped", Interrupted);
  }

  TEST_CASE("What a child tells reaches its parent before its result") {
    const std::vector<Task> tasks = {{"task", [](const ReplayProgress& tell) {
                                        for (int i = 1; i <= 3; ++i) tell(0.5 * i, static_cast<std::uint64_t>(i));
                                        return std::string("t and a");
                                      }}};
    double simulated_s = 0.0;
    std::uint64_t messages = 0;
    const auto outcomes = run_isolated(1, tasks, {}, {}, [&](std::size_t task, double t, std::uint64_t n) {
      CHECK(task == 0);
      simulated_s = t, messages = n;
    });
    CHECK(outcomes[0].value() == "t and a");
    CHECK(simulated_s == 1.5);
    CHECK(messages == 3);
  }

  TEST_CASE("A result survives the way through bytes and a cut one is refused") {
    RunResult result;
    result.engine = "engine";
    result.makespan = Seconds{1.5};
    result.messages = 7;
    result.phases.push_back({"phase", 3, Seconds{1}, Rank{4}, Seconds{2}, Seconds{3}, {{5, Bytes{6}}, {7, Bytes{8}}}});
    result.resources.push_back({"nic", ResourceKind::nic_in, BytesPerSecond{1}, Bytes{2}, Seconds{3}, {0.5, 0.25}, 7});
    result.kind_loads.push_back({ResourceKind::pcie, 3, BytesPerSecond{4}, Bytes{5}, {0.125}});
    result.activity_times = {{Seconds{1}, Seconds{2}}, {}};
    result.activity_group = 64;
    result.timelines = {{}, {{Activity::wait, Seconds{1}, Seconds{2}, Rank{3}, Bytes{4}, 5}}};
    result.timelines_cut = true;
    const std::string bytes = engine::to_bytes(result);
    const RunResult copy = engine::from_bytes(bytes);
    CHECK(engine::to_bytes(copy) == bytes);
    CHECK(copy.phases[0].phase == "phase");
    CHECK(copy.phases[0].traffic[1].bytes.si() == 8);
    CHECK(copy.resources[0].load == std::vector<double>{0.5, 0.25});
    CHECK(copy.resources[0].link == 7);
    CHECK(copy.kind_loads[0].kind == ResourceKind::pcie);
    CHECK(copy.kind_loads[0].resources == 3);
    CHECK(copy.kind_loads[0].load == std::vector<double>{0.125});
    CHECK(copy.activity_times[0][1] == Seconds{2});
    CHECK(copy.activity_group == 64);
    CHECK(copy.timelines[1][0].peer == Rank{3});
    for (const std::size_t length : {std::size_t{0}, std::size_t{9}, bytes.size() - 1})
      CHECK_THROWS_WITH(engine::from_bytes(bytes.substr(0, length)), "a result was cut short");
  }
}
