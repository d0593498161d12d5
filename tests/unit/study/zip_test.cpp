#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

Scenario read(const std::string& sweep, const std::vector<std::string>& overrides = {}) {
  const std::string head =
      "source: a test\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 4}\nkernel: {name: wave2d, points: 64}\n"
      "sweep:\n";
  return parse_scenario(config::parse_yaml(head + sweep, "s.yaml"), "s.yaml", overrides);
}

/// "2/64/infiniband 2/64/ethernet ...": ranks, points and network of every point.
std::string points_of(const Scenario& scenario) {
  std::string text;
  for (const PointSpec& point : scenario.points)
    text += (text.empty() ? "" : " ") + point.flat.at("layout.ranks") + "/" + point.flat.at("kernel.points") + "/" +
            point.network;
  return text;
}

const std::string zipped = "  zip: {layout.ranks: [2, 4, 8], kernel.points: [64, 91, 128]}\n";

}  // namespace

TEST_SUITE("scenario/zip") {
  TEST_CASE("Axes of a zip take their values together and count as one axis of the product") {
    const auto scenario = read(zipped + "  network: [infiniband, ethernet]\n");
    CHECK(points_of(scenario) ==
          "2/64/infiniband 2/64/ethernet 4/91/infiniband 4/91/ethernet 8/128/infiniband 8/128/ethernet");
    CHECK(scenario.points.settings(3) ==
          Settings{{"layout.ranks", "4"}, {"kernel.points", "91"}, {"network", "ethernet"}});
    CHECK(points_of(read("  network: [infiniband, ethernet]\n" + zipped)) ==
          "2/64/infiniband 4/91/infiniband 8/128/infiniband 2/64/ethernet 4/91/ethernet 8/128/ethernet");
  }
  TEST_CASE("Several zips are independent of each other") {
    const auto scenario = read(
        "  zip: [{layout.ranks: [2, 4], kernel.points: [64, 91]}, {network: [infiniband, ethernet], "
        "kernel.iterations: [1, 2]}]\n");
    CHECK(points_of(scenario) == "2/64/infiniband 2/64/ethernet 4/91/infiniband 4/91/ethernet");
    CHECK(scenario.points[1].flat.at("kernel.iterations") == "2");
  }
  TEST_CASE("Points of a zip are the same in whatever order they are asked for") {
    const auto scenario = read(zipped + "  network: [infiniband, ethernet]\n  kernel.iterations: [1, 2]\n");
    REQUIRE(scenario.points.size() == 12);
    for (const std::size_t i : {11U, 0U, 7U, 3U, 8U, 1U})
      CHECK(scenario.points[i].flat.at("kernel.points") == scenario.points.settings(i)[1].second);
  }
  TEST_CASE("Axes of a zip with different numbers of values are refused with both") {
    CHECK_THROWS_WITH_AS(read("  zip: {layout.ranks: [2, 4, 8], kernel.points: [64, 91]}\n"),
                         "s.yaml:7:50: axis 'kernel.points' has 2 values, 'layout.ranks' has 3 (axes of one 'zip' have "
                         "as many, since they take them together). Leave some out?",
                         InputError);
    CHECK_THROWS_AS(read(zipped, {"layout.ranks=[2, 4]"}), InputError);
    CHECK_THROWS_WITH_AS(read("  zip: []\n"), "s.yaml:7:8: 'zip' is an empty list. Leave it out?", InputError);
    CHECK_THROWS_AS(read(zipped + "  layout.ranks: [2]\n"), InputError);
    CHECK_THROWS_WITH_AS(read("  zip: {}\n"),
                         "s.yaml:7:8: 'zip' has no axis (axes that take their values together). Write 'zip: "
                         "{layout.ranks: [2, 4], kernel.points: [64, 128]}'?",
                         InputError);
  }
  TEST_CASE("A value of the command line takes its axis out of the zip and a list replaces it") {
    CHECK(points_of(read(zipped, {"layout.ranks=6"})) == "6/64/infiniband 6/91/infiniband 6/128/infiniband");
    CHECK(points_of(read(zipped, {"layout.ranks=[3, 5, 6]"})) == "3/64/infiniband 5/91/infiniband 6/128/infiniband");
  }
}
