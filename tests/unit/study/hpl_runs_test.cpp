// An HPL.dat that lists several values: its runs one after another, in the order of HPL's loops.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/hpl_dat.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/hpl_dat.hpp"

using namespace orrery;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// Two orders, two grids and two broadcasts.
std::string file_with_lists() {
  std::string text = test::hpl_dat;
  text =
      replaced(text, "1            # of problems sizes (N)\n50000 ", "2            # of problems sizes (N)\n400 600 ");
  text = replaced(text, "1            # of process grids (P x Q)\n32           Ps\n16           Qs",
                  "2            # of process grids (P x Q)\n2 1          Ps\n2 4          Qs");
  text = replaced(text, "1            # of broadcast\n5            BCASTs",
                  "2            # of broadcast\n0 3          BCASTs");
  const auto file = (std::filesystem::temp_directory_path() / "orrery-lists-HPL.dat").string();
  config::write_file(file, text);
  return file;
}

std::string settings_of(const Points& points) {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const auto& [key, value] : points.settings(i))
      text += fmt::format("{}={} ", key.substr(key.find('.') + 1), value);
    text += "| ";
  }
  return text;
}

Scenario scenario_of(const std::string& kernel, const std::string& more = "") {
  return parse_scenario(config::parse_yaml("source: a test\nplatform: dahu\nnetwork: omnipath\nlayout: {ranks: 4}\n"
                                           "kernel: {name: hpl, " +
                                               kernel + "}\n" + more,
                                           "s.yaml"),
                        ORRERY_SOURCE_DIR "/s.yaml", {});
}

constexpr const char* in_order =
    "p=2 q=2 order=400 bcast=1ring | p=2 q=2 order=400 bcast=2ringM | p=2 q=2 order=600 bcast=1ring | p=2 q=2 "
    "order=600 "
    "bcast=2ringM | p=1 q=4 order=400 bcast=1ring | p=1 q=4 order=400 bcast=2ringM | p=1 q=4 order=600 bcast=1ring | "
    "p=1 "
    "q=4 order=600 bcast=2ringM | ";

}  // namespace

TEST_SUITE("study/hpl runs") {
  TEST_CASE("A scenario plays every run that its HPL.dat lists in the order of HPL's loops") {
    const auto scenario = scenario_of("hpl-dat: " + file_with_lists());
    CHECK(settings_of(scenario.points) == in_order);
    CHECK(scenario.points[7].flat.at("kernel.q") == "4");
    CHECK(scenario.points[7].flat.at("kernel.block") == "128");
  }
  TEST_CASE("What stands beside an HPL.dat and what is swept take the place of its lists") {
    CHECK(settings_of(scenario_of("order: 500, bcast: long, hpl-dat: " + file_with_lists()).points) ==
          "p=2 q=2 | p=1 q=4 | ");
    CHECK(settings_of(scenario_of("p: 2, q: 2, bcast: long, hpl-dat: " + file_with_lists(),
                                  "sweep: {kernel.depth: [0, 1], kernel.order: [300]}\n")
                          .points) == "depth=0 order=300 | depth=1 order=300 | ");
  }
  TEST_CASE("A point of the command line is every run of its HPL.dat") {
    PointSpec point;
    point.kernel = {"hpl", "--kernel", {{"hpl-dat", file_with_lists(), "--param"}}};
    const Points points(each_hpl_run(point));
    CHECK(settings_of(points) == in_order);
    CHECK(points[7].kernel.settings.back().value == "2ringM");
    CHECK(points[7].kernel.settings.back().where.ends_with("HPL.dat:23"));
  }
  TEST_CASE("Where one run is wanted a list of an HPL.dat is refused with its line") {
    const std::string file = file_with_lists();
    NamedSpec kernel{"hpl", "s.yaml:1", {{"hpl-dat", file, "s.yaml:1:2"}}};
    CHECK_THROWS_WITH_AS(
        expand_hpl_dat(kernel),
        (file + ":5: 2 values of 'Ns' (one is taken here: 'order' given beside 'hpl-dat' goes before the "
                "file). Keep one?")
            .c_str(),
        InputError);
  }
}
