#include "sim/show/charts/paper_charts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/show/sample_result.hpp"

namespace orrery::show::paper {

using test::near;

namespace {

std::vector<std::string> labels_of(const ChartAxis& axis) {
  std::vector<std::string> labels;
  for (const auto& tick : axis.ticks)
    if (!tick.label.empty()) labels.push_back(tick.label);
  return labels;
}

Chart only(const std::vector<Chart>& charts) {
  REQUIRE(charts.size() == 1);
  return charts.front();
}

std::size_t paths_between(const Drawing& drawing, std::size_t places) {
  return static_cast<std::size_t>(std::ranges::count_if(drawing.shapes, [&](const auto& shape) {
    const auto* path = std::get_if<Path>(&shape);
    return path != nullptr && !path->closed && path->places.size() == places;
  }));
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_SUITE("report/paper/charts") {
  TEST_CASE("A chart of times has the ranks as numbers and a series for each model") {
    const auto chart = only(charts_of(sample::small_result(), chart_choice("y=time")));
    CHECK(chart.name == "time");
    CHECK(chart.categories.empty());
    CHECK(chart.x.title == "ranks");
    CHECK(chart.y.title == "communication time (ms)");
    REQUIRE(chart.series.size() == 3);
    CHECK(chart.series[0].name == "simulated");
    CHECK(chart.series[1].name == "taulop (timeline)");
    REQUIRE(chart.series[0].points.size() == 2);
    CHECK(chart.series[0].points[1].x == 4.0);
    CHECK(chart.series[0].points[1].y == near(8.0));
    CHECK(labels_of(chart.x) == Labels{"2", "4"});
  }

  TEST_CASE("An axis that is neither x nor series makes a chart for each of its values and all share a scale") {
    const auto charts = charts_of(sample::large_result(3, 2), chart_choice("x=layout,y=makespan,series=network"));
    REQUIRE(charts.size() == 4);  // kernel and blocks, two values each
    CHECK(charts[0].name == "makespan-summa-128");
    CHECK(charts[0].categories == Labels{"M1", "M2", "M3"});
    CHECK(charts[0].series.size() == 2);
    for (const auto& chart : charts) {
      CHECK(chart.y.least == charts[0].y.least);
      CHECK(chart.y.most == charts[0].y.most);
    }
  }

  TEST_CASE("An axis that goes along with the others makes no charts of its own") {
    auto result = sample::small_result();
    for (auto& point : result.points) point.settings.emplace_back("kernel.zipped", point.settings[0].second + "0");
    CHECK(charts_of(result, chart_choice("x=ranks,y=time")).size() == 1);
    result.points.push_back(result.points[0]);
    result.points.back().settings.back().second = "30";
    CHECK(charts_of(result, chart_choice("x=ranks,y=time")).size() == 3);
  }

  TEST_CASE("Curves leave out what a logarithmic axis cannot show and stand below each other under their titles") {
    const auto count = [](const std::string& svg, const std::string& what) {
      std::size_t found = 0;
      for (auto at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++found;
      return found;
    };
    const ChartSeries both{.name = "a<b", .points = {{0.0, 1.0}, {1.0, 2.0}, {10.0, -1.0}, {100.0, 3.0}}};
    const ChartSeries measured{.name = "measured", .points = {{1.0, 2.5}}, .line = false};
    const auto log = curves("t & u", {both, measured}, "message (B)", "time (s)", true);
    CHECK(log.x.log);
    CHECK(log.series[0].points.size() == 2);
    const auto linear = curves("what is left", {both}, "message (B)", "%", false);
    CHECK(linear.series[0].points.size() == 3);
    CHECK(linear.y.least == -1.0);
    const std::string svg = stacked_svg({log, linear}, "two");
    CHECK(count(svg, "<svg") == 1);
    CHECK(count(svg, "<circle") == 2 + 1 + 3);  // points, one legend
    CHECK(count(svg, ">a&lt;b</text>") == 1);
    CHECK(svg.find(">t &amp; u</text>") < svg.find(">what is left</text>"));
    CHECK(svg.find("nan") == std::string::npos);
  }

  TEST_CASE("A setting of the choice leaves only its points") {
    const auto charts = charts_of(sample::large_result(3, 2),
                                  chart_choice("x=layout,y=mu,network=ethernet,blocks=128,kernel=summa,model=hloggp"));
    const auto chart = only(charts);
    CHECK(chart.series.size() == 1);
    CHECK(chart.series[0].points.size() == 3);
    CHECK(chart.y.title == "proportional error μ");
  }

  TEST_CASE("Numbers that span more than a factor of thirty get a logarithmic axis unless told otherwise") {
    auto result = sample::small_result();
    result.points[1].run.makespan = 40.0 * result.points[0].run.makespan;
    CHECK(only(charts_of(result, chart_choice("y=makespan"))).y.log);
    const auto linear = only(charts_of(result, chart_choice("y=makespan,log=none")));
    CHECK_FALSE(linear.y.log);
    CHECK(linear.y.least == 0.0);
  }

  TEST_CASE("Sizes stand at their own ticks as the scenario writes them") {
    auto result = sample::small_result();
    auto third = result.points[1];
    result.points.push_back(third);
    const char* sizes[] = {"1KiB", "32KiB", "1MiB"};
    for (std::size_t k = 0; k < 3; ++k) result.points[k].settings[0] = {"kernel.message", sizes[k]};
    const auto chart = only(charts_of(result, chart_choice("y=makespan")));
    CHECK(chart.x.log);
    CHECK(labels_of(chart.x) == Labels{"1 KiB", "32 KiB", "1 MiB"});
  }

  TEST_CASE("A published spread is an error bar") {
    auto result = sample::small_result();
    result.points[0].published_time_s = 4.2e-3;
    result.points[0].published_spread = TimeSpread{4e-3, 5e-3};
    const auto chart = only(charts_of(result, chart_choice("y=time,model=published")));
    REQUIRE(chart.series[0].points[0].bar);
    CHECK(chart.series[0].points[0].bar->most == near(5.0));
  }

  TEST_CASE("An error bar reaches beyond the marker it belongs to and every form of the file says what it is") {
    auto result = sample::small_result();
    result.points[0].published_time_s = 4.2e-3;
    result.points[0].published_spread = TimeSpread{4.199e-3, 4.201e-3};  // within the marker
    result.points[1].published_time_s = 8e-3;  // a second number on the axis: markers, not bars
    const auto chart = only(charts_of(result, chart_choice("y=time,model=published")));
    const Drawing drawing = draw(chart);
    double marker = 0.0, ends = 0.0;
    for (const auto& shape : drawing.shapes) {
      if (const auto* disc = std::get_if<Disc>(&shape)) marker = std::max(marker, disc->radius);
      if (const auto* path = std::get_if<Path>(&shape); path != nullptr && path->pen.width == 0.6)
        ends = std::max(ends, std::abs(path->places[1].x - path->places[0].x) / 2);
    }
    CHECK(marker > 0.0);
    CHECK(ends > 1.4 * marker + 1.0);  // the widest of all markers
    const std::string words = "error bars: least and most of the published runs";
    CHECK(words_of_bars(chart) == words);
    CHECK(drawing_svg(drawing).find("<desc>" + words + "</desc>") != std::string::npos);
    CHECK(drawing_png(drawing).find(std::string("iTXtDescription") + std::string(5, '\0') + words) !=
          std::string::npos);
    const std::string pdf = drawing_pdf(drawing);
    CHECK((pdf.find("/Subject (" + words) != std::string::npos || pdf.find("/Subject <") != std::string::npos));
    CHECK(words_of_bars(only(charts_of(sample::small_result(), chart_choice("y=time")))) == "");
  }

  TEST_CASE("Axes and series take the names of the choice and a series that is not drawn is refused") {
    const auto result = sample::small_result();
    const auto chart = only(charts_of(
        result, chart_choice("y=time,x-name=processes p,y-name=Halo,name.taulop (timeline)=tau-Lop,name=fig4")));
    CHECK(chart.name == "fig4");
    CHECK(chart.x.title == "processes p");
    CHECK(chart.y.title == "Halo (ms)");
    CHECK(chart.series[0].name == "simulated");
    CHECK(chart.series[1].name == "tau-Lop");
    CHECK_THROWS_WITH_AS(charts_of(result, chart_choice("y=time,name.hokney=Hockney")),
                         "--chart: 'name.hokney' is no series of the chart (known: hockney, simulated, taulop "
                         "(timeline)). Did you mean 'hockney'?",
                         InputError);
  }

  TEST_CASE("The usual charts are times and errors or whole runs where nothing is predicted") {
    auto result = sample::small_result();
    auto usual = usual_charts(result);
    REQUIRE(usual.size() == 2);
    CHECK(usual[0].y == "time");
    CHECK(usual[1].y == "mu");
    for (auto& point : result.points) point.predictions.clear();
    usual = usual_charts(result);
    REQUIRE(usual.size() == 1);
    CHECK(usual[0].y == "makespan");
  }

  TEST_CASE("A value of an axis is the same in another unit") {
    auto result = sample::small_result();
    const auto first = result.points;
    result.points.clear();
    for (const char* message : {"1KiB", "2KiB"})
      for (auto point : first) {
        point.settings.emplace_back("message", message);
        result.points.push_back(std::move(point));
      }
    for (const char* text : {"x=ranks,y=makespan,message=1KiB", "x=ranks,y=makespan,message=1024B"}) {
      const auto chart = only(charts_of(result, chart_choice(text)));
      REQUIRE_FALSE(chart.series.empty());
      CHECK(chart.series[0].points.size() == 2);  // of the ranks
    }
    CHECK_THROWS_WITH_AS(charts_of(result, chart_choice("x=ranks,y=makespan,message=1023B")),
                         doctest::Contains("--chart: message '1023B' is in no point (known: 1KiB, 2KiB)"), InputError);
  }

  TEST_CASE("A chart of what the result does not have is refused with what it has") {
    const auto result = sample::small_result();
    CHECK_THROWS_WITH_AS(charts_of(result, chart_choice("y=tim")),
                         "--chart: unknown y 'tim' (known: error, makespan, mu, phase:communication, "
                         "phase:computation, time). Did you mean 'time'?",
                         InputError);
    CHECK_THROWS_WITH_AS(charts_of(result, chart_choice("x=rank")),
                         "--chart: x 'rank' is no axis of the sweep (known: model, network, ranks). Did you mean "
                         "'ranks'?",
                         InputError);
    CHECK_THROWS_WITH_AS(charts_of(result, chart_choice("model=hokney")),
                         "--chart: model 'hokney' is in no point (known: hockney, simulated, taulop (timeline)). Did "
                         "you mean 'hockney'?",
                         InputError);
    CHECK_THROWS_WITH_AS(chart_choice("ranks"), "--chart: 'ranks' is not 'key=value'. Write 'x=ranks,y=makespan'?",
                         InputError);
    CHECK_THROWS_WITH_AS(chart_choice("log=z"), "--chart: unknown log 'z' (known: none, x, xy, y). Did you mean 'x'?",
                         InputError);
  }

  TEST_CASE("Numbers are joined by a line and categories are not") {
    Chart chart{.x = {.title = "ranks"}, .y = {.title = "time (ms)"}, .series = {{"", {{0, 1.0}, {1, 2.0}, {2, 4.0}}}}};
    std::vector<Chart> numbers{chart};
    scale_together(numbers, {});
    CHECK(paths_between(draw(numbers[0]), 3) == 1);
    chart.categories = {"star", "torus", "tree"};
    std::vector<Chart> categories{chart};
    scale_together(categories, {});
    CHECK(paths_between(draw(categories[0]), 3) == 0);
  }

  TEST_CASE("Every word of a chart lies inside the picture") {
    for (const auto& chart : charts_of(sample::large_result(14, 2), chart_choice("y=time"))) {
      const Drawing drawing = draw(chart);
      for (const auto& shape : drawing.shapes) {
        const auto* words = std::get_if<Words>(&shape);
        if (words == nullptr || words->angle != 0.0) continue;
        const double width = words_width(words->text, words->size);
        const double left = words->anchor == Anchor::start ? words->at.x
                            : words->anchor == Anchor::end ? words->at.x - width
                                                           : words->at.x - width / 2;
        INFO(words->text);
        CHECK(left >= 0.0);
        CHECK(left + width <= drawing.width);
        CHECK(words->at.y <= drawing.height);
      }
    }
  }

  TEST_CASE("Ticks of a logarithmic axis are decades with small ones between") {
    std::vector<Chart> charts{{.x = {}, .y = {}, .categories = {"a", "b"}, .series = {{"", {{0, 0.02}, {1, 700.0}}}}}};
    scale_together(charts, {});
    CHECK(labels_of(charts[0].y) == Labels{"0.1", "1", "10", "100"});
    CHECK(charts[0].y.ticks.size() > 30);
  }

  TEST_CASE("Labels of numbers are short and exact") {
    CHECK(number_label(0.0) == "0");
    CHECK(number_label(0.25) == "0.25");
    CHECK(number_label(9999.0) == "9999");
    CHECK(number_label(50000.0) == "50 000");
    CHECK(number_label(1e6) == "10⁶");
    CHECK(number_label(2.5e-5) == "2.5×10⁻⁵");
  }
}

TEST_SUITE("report/paper/drawing") {
  TEST_CASE("A word is as wide as Helvetica sets it") {
    CHECK(words_width("time (ms)", 10.0) == near(0.01 * (278 + 222 + 833 + 556 + 278 + 333 + 833 + 500 + 333)));
    CHECK(words_width("μ", 10.0) == near(5.56));
  }

  TEST_CASE("A drawing is the same bytes each time in every form") {
    const auto chart = charts_of(sample::small_result(), chart_choice("y=time")).front();
    const Drawing drawing = draw(chart);
    CHECK(drawing.width == near(249.449, 1e-5));  // 88 mm
    CHECK(drawing_svg(drawing) == drawing_svg(draw(chart)));
    const auto pdf = drawing_pdf(drawing), png = drawing_png(drawing);
    CHECK(pdf == drawing_pdf(drawing));
    CHECK(png == drawing_png(drawing));
    CHECK(pdf.starts_with("%PDF-1."));
    CHECK(pdf.find("CreationDate") == std::string::npos);
    CHECK(png.starts_with("\x89PNG"));
    CHECK(png.find("pHYs") == 37);
  }

  TEST_CASE("A chart is as wide as one column of a page or both") {
    const auto width = [](const char* choice) {
      return draw(charts_of(sample::small_result(), chart_choice(choice)).front()).width;
    };
    CHECK(width("y=time,width=single") == near(88.0 / 25.4 * 72.0, 1e-5));
    CHECK(width("y=time,width=double") == near(180.0 / 25.4 * 72.0, 1e-5));
  }

  TEST_CASE("Words of a drawing cannot become markup") {
    const Drawing drawing{10.0, 10.0, "<title>", {Words{{1.0, 1.0}, "<script>&"}}};
    const auto svg = drawing_svg(drawing);
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;&amp;") != std::string::npos);
  }
}

}  // namespace orrery::show::paper
