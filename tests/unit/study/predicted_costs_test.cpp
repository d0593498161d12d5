#include "sim/study/shard/predicted_costs.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

using namespace orrery;
using study::costs_by_axes;
using study::looked_at;

namespace {

/// Ranks 1..20, points 1..20, two networks: 800 points, the last axis fastest.
Settings settings_of(std::size_t point) {
  return {{"layout.ranks", fmt::format("{}", point / 40 + 1)},
          {"kernel.points", fmt::format("{}", point / 2 % 20 + 1)},
          {"network", point % 2 == 0 ? "a" : "b"}};
}

double product_of(std::size_t point) {
  return 1000.0 * static_cast<double>((point / 40 + 1) * (point / 2 % 20 + 1)) * (point % 2 == 0 ? 1.0 : 4.0);
}

}  // namespace

TEST_SUITE("app/predicted costs") {
  TEST_CASE("Costs that are products of what each axis is worth are found from one point a value") {
    std::set<std::size_t> looked;
    const auto costs = costs_by_axes(800, settings_of, [&](std::size_t point) {
      looked.insert(point);
      return product_of(point);
    });
    CHECK(looked.size() == 20 + 20 + 2 - 2);
    CHECK(looked_at(800, settings_of).size() == looked.size());
    for (std::size_t point = 0; point < 800; ++point)
      CHECK(std::abs(static_cast<double>(costs[point]) - product_of(point)) <= 1.0);
  }
  TEST_CASE("Every point of a small sweep is looked at") {
    std::size_t looked = 0;
    const auto costs = costs_by_axes(200, settings_of, [&](std::size_t point) { return ++looked, product_of(point); });
    CHECK(looked == 200);
    CHECK(costs[199] == static_cast<std::uint64_t>(product_of(199)));
  }
  TEST_CASE("A point never costs nothing and never more than a number holds") {
    CHECK(costs_by_axes(1, settings_of, [](std::size_t) { return 0.0; }).front() == 1);
    CHECK(costs_by_axes(1, settings_of, [](std::size_t) { return 1e30; }).front() < std::uint64_t{1} << 60);
  }
}
