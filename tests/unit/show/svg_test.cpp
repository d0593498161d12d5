#include "sim/show/charts/svg.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

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

  TEST_CASE("Axes have the ticks of the table that the report's script is held to") {
    std::ifstream file(ORRERY_SOURCE_DIR "/tests/unit/show/ticks.json");
    const auto cases = nlohmann::json::parse(file);
    REQUIRE(cases.size() > 8);
    for (const auto& one : cases) {
      CAPTURE(one.dump());
      auto ticks = axis_ticks(one.at("least"), one.at("most"), one.at("log"), one.at("wanted"));
      std::erase_if(ticks, [](const Tick& small) { return small.label.empty(); });
      REQUIRE(ticks.size() == one.at("ticks").size());
      for (std::size_t i = 0; i < ticks.size(); ++i)
        CHECK(ticks[i].value == near(one.at("ticks").at(i).get<double>()));
    }
  }

  TEST_CASE("Between the labels of a logarithmic axis the other digits are small ticks") {
    const auto ticks = axis_ticks(1.0, 1e6, true);
    REQUIRE(ticks.size() == 6 * 9 + 1);
    CHECK(ticks[1].label.empty());
    CHECK(ticks[27].label == "1000");
    CHECK(ticks.back().label == "1M");
    CHECK(axis_ticks(0.0462, 0.0541, true).front().label == "0.048");
  }
}

}  // namespace orrery::show
