#include "sim/show/result/json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sample_result.hpp"
#include "sim/core/error.hpp"
#include "sim/show/result/json_text.hpp"
#include "tests/support/relative.hpp"

namespace orrery::show {

using test::near;

namespace {

std::string refusal(const std::string& text) {
  try {
    from_json(text, "result.json");
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("report/json") {
  TEST_CASE("A result read back writes the same bytes") {
    for (const auto& result : {sample::small_result(), sample::large_result(2, 2)}) {
      const JsonOptions all{.timelines = true};
      const auto text = to_json(result, all);
      CHECK(to_json(from_json(text, "result.json"), all) == text);
      CHECK(nlohmann::json::accept(text));
    }
  }

  TEST_CASE("A run whose program marks no phase has its makespan all the same") {
    auto result = sample::small_result();
    result.points[0].run = {};
    result.points[0].run.engine = "flow";
    result.points[0].run.makespan = Seconds(0.5);
    CHECK(nlohmann::json::parse(to_json(result))["points"][0]["run"]["makespan_s"] == 0.5);
    CHECK(from_json(to_json(result), "result.json").points[0].run.makespan == Seconds(0.5));
  }

  TEST_CASE("The parts of a prediction and its notes are written and read back") {
    auto result = sample::small_result();
    auto& prediction = result.points[0].predictions[0];
    prediction.of_run = true;
    prediction.computation = Seconds(0.5);
    prediction.overlap = Seconds(0.25);
    prediction.notes = {"12 messages are too long"};
    const Prediction back = from_json(to_json(result), "result.json").points[0].predictions[0];
    CHECK(back.of_run);
    CHECK(back.computation == Seconds(0.5));
    CHECK(back.overlap == Seconds(0.25));
    CHECK(back.notes == prediction.notes);
    CHECK_FALSE(from_json(to_json(result), "result.json").points[0].predictions[1].of_run);
  }

  TEST_CASE("What a benchmark itself prints of a run is written with its unit and read back") {
    auto result = sample::small_result();
    CHECK(to_json(result).find("\"metrics\"") == std::string::npos);
    result.points[1].metrics = {{"Gflop/s", 1234.5, "Gflop/s"}};
    const auto text = to_json(result);
    CHECK(text.find(R"("metrics":[{"name":"Gflop/s","value":1234.5,"unit":"Gflop/s"}])") != std::string::npos);
    const auto read = from_json(text, "result.json");
    CHECK(read.points[0].metrics.empty());
    REQUIRE(read.points[1].metrics.size() == 1);
    CHECK(read.points[1].metrics[0].value == 1234.5);
  }

  TEST_CASE("What a second engine made of a point is written and read back") {
    auto result = sample::small_result();
    result.points[0].other_engine = EngineDifference{
        .engine = "flow",
        .shown_makespan = Seconds(2.0),
        .makespan = Seconds(2.5),
        .phases = {{"communication", 3, Seconds(1.0), Seconds(1.5), {4, Seconds(0.5), Seconds(1.0)}, {5, {}, {}}}},
        .failure = "has no phase 'a' in iteration 0"};
    const auto text = to_json(result);
    CHECK(to_json(from_json(text, "result.json")) == text);
    CHECK(text.find("\"makespan_relative_difference\":0.25") != std::string::npos);
  }

  TEST_CASE("What approximate sharing did to the loads is written and read back and exact runs say nothing of it") {
    auto result = sample::small_result();
    CHECK(to_json(result).find("imbalance") == std::string::npos);
    result.points[0].run.imbalance = {.allowed = 0.01, .greatest = 0.009, .mean = 0.004, .samples = 7};
    const Imbalance back = from_json(to_json(result), "result.json").points[0].run.imbalance;
    CHECK(back.allowed == 0.01);
    CHECK(back.greatest == 0.009);
    CHECK(back.mean == 0.004);
    CHECK(back.samples == 7);
  }

  TEST_CASE("Collectives are written with their bus bandwidth and read back") {
    auto result = sample::small_result();
    CHECK(to_json(result).find("\"collectives\"") == std::string::npos);
    CollectiveRecord record{.operation = Operation::allreduce, .algorithm = "lr", .ranks = 4, .bytes = Bytes(4e6)};
    record.calls = 2;
    record.time = Seconds(0.5);
    record.time_max = Seconds(0.375);
    record.messages = 48;
    record.steps = 6;
    record.name = "gradients";
    record.late = Seconds(0.125);
    result.points[0].run.collectives = {record};
    const std::string text = to_json(result);
    CHECK(text.find(R"(["allreduce","lr",4,4000000.0,2,0.5,0.375,48,6,24000000.0,"gradients",0.125])") !=
          std::string::npos);
    const RunResult back = from_json(text, "result.json").points[0].run;
    REQUIRE(back.collectives.size() == 1);
    CHECK(back.collectives[0] == record);
  }

  TEST_CASE("What the picture of a network shows is written once for all its points and read back") {
    auto result = sample::large_result(1, 1);
    for (auto& point : result.points) point.network_outline = result.points[0].network_outline;
    const std::string text = to_json(result);
    const auto parsed = nlohmann::ordered_json::parse(text);
    REQUIRE(parsed.at("networks").size() == 1);
    CHECK(parsed.at("networks")[0].at("places")[2] == nlohmann::ordered_json{"0", "spine switch 0", 1, 1});
    const auto again = from_json(text, "result.json");
    REQUIRE(again.points[1].network_outline == again.points[0].network_outline);
    const auto& wanted = result.points[1].network_loads[1];
    const auto& found = again.points[1].network_loads.at(1);
    CHECK(found.phase == "communication");
    CHECK(found.time.si() == near(wanted.time.si()));
    REQUIRE(found.slots.size() == wanted.slots.size());
    CHECK(found.slots[1].most == near(wanted.slots[1].most, 1e-4));
    auto broken = parsed;
    broken["networks"][0]["cables"][0][1] = 3;
    CHECK_THROWS_WITH_AS(from_json(broken.dump(), "result.json"),
                         "result.json: is not a complete result: a network's picture names a part that it does not "
                         "have (a result.json of "
                         "'orrery run'). Run it again?",
                         InputError);
  }

  TEST_CASE("Loads by kind and times by rank are written and read back and results without them are read") {
    auto result = sample::small_result();
    result.points[0].run.activity_group = 8;
    const auto text = to_json(result);
    const RunResult& run = result.points[0].run;
    const RunResult back = from_json(text, "result.json").points[0].run;
    REQUIRE(back.kind_loads.size() == 3);
    CHECK(back.kind_loads[1].kind == ResourceKind::nic_out);
    CHECK(back.kind_loads[1].resources == 2);
    CHECK(back.kind_loads[1].capacity == run.kind_loads[1].capacity);
    CHECK(back.kind_loads[1].bytes == run.kind_loads[1].bytes);
    CHECK(back.kind_loads[1].load == run.kind_loads[1].load);
    CHECK(back.activity_group == 8);
    CHECK(back.activity_times == run.activity_times);

    auto parsed = nlohmann::ordered_json::parse(text);
    for (const char* key : {"kind_loads", "activity_times"}) parsed["points"][0]["run"].erase(key);
    const RunResult old = from_json(parsed.dump(), "result.json").points[0].run;
    CHECK(old.kind_loads.empty());
    CHECK(old.activity_times.empty());
    CHECK(old.resources.size() == run.resources.size());
  }

  TEST_CASE("Times by rank whose activities have unlike numbers of groups are refused") {
    auto parsed = nlohmann::ordered_json::parse(to_json(sample::small_result()));
    parsed["points"][0]["run"]["activity_times"]["wait_s"].push_back(1.0);
    CHECK(refusal(parsed.dump()) ==
          "result.json: is not a complete result: activity_times holds another number of groups for each activity (a "
          "result.json of 'orrery run'). Run it again?");
  }

  TEST_CASE("A published mean and the spread of its runs are written and read back") {
    auto result = sample::small_result();
    result.points[0].published_time_s = 6.5;
    result.points[0].published_spread = TimeSpread{6.1, 6.7};
    result.points[1].published_time_s = 7.5;
    const ScenarioResult back = from_json(to_json(result), "result.json");
    REQUIRE(back.points[0].published_spread.has_value());
    CHECK(back.points[0].published_spread->least_s == 6.1);
    CHECK(back.points[0].published_spread->most_s == 6.7);
    CHECK(back.points[1].published_time_s == 7.5);
    CHECK_FALSE(back.points[1].published_spread.has_value());
  }

  TEST_CASE("Tolerances and the worst they found are written and read back and results without them are read") {
    ScenarioResult result = sample::small_result();
    ToleranceCheck against{.where = "s.yaml:9:5", .of = ToleranceOf::simulated, .against = ToleranceAgainst::published};
    against.conditions = {{"network", "infiniband"}};
    against.bound = {false, 0.05, -0.01, 0.02};
    against.compared = 2;
    against.median = 0.015;
    against.worst = 0.0625;
    against.worst_at = "infiniband";
    against.broken = true;
    ToleranceCheck of_model{.where = "s.yaml:10:5", .model = "taulop", .mode = "timeline"};
    of_model.bound = {true, 1.5};
    result.tolerances = {against, of_model};
    const std::string text = to_json(result);
    CHECK(
        text.find(
            "\"against\":\"published\",\"conditions\":[[\"network\",\"infiniband\"]],\"relative_error_max\":0.05,"
            "\"compared\":2,\"broken\":true,\"relative_error_min\":-0.01,\"median_max\":0.02,\"relative_error\":0.0625,"
            "\"at\":\"infiniband\",\"median\":0.015") != std::string::npos);
    const ScenarioResult back = from_json(text, "test");
    CHECK(to_json(back) == text);
    REQUIRE(back.tolerances.size() == 2);
    CHECK(back.tolerances[0].of == ToleranceOf::simulated);
    CHECK(back.tolerances[0].worst == 0.0625);
    CHECK(back.tolerances[0].bound.least == -0.01);
    CHECK(back.tolerances[0].median == 0.015);
    CHECK(back.tolerances[0].broken);
    CHECK(back.tolerances[1].bound.is_mu);
    CHECK(back.tolerances[1].mode == "timeline");
    std::string old = text;
    const auto begin = old.find("\"tolerances\": ["), end = old.find("\"notes\": [");
    REQUIRE(begin < end);
    old.erase(begin, end - begin);
    CHECK(from_json(old, "test").tolerances.empty());
  }

  TEST_CASE("Printed values are written with ours and their bound and cause and read back") {
    ScenarioResult result = sample::small_result();
    result.printed = {
        {.what = "rounds", .at = "5120", .ours = 5.0, .published = 11.0, .unit = "", .bound = "", .why = ""},
        {.what = "whole run",
         .at = "",
         .ours = 2.5,
         .published = 3.16,
         .unit = "s",
         .bound = "-25 % to 0 %",
         .why = "the cache"}};
    const std::string text = to_json(result);
    CHECK(text.find(R"({"what":"rounds","at":"5120","ours":5.0,"published":11.0,"unit":""})") != std::string::npos);
    const ScenarioResult back = from_json(text, "test");
    CHECK(to_json(back) == text);
    REQUIRE(back.printed.size() == 2);
    CHECK(back.printed[1].bound == "-25 % to 0 %");
    CHECK(back.printed[1].why == "the cache");
  }

  TEST_CASE("Reading back keeps doubles to the last bit") {
    auto result = sample::small_result();
    result.points[0].simulated = Seconds(0.1 + 0.2);
    result.points[0].predictions[0].time = Seconds(1.0 / 3.0);
    const auto back = from_json(to_json(result), "result.json");
    CHECK(back.points[0].simulated->si() == 0.1 + 0.2);
    CHECK(back.points[0].predictions[0].time.si() == 1.0 / 3.0);
    CHECK(to_json(result).find("0.30000000000000004") != std::string::npos);
  }

  TEST_CASE("Two runs that differ in wall clock only give the same bytes without it") {
    auto first = sample::small_result(), second = first;
    second.wall_s = 99.0;
    second.points[0].run.wall_s = 98.0;
    second.points[0].predictions[0].wall_s = 97.0;
    CHECK(to_json(first) != to_json(second));
    CHECK(to_json(first, {.wall_clock = false}) == to_json(second, {.wall_clock = false}));
  }

  TEST_CASE("An infinite prediction is written as null and read as not a number") {
    auto result = sample::small_result();
    result.points[0].predictions[0].time = Seconds(std::numeric_limits<double>::infinity());
    CHECK(std::isnan(from_json(to_json(result), "x").points[0].predictions[0].time.si()));
  }

  TEST_CASE("A file that is no result is refused and the message says what it should be") {
    CHECK(refusal("{\"schema\": 1") ==
          "result.json: ends before it is whole (a result.json of 'orrery run' is JSON). Was the file cut short?");
    CHECK(refusal("{\"schema\": 1,\n \"title\": maybe}") ==
          "result.json:2:11: is not JSON from 'maybe}' on (a result.json of 'orrery run' is). Is it another file?");
    CHECK(refusal("[1, 2]") ==
          "result.json: has no key 'schema' (a result.json of 'orrery run' opens with it). Is it another file?");
    CHECK(refusal("{\"schema\": 99}") ==
          "result.json: has schema 99, but this version reads schema 1. Run the scenario again?");
    CHECK(refusal("{\"schema\": 1}") ==
          "result.json: is not a complete result: key 'orrery' not found (a result.json of 'orrery run'). Run it "
          "again?");
  }

  TEST_CASE("JSON that is nested deeper than any of ours is refused before anything recurses over it") {
    const auto nested = [](std::size_t levels) {
      return "{\"a\":\n" + std::string(levels - 1, '[') + "\"]{\"" + std::string(levels - 1, ']') + "}";
    };
    CHECK(read_json(nested(json_depth_max), "x.json", "a test").size() == 1);
    CHECK_THROWS_WITH_AS(read_json(nested(json_depth_max + 1), "x.json", "a test"),
                         "x.json:2:32: is nested deeper than 32 levels (a test is not). Is it another file?",
                         InputError);
    CHECK(refusal("{\"schema\": 1, \"title\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}") ==
          "result.json:1:55: is nested deeper than 32 levels (a result.json of 'orrery run' is not). Is it another "
          "file?");
    CHECK(read_json(R"(["\\", "\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["])", "x.json", "a test").size() == 2);
  }

  TEST_CASE("A value of a result that is wrong is quoted in part and without the reader's own names") {
    auto result = sample::small_result();
    const auto with_kind = [&](const std::string& value) {
      std::string text = to_json(result);
      const auto key = text.find("\"kind\":\""), begin = key + 7;
      REQUIRE(key != std::string::npos);
      return text.replace(begin, text.find('"', begin + 1) + 1 - begin, value);
    };
    const std::string said = refusal(with_kind('"' + std::string(500, 'x') + '"'));
    CHECK(said.find(std::string(60, 'x') + "...'") != std::string::npos);
    CHECK(said.size() < 250);
    CHECK(refusal(with_kind("[1]")) ==
          "result.json: is not a complete result: type must be string, but is array (a result.json of 'orrery run'). "
          "Run it again?");
  }

  TEST_CASE("A point of a large run takes less than a megabyte and says what it leaves out and what writes it") {
    ScenarioResult result;
    PointResult& point = result.points.emplace_back();
    point.run.engine = "flow";
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      PhaseRecord record{
          .phase = i % 2 == 0 ? "communication" : "computation", .iteration = i / 2, .time = Seconds(0.5)};
      record.begin = Seconds(0.123456789 * i);
      record.end = Seconds(0.123456789 * (i + 1));
      record.traffic[1] = {1000, Bytes(1.0e9 / 3.0)};
      point.run.phases.push_back(record);
    }
    for (std::size_t i = 0; i < 3'000; ++i) {
      ResourceRecord resource{.name = "link:leaf-18>level2-16#" + std::to_string(i),
                              .kind = ResourceKind::link,
                              .capacity = BytesPerSecond(1e9),
                              .bytes = Bytes(1.0 + static_cast<double>(i)),
                              .busy = Seconds(1.0),
                              .load = {}};
      if (i >= 2'960) resource.load.assign(200, 1.0 / 3.0);
      point.run.resources.push_back(resource);
    }
    point.run.activity_times.assign(activities, std::vector<Seconds>(1024, Seconds(1.0 / 3.0)));
    point.layout.placements.resize(4'096);
    point.traffic.assign(128, std::vector<Traffic>(128, {1, Bytes(1e6 / 3.0)}));
    const std::string text = to_json(result), left_out = left_out_of_json(result);
    CHECK(text.size() < 1'000'000);
    CHECK(
        left_out ==
        "18500 of 20000 phase records (their sums are kept), 2500 less busy resources, the loads over time of 460 less "
        "busy resources, the places of 4096 ranks, 1 matrix of who sends to whom; --full writes them");
    CHECK(text.find("\"left_out\": \"" + left_out) != std::string::npos);
    const RunResult back = from_json(text, "result.json").points[0].run;
    CHECK(back.phase_time("communication").si() == 5'000.0);
    CHECK(back.phases.size() == 1'502);
    CHECK(back.resources.size() == 500);
    CHECK(back.resources.back().name == "link:leaf-18>level2-16#2999");

    const std::string full = to_json(result, {.full = true});
    CHECK(full.find("left_out") == std::string::npos);
    const PointResult whole = from_json(full, "result.json").points[0];
    CHECK(whole.run.phases.size() == 20'000);
    CHECK(whole.run.resources.size() == 3'000);
    CHECK(whole.layout.ranks() == 4'096);
    CHECK(whole.traffic.size() == 128);
  }
  TEST_CASE("A small run is written whole and says so by silence") {
    const auto result = sample::small_result();
    CHECK(left_out_of_json(result).empty());
    CHECK(to_json(result) == to_json(result, {.full = true}));
  }
}

}  // namespace orrery::show
