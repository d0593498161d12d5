#include "sim/study/play/kept_measurements.hpp"

#include <doctest/doctest.h>

#include "models/model.hpp"
#include "sim/study/read/load.hpp"

using namespace orrery;
using namespace orrery::literals;

TEST_SUITE("app/kept measurements") {
  TEST_CASE(
      "A benchmark that a stopped run has measured is measured by no later one and says the same to the last bit") {
    const Platform platform = load_platform_named("fermi", "test");
    const Network& network = platform.network("infiniband", "test");
    const std::vector<const ModelEntry*> models{&orrery::models().at("hockney", "test")};
    const auto plan = study::plan_of(models, platform, network, {.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 1});
    REQUIRE(plan.size() > 1);
    study::ResultStore store(study::ResultStore::in_memory);
    std::size_t played = 0;
    const auto measured = [&](const std::vector<Experiment>& experiments, bool resume, const Network& on) {
      study::KeptMeasurements kept(store, resume);
      study::CalibrationOptions options{.engine = make_flow_engine};
      options = kept.in(std::move(options), platform, on, "flow");
      const auto result = study::measure(experiments, platform, on, options);
      CHECK(kept.ids().size() == experiments.size());
      CHECK(kept.had() == experiments.size());
      played = experiments.size() - kept.found();
      return result;
    };
    measured({plan.front()}, true, network);
    CHECK(played == 1);
    const auto rest = measured(plan, true, network);
    CHECK(played == plan.size() - 1);
    const auto again = measured(plan, true, network);
    CHECK(played == 0);
    CHECK(again.origin == rest.origin);
    REQUIRE(again.series.size() == rest.series.size());
    for (std::size_t i = 0; i < rest.series.size(); ++i) {
      CHECK(again.series[i].id == rest.series[i].id);
      CHECK(again.series[i].times == rest.series[i].times);
    }
    measured(plan, true, platform.network("ethernet", "test"));
    CHECK(played == plan.size());
    measured(plan, false, network);
    CHECK(played == plan.size());
  }
}
