#include "sim/show/page/html.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sample_result.hpp"
#include "sim/show/page/html_data.hpp"
#include "sim/show/page/html_parts.hpp"
#include "tests/support/relative.hpp"

namespace orrery::show {

using test::near;

namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

nlohmann::json embedded_data(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const auto from = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::size_t intervals_shown(const nlohmann::json& point) {
  std::size_t shown = 0;
  for (const auto& rank : point.at("gantt").at("ranks")) shown += rank.size() / 6;
  return shown;
}

}  // namespace

TEST_SUITE("report/html") {
  TEST_CASE("Messages are told in order of their sends where somebody steps through them") {
    auto result = sample::small_result();
    auto& run = result.points[0].run;
    run.messages = 3;
    run.deliveries = {{Rank{0}, Rank{1}, Seconds(2e-6), Seconds(3e-6), Bytes(8)},
                      {Rank{1}, Rank{0}, Seconds(1e-6), Seconds(4e-6), Bytes(64), 3}};
    CHECK_FALSE(html_data(result, {}).at("points").at(0).at("gantt").contains("messages"));
    const auto told = html_data(result, {.messages_max = 10}).at("points").at(0).at("gantt").at("messages");
    CHECK(told.at("flat").size() == 12);
    CHECK(told.at("flat").at(0) == 1);
    CHECK(told.at("flat").at(4) == 64);
    CHECK(told.at("flat").at(5) == 3);
    CHECK(told.at("flat").at(6) == 0);
    CHECK(told.at("left_out") == 1);
    CHECK(html_data(result, {.messages_max = 1}).at("points").at(0).at("gantt").at("messages").at("left_out") == 2);
  }
  TEST_CASE("The report names no address but the SVG namespace and forbids every request") {
    const auto page = to_html(sample::small_result());
    CHECK(count(page, "http://") == 1);
    CHECK(count(page, "http://www.w3.org/2000/svg") == 1);
    CHECK(count(page, "https://") == 0);
    CHECK(count(page, " src=") == 0);
    CHECK(count(page, "<link") == 0);
    CHECK(count(page, "default-src 'none'") == 1);
  }

  TEST_CASE("Markup in names of the user reaches the report as text only") {
    const std::string attack = "</script><script>alert('x')</script><img src=x onerror=alert(1)>{{data}}&\"";
    auto result = sample::small_result();
    const auto scripts = count(to_html(result), "<script");
    result.title = result.source = result.notes.emplace_back() = result.points[0].binding = attack;
    result.points[0].settings[0].second = result.points[0].node_names[0] = result.models[0].summary = attack;
    result.points[0].predictions[0].terms[0].text = attack;
    result.points[1].failure = Refusal::sentence(attack);
    const auto page = to_html(result);
    CHECK(count(page, "<script") == scripts);
    CHECK(count(page, "<img") == 0);
    CHECK(page.find("&lt;/script&gt;") != std::string::npos);
    CHECK(embedded_data(page).at("title") == attack);
    CHECK(embedded_data(page).at("points").at(0).at("nodes").at(0) == attack);
  }

  TEST_CASE("The report inserts text by textContent and never as markup") {
    const auto page = to_html(sample::small_result());
    const auto script = page.substr(page.rfind("<script>"));
    for (const char* unsafe : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("})
      CHECK(count(script, unsafe) == 0);
  }

  TEST_CASE("Time lines of a report stay within their limit and the page knows how much was cut") {
    const auto result = sample::large_result(2, 20);
    HtmlLimits limits;
    limits.intervals_max = std::size_t{16} * 60;
    limits.intervals_per_point_min = 1;
    const auto data = html_data(result, limits);
    for (const auto& point : data.at("points")) {
      CHECK(intervals_shown(point) <= 60);
      CHECK(point.at("gantt").at("whole").get<int>() < 20);
      CHECK(point.at("gantt").at("iterations") == 20);
      CHECK(point.at("gantt").at("whole").get<int>() >= 2);
      CHECK(point.at("gantt").at("left_out").get<int>() > 0);
    }
  }

  TEST_CASE("Of many ranks only those with time lines are drawn and the page knows which") {
    auto result = sample::small_result();
    auto& run = result.points[0].run;
    const auto traced = run.timelines.at(0);
    REQUIRE_FALSE(traced.empty());
    run.timelines.assign(300, {});
    run.timelines[7] = run.timelines[9] = traced;
    const auto gantt = embedded_data(to_html(result)).at("points")[0].at("gantt");
    CHECK(gantt.at("first_rank") == 7);
    CHECK(gantt.at("ranks_in_all") == 300);
    CHECK(gantt.at("ranks").size() == 3);  // 8 lies between
    CHECK(gantt.at("ranks")[1].empty());
  }

  TEST_CASE("A window that fits shows every iteration and one too small for any shows part of the first") {
    const auto run = sample::small_result().points[1].run;
    const auto all = gantt_window(run, 1000);
    CHECK(all.whole == 2);
    CHECK(all.end.si() == near(run.makespan.si()));
    const auto part = gantt_window(run, 7);
    CHECK(part.whole == 0);
    CHECK(part.intervals <= 7);
    CHECK(part.end < run.phases[1].end);
  }

  TEST_CASE("Time lines of ten thousand million seconds are ticks that JavaScript holds exactly") {
    auto result = sample::small_result();
    auto& run = result.points[0].run;
    const double factor = 1e10 / run.makespan.si();
    for (auto& timeline : run.timelines)
      for (auto& interval : timeline) {
        interval.begin = factor * interval.begin;
        interval.end = factor * interval.end;
      }
    for (auto& record : run.phases) record.end = factor * record.end;
    const auto data = html_data(result, HtmlLimits{});
    const auto &gantt = data.at("points")[0].at("gantt"), &other = data.at("points")[1].at("gantt");
    CHECK(gantt.at("tick_s").get<double>() * gantt.at("end").get<double>() == near(1e10));
    CHECK(gantt.at("end").get<double>() < 9e15);
    CHECK(other.at("tick_s") == 1e-9);
  }

  TEST_CASE("A window ends where the first cut time line does") {
    auto run = sample::small_result().points[1].run;
    run.timelines_cut = true;
    for (auto& timeline : run.timelines) timeline.resize(3);
    run.timelines[2].resize(2);  // shorter than the limit: this rank was not cut
    const auto window = gantt_window(run, 1000);
    for (const auto& timeline : run.timelines)
      if (timeline.size() == 3) CHECK(window.end <= timeline.back().end);
    CHECK(window.whole == 0);
    CHECK(window.iterations == 2);
  }

  TEST_CASE("The page has each network once and the loads of its points per mille until they are too many") {
    auto result = sample::large_result(1, 1);
    for (auto& point : result.points) point.network_outline = result.points[0].network_outline;
    const auto data = html_data(result, HtmlLimits{});
    REQUIRE(data.at("networks").size() == 1);
    const auto& picture = data.at("points")[1].at("picture");
    const auto& loads = result.points[1].network_loads.at(1);
    CHECK(picture.at("loads")[1].at("phase") == "communication");
    REQUIRE(picture.at("loads")[1].at("mean").size() == loads.slots.size());
    CHECK(picture.at("loads")[1].at("mean")[3] == std::lround(1000.0 * static_cast<double>(loads.slots[3].mean)));
    CHECK(picture.at("loads")[1].at("most").size() == 2);  // of the four cables, both ways; the others are one link
    HtmlLimits few;
    few.network_numbers_max = 2 * 2 * loads.slots.size() * 3;
    const auto some = html_data(result, few);
    CHECK(some.at("points")[2].contains("picture"));
    CHECK_FALSE(some.at("points")[3].contains("picture"));
  }

  TEST_CASE("A page of too many points shows some of them evenly and says how many there are") {
    const auto result = sample::large_result(4, 2);  // 4 layouts x 2 kernels x 2 sizes x 2 networks
    HtmlLimits limits;
    limits.points_max = 16;
    limits.detailed_points_max = 2;
    const auto data = html_data(result, limits);
    CHECK(data.at("points").size() == 16);
    CHECK(data.at("points_in_all") == 32);
    CHECK(data.at("failed_in_all") == 0);
    CHECK(data.at("thinned") == "2 of the 4 values of layout");
    CHECK(data.at("points")[1].contains("ranks"));
    CHECK_FALSE(data.at("points")[2].contains("ranks"));
  }

  TEST_CASE("The shares of activities reach the page in per mille and in at most as many bins as a load curve") {
    const auto result = sample::small_result();
    const auto data = html_data(result, HtmlLimits{});
    const auto& shares = data.at("points").at(0).at("activity_shares");
    REQUIRE(shares.size() == activities);
    for (std::size_t a = 0; a < activities; ++a) {
      CHECK(shares[a].size() == std::min<std::size_t>(200, HtmlLimits{}.load_bins_max));
      double sum = 0.0, shown = 0.0;
      for (const double share : result.points[0].run.activity_shares[a]) sum += share / 200.0;
      for (const auto& share : shares[a]) shown += share.get<double>() / 1000.0 / static_cast<double>(shares[a].size());
      CHECK(shown == near(sum, 0.01));
    }
  }

  TEST_CASE("What each rank did reaches the page rank by rank and beyond its bars by means of consecutive ranks") {
    auto result = sample::small_result();
    auto& point = result.points[0];
    point.run.makespan = Seconds(10.0);
    point.layout.placements.resize(1022 * 64 + 7);  // the last group has 7 ranks, all others 64
    point.run.activity_group = 64;
    for (std::size_t a = 0; a < activities; ++a) point.run.activity_times[a].assign(1023, Seconds(a == 0 ? 64.0 : 0.0));
    point.run.activity_times[0].back() = Seconds(7 * 3.0);
    point.run.activity_times[1][2] = Seconds(64 * 5.0);

    auto times = html_data(result, HtmlLimits{}).at("points").at(0).at("rank_times");
    CHECK(times.at("ranks") == 65415);
    CHECK(times.at("ranks_per_bar") == 64);
    REQUIRE(times.at("shares").size() == activities);
    REQUIRE(times.at("shares")[0].size() == 1023);
    CHECK(times.at("shares")[0][5] == 1000);
    CHECK(times.at("shares")[0][1022] == 3000);
    CHECK(times.at("shares")[1][2] == 5000);

    times = html_data(result, HtmlLimits{.rank_bars_max = 2}).at("points").at(0).at("rank_times");
    CHECK(times.at("ranks_per_bar") == 1024);
    CHECK(times.at("shares")[0].size() == 64);
    CHECK(times.at("shares")[1][0] == 313);    // 5000 / 16
    CHECK(times.at("shares")[0][63] == 1016);  // 14 groups at 1000 and 7 ranks at 3000
  }

  TEST_CASE("The load of each kind of resource reaches the page and is cut where it passes full") {
    auto result = sample::small_result();
    auto& kinds = result.points[0].run.kind_loads;
    kinds[1].load.assign(4, 0.5);
    kinds[1].load[2] = 1.25;
    const auto data = html_data(result, HtmlLimits{}).at("points").at(0).at("kinds");
    REQUIRE(data.size() == 3);
    CHECK(data[1].at("name") == "outgoing NICs");
    CHECK(data[1].at("resources") == 2);
    CHECK(data[1].at("load").get<std::vector<int>>() == std::vector{500, 500, 1000, 500});
  }

  TEST_CASE("The critical path reaches the page with its causes and the segments that the time lines show") {
    const auto result = sample::large_result(1, 3);
    const auto data = html_data(result, HtmlLimits{}).at("points").at(0);
    REQUIRE(data.at("path").size() == 2);
    CHECK(data.at("path")[0].at("of") == "the communication");
    CHECK(data.at("path")[1].at("of") == "the run");
    CHECK(data.at("path")[0].at("causes")[0][0] == "incoming NICs");
    CHECK(data.at("path")[0].at("causes")[0][1].get<double>() == near(0.65, 1e-9));
    CHECK(data.at("path")[0].at("causes")[0][2] == "incoming NICs were infinitely fast");
    const auto& path = data.at("gantt").at("path");
    CHECK(path.at("segments").size() == 6 * 4 * 3);
    CHECK(path.at("kinds")[path.at("segments")[12].get<std::size_t>()] == "transfer");
    CHECK(html_data(sample::small_result(), HtmlLimits{}).at("points").at(0).at("path").is_null());
  }

  TEST_CASE("The page is told what most of each run is and how many runs have the same answer") {
    auto result = sample::large_result(1, 3);
    for (auto& point : result.points) point.binding = "70 % of the run is such, " + point.id;
    result.points[1].binding = "other";
    result.points[1].run.critical_path = {};
    const auto data = html_data(result, HtmlLimits{});
    const auto& answers = data.at("answers");
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].at("answer").at("parts")[0].at("share").get<double>() > 0.0);
    CHECK(answers[0].at("answer").at("run_of_it").get<std::string>().find(" % of it is ") == 2);
    CHECK(answers[0].at("points") == result.points.size() - 1);
    CHECK(answers[0].at("id") == result.points[0].id);
    CHECK(answers[0].at("answer").at("run").get<std::string>().find(" % of the run is ") == 2);
    CHECK(answers[0].at("said").at(0).get<std::string>().find(" % of the run is ") != std::string::npos);
    CHECK(answers[0].at("causes")[0][2].get<double>() <= answers[0].at("causes")[0][3].get<double>());
    CHECK(answers[0].at("most_id") != answers[1].at("id"));
    CHECK(answers[1].at("said").empty());
    CHECK(answers[0].at("least").get<double>() > 0.0);
    CHECK(answers[0].at("least").get<double>() <= answers[0].at("most").get<double>());
    CHECK(data.at("points")[1].at("answer").at("run") == "other");
    CHECK(data.at("points")[1].at("answer").at("phase") == "");
  }

  TEST_CASE("Points beyond the limit of details keep their times and lose their time lines") {
    HtmlLimits limits;
    limits.detailed_points_max = 3;
    const auto data = html_data(sample::large_result(1, 1), limits);
    CHECK(data.at("detailed") == 3);
    CHECK(data.at("points").at(2).contains("gantt"));
    CHECK_FALSE(data.at("points").at(3).contains("gantt"));
    CHECK(data.at("points").at(3).at("simulated_s").get<double>() > 0.0);
  }

  TEST_CASE("A result without points or with a failed point still makes a page") {
    CHECK(to_html(ScenarioResult{}).find("Orrery") != std::string::npos);
    auto result = sample::small_result();
    result.points[0].run = {};
    result.points[0].simulated.reset();
    result.points[0].partition.reset();
    result.points[0].failure = "deadlock";
    CHECK(embedded_data(to_html(result)).at("points").at(0).at("failure") == "deadlock");
  }
}

}  // namespace orrery::show
