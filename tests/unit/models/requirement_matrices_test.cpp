#include "models/requirement_matrices.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

constexpr double assign = 1.0, add = 10.0, subtract = 100.0, multiply = 1000.0, n = 7.0;  // costs of operations

/// Seconds of a unit of work by rank: 1, 2, 4 ...
class Doubling final : public ComputeModel {
  std::string description() const override { return "by hand"; }
  Seconds compute_time(const Compute& work, Rank rank) const override {
    return Seconds(work.flops.si() * static_cast<double>(1u << index(rank)));
  }
};

LinkCosts links() {
  return {[](Rank i, Rank j) { return Seconds(1.0 + static_cast<double>(index(i) + index(j))); },
          [](Rank, Rank j) { return SecondsPerByte(j == Rank{2} ? 0.5 : 0.25); }};
}

ComputeItem item(std::uint32_t rank, double flops, bool overlapped = false, Work work = Work::stencil) {
  return {Rank{rank}, {work, Flops(flops)}, 1, overlapped};
}

}  // namespace

TEST_SUITE("models/requirement matrices") {
  TEST_CASE("Equations 3.8 to 3.10: the same operations on two processes cost both the same") {
    const Matrix requirement{{n, n, n}, {n, n, n}}, cost{{assign, add, multiply}, {assign, add, multiply}};
    const double t = n * (assign + add + multiply);
    CHECK(row_sums_of_product(requirement, cost) == std::vector<double>{t, t});
  }
  TEST_CASE("Equation 3.11: unlike kernels show as unequal times") {
    const std::vector<double> cost{assign, add, subtract, multiply};
    CHECK(row_sums_of_product({{n, n, 0, n}, {n, 0, n, 0}}, {cost, cost}) ==
          std::vector<double>{n * (assign + add + multiply), n * (assign + subtract)});
  }
  TEST_CASE("Equations 3.12 and 3.13: unlike processors show in the cost matrix") {
    const Matrix requirement{{n, n, n}, {n, n, n}}, cost{{assign, add, multiply}, {assign, 0.5 * add, 0.5 * multiply}};
    const double slow = n * (assign + add + multiply), fast = n * (assign + 0.5 * (add + multiply));
    CHECK(row_sums_of_product(requirement, cost) == std::vector<double>{slow, fast});
  }
  TEST_CASE("Matrices of unlike shapes are refused") {
    CHECK_THROWS_WITH_AS(row_sums_of_product({{1, 2}}, {{1, 2}, {3, 4}}),
                         "matrices: requirements are 1 x 2 and costs 2 x 2 (the same shape). Complete them?",
                         InputError);
  }
  TEST_CASE("Equations 3.14 and 3.15: each message costs a latency and its bytes and each process what it sends") {
    const auto phase = test::phase_of({{0, 1, 8}, {0, 2, 8}, {1, 2, 4}, {1, 2, 4}}, 3);
    const auto times = communication_times(phase, links());
    CHECK(times.communication[0] == Seconds((2.0 + 8 * 0.25) + (3.0 + 8 * 0.5)));
    CHECK(times.communication[1] == Seconds(2 * (4.0 + 4 * 0.5)));
    CHECK(times.communication[2] == 0_s);
    CHECK(times.slowest() == 1);
  }
  TEST_CASE("Equations 1.4 and 3.16: of what can be masked only the longer part counts and the rest is overlap") {
    auto phase = test::phase_of({{0, 1, 8}, {0, 2, 8}, {1, 0, 8}}, 3);
    phase.messages[0].overlapped = phase.messages[2].overlapped = true;  // 4 s of 11, 4 s of 4
    phase.computes = {item(0, 5), item(0, 3, true), item(1, 1), item(1, 4, true)};
    const auto times = superstep_times(phase, links(), Doubling());
    CHECK(times.computation[0] == 8_s);
    CHECK(times.total(0) == Seconds((8 - 3) + (11 - 4) + 4.0));
    CHECK(times.overlap(0) == 3_s);
    CHECK(times.total(1) == Seconds((10 - 8) + (4 - 4) + 8.0));
    CHECK(times.overlap(1) == 4_s);
    CHECK(times.overlap(1) == times.computation[1] + times.communication[1] - times.total(1));
    CHECK(times.total(2) == 0_s);
  }
  TEST_CASE("Kernel matrices have a column for each kind of work and time per flop for who has none of it") {
    Phase phase;
    phase.ranks = 2;
    phase.computes = {item(0, 6), item(0, 2, false, Work::dgemm), item(1, 6)};
    const auto kernels = kernel_matrices(phase, Doubling());
    CHECK(kernels.kinds == std::vector<Work>{Work::stencil, Work::dgemm});
    CHECK(kernels.requirement == Matrix{{6, 2}, {6, 0}});
    CHECK(kernels.cost == Matrix{{1, 1}, {2, 2}});
    CHECK(row_sums_of_product(kernels.requirement, kernels.cost) == std::vector<double>{8, 12});
  }
  TEST_CASE("Much work on a slow processor and little on a fast one had better change places") {
    Phase phase;
    phase.ranks = 3;
    phase.computes = {item(0, 2), item(1, 3), item(2, 5)};  // 2, 6 and 20 s
    const auto exchange = best_exchange(kernel_matrices(phase, Doubling()));
    REQUIRE(exchange);
    CHECK(exchange->busiest == 2);
    CHECK(exchange->other == 0);  // 5 s on processor 0, 8 s on processor 2, 6 s stay
    CHECK(exchange->now == 20_s);
    CHECK(exchange->then == 8_s);
    phase.computes = {item(0, 8), item(1, 4), item(2, 2)};
    CHECK_FALSE(best_exchange(kernel_matrices(phase, Doubling())));
  }
}
