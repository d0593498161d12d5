#include "models/allocation/execution_times.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/allocation/bases.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

Platform cluster() {
  Platform platform{.name = "pair", .file = {}, .source = {}, .node_types = {{.name = "fast"}, {.name = "slow"}}};
  platform.node_counts = {8, 8};
  return platform;
}

Configuration of(std::uint32_t p1, std::uint32_t m1, std::uint32_t p2, std::uint32_t m2) {
  return {{{p1, m1}, {p2, m2}}};
}

/// Time of a run whose slowest sub-cluster decides: n^3 / p and n^2, the slow nodes three times as long.
double true_time(const Configuration& configuration, double n) {
  double p = 0.0, longest = 0.0;
  for (const auto& part : configuration.parts) p += part.nodes * part.per_core;
  for (std::size_t type = 0; type < 2; ++type) {
    const auto part = configuration.parts[type];
    if (part.nodes == 0) continue;
    const double each = (type == 0 ? 1e-9 : 3e-9) * part.per_core * n * n * n / p;
    longest = std::max(longest, each + (configuration.nodes() > 1 ? 2e-7 * n * n : 0.0));
  }
  return longest;
}

std::vector<SizedRun> homogeneous(std::initializer_list<double> sizes) {
  std::vector<SizedRun> runs;
  for (const double n : sizes)
    for (std::uint32_t nodes = 1; nodes <= 4; ++nodes)
      for (std::uint32_t m = 1; m <= 2; ++m)
        for (const auto& configuration : {of(nodes, m, 0, 0), of(0, 0, nodes, m)})
          runs.push_back({configuration, n, true_time(configuration, n)});
  return runs;
}

TimeModelChoice choice(TimeModel model, LeastSquares method = LeastSquares::non_negative) {
  return {.model = model,
          .method = method,
          .extrapolate = true,
          .np_terms = parse_terms(basis_of("himeno")->np, np_variables(), "test"),
          .n_terms = parse_terms(basis_of("himeno")->n, np_variables(), "test"),
          .p_terms = parse_terms(basis_of("himeno")->p, p_variables(), "test")};
}

}  // namespace

TEST_SUITE("models/allocation") {
  TEST_CASE("An NP-T model of single sub-clusters tells the time of all together when its terms are theirs") {
    for (const auto method : {LeastSquares::plain, LeastSquares::non_negative}) {
      const ExecutionTimes times(choice(TimeModel::np_t, method), cluster(), homogeneous({32, 64, 96, 128}));
      for (const auto& configuration : {of(4, 2, 3, 1), of(1, 1, 1, 1), of(4, 1, 0, 0), of(1, 2, 0, 0), of(0, 0, 8, 1)})
        for (const double n : {50.0, 128.0, 200.0}) {
          INFO(configuration.text(), " ", n);
          CHECK(times.time(configuration, n) == near(true_time(configuration, n), 1e-3));
        }
    }
  }
  TEST_CASE("A model of two stages waits for the slowest to compute and for the slowest to exchange") {
    // One process a fast node computes 1e-9 n log n / p and exchanges 4e-9 n q / p^2, a slow one three times as long
    // and as long. Two to a fast core take twice as long for both: the slow nodes compute last then, and the fast ones
    // exchange last.
    const auto stages = [](std::uint32_t type, double m, double n, double p) -> std::array<double, 2> {
      return {(type == 0 ? 1e-9 : 3e-9) * m * n * std::log(n) / p, 4e-9 * m * n * (p - m) / (p * p)};
    };
    std::vector<SizedRun> runs;
    for (const double n : {4096.0, 8192.0, 16384.0, 32768.0, 65536.0})
      for (std::uint32_t nodes = 1; nodes <= 4; ++nodes)
        for (std::uint32_t m = 1; m <= 2; ++m)
          for (std::uint32_t type = 0; type < 2; ++type) {
            const auto [computing, exchanging] = stages(type, m, n, nodes * m);
            runs.push_back({type == 0 ? of(nodes, m, 0, 0) : of(0, 0, nodes, m), n, computing + exchanging});
          }
    TimeModelChoice staged = choice(TimeModel::stage_t);
    staged.np_terms = parse_terms(basis_of("fft")->stage, np_variables(), "test");
    staged.n_terms = parse_terms(basis_of("fft")->n, np_variables(), "test");
    const ExecutionTimes times(staged, cluster(), runs);
    const double n = 20000.0, p = 6.0;  // two fast nodes with two processes each, two slow ones with one
    const auto fast = stages(0, 2.0, n, p), slow = stages(1, 1.0, n, p);
    REQUIRE(slow[0] > fast[0]);
    REQUIRE(fast[1] > slow[1]);
    CHECK(times.time(of(2, 2, 2, 1), n) == near(slow[0] + fast[1], 1e-6));
    const auto part = times.time_of_part(0, {2, 2}, n, p, false);
    CHECK(part[0] == near(fast[0], 1e-6));
    CHECK(part[1] == near(fast[1], 1e-6));
    // A maximum of sums forgets that the two are not the same nodes.
    TimeModelChoice whole = staged;
    whole.model = TimeModel::np_t;
    CHECK(ExecutionTimes(whole, cluster(), runs).time(of(2, 2, 2, 1), n) ==
          near(std::max(fast[0] + fast[1], slow[0] + slow[1]), 1e-6));
    // One node alone exchanges nothing and has a model of n alone.
    CHECK(times.time(of(0, 0, 1, 1), n) == near(stages(1, 1.0, n, 1.0)[0], 1e-6));
    CHECK(times.time_of_part(1, {1, 1}, n, 1.0, true)[1] == 0.0);
  }
  TEST_CASE("A P-T model scales the time of the fewest nodes by the ranks") {
    // With T = t / p alone: 1 s on two nodes makes 2 / p.
    std::vector<SizedRun> runs;
    for (const double n : {10.0, 20.0, 30.0, 40.0})
      for (std::uint32_t nodes = 2; nodes <= 4; ++nodes) runs.push_back({of(nodes, 1, 0, 0), n, n * n / nodes});
    const ExecutionTimes times(choice(TimeModel::p_t), cluster(), runs);
    CHECK(times.time(of(8, 1, 0, 0), 35.0) == near(35.0 * 35.0 / 8.0, 1e-6));
    REQUIRE(times.fits().size() == 2);  // and its n-t model of two nodes
    CHECK(times.fits()[1]->of == "fast, 1 to a core, 2 ranks");
  }
  TEST_CASE("An N-T model knows the configurations it was fitted to and no other") {
    std::vector<SizedRun> runs;
    for (const double n : {10.0, 20.0, 30.0, 40.0, 50.0}) runs.push_back({of(2, 1, 1, 1), n, 1.0 + n * n * n});
    const ExecutionTimes times(choice(TimeModel::n_t), cluster(), runs);
    CHECK(times.time(of(2, 1, 1, 1), 25.0) == near(1.0 + 25.0 * 25.0 * 25.0, 1e-6));
    CHECK(std::isnan(times.time(of(2, 1, 2, 1), 25.0)));
    CHECK(times.reason(of(2, 1, 2, 1), 25.0) ==
          "no fitted runs say anything of configuration (2,1,2,1). Name some in 'fit-on'?");
  }
  TEST_CASE("A fit says nothing beyond its sizes and ranks unless it is told to extrapolate") {
    TimeModelChoice inside = choice(TimeModel::np_t);
    inside.extrapolate = false;
    const ExecutionTimes times(inside, cluster(), homogeneous({32, 64, 96, 128}));
    CHECK(times.time(of(4, 1, 0, 0), 100.0) > 0.0);
    CHECK(std::isnan(times.time(of(4, 1, 0, 0), 129.0)));
    CHECK(
        times.reason(of(4, 1, 0, 0), 129.0) ==
        "size 129 lies outside the fitted range 32..128 of fast, 1 to a core (no extrapolation). Fit to it too, or set "
        "'extrapolate: true'?");
    CHECK(times.reason(of(4, 1, 4, 1), 100.0) ==
          "8 ranks lie outside the fitted range 2..4 of fast, 1 to a core (no extrapolation). Fit to it too, or set "
          "'extrapolate: true'?");
  }
  TEST_CASE("A glitch is left out of the fit and counted") {
    auto runs = homogeneous({32, 64, 96, 128, 160});
    for (auto& run : runs)
      if (run.configuration == of(3, 1, 0, 0) && run.n == 160.0) run.seconds *= 2.0;
    TimeModelChoice with = choice(TimeModel::np_t);
    with.glitches = 0.9;
    const ExecutionTimes times(with, cluster(), runs);
    CHECK(times.time(of(3, 1, 0, 0), 160.0) == near(true_time(of(3, 1, 0, 0), 160.0), 1e-3));
    CHECK(times.fits_of(of(3, 1, 0, 0)).front()->excluded == 1);
  }
  TEST_CASE("Simplifying leaves the terms that matter") {
    TimeModelChoice simple = choice(TimeModel::np_t, LeastSquares::plain);
    simple.simplify = true;
    const ExecutionTimes times(simple, cluster(), homogeneous({32, 64, 96, 128}));
    const auto* fit = times.fits_of(of(3, 1, 0, 0)).front();
    CHECK(fit->terms.size() < 8);
    CHECK(times.time(of(4, 2, 3, 1), 200.0) == near(true_time(of(4, 2, 3, 1), 200.0), 1e-6));
  }
  TEST_CASE("Runs that fix no fit and runs without time are refused with what is missing") {
    const auto refusal = [](const std::vector<SizedRun>& runs) -> std::string {
      try {
        ExecutionTimes(choice(TimeModel::np_t), cluster(), runs);
      } catch (const Error& error) {
        return error.what();
      }
      return "accepted";
    };
    CHECK(refusal({{of(2, 1, 0, 0), 10.0, 1.0}}) ==
          "np-t: 1 runs fix no fit (of each sub-cluster and ranks to a core 8 runs of other sizes or ranks; of each "
          "configuration 4). Name more runs in 'fit-on', or fewer terms in 'basis'?");
    CHECK(refusal({{of(2, 1, 0, 0), 10.0, 0.0}}) ==
          "np-t: the run of size 10 on (2,1,0,0) takes 0 s (both above 0). Leave it out?");
  }
}
