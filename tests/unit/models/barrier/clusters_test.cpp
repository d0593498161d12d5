#include "models/barrier/clusters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

using Ranks = std::vector<std::uint32_t>;

/// O and L of ranks whose distance is given, each number as a measurement that scatters by up to `noise` of it.
SignalCosts scattered(std::uint32_t ranks, double noise, unsigned seed,
                      const std::function<double(std::uint32_t, std::uint32_t)>& apart, bool overhead_alone = false) {
  std::mt19937 random(seed);
  const auto noisy = [&](double value) {
    return value * (1.0 + noise * (2.0 * static_cast<double>(random()) / 4294967295.0 - 1.0));
  };
  std::vector<std::vector<double>> overhead(ranks, std::vector<double>(ranks)), latency = overhead;
  for (std::uint32_t i = 0; i < ranks; ++i)
    for (std::uint32_t j = 0; j < ranks; ++j) {
      overhead[i][j] = i == j ? 1e-7 : noisy(0.2e-6 * apart(i, j));
      latency[i][j] = i == j || overhead_alone ? 0.0 : noisy(1e-6 * apart(i, j));
    }
  return {.ranks = ranks,
          .invocation = [=](std::uint32_t i) { return Seconds(overhead[i][i]); },
          .overhead = [=](std::uint32_t i, std::uint32_t j) { return Seconds(overhead[i][j]); },
          .latency = [=](std::uint32_t i, std::uint32_t j) { return Seconds(latency[i][j]); }};
}

std::vector<Ranks> parts_of(const Cluster& cluster) {
  std::vector<Ranks> all;
  for (const Cluster& part : cluster.parts) {
    CHECK(part.parts.empty());
    all.push_back(part.members);
  }
  return all;
}

/// Row c of table 7.1: c, c + 8, c + 16 ...
std::vector<Ranks> table_7_1() {
  std::vector<Ranks> rows(8);
  for (std::uint32_t r = 0; r < 60; ++r) rows[r % 8].push_back(r);
  return rows;
}

/// Row c of table 7.2: 12 c, 12 c + 1 ...
std::vector<Ranks> table_7_2() {
  std::vector<Ranks> rows(10);
  for (std::uint32_t r = 0; r < 115; ++r) rows[r / 12].push_back(r);
  return rows;
}

std::string refusal(const SignalCosts& costs) {
  try {
    clusters_of(costs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("models/barrier/clusters") {
  TEST_CASE("Sparse spatial selection finds the nodes of Meyer's tables 7.1 and 7.2 in costs that scatter by a tenth") {
    for (const bool overhead_alone : {false, true})  // the thesis' distance is the overhead
      for (unsigned seed = 1; seed <= 2; ++seed) {
        const auto round_robin = scattered(
            60, 0.1, seed, [](auto i, auto j) { return i % 8 == j % 8 ? 1.0 : 30.0; }, overhead_alone);
        CHECK(parts_of(clusters_of(round_robin)) == table_7_1());
        const auto by_node = scattered(
            115, 0.1, seed, [](auto i, auto j) { return i / 12 == j / 12 ? 1.0 : 30.0; }, overhead_alone);
        CHECK(parts_of(clusters_of(by_node)) == table_7_2());
      }
  }
  TEST_CASE("Clusters are found for every sparseness that tells the two distances apart") {
    const auto costs = scattered(60, 0.1, 9, [](auto i, auto j) { return i % 8 == j % 8 ? 1.0 : 30.0; });
    for (const double sparseness : {0.1, 0.2, 0.35, 0.4, 0.6})
      CHECK(parts_of(clusters_of(costs, {.sparseness = sparseness})) == table_7_1());
  }
  TEST_CASE("Ranks that are alike are one cluster however their measurements scatter") {
    for (const double noise : {0.0, 0.05, 0.1, 0.3})
      CHECK(clusters_of(scattered(24, noise, 3, [](auto, auto) { return 1.0; })).parts.empty());
    CHECK(clusters_of(scattered(1, 0.0, 3, [](auto, auto) { return 1.0; })).members == Ranks{0});
  }
  TEST_CASE("Switches and nodes and sockets are levels of clusters") {
    const auto costs = scattered(48, 0.05, 4, [](std::uint32_t i, std::uint32_t j) {
      return i / 4 == j / 4 ? 1.0 : i / 8 == j / 8 ? 5.0 : i / 24 == j / 24 ? 30.0 : 120.0;
    });
    const Cluster all = clusters_of(costs);
    REQUIRE(all.parts.size() == 2);
    REQUIRE(all.parts[1].parts.size() == 3);
    REQUIRE(all.parts[1].parts[2].parts.size() == 2);
    CHECK(all.parts[1].parts[2].parts[1].members == Ranks{44, 45, 46, 47});
    CHECK(all.parts[1].parts[2].pivot() == 40);
  }
  TEST_CASE("A division needs pivots that are far apart beside the width of clusters") {
    const auto near_sockets = scattered(16, 0.0, 1, [](auto i, auto j) { return i / 8 == j / 8 ? 1.0 : 1.9; });
    CHECK(clusters_of(near_sockets, {.sparseness = 0.6}).parts.empty());
    CHECK(clusters_of(near_sockets, {.sparseness = 0.6, .separation = 1.5}).parts.size() == 2);
  }
  TEST_CASE("Costs that differ by direction count by their mean") {
    auto costs = scattered(6, 0.0, 1, [](auto i, auto j) { return i % 2 == j % 2 ? 1.0 : 30.0; });
    costs.latency = [of = costs.latency](std::uint32_t i, std::uint32_t j) { return (i < j ? 0.5 : 1.5) * of(i, j); };
    costs.acknowledged = false;
    CHECK(parts_of(clusters_of(costs)) == std::vector<Ranks>{{0, 2, 4}, {1, 3, 5}});
  }
  TEST_CASE("More ranks than have an exact diameter fall into their nodes all the same") {
    const SignalCosts costs{
        .ranks = 2400,
        .invocation = [](std::uint32_t) { return 0.1_us; },
        .overhead = [](std::uint32_t, std::uint32_t) { return 0.1_us; },
        .latency = [](std::uint32_t i, std::uint32_t j) { return i / 300 == j / 300 ? 1_us : 30_us; }};
    const Cluster all = clusters_of(costs);
    REQUIRE(all.parts.size() == 8);
    CHECK(all.parts[7].members.size() == 300);
  }
  TEST_CASE("Of thousands of ranks two of each place stand for the others and the clusters are the same") {
    const auto same = [](const Cluster& a, const Cluster& b, const auto& self) -> bool {
      return a.members == b.members &&
             std::ranges::equal(a.parts, b.parts, [&](const Cluster& x, const Cluster& y) { return self(x, y, self); });
    };
    for (const double inside : {1.0, 12.0}) {  // 12 of 30: a node's ranks lie so far apart that each is a pivot
      SignalCosts costs{.ranks = 2100,
                        .invocation = [](std::uint32_t) { return 0.1_us; },
                        .overhead = [](std::uint32_t, std::uint32_t) { return 0.1_us; },
                        .latency =
                            [=](std::uint32_t i, std::uint32_t j) {
                              if (i % 7 == j % 7) return Seconds((i % 7 == 3 ? inside : 1.0) * 1e-6);
                              return i % 7 < 3 && j % 7 < 3 ? 5_us : 30_us;
                            }};
      const Cluster all = clusters_of(costs, {.sparseness = 0.35, .separation = 1.0});
      costs.place = [](std::uint32_t i) { return i % 7; };
      CHECK(same(all, clusters_of(costs, {.sparseness = 0.35, .separation = 1.0}), same));
      CHECK(all.parts.size() == (inside > 10.0 ? 304 : 5));
    }
  }
  TEST_CASE("Costs that are no metric are refused with the row of the file they stand in") {
    auto costs = scattered(6, 0.0, 1, [](auto, auto) { return 1.0; });
    costs.latency = [](std::uint32_t i, std::uint32_t j) { return i == 5 && j == 2 ? 200_us : 1_us; };
    costs.where = [](std::uint32_t i, std::uint32_t j) { return "m.yaml:" + std::to_string(10 * i + j); };
    CHECK(
        refusal(costs).starts_with("m.yaml:52: a signal between ranks 2 and 5 costs 201.2 us, by way of rank 0 only "));
  }
  TEST_CASE("Costs that are no metric are refused with the ranks they are between") {
    auto costs = scattered(6, 0.0, 1, [](auto, auto) { return 1.0; });
    auto far = costs;
    far.latency = [](std::uint32_t i, std::uint32_t j) { return i + j == 7 ? 100_us : 1_us; };
    CHECK(refusal(far) ==
          "clusters: a signal between ranks 2 and 5 costs 200.2 us, by way of rank 0 only 4.4 us (costs that are a "
          "metric). Measure this pair again?");
    costs.overhead = costs.latency = [](std::uint32_t i, std::uint32_t j) { return i + j == 3 ? 0_us : 1_us; };
    costs.invocation = [](std::uint32_t) { return 0_us; };
    CHECK(refusal(costs) ==
          "clusters: a signal between ranks 0 and 3 costs 0 s (more than 0 between two ranks). Measure O and L of this "
          "pair?");
  }
}
