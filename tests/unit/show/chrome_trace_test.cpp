#include "sim/show/page/chrome_trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sample_result.hpp"
#include "tests/support/relative.hpp"

namespace orrery::show {

using test::near;

TEST_SUITE("report/chrome_trace") {
  TEST_CASE("A trace is JSON whose events never go back in time") {
    const auto trace = nlohmann::json::parse(to_chrome_trace(sample::small_result().points[1]));
    double last = 0.0;
    for (const auto& event : trace.at("traceEvents")) {
      CHECK(event.at("ts").get<double>() >= last);
      last = event.at("ts");
      if (event.at("ph") == "X") CHECK(event.at("dur").get<double>() >= 0.0);
    }
  }

  TEST_CASE("A trace shows every interval on the thread of its rank in the process of its node") {
    const auto point = sample::small_result().points[1];
    const auto trace = nlohmann::json::parse(to_chrome_trace(point));
    std::map<std::size_t, std::size_t> spans;
    for (const auto& event : trace.at("traceEvents"))
      if (event.at("ph") == "X" && event.at("cat") == "activity") {
        const auto rank = event.at("tid").get<std::uint32_t>();
        CHECK(event.at("pid") == index(point.layout.of(Rank{rank}).node));
        ++spans[rank];
      }
    REQUIRE(spans.size() == 4);
    for (const auto& [rank, count] : spans) CHECK(count == point.run.timelines[rank].size());
  }

  TEST_CASE("A trace has an arrow from the slice that sends a message to the slice that receives it") {
    auto point = sample::small_result().points[0];
    point.run.timelines.assign(4, {});
    point.run.timelines[0] = {{Activity::compute, 0_s, 1_s}, {Activity::send, 1_s, 2_s}};
    point.run.timelines[2] = {{Activity::wait, 0_s, 5_s}, {Activity::compute, 5_s, 6_s}};
    point.run.deliveries = {{Rank{0}, Rank{2}, 1_s, 5_s, 8_B},   // received when the wait ends
                            {Rank{2}, Rank{0}, 5_s, 9_s, 8_B}};  // received after the time line: no arrow
    const auto trace = nlohmann::json::parse(to_chrome_trace(point));
    std::map<std::string, nlohmann::json> ends;
    for (const auto& event : trace.at("traceEvents"))
      if (event.value("cat", "") == "message") CHECK(ends.emplace(event.at("ph"), event).second);
    REQUIRE(ends.size() == 2);
    CHECK(ends.at("s").at("tid") == 0);
    CHECK(ends.at("s").at("ts") == 1e6);
    CHECK(ends.at("f").at("tid") == 2);
    CHECK(ends.at("f").at("bp") == "e");
    CHECK(ends.at("f").at("ts").get<double>() > 4.9e6);
    CHECK(ends.at("f").at("ts").get<double>() < 5e6);
    CHECK(ends.at("s").at("id") == ends.at("f").at("id"));
  }

  TEST_CASE("The phases and collectives of a rank are slices around its activities") {
    auto point = sample::small_result().points[0];
    point.run.timelines.assign(4, {});
    point.run.phases = {{"local", 0, 1_s, Rank{0}, 0_s, 1_s, {}}, {"exchange", 3, 2_s, Rank{0}, 1_s, 3_s, {}}};
    point.run.timelines[1] = {{Activity::compute, 0_s, 1_s, any_rank, 0_B, 0},
                              {Activity::send, 1_s, 2_s, Rank{2}, 8_B, 1},
                              {Activity::wait, 2_s, 3_s, any_rank, 0_B, 1}};
    point.run.collective_spans = {{Rank{1}, Operation::bcast, "binomial", 8_B, 1_s, 3_s}};
    const auto trace = nlohmann::json::parse(to_chrome_trace(point));
    std::vector<std::string> slices;
    for (const auto& event : trace.at("traceEvents"))
      if (event.at("ph") == "X" && event.at("tid") == 1 && event.at("pid") == 0)
        slices.push_back(event.at("cat").get<std::string>() + " " + event.at("name").get<std::string>());
    CHECK(slices == std::vector<std::string>{"phase local 0", "activity compute", "phase exchange 3",
                                             "collective bcast", "activity send", "activity wait"});
  }

  TEST_CASE("A trace names its nodes even when a name holds quotes") {
    auto point = sample::small_result().points[0];
    point.node_names[0] = "a\"b\\c\xff";
    CHECK(nlohmann::json::accept(to_chrome_trace(point)));
  }

  TEST_CASE("The load counter of a resource changes only when its load does") {
    auto point = sample::small_result().points[0];
    point.run.resources.resize(1);
    point.run.resources[0].load = {0.5, 0.5, 0.25, 0.25, 0.0};
    point.run.kind_loads.clear();
    const auto trace = nlohmann::json::parse(to_chrome_trace(point));
    std::vector<double> loads;
    for (const auto& event : trace.at("traceEvents"))
      if (event.at("ph") == "C") loads.push_back(event.at("args").at("load"));
    CHECK(loads == std::vector<double>{50.0, 25.0, 0.0});
  }

  TEST_CASE("A trace has a counter of each kind of resource however few curves of single ones there are") {
    auto point = sample::small_result().points[0];
    for (auto& resource : point.run.resources) resource.load.clear();
    const auto trace = nlohmann::json::parse(to_chrome_trace(point));
    std::map<std::string, double> highest;
    for (const auto& event : trace.at("traceEvents"))
      if (event.at("ph") == "C") {
        double& most = highest[event.at("name").get<std::string>()];
        most = std::max(most, event.at("args").at("load").get<double>());
      }
    REQUIRE(highest.size() == 3);
    const auto& memories = point.run.kind_loads[0];
    CHECK(highest.at("mean of 2 memories") == near(100.0 * std::ranges::max(memories.load)));
  }
}

}  // namespace orrery::show
