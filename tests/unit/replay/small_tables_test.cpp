// The small containers of the event core, against those of the standard library.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

#include "sim/replay/flow/few.hpp"
#include "sim/replay/pair_map.hpp"

namespace orrery::replay {

TEST_SUITE("replay/small tables") {
  TEST_CASE("An array of few grows beyond its own memory and moves with its elements") {
    std::mt19937_64 random(3);
    std::vector<Few<int, 4>> arrays(1);
    std::vector<int> reference;
    for (int step = 0; step < 2000; ++step) {
      if (!reference.empty() && random() % 100 < (step < 500 ? 50u : 44u)) {
        REQUIRE(arrays.back().back() == reference.back());
        arrays.back().pop_back();
        reference.pop_back();
      } else {
        arrays.back().push_back(step);
        reference.push_back(step);
      }
      if (step % 10 == 0) {  // moved, also when all its elements are its own
        std::vector<Few<int, 4>> moved;
        moved.push_back(std::move(arrays.back()));
        CHECK(arrays.back().empty());
        for (int i = 0; i < 9; ++i) arrays.back().push_back(-i);  // what was moved from is as new
        arrays.swap(moved);
      }
      REQUIRE(arrays.back().size() == reference.size());
      REQUIRE(std::equal(reference.begin(), reference.end(), arrays.back().begin()));
    }
    CHECK(reference.size() > 100);
  }

  TEST_CASE("A map of pairs finds what was stored and says what is new") {
    std::mt19937_64 random(5);
    PairMap<double> map;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> reference;
    map.fetch_pair(1, 2);  // of an empty map
    for (int step = 0; step < 5000; ++step) {
      const auto a = static_cast<std::uint32_t>(random() % 60), b = static_cast<std::uint32_t>(random() % 60);
      const auto [value, fresh] = map.find_or_add(a, b);
      const auto [known, first] = reference.try_emplace({a, b}, step);
      REQUIRE(fresh == first);
      if (fresh) value = step;
      REQUIRE(value == known->second);
    }
  }
}

}  // namespace orrery::replay
