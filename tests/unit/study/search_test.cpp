#include "sim/study/search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/study/search/quantity.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using orrery::test::near;

namespace {

/// HPL on up to four nodes with two ranks each, priced and metered: 4 numbers of ranks, 3 blocks, 3 grids, of which
/// those are refused that are not the ranks'.
Scenario hpl(const std::string& search, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(
      config::parse_yaml(
          "source: a test\n"
          "platform: {name: lab, electricity: 0.3, node-types: {node: {price: 3, power: {idle: 50W, computing: 200W, "
          "communicating: 120W, assumed: a test}}}}\n"
          "network: ethernet\nengine: flow\nlayout: {ranks: 2, per-node: 2}\n"
          "kernel: {name: hpl, order: 300, block: 32, p: 1, q: 2}\n"
          "sweep:\n  kernel.block: [8, 32, 100]\n  layout.ranks: [1, 2, 4, 8]\n"
          "  zip: {kernel.p: [1, 1, 2, 1, 2], kernel.q: [1, 2, 2, 4, 4]}\n" +
              search,
          "s.yaml"),
      "s.yaml", overrides);
}

struct Best {
  Settings settings;
  double value = std::numeric_limits<double>::infinity();
};

/// Over every point of the sweep that the kernel takes, each played.
Best best_of_all(const Scenario& scenario, const RunOptions& options) {
  const SearchSpec& spec = scenario.search;
  const double sign = spec.most ? -1.0 : 1.0;
  Best best;
  for (std::size_t i = 0; i < scenario.points.size(); ++i) {
    Scenario one = scenario;
    one.points = Points({scenario.points[i]});
    std::optional<PointResult> point;
    try {
      point = run_scenario(one, options).result.points.front();
    } catch (const InputError&) {
      continue;
    }
    const auto value_of = [&](const std::string& name) {
      return name == "nodes" ? static_cast<double>(point->layout.nodes().size()) : quantity_of(*point, name)->value;
    };
    const bool permitted = std::ranges::all_of(spec.bounds, [&](const auto& bound) {
      const std::string unit = bound.quantity == "nodes" ? "" : quantity_of(*point, bound.quantity)->unit;
      const double limit = bound_in(bound.value, unit, bound.quantity, "here");
      return bound.at_most ? value_of(bound.quantity) <= limit : value_of(bound.quantity) >= limit;
    });
    if (const double value = sign * value_of(spec.objective); permitted && value < best.value)
      best = {point->settings, value};
  }
  return best;
}

const RunOptions quiet{.jobs = 1, .progress = false};

std::string notes_of(const ScenarioRun& run) {
  std::string all;
  for (const auto& note : run.result.notes) all += note + "\n";
  return all;
}

}  // namespace

TEST_SUITE("app/search") {
  TEST_CASE("A search ends at the best point of the whole sweep whatever is sought and whatever is bounded") {
    std::size_t fewest = 60;
    for (const char* what :
         {"", "search: {least: time, at-most: {nodes: 2}}\n", "search: {least: cost}\n", "search: {least: energy}\n",
          "search: {most: Gflop/s, at-most: {greatest power: 250W}}\n",
          "search: {least: energy, at-most: {time: 60ms}}\n", "search: {least: cost, at-least: {Gflop/s: 4 Gflop/s}}\n",
          "search: {least: time, at-most: {cost: 0.0001, mean power: 0.3kW}}\n"}) {
      CAPTURE(what);
      const Scenario scenario = hpl(what);
      const Best best = best_of_all(scenario, quiet);
      const ScenarioRun found = search(scenario, quiet);
      const PointResult& winner = found.result.points.front();
      CHECK(winner.settings == best.settings);
      CHECK(quantity_of(winner, scenario.search.objective)->value == std::abs(best.value));
      fewest = std::min(fewest, found.result.points.size());
    }
    CHECK(fewest < 15);  // of 15 that the kernel takes: some were shown to be worse without playing them
  }

  TEST_CASE("The points of a search follow each other as far as they are behind") {
    const ScenarioRun found = search(hpl("search: {least: energy, at-most: {nodes: 2}}\n"), quiet);
    const auto& points = found.result.points;
    REQUIRE(points.size() > 2);
    const double best = quantity_of(points[0], "energy")->value;
    CHECK(quantity_of(points[0], "behind")->value == 0.0);
    for (std::size_t i = 1; i < points.size(); ++i) {
      CHECK(quantity_of(points[i], "energy")->value >= quantity_of(points[i - 1], "energy")->value);
      CHECK(quantity_of(points[i], "behind")->value ==
            near(100.0 * (quantity_of(points[i], "energy")->value / best - 1.0)));
    }
    const std::string notes = notes_of(found);
    CHECK(notes.find("best: block ") == 0);
    CHECK(notes.find("60 points: ") != std::string::npos);
    CHECK(notes.find("45 refused, ") != std::string::npos);
    CHECK(notes.find("not played as nodes at most 2 cannot be") != std::string::npos);
  }

  TEST_CASE("A run that breaks a bound is shown behind those that keep it") {
    const ScenarioRun found = search(hpl("search: {at-most: {greatest power: 250W}}\n"), quiet);
    const auto& points = found.result.points;
    CHECK(quantity_of(points.front(), "greatest power")->value <= 250.0);
    CHECK(quantity_of(points.back(), "greatest power")->value > 250.0);
    CHECK_FALSE(quantity_of(points.back(), "behind"));
    CHECK(notes_of(found).find("played that break greatest power at most 250W") != std::string::npos);
  }

  TEST_CASE("With a model its best proposals are played and the answer says that others may be better") {
    const ScenarioRun found =
        search(hpl("search: {most: Gflop/s, model: bsp-matrix, confirm: 3}\nmodels: [bsp-matrix]\n"), quiet);
    CHECK(found.result.points.size() == 3);
    CHECK(found.result.points.front().predictions.size() == 1);
    CHECK(notes_of(found).find("12 not played as bsp-matrix puts them behind") != std::string::npos);
    CHECK(notes_of(found).find("one of those not played may be better") != std::string::npos);
  }

  TEST_CASE("What a search played before it stopped is not played again") {
    ResultStore store(ResultStore::in_memory);
    std::size_t played = 0;
    RunOptions options = quiet;
    options.on_ended = [&](std::size_t, bool) { ++played; };
    search(hpl("search: {least: energy}\n", {"kernel.block=[8, 32]"}), options, store);
    CHECK(played == 10);
    options.resume = true;
    const ScenarioRun all = search(hpl("search: {least: energy}\n"), options, store);
    CHECK(played == 15);
    CHECK(all.result.points.size() == 15);
  }

  TEST_CASE("A search for what no run has is refused with what they have") {
    const auto refuses = [](const char* text, const char* message) {
      CHECK_THROWS_WITH_AS(search(hpl(text), quiet), message, InputError);
    };
    refuses(
        "search: {least: enrgy}\n",
        "s.yaml:11:17: no quantity 'enrgy' is known of the runs (known: Gflop/s, cost, energy, greatest power, mean "
        "power, memory, nodes, ranks, simulated, time). Did you mean 'energy'?");
    refuses("search: {at-most: {greatest power: 2h}}\n",
            "s.yaml:11:36: '2h' is no value of 'greatest power' (in W). Write '20kW'?");
    refuses("search: {at-most: {memory: 80}}\n", "s.yaml:11:28: '80' is no value of 'memory' (in %). Write '80%'?");
    refuses("search: {at-most: {memory: nan%}}\n", "s.yaml:11:28: 'nan%' is no value of 'memory' (in %). Write '10%'?");
    refuses("search: {least: energy, model: bsp-matrix}\n",
            "s.yaml:11:17: a model tells times, from which 'energy' does not follow (known: Gflop/s, cost, "
            "memory, nodes, ranks, time).");
    refuses("search: {model: np-t}\n",
            "s.yaml:11:17: 'np-t' is fitted to runs, and none are there to fit it to (models of phases propose). "
            "Use 'bsp-matrix'?");
    CHECK_THROWS_WITH_AS(hpl("search: {least: time, most: Gflop/s}\n"),
                         "s.yaml:11:29: 'least' and 'most' are both given (one quantity is sought). Bound the other by "
                         "'at-most'?",
                         InputError);
    CHECK_THROWS_WITH_AS(search(hpl("search: {at-most: {nodes: 0}}\n"), quiet),
                         "search: no point is permitted (60 points: 0 played, 45 refused, 15 not played as nodes at "
                         "most 0 cannot be). Widen a bound?",
                         DomainError);
    CHECK_THROWS_WITH_AS(search(hpl("search: {at-most: {greatest power: 1W}}\n"), quiet),
                         doctest::Contains("search: no point keeps the bounds (60 points: 15 played, 45 refused, 15 played "
                                           "that break greatest power at most 1W). The nearest: "),
                         DomainError);
  }

  TEST_CASE("A bound is read in the unit of what it bounds") {
    const auto read = [](const char* text, const char* unit) { return bound_in(text, unit, "x", "here"); };
    CHECK(read("20kW", "W") == near(20e3));
    CHECK(read("2h", "s") == near(7200.0));
    CHECK(read("80%", "%") == near(80.0));
    CHECK(read("5MJ", "J") == near(5e6));
    CHECK(read("12 J", "J") == near(12.0));
    CHECK(read("900 Gflop/s", "Gflop/s") == near(900.0));
    CHECK(read("4", "") == near(4.0));
    CHECK_THROWS_AS(read("4", "J"), InputError);
    CHECK_THROWS_AS(read("4 J", ""), InputError);
    CHECK_THROWS_AS(read("W", "W"), InputError);
  }
}
