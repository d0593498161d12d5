#include "sim/study/read/processor_facts.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/load.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;

namespace {

LoadedPoint hcl_point() {
  LoadedPoint point;
  point.platform = std::make_shared<const Platform>(
      load_platform_named(std::string(ORRERY_SOURCE_DIR) + "/platforms/hcl.yaml", "test"));
  point.network = &point.platform->network("gigabit", "test");
  LayoutRow row;
  row.spread = LayoutRow::Spread{.ranks = 16, .per_node = 1};
  point.layout = build_layout(*point.platform, row);
  return point;
}

}  // namespace

TEST_SUITE("scenario/processor facts") {
  TEST_CASE("What no table says of a processor the platform says and nobody says its cache") {
    const auto facts = processor_facts(hcl_point(), "", "test", ".");
    REQUIRE(facts.size() == 16);
    CHECK(facts[0].cpu == 6.8e9);
    CHECK(facts[4].memory == Bytes(256.0 * 1024 * 1024));
    CHECK(facts[0].latency == Seconds(1e-6));               // rank 0's own node
    CHECK(facts[4].latency == test::near(Seconds(40e-6)));  // over the network
    CHECK(facts[4].cache == Bytes{});
  }

  TEST_CASE("A table of data sheets says clock and cache by type of node") {
    const auto facts =
        processor_facts(hcl_point(), std::string(ORRERY_SOURCE_DIR) + "/platforms/processors/hcl.csv", "test", ".");
    CHECK(facts[0].cpu == 3.4e9);
    CHECK(facts[4].cache == Bytes(2097152.0));
    CHECK(facts[8].cpu == 1.8e9);
    CHECK(facts[8].latency == test::near(Seconds(40e-6)));
  }
}
