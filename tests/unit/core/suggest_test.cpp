#include "sim/core/suggest.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <vector>

using namespace orrery;

TEST_SUITE("core/suggest") {
  TEST_CASE("Of very many known names an error lists those nearest to the wrong one") {
    std::vector<std::string> switches;
    for (int i = 0; i < 300; ++i) switches.push_back(fmt::format("leaf-{}", i));
    CHECK(known_names("leaf-30o", switches).text() ==
          " (300 are known, among them leaf-30, leaf-3, leaf-31, leaf-32, leaf-33, leaf-34, leaf-35, leaf-36). Did "
          "you mean 'leaf-30'?");
    switches.resize(3);
    CHECK(known_names("leaf-x", switches).text() == " (known: leaf-0, leaf-1, leaf-2). Did you mean 'leaf-0'?");
  }

  TEST_CASE("A name that differs in its unit alone is not offered as what was meant") {
    const std::vector<std::string> columns{"id", "time_s", "speed_flop_per_s"};
    CHECK(known_names("time_us", columns).text() ==
          " (known: id, speed_flop_per_s, time_s). Convert its numbers to 'time_s'?");
    CHECK(known_names("speed_Gflop_per_s", columns).text() ==
          " (known: id, speed_flop_per_s, time_s). Convert its numbers to 'speed_flop_per_s'?");
    CHECK(known_names("tme_s", columns).text() == " (known: id, speed_flop_per_s, time_s). Did you mean 'time_s'?");
    CHECK(present_names("time_s", std::vector<std::string>{"id", "time_us"}).text() ==
          " (there are id, time_us). Convert the numbers of 'time_us'?");
    CHECK(present_names("time_s", std::vector<std::string>{"id", "tim_s"}).text() ==
          " (there are id, tim_s). Rename 'tim_s'?");
  }
}
