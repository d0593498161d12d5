#include "sim/show/summary/comparison.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "models/stats/repeated.hpp"
#include "sample_result.hpp"
#include "tests/support/relative.hpp"

namespace orrery::show {

using test::near;

namespace {

/// The same runs with every time multiplied.
ScenarioResult slower(ScenarioResult result, double factor) {
  for (auto& point : result.points) {
    point.run.makespan = factor * point.run.makespan;
    point.simulated = factor * *point.simulated;
    for (auto& record : point.run.phases) record.time = factor * record.time;
    for (auto& prediction : point.predictions) prediction.time = factor * prediction.time;
  }
  return result;
}

ComparedTime time_named(const ComparedPoint& point, const std::string& words) {
  for (const auto& time : point.times)
    if (words_of(time) == words) return time;
  FAIL("no such time: " << words);
  return {};
}

bool says(const std::vector<std::string>& sentences, const std::string& sentence) {
  return std::ranges::find(sentences, sentence) != sentences.end();
}

}  // namespace

TEST_SUITE("report/comparison") {
  TEST_CASE("Two runs of one sweep are compared point by point in every phase and prediction") {
    const auto a = sample::small_result(), b = slower(a, 1.25);
    const auto comparison = compare({"before", &a}, {"after", &b});
    REQUIRE(comparison.points.size() == 2);
    CHECK(comparison.differences.empty());
    CHECK(comparison.notes.empty());
    const ComparedPoint& two = comparison.points[0];
    CHECK(time_named(two, "phase 'communication'").a == Seconds(4e-3));
    CHECK(*time_named(two, "phase 'communication'").difference() == near(Seconds(1e-3)));
    for (const char* words : {"whole run", "phase 'communication'", "phase 'computation'", "hockney"})
      CHECK(*time_named(two, words).ratio() == near(1.25));
    CHECK(comparison_sentence(comparison) == "B takes 1.25 times as long as A (whole runs, at each of 2 points).");
    const auto slow = slower(a, 2.0);
    auto uneven = b;
    uneven.points[1] = slow.points[1];
    CHECK(comparison_sentence(compare({"before", &a}, {"after", &uneven})) ==
          "B takes 1.58 times as long as A (whole runs, geometric mean over 2 points; from 1.25 at ranks 2, infiniband "
          "to 2 at ranks 4, infiniband).");
  }

  TEST_CASE("What the runs say of their own numbers stands under the comparison and once where both say it") {
    auto a = sample::small_result(), b = a;
    a.notes = {"peak speed is assumed", "a link was cut"};
    b.notes = {"peak speed is assumed"};
    const auto comparison = compare({"before", &a}, {"after", &b});
    CHECK(comparison.notes == std::vector<std::string>{"of A and B: peak speed is assumed", "of A: a link was cut"});
  }

  TEST_CASE("A side's title leaves out the change that its name says") {
    auto a = sample::small_result();
    a.title = "fabric (with network=ethernet)";
    CHECK(title_of({"with network=ethernet", &a}) == "fabric");
    CHECK(title_of({"out/after", &a}) == "fabric (with network=ethernet)");
  }

  TEST_CASE("Points are matched by their axes and not by their order") {
    const auto a = sample::small_result();
    auto b = a;
    std::swap(b.points[0], b.points[1]);
    const auto comparison = compare({"a", &a}, {"b", &b});
    REQUIRE(comparison.pairs() == 2);
    for (const auto& point : comparison.points) CHECK(point.a->id == point.b->id);
  }

  TEST_CASE("One quantity in two units is one value of an axis") {
    auto a = sample::small_result(), b = a;
    for (auto* result : {&a, &b})
      for (std::size_t k = 0; k < 2; ++k) result->points[k].settings[0].first = "kernel.message";
    a.points[0].settings[0].second = "1KiB", a.points[1].settings[0].second = "1MiB";
    b.points[0].settings[0].second = "1024B", b.points[1].settings[0].second = "1MB";
    const auto comparison = compare({"a", &a}, {"b", &b});
    CHECK(comparison.pairs() == 1);
    CHECK(comparison.points[0].b->settings[0].second == "1024B");
    CHECK(says(comparison.notes, "1 point is only in A: message 1MiB, infiniband"));
    CHECK(says(comparison.notes, "1 point is only in B: message 1MB, infiniband"));
  }

  TEST_CASE("Parameters of a kernel that differ are said though neither run sweeps them") {
    auto a = sample::small_result(), b = a;
    for (std::size_t k = 0; k < 2; ++k) {
      a.points[k].asked = {{"kernel.message", "1KiB"}, {"kernel.root", "0"}, {"kernel.subset", ""}};
      b.points[k].asked = {{"kernel.message", "2KiB"}, {"kernel.root", "0.0"}, {"kernel.subset", k == 0 ? "" : "0-3"}};
      b.points[k].asked.emplace_back("partition.algorithm", "even-grid");
    }
    CHECK(compare({"a", &a}, {"b", &b}).differences ==
          std::vector<std::string>{"kernel.message: 1KiB / 2KiB", "kernel.subset: not set / 0-3 (1 of 2 points)",
                                   "partition.algorithm: not set / even-grid"});
    for (auto& point : a.points) point.kernel = "summa", point.asked.pop_back();
    CHECK(compare({"a", &a}, {"b", &b}).differences.empty());  // of other programs
    auto old = b;
    for (auto& point : old.points) point.asked.clear();  // of a version that did not keep them
    CHECK(compare({"old", &old}, {"b", &b}).differences.empty());
  }

  TEST_CASE("An axis with one value on each side is what differs and separates nothing") {
    auto a = sample::small_result(), b = slower(a, 2.0);
    for (auto& point : b.points) point.settings[1].second = point.network = "ethernet";
    const auto comparison = compare({"a", &a}, {"b", &b});
    CHECK(comparison.pairs() == 2);
    CHECK(comparison.differences == std::vector<std::string>{"network: infiniband / ethernet"});
    CHECK(comparison.points[0].settings == Settings{{"ranks", "2"}});
  }

  TEST_CASE("An axis of one side alone puts each of its points beside the same point of the other") {
    const auto a = sample::small_result();
    auto b = a;
    b.points.resize(1);
    b.points[0].settings.erase(b.points[0].settings.begin());
    const auto comparison = compare({"a", &a}, {"b", &b});
    CHECK(comparison.pairs() == 2);
    CHECK(comparison.points[1].b == comparison.points[0].b);
    CHECK(says(comparison.notes, "axis 'ranks' is swept in A alone (2, 4): each of its points stands beside B's"));
    CHECK(says(comparison.differences, "layout: 4 ranks / 2 ranks (1 of 2 points)"));
  }

  TEST_CASE("Times of different programs are said to be of different programs") {
    const auto a = sample::small_result();
    auto b = a;
    for (auto& point : b.points) point.kernel = "stencil";
    CHECK(says(compare({"a", &a}, {"b", &b}).notes, "kernel: ring / stencil: these times are of different programs"));
  }

  TEST_CASE("A point that failed on one side has no ratio and its reason is said") {
    const auto a = sample::small_result();
    auto b = a;
    b.points[1].run = {};
    b.points[1].simulated.reset();
    b.points[1].failure = "rank 3 waits for rank 1";
    const auto comparison = compare({"a", &a}, {"b", &b});
    CHECK_FALSE(comparison.points[1].times.front().ratio());
    const auto table = comparison_table(comparison, 100, false);
    CHECK(table.find("failed in B: ranks 4, infiniband: rank 3 waits for rank 1") != std::string::npos);
    CHECK(table.find("21.600  failed") != std::string::npos);
  }

  TEST_CASE("Of a repeated point the means are compared") {
    const auto a = sample::small_result();
    auto b = a;
    b.points[0].repeats =
        Repeats{.seeds = {1, 2}, .times = {stats::repeated_time("", {3.0 * a.points[0].run.makespan})}};
    CHECK(*compare({"a", &a}, {"b", &b}).points[0].times.front().ratio() == near(3.0));
  }

  TEST_CASE("Two results without a common point say so") {
    auto a = sample::small_result(), b = a;
    for (auto& point : b.points) point.settings[0].second += "8";
    const auto comparison = compare({"a", &a}, {"b", &b});
    CHECK(comparison.pairs() == 0);
    CHECK(says(comparison.notes, "axis 'ranks' has 2, 4 in A and 28, 48 in B: no value in common"));
    CHECK(comparison_sentence(comparison) == "No point has a simulated time on both sides.");
  }

  TEST_CASE("Two ring runs side by side read as a golden text") {
    const auto a = sample::small_result(), b = slower(a, 1.25);
    CHECK(comparison_table(compare({"out/before", &a}, {"with network=ethernet", &b}), 78, false) ==
          R"(B takes 1.25 times as long as A (whole runs, at each of 2 points).
  A: out/before - Ring of four ranks on two nodes
  B: with network=ethernet - Ring of four ranks on two nodes

                                  A      B  B - A  B / A
ranks  time of                   ms     ms     ms
────────────────────────────────────────────────────────
2      whole run              10.80  13.50  +2.70  1.250
       phase 'communication'   4.00   5.00  +1.00  1.250
       phase 'computation'     6.80   8.50  +1.70  1.250
4      whole run              21.60  27.00  +5.40  1.250
       phase 'communication'   8.00  10.00  +2.00  1.250
       phase 'computation'    13.60  17.00  +3.40  1.250

binds in A: 2 of 2 points like ranks 2, infiniband: NIC of node a-0 busy 42 %
binds in B: 2 of 2 points like ranks 2, infiniband: NIC of node a-0 busy 42 %
)");
  }

  TEST_CASE("What binds a phase is named on both sides from its critical path") {
    const auto a = sample::large_result(1, 2);
    const auto comparison = compare({"a", &a}, {"b", &a});
    CHECK(time_named(comparison.points[0], "phase 'communication'").binds_a == "incoming NICs 65 %");
    CHECK(time_named(comparison.points[0], "phase 'computation'").binds_a.empty());
    CHECK(time_named(comparison.points[0], "whole run").binds_b == "computation 63 %");
  }

  TEST_CASE("The CSV of a comparison has a row for each time of each point") {
    auto a = sample::small_result(), b = slower(a, 1.25);
    b.points.resize(1);
    const auto csv = comparison_csv(compare({"a", &a}, {"b", &b}));
    CHECK(
        csv.starts_with("setting.ranks,setting.network,in,time_of,name,a_s,b_s,difference_s,ratio,binds_a,binds_b,"
                        "failure_a,failure_b,a,b,unit\r\n2,infiniband,both,run,,0.0108"));
    CHECK(csv.find("4,infiniband,A,,,,,,,,,,,,,\r\n") != std::string::npos);
  }

  TEST_CASE("Metrics stand side by side in their own units in every form") {
    auto a = sample::small_result(), b = slower(a, 1.25);
    a.points.resize(1);
    b.points.resize(1);
    a.points[0].metrics = {{"energy", 4.5e6, "J"}, {"cost", 2.0, ""}, {"Gflop/s", 80.0, "Gflop/s"}};
    b.points[0].metrics = {{"energy", 9.0e6, "J"}, {"cost", 3.0, ""}, {"rounds", 4.0, ""}};
    const auto comparison = compare({"a", &a}, {"b", &b});
    REQUIRE(comparison.points[0].metrics.size() == 4);
    CHECK(*comparison.points[0].metrics[1].ratio() == near(1.5));
    CHECK_FALSE(comparison.points[0].metrics[2].ratio());  // B has none
    const auto table = comparison_table(comparison, 78, false);
    CHECK(table.find("energy   4.5 MJ (1.25 kWh)  9 MJ (2.5 kWh)  2.000") != std::string::npos);
    const auto csv = comparison_csv(comparison);
    CHECK(csv.find("both,metric,cost,,,,1.5,,,,,2,3,\r\n") != std::string::npos);
    CHECK(csv.find("both,metric,rounds,,,,,,,,,,4,\r\n") != std::string::npos);
    const auto json = nlohmann::json::parse(comparison_json(comparison));
    CHECK(json.at("points").at(0).at("metrics").at(0).at("b") == 9.0e6);
    CHECK(comparison_html(comparison).find("<td>cost</td><td class=\"n\">2</td><td class=\"n\">3</td>") !=
          std::string::npos);
  }

  TEST_CASE("The JSON of a comparison parses and holds both times of each point") {
    const auto a = sample::small_result(), b = slower(a, 1.25);
    const auto json = nlohmann::json::parse(comparison_json(compare({"a", &a}, {"b", &b})));
    CHECK(json.at("points").size() == 2);
    const auto& run = json.at("points").at(0).at("times").at(0);
    CHECK(run.at("of") == "run");
    CHECK(run.at("ratio").get<double>() == near(1.25));
  }

  TEST_CASE("The page of a comparison draws all bars to one scale and holds no markup of names") {
    const auto a = sample::small_result(), b = slower(a, 2.0);
    const auto html = comparison_html(compare({"<b>before</b>", &a}, {"after", &b}));
    CHECK(html.find("<b>before") == std::string::npos);
    CHECK(html.find("&lt;b&gt;before&lt;/b&gt;") != std::string::npos);
    CHECK(html.find("<script") == std::string::npos);
    // The longest run takes 43.2 ms, the shortest phase 4.
    CHECK(html.find("--share:1.00000") != std::string::npos);
    CHECK(html.find("--share:0.09259") != std::string::npos);
  }
}

}  // namespace orrery::show
