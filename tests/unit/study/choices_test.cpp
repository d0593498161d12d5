#include "sim/study/judge/choices.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/show/charts/paper_charts.hpp"
#include "sim/show/tables/text_table.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// Two sizes on three configurations of a cluster of two types of node; two models.
const char* const text = R"(
source: "a test"
platform: toyohashi
network: gigabit
layout: {configuration: "1,1,0,0,0,0"}
kernel: {name: hpl, order: 100}
models:
  - {name: np-t, fit: nnls, extrapolate: true, fit-on: {kernel.order: [100, 200]}}
  - {name: np-t, fit: ls, extrapolate: true, fit-on: {kernel.order: [100, 200]}}
choose:
  beside: ["2,1,2,1,0,0"]
  average:
    - {model: np-t, fit: nnls, published: 1%, at-most: 5%}
    - {model: np-t, fit: ls, at-most: 5%}
sweep:
  kernel.order: [100, 200]
  layout.configuration: ["1,1,0,0,0,0", "2,1,0,0,0,0", "2,1,2,1,0,0"]
)";

Scenario scenario() { return parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {}); }

/// Simulated seconds of each point, and what each model expects of it.
ScenarioResult played(const Scenario& of, const std::vector<double>& seconds, const std::vector<double>& nnls,
                      const std::vector<double>& ls) {
  ScenarioResult result;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    PointResult& point = result.points.emplace_back();
    point.settings = of.points.settings(i);
    point.simulated = Seconds(seconds[i]);
    point.run.makespan = Seconds(seconds[i]);
    point.predictions = {
        {.model = "np-t", .mode = "np-t extrapolate=true", .time = Seconds(nnls[i]), .of_run = true},
        {.model = "np-t", .mode = "np-t fit=ls extrapolate=true", .time = Seconds(ls[i]), .of_run = true}};
  }
  return result;
}

double epsilon(const PointResult& point, std::size_t by) {
  return relative_error(point.predictions[by].time, *point.simulated);
}
/// In per cent.
double delta(const PointResult& point, std::size_t by) {
  CHECK(point.metrics[by].name == "delta of " + point.predictions[by].model);
  return point.metrics[by].value;
}

}  // namespace

TEST_SUITE("app/choices") {
  TEST_CASE("Epsilon compares what a model chooses with the best and delta what it expects with what happens") {
    const Scenario of = scenario();
    const auto choices =
        study::choices_of(played(of, {4, 3, 2, 10, 5, 8}, {4, 2.5, 2, 9, 6, 7}, {-1, 3, 2, 9, 6, 5}), of);
    REQUIRE(choices.table.points.size() == 2);
    const PointResult& first = choices.table.points[0];
    CHECK(first.settings == Settings{{"kernel.order", "100"}, {"best", "2,1,2,1,0,0"}});
    CHECK(*first.simulated == Seconds(2));
    REQUIRE(first.predictions.size() == 3);
    CHECK(epsilon(first, 0) == 0.0);
    CHECK(delta(first, 0) == 0.0);
    CHECK(first.predictions[1].notes[0] == "chooses (1,1,0,0,0,0)");  // a wrecked model is believed
    CHECK(epsilon(first, 1) == near(1.0));
    CHECK(delta(first, 1) == near(-125.0));
    CHECK(first.predictions[1].terms[0].cost == Seconds(-1));
    CHECK(first.predictions[2].model == "(2,1,2,1,0,0)");
    CHECK(first.predictions[2].notes.empty());
    const PointResult& second = choices.table.points[1];
    CHECK(second.predictions[0].notes[0] == "chooses (2,1,0,0,0,0)");
    CHECK(delta(second, 0) == near(20.0));
    CHECK(second.predictions[1].notes[0] == "chooses (2,1,2,1,0,0)");
    CHECK(epsilon(second, 1) == near(0.6));
  }
  TEST_CASE("Averages of choices have their published value and a bound that is broken or not") {
    const Scenario of = scenario();
    const auto choices =
        study::choices_of(played(of, {4, 3, 2, 10, 5, 8}, {4, 2.5, 2, 9, 6, 7}, {-1, 3, 2, 9, 6, 5}), of);
    REQUIRE(choices.averages.size() == 3);
    CHECK(choices.averages[0].epsilon == 0.0);
    CHECK(choices.averages[0].published == 0.01);
    CHECK(study::broken_sentences(choices.averages[0], "s.yaml").empty());
    CHECK(choices.averages[1].epsilon == near(0.8));
    CHECK(study::broken_sentences(choices.averages[1], "s.yaml") ==
          std::vector<std::string>{
              "s.yaml: choices by np-t (np-t fit=ls extrapolate=true) cost 80 % on average (at most 5 %)"});
    CHECK(choices.averages[2].by == "(2,1,2,1,0,0)");
    CHECK(choices.averages[2].epsilon == near(0.3));
    CHECK(choices.table.notes ==
          std::vector<std::string>{
              "np-t (np-t extrapolate=true): mean epsilon 0.0 % of 2 sizes; mean |delta| 10 %; published epsilon 1.0 %",
              "np-t (np-t fit=ls extrapolate=true): mean epsilon 80 % of 2 sizes; mean |delta| 81 %",
              "(2,1,2,1,0,0): mean epsilon 30 % of 2 sizes"});
    const std::string table = show::to_text_table(choices.table);
    CHECK(table.find("note: np-t (np-t fit=ls extrapolate=true): chooses (1,1,0,0,0,0) (1 of 2 points)") !=
          std::string::npos);
    CHECK(study::times_csv(played(of, {4, 3, 2, 10, 5, 8}, {4, 2, 2, 9, 6, 7}, {4, 3, 2, 9, 6, 5}), of)
              .starts_with("configuration,size,time_s\n\"1,1,0,0,0,0\",100,4\n"));
  }
  TEST_CASE("A model that errs is held from below too and so is the time of the runs it was fitted to") {
    std::string stated = text;
    const std::string from = "- {model: np-t, fit: ls, at-most: 5%}";
    stated.replace(
        stated.find(from), from.size(),
        "- {model: np-t, fit: ls, at-least: 90%, at-most: 95%, runs: 6s, runs-mu: 1.4, why: \"no scatter\"}");
    const std::string both = "fit: ls, extrapolate: true, fit-on: {kernel.order: [100, 200]}";
    stated.replace(stated.find(both), both.size(), "fit: ls, extrapolate: true, fit-on: {kernel.order: [100]}");
    const Scenario of = parse_scenario(config::parse_yaml(stated, "s.yaml"), "s.yaml", {});
    const ScenarioResult result = played(of, {4, 3, 2, 10, 5, 8}, {4, 2.5, 2, 9, 6, 7}, {-1, 3, 2, 9, 6, 5});
    auto average = study::choices_of(result, of).averages[1];
    CHECK(average.runs_s == 9.0);
    CHECK(average.why == "no scatter");
    CHECK(
        study::broken_sentences(average, "s.yaml") ==
        std::vector<std::string>{
            "s.yaml: choices by np-t (np-t fit=ls extrapolate=true) cost 80 % on average (at least 90 %)",
            "s.yaml: the runs that np-t (np-t fit=ls extrapolate=true) is fitted to take 9 s together, published is 6 "
            "s: mu 1.5 (tolerance 1.4)"});
    average.at_least = 0.5;
    average.runs_mu = 2.0;
    CHECK(study::broken_sentences(average, "s.yaml").empty());
    const std::string all = "runs: 6s", one_type = "runs: 6s, runs-on: one-type";
    stated.replace(stated.find(all), all.size(), one_type);
    const Scenario less = parse_scenario(config::parse_yaml(stated, "s.yaml"), "s.yaml", {});
    CHECK(study::choices_of(result, less).averages[1].runs_s == 7.0);  // "2,1,2,1,0,0" is of two types
    CHECK(study::runs_of_total(of.choose->averages[1], of) == std::vector<std::size_t>{0, 1, 2});
    CHECK(study::runs_of_total(less.choose->averages[1], less) == std::vector<std::size_t>{0, 1});
  }
  TEST_CASE("An average over some sizes stands beside that over all and has bounds of its own") {
    std::string stated = text;
    const std::string from = "- {model: np-t, fit: ls, at-most: 5%}";
    stated.replace(stated.find(from), from.size(),
                   from + "\n    - {model: np-t, fit: ls, at: {kernel.order: 200}, published: 7%, at-most: 50%}");
    const Scenario of = parse_scenario(config::parse_yaml(stated, "s.yaml"), "s.yaml", {});
    const auto choices =
        study::choices_of(played(of, {4, 3, 2, 10, 5, 8}, {4, 2.5, 2, 9, 6, 7}, {-1, 3, 2, 9, 6, 5}), of);
    CHECK(choices.averages[1].epsilon == near(0.8));  // 4 s for 2 s, 8 s for 5 s
    const auto& some = choices.averages.back();
    CHECK(some.over == "N = 200");
    CHECK(some.sizes == 1);
    CHECK(some.epsilon == near(0.6));
    CHECK(study::broken_sentences(choices, "s.yaml").back() ==
          "s.yaml: choices by np-t (np-t fit=ls extrapolate=true) cost 60 % on average over N = 200 (at most 50 %)");
    CHECK(choices.table.notes.back().find("of 1 sizes, N = 200") != std::string::npos);
  }
  TEST_CASE("Choices are drawn over the size whatever is best and in a chart for each network") {
    const Scenario of = scenario();
    ScenarioResult table =
        study::choices_of(played(of, {4, 3, 2, 10, 5, 8}, {4, 2.5, 2, 9, 6, 7}, {-1, 3, 2, 9, 6, 5}), of).table;
    REQUIRE(table.points[0].layout_name != table.points[1].layout_name);
    const auto charts = [&](const char* choice) {
      return show::paper::charts_of(table, show::paper::chart_choice(choice));
    };
    REQUIRE(charts("y=time").size() == 1);
    CHECK(charts("y=time")[0].x.title == "order");
    CHECK(charts("y=time")[0].series.size() == 4);
    CHECK(charts("y=error")[0].series[1].points[0].y == near(100.0));
    CHECK(charts("y=delta of np-t (np-t fit=ls extrapolate=true)")[0].series[0].points[0].y == near(-125.0));
    for (const char* network : {"a", "b"}) {
      table.points.push_back(table.points[0]);
      table.points.back().settings.insert(table.points.back().settings.begin(), {"network", network});
    }
    table.points.erase(table.points.begin(), table.points.begin() + 2);
    table.points.push_back(table.points[0]);
    table.points.back().settings[1].second = "200";
    CHECK(charts("x=order,y=time,series=model").size() == 2);
  }
  TEST_CASE("A size of a kernel swept whole is called by its number where that tells it from the others") {
    const auto settings = [](const std::string& second) {
      const std::string swept = R"(
source: "a test"
platform: toyohashi
network: gigabit
layout: {configuration: "1,1,0,0,0,0"}
kernel: {name: hpl, order: 100}
choose: {beside: ["2,1,0,0,0,0"]}
sweep:
  kernel: [{name: hpl, order: 100, block: 32}, )" +
                                second + R"(]
  layout.configuration: ["1,1,0,0,0,0", "2,1,0,0,0,0"]
)";
      const Scenario of = parse_scenario(config::parse_yaml(swept, "s.yaml"), "s.yaml", {});
      const auto choices = study::choices_of(played(of, {4, 3, 10, 5}, {4, 3, 9, 6}, {4, 3, 9, 6}), of);
      REQUIRE(choices.table.points.size() == 2);
      return choices.table.points[1].settings.front();
    };
    CHECK(settings("{name: hpl, order: 200, block: 32}") == std::pair<std::string, std::string>{"size", "200"});
    CHECK(settings("{name: hpl, order: 100, block: 64}").first == "kernel");
  }
  TEST_CASE("Models judged by times that scatter are fitted to each draw and averaged over all") {
    std::string stated = text;
    stated.replace(stated.find("choose:\n"), 8, "choose:\n  scatter: {runs: 10%, seeds: 8}\n");
    const Scenario of = parse_scenario(config::parse_yaml(stated, "s.yaml"), "s.yaml", {});
    const std::vector<double> exact{4, 3, 2, 10, 5, 8};
    const ScenarioResult result = played(of, exact, exact, exact);
    std::vector<std::vector<Seconds>> draws;
    // One model says what the draw says, the other what happens without scatter.
    const auto choices = study::choices_of(result, of, [&](const std::vector<Seconds>& times) {
      draws.push_back(times);
      std::vector<std::vector<Prediction>> said;
      for (std::size_t i = 0; i < times.size(); ++i) {
        said.push_back(result.points[i].predictions);
        said.back()[0].time = times[i];
      }
      return said;
    });
    REQUIRE(draws.size() == 8);
    double sum = 0.0, squares = 0.0;
    for (const auto& draw : draws)
      for (std::size_t i = 0; i < draw.size(); ++i) {
        const double z = std::log(draw[i].si() / exact[i]) / 0.1;
        sum += z;
        squares += z * z;
      }
    CHECK(std::abs(sum / 48) < 3.0 / std::sqrt(48.0));
    CHECK(squares / 48 > 0.5);
    CHECK(squares / 48 < 1.7);
    CHECK(choices.averages[0].epsilon == 0.0);  // it knows each draw
    CHECK(choices.averages[0].draws->greatest == 0.0);
    // 2 and 3 s lie four standard deviations apart: the fixed one is the best of the first size in all draws.
    const auto& fixed = choices.averages[2];
    CHECK(fixed.draws->exact == near(0.3));
    CHECK(fixed.draws->least < fixed.epsilon);
    CHECK(fixed.epsilon < fixed.draws->greatest);
    CHECK(choices.table.notes[2].find(" of the draws, 30 % without scatter") != std::string::npos);
    study::choices_of(result, of, [&](const std::vector<Seconds>& times) {
      CHECK(times == draws.front());
      draws.erase(draws.begin());
      std::vector<std::vector<Prediction>> said;
      for (const auto& point : result.points) said.push_back(point.predictions);
      return said;
    });
  }
  TEST_CASE("Glitches make their share of the runs longer and no others") {
    std::string stated = text;
    stated.replace(stated.find("choose:\n"), 8,
                   "choose:\n  scatter: {runs: 0%, glitches: 50%, glitch: 100%, seeds: 50}\n");
    const Scenario of = parse_scenario(config::parse_yaml(stated, "s.yaml"), "s.yaml", {});
    const std::vector<double> exact{4, 3, 2, 10, 5, 8};
    const ScenarioResult result = played(of, exact, exact, exact);
    std::size_t glitches = 0;
    study::choices_of(result, of, [&](const std::vector<Seconds>& times) {
      for (std::size_t i = 0; i < times.size(); ++i) {
        const double ratio = times[i].si() / exact[i];
        CHECK((ratio == 1.0 || ratio == 2.0));
        glitches += ratio == 2.0 ? 1u : 0u;
      }
      return std::vector<std::vector<Prediction>>(times.size(), result.points[0].predictions);
    });
    CHECK(glitches > 120);
    CHECK(glitches < 180);
  }
  TEST_CASE("Best configurations that a paper prints are counted where they are ours") {
    std::string stated = text;
    stated.replace(stated.find("choose:\n"), 8,
                   "choose:\n  best:\n    - {configuration: \"2,1,2,1,0,0\", kernel.order: [100, 200]}\n  agree: 2\n");
    const Scenario of = parse_scenario(config::parse_yaml(stated, "s.yaml"), "s.yaml", {});
    const std::vector<double> seconds{4, 3, 2, 10, 5, 8};
    const auto choices = study::choices_of(played(of, seconds, seconds, seconds), of);
    REQUIRE(choices.agreement.has_value());
    CHECK(choices.agreement->stated == 2);
    CHECK(choices.agreement->same == 1);
    CHECK(choices.agreement->epsilon == near(0.3));  // 8 s for 5 s at the second
    CHECK(study::broken_sentences(choices, "s.yaml") ==
          std::vector<std::string>{"s.yaml: the best configuration is the published one at 1 of 2 sizes (at least 2)"});
    CHECK(choices.table.notes.back() ==
          "best as published: 1 of 2 sizes; the published ones take 30 % longer than the best on average");
    auto bounded = choices;
    bounded.agreement->at_least = 1;
    bounded.agreement->within = 0.25;
    CHECK(study::broken_sentences(bounded, "s.yaml") ==
          std::vector<std::string>{
              "s.yaml: the published best configurations take 30 % longer than ours on average (at most 25 %)"});
    bounded.agreement->within = 0.31;
    CHECK(study::broken_sentences(bounded, "s.yaml").empty());
    CHECK_FALSE(study::choices_of(played(scenario(), seconds, seconds, seconds), scenario()).agreement);
  }
  TEST_CASE("A scenario that chooses refuses models it does not have and averages that say nothing") {
    const auto refusal = [](std::string changed, const std::string& from, const std::string& to) -> std::string {
      changed.replace(changed.find(from), from.size(), to);
      try {
        const Scenario of = parse_scenario(config::parse_yaml(changed, "s.yaml"), "s.yaml", {});
        study::choices_of(played(of, {4, 3, 2, 10, 5, 8}, {4, 2, 2, 9, 6, 7}, {4, 3, 2, 9, 6, 5}), of);
      } catch (const Error& error) {
        return error.what();
      }
      return "accepted";
    };
    CHECK(
        refusal(text, "- {model: np-t, fit: ls, at-most: 5%}", "- {model: np-t, fit: ls}")
            .find("the average of 'np-t' says nothing ('published', 'at-least', 'at-most' or 'runs'). Add 'published: "
                  "2%'?") != std::string::npos);
    CHECK(refusal(text, "- {model: np-t, fit: ls, at-most: 5%}", "- {model: np-t, fit: ls, at-least: 6%, at-most: 5%}")
              .ends_with("'at-least' is more than 'at-most' (no epsilon is both). Exchange them?"));
    CHECK(refusal(text, "- {model: np-t, fit: ls, at-most: 5%}", "- {model: np-t, fit: ls, at-most: 5%, runs-mu: 2}")
              .ends_with("'runs-mu' without 'runs' (the time that it is held against). Add 'runs: ...'?"));
    CHECK(refusal(text, "- {model: np-t, fit: ls, at-most: 5%}", "- {model: np-t, mode: p-t, at-most: 5%}")
              .ends_with("no model of the scenario is 'np-t' with these options. List it in 'models'?"));
    CHECK(refusal(text, "fit: ls, at-most: 5%}", "fit: ls, at: {kernel.order: 100}, runs: 5s}")
              .ends_with("'runs' beside 'at' (it is of all runs that the model is fitted to). Give it an entry without "
                         "'at'?"));
    CHECK(refusal(text, "fit: ls, at-most: 5%}", "fit: ls, at: {kernel.order: 300}, at-most: 5%}")
              .ends_with("no size at which models are judged meets 'at' of this average. Correct it?"));
    CHECK(
        refusal(text, "  beside:", "  agree-within: 5%\n  beside:")
            .ends_with("'agree-within' without 'best' (the configurations that ours are compared with). Add 'best'?"));
    CHECK(refusal(text, "  beside:", "  at: {kernel.order: 300}\n  beside:") ==
          "s.yaml: 'choose' has no point to choose from (those that meet 'at' and were played). Change 'at'?");
  }
  TEST_CASE("A sweep over each configuration has all of them and only keeps those whose ranks are asked for") {
    const auto with = [](const std::string& each, const std::string& only) {
      return parse_scenario(
          config::parse_yaml("source: t\nplatform: toyohashi\nnetwork: gigabit\n"
                             "layout: {configuration: \"1,1,0,0,0,0\"}\nkernel: {name: hpl}\n" +
                                 only + "sweep: {kernel.order: [96, 100], layout.configuration: {each: \"" + each +
                                 "\"}}\n",
                             "s.yaml"),
          "s.yaml", {});
    };
    CHECK(with("4,2,4,2,4,1", "").points.size() == 2 * 404);
    CHECK(with("8,2,8,2,8,1", "only: {ranks: [power-of-two]}\n").points.size() == 2 * 285);
    const Scenario dividing = with("4,1,4,1,4,1", "only: {ranks: [divides kernel.order]}\n");
    std::size_t expected = 0;  // up to four nodes of each type with one rank each
    for (const std::size_t order : {96U, 100U})
      for (std::size_t a = 0; a <= 4; ++a)
        for (std::size_t b = 0; b <= 4; ++b)
          for (std::size_t c = 0; c <= 4; ++c) expected += a + b + c > 0 && order % (a + b + c) == 0;
    CHECK(dividing.points.size() == expected);
    CHECK(dividing.points.settings(0).back().second == "0,0,0,0,1,1");
    const auto refusal = [&](const std::string& each, const std::string& only) -> std::string {
      try {
        with(each, only);
      } catch (const Error& error) {
        return error.what();
      }
      return "accepted";
    };
    CHECK(refusal("4,2,4", "")
              .find("axis 'layout.configuration' has each '4,2,4' (for layout.configuration: most nodes") !=
          std::string::npos);
    CHECK(refusal("1,1,1,1,1,1", "only: {ranks: [odd]}\n")
              .find("'odd' is no rule for ranks (power-of-two, divides PATH). Write 'divides kernel.points'?") !=
          std::string::npos);
    CHECK(refusal("1,1,1,1,1,1", "only: {ranks: [divides kernel.bcast]}\n")
              .find("points have no number 'kernel.bcast' that ranks could divide") != std::string::npos);
  }
}
