#include "sim/core/suggest.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <vector>

using namespace orrery;

TEST_SUITE("core/suggest") {
  TEST_CASE("Of very many known names an error lists those nearest to the wrong one") {
    std::vector<std::string> switches;
    for (int i = 0; i < 300; ++i) switches.push_back(fmt::format("leaf-{}", i));
    CHECK(known_names("leaf-30o", switches) ==
          " (300 are known, among them leaf-30, leaf-3, leaf-31, leaf-32, leaf-33, leaf-34, leaf-35, leaf-36). Did "
          "you mean 'leaf-30'?");
    switches.resize(3);
    CHECK(known_names("leaf-x", switches) == " (known: leaf-0, leaf-1, leaf-2). Did you mean 'leaf-0'?");
  }
}
