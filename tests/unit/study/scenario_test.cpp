#include "sim/study/read/scenario.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "sim/core/version.hpp"

using namespace orrery;

namespace {

const std::string head =
    "source: a test\n"
    "platform: fermi\n"
    "network: infiniband\n"
    "layout: {ranks: 4, per-node: 1}\n"
    "kernel: {name: broadcast, message: 64KiB}\n"
    "models: [taulop, hockney]\n";

Scenario read(const std::string& rest, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(config::parse_yaml(head + rest, "s.yaml"), "s.yaml", overrides);
}

void refuses(const std::string& rest, const char* message) { CHECK_THROWS_WITH_AS(read(rest), message, InputError); }

}  // namespace

TEST_SUITE("scenario/scenario") {
  TEST_CASE("A sweep is the product of its axes with the last one fastest") {
    const auto scenario = read("sweep: {kernel.message: [1KiB, 2KiB], network: [infiniband, ethernet]}\n");
    REQUIRE(scenario.points.size() == 4);
    CHECK(scenario.points[1].settings == Settings{{"kernel.message", "1KiB"}, {"network", "ethernet"}});
    CHECK(scenario.points[2].settings == Settings{{"kernel.message", "2KiB"}, {"network", "infiniband"}});
    CHECK(scenario.points[2].network == "infiniband");
    REQUIRE(scenario.points[2].kernel.settings.size() == 1);
    CHECK(scenario.points[2].kernel.settings[0].value == "2KiB");
  }
  TEST_CASE("What is alike is played once only if that is asked for") {
    CHECK(read("alike: once\n").alike_once);
    CHECK_FALSE(read("alike: whole\n").alike_once);
    CHECK_FALSE(read("").alike_once);
  }
  TEST_CASE("Points of a sweep are the same in whatever order they are asked for") {
    const auto scenario = read(
        "sweep: {kernel.message: [1KiB, 2KiB, 4KiB], platform.networks.infiniband.latency: [1us, 2us],\n"
        "        network: [infiniband, ethernet], layout.ranks: [2, 3]}\n");
    REQUIRE(scenario.points.size() == 24);
    std::vector<PointSpec> in_order;
    for (const PointSpec& point : scenario.points) in_order.push_back(point);
    REQUIRE(in_order.size() == 24);
    for (std::size_t k = 0; k < 24; ++k) {
      const std::size_t i = 7 * k % 24;
      const PointSpec point = scenario.points[i];
      CHECK(point.flat == in_order[i].flat);
      CHECK(point.platform.label() == in_order[i].platform.label());
      CHECK(point.settings == scenario.points.settings(i));
    }
    CHECK(in_order[23].flat.at("kernel.message") == "4KiB");
    CHECK(in_order[23].platform.label() == " with networks.infiniband.latency=2us");
    CHECK(in_order[0].platform.label() == " with networks.infiniband.latency=1us");
    CHECK(in_order[22].flat.at("layout.ranks") == "2");
  }
  TEST_CASE("Parameters of a kernel in a section of their own are told to stand beside its name") {
    const auto refuses_kernel = [](const std::string& kernel, const char* message) {
      CHECK_THROWS_WITH_AS(parse_scenario(config::parse_yaml("source: t\nplatform: fermi\nnetwork: infiniband\n"
                                                             "layout: {ranks: 4}\nkernel: " +
                                                                 kernel + "\n",
                                                             "s.yaml"),
                                          "s.yaml", {}),
                           message, InputError);
    };
    refuses_kernel("{name: collective, parameters: {operation: allreduce, message: 8B}}",
                   "s.yaml:5:40: 'parameters' is a section (settings stand beside the name of what they are of). Write "
                   "'operation: allreduce' there instead?");
    refuses_kernel("{name: collective, parameters: {}}",
                   "s.yaml:5:40: 'parameters' is a section (text expected). Write for example 'word'?");
  }
  TEST_CASE("Distinct points are asked for once where a kernel divides no grid") {
    const std::string sweep =
        "sweep:\n"
        "  kernel: [{name: broadcast, message: 64KiB}, {name: broadcast, message: 1KiB}, {name: wave2d, points: 64}]\n"
        "  partition: [{algorithm: rows}, {algorithm: beaumont-columns}]\n";
    CHECK(read(sweep).points.size() == 6);
    const auto distinct = read(sweep + "only: {distinct: true}\n");
    REQUIRE(distinct.points.size() == 4);
    CHECK(distinct.points[0].flat.at("kernel.message") == "64KiB");
    CHECK(distinct.points[1].flat.at("kernel.message") == "1KiB");
    CHECK(distinct.points[2].flat.at("partition.algorithm") == "rows");
    CHECK(distinct.points[3].flat.at("partition.algorithm") == "beaumont-columns");
  }
  TEST_CASE("A value of the command line replaces the one of the scenario and is named in messages") {
    CHECK(read("", {"network=ethernet"}).points[0].network == "ethernet");
    CHECK_THROWS_WITH_AS(read("", {"network"}), "--set: 'network' is not 'name=value'. Write '--set network=...'?",
                         InputError);
  }
  TEST_CASE("A kernel takes its parameters from an HPL.dat unless they stand beside it") {
    const auto scenario =
        parse_scenario(config::parse_yaml("source: a test\nplatform: dahu\nnetwork: omnipath\nlayout: {ranks: 64}\n"
                                          "kernel: {name: hpl, depth: 0, hpl-dat: docs/hpl/HPL.dat}\n",
                                          "s.yaml"),
                       ORRERY_SOURCE_DIR "/s.yaml", {"kernel.hpl-dat=" ORRERY_SOURCE_DIR "/docs/hpl/HPL.dat"});
    CHECK(scenario.points[0].flat.at("kernel.order") == "4000");
    CHECK(scenario.points[0].flat.at("kernel.bcast") == "2ring");
    CHECK(scenario.points[0].flat.at("kernel.depth") == "0");
    CHECK(scenario.models.empty());
  }
  TEST_CASE("A sweep over compute models may write their parameters in place and is labelled by their names") {
    const auto scenario = read(
        "sweep: {compute: [{model: roofline, efficiency: 0.5},\n"
        "                  {model: table, rows: [{size_flop: 1e6, speed_flop_per_s: 9e9}]}]}\n");
    REQUIRE(scenario.points.size() == 2);
    CHECK(scenario.points[0].settings == Settings{{"compute", "roofline efficiency=0.5"}});
    CHECK(scenario.points[0].compute.name == "roofline");
    CHECK(scenario.points[0].compute_rows == nullptr);
    CHECK(scenario.points[1].settings == Settings{{"compute", "table rows=1"}});
    REQUIRE(scenario.points[1].compute_rows != nullptr);
    CHECK(scenario.points[1].compute_rows->rows.size() == 1);
  }
  TEST_CASE("A sweep over something that no point has is refused") {
    refuses("sweep: {netwrok: [infiniband, ethernet]}\n",
            "s.yaml:7:18: axis 'netwrok' is not a setting of a point (known: compute, failures, gpu-staging, jobs, "
            "kernel, layout, network, partition, platform, what-if). Did you mean 'network'?");
    refuses("sweep: {engine: [simgrid]}\n",
            "s.yaml:7:17: axis 'engine' is not a setting of a point (known: compute, failures, gpu-staging, jobs, "
            "kernel, layout, network, partition, platform, what-if).");
    refuses("sweep: {network: []}\n", "s.yaml:7:18: axis 'network' is empty. List its values?");
    refuses("sweep: {network: [ethernet, ethernet]}\n",
            "s.yaml:7:29: axis 'network' has 'ethernet' twice (its points would be the same). Leave one out?");
  }
  TEST_CASE("A published mean may state the spread of its runs") {
    const auto scenario = read("published: [{model: measured, time: 6.5s, spread: [6.1s, 6.7s]}]\n");
    REQUIRE(scenario.published[0].spread.has_value());
    CHECK(scenario.published[0].spread->least_s == 6.1);
    CHECK(scenario.published[0].spread->most_s == 6.7);
    CHECK_FALSE(read("published: [{model: measured, time: 6.5s}]\n").published[0].spread.has_value());
    refuses("published: [{model: measured, time: 6.5s, spread: [6.7s, 6.1s]}]\n",
            "s.yaml:7:51: 'spread' is a list (two times expected, the smaller first). Write '[6.1s, 6.7s]'?");
    refuses("published: [{model: measured, time: 6.5s, spread: [6.7s]}]\n",
            "s.yaml:7:51: 'spread' is a list (two times expected, the smaller first). Write '[6.1s, 6.7s]'?");
    refuses("published: [{model: measured, mu: 2, spread: [6.1s, 6.7s]}]\n",
            "s.yaml:7:46: 'spread' without 'time' (the mean of the runs). Add 'time: ...'?");
  }

  TEST_CASE("A published time of a model is refused because it would stand beside nothing") {
    CHECK(read("published: [{model: measured, time: 1ms}]\n").published[0].time_s == 1e-3);
    refuses("published: [{model: taulop, time: 1ms}]\n",
            "s.yaml:7:35: a published 'time' of 'taulop' stands beside nothing ('measured' has times, models have "
            "'mu'). Write 'model: measured'?");
  }
  TEST_CASE("Sizes to calibrate ascend strictly and exclude parameter files") {
    CHECK(read("calibrate: {sizes: [1B, 64KiB], concurrency: 4}\n").calibration.sizes.size() == 2);
    refuses("calibrate: {sizes: [1B, 1B]}\n",
            "s.yaml:7:20: 'sizes' do not increase (each once, smallest first). Sort the list?");
    refuses("calibrate: {sizes: [1B, 2B], files: [p.yaml]}\n",
            "s.yaml:7:37: 'files' and settings for measuring are both given (only one is allowed). Remove 'files'?");
  }
  TEST_CASE("An average over what is not swept is refused") {
    refuses("sweep: {network: [infiniband]}\naverage-over: layout.row\n",
            "s.yaml:8:15: 'layout.row' is not an axis of the sweep (known: network).");
    refuses("sweep: {network: [infiniband]}\nspeed-up-over: layout.ranks\n",
            "s.yaml:8:16: 'layout.ranks' is not an axis of the sweep (known: network).");
  }
  TEST_CASE("An unknown key set on the command line is refused as it is in the file") {
    const auto refuses_set = [](const char* set, const char* message) {
      CHECK_THROWS_WITH_AS(read("", {set}), message, InputError);
    };
    refuses_set("netwrok=fabric",
                "--set netwrok: the file has an unknown key 'netwrok' (known: alike, approximate, average-over, "
                "calibrate, choose, compute, engine, failures, gpu-staging, ignore-memory, jobs, kernel, layout, "
                "measured, models, network, only, partition, platform, published, search, source, speed-up-over, "
                "steady, sweep, title, "
                "tolerance, validate, what-if). Did you mean 'network'?");
    refuses_set("layout.foo=1",
                "--set layout.foo: 'layout' has an unknown key 'foo' (known: configuration, cores, gpus, node-list, "
                "order, per-gpu, per-node, place, placement, ranks, row, seed, setup, sockets, table, type). Did you "
                "mean 'row'?");
    refuses_set("layout.row=A", "--set layout.row: 'row' without 'table' (which has the rows). Add 'table: ...'?");
    CHECK_THROWS_WITH_AS(read("", {"layout.table=rico-gallego16-table1", "layout.row=M10"}),
                         "s.yaml:4:17: 'ranks' beside 'table' (a row of a table is the whole layout). Remove it?",
                         InputError);
    refuses_set(
        "calibrate.sises=[1B]",
        "--set calibrate.sises: 'calibrate' has an unknown key 'sises' (known: concurrency, files, pairs, sizes). Did "
        "you mean 'sizes'?");
  }
  TEST_CASE("A title says what was set of the points and nothing of how they are judged") {
    const auto scenario = read("title: T, 64 KiB\n", {"kernel.message=1KiB", "models=[hockney]", "engine=flow"});
    CHECK(scenario.changes == "kernel.message=1KiB");
    CHECK(scenario.title == "T, 64 KiB (with kernel.message=1KiB)");
    CHECK(read("title: T\n", {"models=[hockney]"}).title == "T");
    CHECK(read("", {"kernel.message=1KiB", "network=[infiniband, ethernet]"}).title ==
          "s (with kernel.message=1KiB, network=[infiniband, ethernet])");
  }
  TEST_CASE("Staging of GPU messages is part of the compute model until the scenario says otherwise") {
    CHECK(read("").points[0].staging_in_compute_model);
    CHECK_FALSE(read("gpu-staging: messages\n").points[0].staging_in_compute_model);
    const auto swept = read("gpu-staging: messages\n", {"gpu-staging=[messages, compute-model]"});
    REQUIRE(swept.points.size() == 2);
    CHECK_FALSE(swept.points[0].staging_in_compute_model);
    CHECK(swept.points[1].staging_in_compute_model);
    CHECK(swept.points[1].settings == Settings{{"gpu-staging", "compute-model"}});
    CHECK(read("sweep: {gpu-staging: [messages]}\n", {"gpu-staging=compute-model"}).points[0].staging_in_compute_model);
    refuses("gpu-staging: mesages\n",
            "s.yaml:7:14: 'gpu-staging' is 'mesages' (known: compute-model, messages). Did you mean 'messages'?");
  }
  TEST_CASE("A model of whole runs is told which points it is fitted to and no other model is") {
    const auto with = [](const std::string& models) {
      const std::string text = head.substr(0, head.find("models:")) + "models: [" + models + "]\n";
      return parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
    };
    const auto scenario = with("{name: np-t, fit-on: {layout: {ranks: [4]}}}");
    CHECK(scenario.models[0].fit_on == PointConditions{{"layout.ranks", {"4"}}});
    CHECK(meets(scenario.models[0].fit_on, {{"layout.ranks", "4.0"}}));
    CHECK_FALSE(meets(scenario.models[0].fit_on, {{"layout.ranks", "2"}}));
    CHECK_FALSE(meets(scenario.models[0].fit_on, {}));
    CHECK_THROWS_WITH_AS(with("np-t"),
                         "s.yaml:6:10: model 'np-t' is fitted to runs, and none are named ('fit-on' has paths and "
                         "their values). Add 'fit-on: {kernel.points: [256, 512, 1024]}'?",
                         InputError);
    CHECK_THROWS_WITH_AS(with("{name: np-t, fit: ls, fit-on: {layout: {ranks: [4]}}}, "
                              "{name: np-t, fit: ls, fit-on: {network: infiniband}}"),
                         "s.yaml:6:72: model 'np-t' (np-t fit=ls) is there twice (a model's name, mode and "
                         "options label it; 'fit-on' does not tell two apart: give each a run of its own). Remove one?",
                         InputError);
    CHECK_THROWS_WITH_AS(with("hockney, hockney"),
                         "s.yaml:6:19: model 'hockney' is there twice (a model's name, mode and options label it). "
                         "Remove one?",
                         InputError);
    CHECK_THROWS_WITH_AS(with("{name: taulop, fit-on: {network: infiniband}}"),
                         "s.yaml:6:33: model 'taulop' is not fitted to runs (those with 'fit-on' are). Remove "
                         "'fit-on'?",
                         InputError);
    CHECK_THROWS_WITH_AS(with("{name: np-t, fit-on: {network: ethernet}}"),
                         "s.yaml:6:31: no point meets 'fit-on' of model 'np-t' (one of the values of every path). "
                         "Name values of the sweep?",
                         InputError);
    CHECK_THROWS_WITH_AS(with("{name: np-t, fit-on: {layout: {ranks: [4, 44]}}}"),
                         "s.yaml:6:31: 'fit-on' of model 'np-t' has layout.ranks '44', which no point has "
                         "(known: 4). Did you mean '4'?",
                         InputError);
    CHECK_THROWS_WITH_AS(with("{name: hockney, mode: fast}"),
                         "s.yaml:6:32: model 'hockney' has no modes to choose from. Remove 'fast'?", InputError);
    CHECK_THROWS_WITH_AS(
        with("{name: taulop, mood: fast}"),
        "s.yaml:6:31: model 'taulop' has no setting 'mood' (known: mode, overhead). Did you mean 'mode'?", InputError);
  }
  TEST_CASE("A model's unknown mode and an unknown engine are refused with the known ones") {
    const std::string models = "models: [{name: taulop, mode: fast}]\n";
    const std::string text = head.substr(0, head.find("models:")) + models;
    CHECK_THROWS_WITH_AS(parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {}),
                         "s.yaml:6:31: model 'taulop' has no mode 'fast' (known: algebra, algebra-dropping, timeline).",
                         InputError);
    refuses("engine: simgird\n",
            with_simgrid ? "s.yaml:7:9: unknown engine 'simgird' (known: both, flow, simgrid). Did you mean 'simgrid'?"
                         : "s.yaml:7:9: unknown engine 'simgird' (known: flow).");
  }
}
