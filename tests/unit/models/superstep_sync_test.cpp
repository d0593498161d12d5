#include "models/superstep_sync.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// Costs that differ for every pair and direction.
PairCost cost_of(Rank i, Rank j) {
  const double a = static_cast<double>(index(i)), b = static_cast<double>(index(j));
  return {Seconds(10.0 + 3 * a + b), Seconds(2.0 + a + 5 * b), SecondsPerByte(0.01 * (1.0 + a) + 0.002 * b)};
}

Phase map_exchange(std::uint32_t p, const char* second) {
  return build_phases(*test::make_kernel("bsp-sync", {{"repetitions", "1"}, {"second-barrier", second}}, p)).back();
}

/// The recursion of figure 6.2 as it is printed, over the pattern of the dissemination.
double printed(std::uint32_t size, std::uint32_t r, std::uint32_t stage) {
  const auto log_p = static_cast<std::uint32_t>(std::ceil(std::log2(size)));
  if (stage == log_p) return 0.0;
  const double integers =
      stage < log_p - 1 ? (1u << stage) * size : (size - (1u << (log_p - 1))) * static_cast<double>(size);
  const auto cost = [](std::uint32_t i, std::uint32_t j) { return cost_of(Rank{i}, Rank{j}); };
  const std::uint32_t to = (r + (1u << stage)) % size, from = (r + size - (1u << stage) % size) % size;
  const double overhead = cost(to, r).overhead.si();
  const double latency = 2.0 * cost(r, to).latency.si() + 2.0 * cost(from, r).latency.si();
  const double headers = 4 * 4 * (cost(r, to).beta.si() + cost(r, from).beta.si());
  const double bandwidth = 4 * integers * 4 * cost(r, to).beta.si() + 2 * integers * 4 * cost(r, from).beta.si();
  return std::max(printed(size, to, stage + 1), printed(size, r, stage + 1)) + overhead + latency + headers + bandwidth;
}

}  // namespace

TEST_SUITE("models/superstep sync") {
  TEST_CASE("Figure 6.2 as printed is the dearest path through the message map") {
    for (const std::uint32_t p : {3u, 5u, 6u, 8u, 12u}) {
      double dearest = 0.0;
      for (std::uint32_t r = 0; r < p; ++r) dearest = std::max(dearest, printed(p, r, 0));
      CHECK(sync_of_parameter_6_2(map_exchange(p, "none"), cost_of).si() == near(dearest));
    }
  }
  TEST_CASE("A second barrier adds its signals by equation 5.4") {
    const auto alike = [](Rank, Rank) { return PairCost{Seconds(1.0), Seconds(0.25), SecondsPerByte(0.0)}; };
    // Two ranks: one exchange (2 L out, 2 L in, O), then a signal up and one down the tree (2 L + O each).
    CHECK(sync_of_parameter_6_2(map_exchange(2, "none"), alike) == 4.25_s);
    CHECK(sync_of_parameter_6_2(map_exchange(2, "tree"), alike) == Seconds(4.25 + 2 * 2.25));
    CHECK(sync_as_messages(map_exchange(2, "none"), alike) == Seconds(2 * 1.0 + 0.25));
  }
  TEST_CASE("Signals carry no payload and the message map does") {
    CHECK(carries_payload(map_exchange(12, "tree")));
    CHECK_FALSE(carries_payload(build_phases(*test::make_kernel("barrier", {{"algorithm", "tree"}}, 8)).back()));
  }
}
