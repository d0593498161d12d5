#include "sim/show/charts/svg.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"

namespace orrery::show {

using test::near;

TEST_SUITE("report/svg") {
  TEST_CASE("Text is escaped for XML content and attributes and loses control characters") {
    CHECK(xml_escape("<a href=\"x\">'&'\x01</a>") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39; &lt;/a&gt;");
  }

  TEST_CASE("A coordinate prints at most two decimals and no trailing zero") {
    CHECK(svg_number(12.0) == "12");
    CHECK(svg_number(0.504) == "0.5");
    CHECK(svg_number(-3.256) == "-3.26");
    CHECK(svg_number(-0.001) == "0");
  }

  TEST_CASE("A linear axis gets round ticks that lie inside its range") {
    const auto ticks = axis_ticks(0.0, 93.0, false);
    REQUIRE(ticks.size() == 5);
    CHECK(ticks[1].label == "20");
    CHECK(ticks.back().value == near(80.0));
  }

  TEST_CASE("A logarithmic axis of six decades gets one tick per decade") {
    auto ticks = axis_ticks(1.0, 1e6, true);
    std::erase_if(ticks, [](const Tick& small) { return small.label.empty(); });
    REQUIRE(ticks.size() == 7);
    CHECK(ticks[3].label == "1000");
    CHECK(ticks.back().label == "1M");
  }

  TEST_CASE("A logarithmic axis without a round digit inside gets round steps") {
    const auto ticks = axis_ticks(0.0462, 0.0541, true);
    REQUIRE(ticks.size() == 4);
    CHECK(ticks[0].label == "0.048");
    CHECK(ticks[1].value == near(0.05));
    CHECK(ticks[3].label == "0.054");
  }
}

}  // namespace orrery::show
