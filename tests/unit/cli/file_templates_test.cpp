#include "sim/cli/pages/file_templates.hpp"

#include <doctest/doctest.h>

#include <string>

#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/cli/pages/platform_template.hpp"
#include "sim/config/reader.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;
using namespace orrery::cli;

namespace {

/// Without the comment mark of every line that holds a key and its value.
std::string switched_on(std::string text, const std::string& key) {
  const auto at = text.find("# " + key + ":");
  REQUIRE(at != std::string::npos);
  return text.erase(at, 2);
}

Scenario scenario(const std::string& text) { return parse_scenario(config::parse_yaml(text, "q.yaml"), "q.yaml", {}); }

}  // namespace

TEST_SUITE("app/templates") {
  TEST_CASE("The new scenario file is a scenario whose points can be loaded on every shipped platform") {
    for (const std::string name : {"fermi", "dahu", "ampere40"}) {
      const Platform platform = load_platform_named(name, "test");
      const Scenario read = scenario(scenario_template("mine", platform, name));
      CHECK(read.points.size() == 4);
      CHECK(read.models.size() == 2);
      for (const auto& point : read.points) CHECK_NOTHROW(PointLoader(".", read.engine).load(point));
    }
  }
  TEST_CASE("The new scenario file stays valid with its commented keys switched on") {
    const std::string text = scenario_template("mine", load_platform_named("fermi", "test"), "fermi");
    for (const std::string key : {"engine", "compute", "gpu-staging", "average-over"}) {
      CAPTURE(key);
      CHECK_NOTHROW(scenario(switched_on(text, key)));
    }
    for (const std::string key : {"published", "tolerance"}) {
      std::string other = switched_on(text, key);
      const auto begin = other.find("\n" + key), end = other.find("\n\n", begin);
      for (auto at = other.find("#   - {", begin); at < end; at = other.find("#   - {", at)) other.replace(at, 1, " ");
      CAPTURE(key);
      CHECK_NOTHROW(scenario(other));
    }
  }
  TEST_CASE("The new layout file places every row on a platform with GPUs and on one without") {
    for (const std::string name : {"fermi", "dahu", "ampere40"}) {
      const Platform platform = load_platform_named(name, "test");
      const LayoutTable table = load_layouts(config::parse_yaml(layout_template("mine", platform, name), "l.yaml"));
      CHECK(table.name == "mine");
      CHECK(table.rows.size() == (platform.node_types.front().gpus.empty() ? 3 : 5));
      for (const auto& row : table.rows) CHECK(build_layout(platform, row).ranks() > 0);
    }
  }
  TEST_CASE("New files are for a platform of one's own as well") {
    const Platform mine = load_platform(config::parse_yaml(platform_template("mine"), "mine.yaml"), "mine.yaml");
    const Scenario read = scenario(scenario_template("question", mine, "mine.yaml"));
    CHECK(read.points.front().platform.name == "mine.yaml");
    CHECK(read.points.front().network == "fabric");
    CHECK(load_layouts(config::parse_yaml(layout_template("rows", mine, "mine.yaml"), "l.yaml")).platform ==
          "mine.yaml");
  }
}
