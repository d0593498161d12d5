#include "models/allocation/search.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// Numbers of a fixed sequence from 0 to 1.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) / static_cast<double>(1ull << 53);
  }

 private:
  std::uint64_t state_;
};

/// A cluster of so many types whose times are work over ranks and a share that grows with them.
AllocationProblem cluster(std::uint64_t seed, std::size_t kinds) {
  Draws draw(seed);
  AllocationProblem problem;
  std::vector<double> speeds;
  for (std::size_t k = 0; k < kinds; ++k) {
    problem.kinds.push_back({.nodes = 1 + static_cast<std::uint32_t>(5 * draw()),
                             .per_core_max = 1 + static_cast<std::uint32_t>(2.5 * draw()),
                             .cores = draw() < 0.7 ? 1u : 2u,
                             .price = draw(),
                             .power = 100.0 * draw()});
    speeds.push_back(0.2 + draw());
  }
  const double exchange = 0.02 * draw();
  problem.time = [speeds, exchange](std::uint32_t kind, std::uint32_t m, std::uint32_t p,
                                    bool alone) -> std::array<double, 2> {
    if (kind == 1 && m == 3) return {ExecutionTimes::unknown, ExecutionTimes::unknown};
    const double work = m / (speeds[kind] * p);
    return {work, alone ? 0.0 : exchange * p};
  };
  return problem;
}

}  // namespace

TEST_SUITE("models/allocation") {
  TEST_CASE("Branch and bound gives the answer of the exhaustive search for every objective and examines fewer") {
    std::uint64_t examined = 0, all = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed)
      for (const auto objective : {AllocationObjective::time, AllocationObjective::cost, AllocationObjective::energy}) {
        AllocationProblem problem = cluster(seed, 2 + seed % 3);
        problem.objective = objective;
        if (seed % 4 == 0) problem.permitted = [](std::uint32_t p) { return (p & (p - 1)) == 0; };
        if (seed % 5 == 0) problem.limit = 0.4;
        if (seed % 7 == 0) {
          problem.bytes_of_rank = [](std::uint32_t p) { return 10.0 / p; };
          for (auto& kind : problem.kinds) kind.memory = 1.5;
        }
        const auto exhaustive = search_all(problem), cutting = branch_and_bound(problem);
        INFO("seed ", seed, " objective ", static_cast<int>(objective));
        REQUIRE(exhaustive.best.has_value() == cutting.best.has_value());
        CHECK(exhaustive.examined == configurations_of(problem));
        if (!exhaustive.best) continue;
        CHECK(exhaustive.best->configuration == cutting.best->configuration);
        CHECK(exhaustive.best->seconds == cutting.best->seconds);
        examined += cutting.examined;
        all += exhaustive.examined;
      }
    CHECK(examined < all / 2);
  }
  TEST_CASE("Both searches agree where a wrecked model expects negative times") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
      for (const auto objective : {AllocationObjective::time, AllocationObjective::cost}) {
        AllocationProblem problem = cluster(seed, 3);
        const auto regular = problem.time;
        problem.time = [regular](std::uint32_t kind, std::uint32_t m, std::uint32_t p, bool alone) {
          auto stages = regular(kind, m, p, alone);
          stages[0] -= 0.3;
          return stages;
        };
        problem.objective = objective;
        INFO("seed ", seed);
        CHECK(search_all(problem).best->configuration == branch_and_bound(problem).best->configuration);
      }
  }
  TEST_CASE("The best of a cluster worked out by hand is found and of equals the one of fewer nodes") {
    // One process to a core; 12 s of work on fast nodes and twice on slow ones, 1 s for each rank on the network.
    AllocationProblem problem;
    problem.kinds = {{.nodes = 4, .price = 3.0}, {.nodes = 4, .price = 1.0}};
    problem.time = [](std::uint32_t kind, std::uint32_t, std::uint32_t p, bool alone) -> std::array<double, 2> {
      return {(kind == 0 ? 12.0 : 24.0) / p, alone ? 0.0 : p};
    };
    // 3 fast: 4 + 3 = 7; 4 fast: 3 + 4 = 7
    const auto fastest = search_all(problem);
    CHECK(fastest.best->seconds == near(7.0));
    CHECK(fastest.best->configuration.text() == "3,1,0,0");
    problem.objective = AllocationObjective::cost;  // 1 slow: 24; 1 fast: 36
    CHECK(branch_and_bound(problem).best->configuration.text() == "0,0,1,1");
    problem.limit = 12.0;  // 2 slow: 14 s; 3 slow: 8 + 3 = 11 s for 33; 1 fast: 12 s for 36
    CHECK(branch_and_bound(problem).best->configuration.text() == "0,0,3,1");
  }
  TEST_CASE("A search that is told to stop ends with what it has") {
    AllocationProblem problem;
    problem.kinds.assign(4, {.nodes = 40});
    problem.time = [](std::uint32_t, std::uint32_t, std::uint32_t p, bool) -> std::array<double, 2> {
      return {1.0 / p, 0.0};
    };
    std::uint64_t asked = 0;
    const auto found = search_all(problem, {}, [&](std::uint64_t) { return ++asked < 2; });
    CHECK(found.examined < configurations_of(problem));
    CHECK(asked == 2);
  }
}
