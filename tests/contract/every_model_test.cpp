#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <regex>

#include "kernels/micro_benchmark.hpp"
#include "models/variant.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

/// What the micro-benchmarks would print on a cluster where a message takes o + L + tau m / B, whatever the kernel.
Measurement measurement(const Experiment& experiment, const std::string& variant) {
  return {variant.empty() ? experiment.id : experiment.id + "/" + variant, {}};
}

std::vector<Measurement> synthetic(const std::vector<Experiment>& plan) {
  std::vector<Measurement> result;
  for (const auto& experiment : plan) {
    const auto& kernel = kernels().at(experiment.kernel, "contract");
    Parameters parameters(kernel.parameters);
    for (const auto& [name, value] : experiment.kernel_parameters) parameters.set(name, value, "contract");
    for (const auto& point : kernel.benchmark_points(parameters)) {
      const bool wire = experiment.id.find("network") != std::string::npos;
      const auto equals = point.variant.find('=');
      const double count = equals == std::string::npos ? 1.0 : std::stod(point.variant.substr(equals + 1));
      double time = (wire ? 3e-6 : 1e-6) + count * point.message.si() * (wire ? 3e-10 : 2e-10);
      if (point.variant == "send" || point.variant == "receive") time = 4e-7;
      if (point.variant.starts_with("burst")) time = 1e-6 + count * 5e-7;
      const auto series = measurement(experiment, point.variant);
      if (result.empty() || result.back().id != series.id) result.push_back(series);
      result.back().times.emplace_back(point.message, Seconds(time));
    }
  }
  return result;
}

const CalibrationRange range{.sizes = {1_B, 64_B, 1_KiB, 16_KiB, 64_KiB, 256_KiB, 1_MiB}, .concurrency = 6};

ModelParameters calibrated(const ModelEntry& entry, const Platform& platform) {
  const Network& network = platform.networks[0];
  if (!entry.calibrated())
    return {.model = entry.name, .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  return entry.fit(platform, network, range, synthetic(entry.plan(platform, network, range)));
}

/// Calls f(model) for every model of the catalogue in each of its variants.
template <class F>
void for_each_model(const F& f) {
  REQUIRE_FALSE(models().entries().empty());
  const Platform platform = test::two_types();
  for (const auto& [name, entry] : models().entries()) {
    if (entry.fitted_to_runs()) continue;
    for (const auto& variant : variants(entry)) {
      INFO("model ", name, " variant ", variant);
      const auto parameters = calibrated(entry, platform);
      f(*entry.make({platform, platform.networks[0], variant, parameters}));
    }
  }
}

Phase declared_stages(double m) {
  auto phase = test::phase_of({{0, 1, m}, {0, 2, m}, {3, 4, m}, {1, 3, m, 1}, {2, 5, m, 1}});
  test::declare(phase, {"pivot column", "pivot row"});
  return phase;
}

/// "T(m) = L + m G", "T_ij = ...", also within a line.
const std::regex formula_of_a_time(R"((^|[ \n(])T[^ =\n]* = )");

}  // namespace

TEST_SUITE("contract/every model") {
  TEST_CASE("Every model is named as its file and says its source and what it assumes") {
    for (const auto& [name, entry] : models().entries()) {
      INFO("model ", name);
      std::filesystem::path its_file;  // in models, or in the folder of its parts
      const auto all =
          std::filesystem::recursive_directory_iterator(std::filesystem::path(ORRERY_SOURCE_DIR) / "models");
      for (const auto& file : all)
        if (file.path().filename() == name + ".cpp") its_file = file.path();
      CHECK(std::filesystem::exists(its_file));
      CHECK_FALSE(entry.summary.empty());
      CHECK_FALSE(entry.source.empty());
      CHECK_FALSE(entry.assumptions.empty());
      CHECK(bool(entry.plan) == bool(entry.fit));
      CHECK(bool(entry.make) != bool(entry.fit_runs));
      CHECK(std::regex_search(entry.page, formula_of_a_time));
      CHECK(bool(entry.check_runs) == bool(entry.fit_runs));
      for (const auto& option : entry.options) CHECK_FALSE(option.about.empty());
      CHECK_FALSE(entry.modes.empty());
    }
  }
  TEST_CASE("Every model charges nothing for a phase without messages") {
    for_each_model(
        [](const PhaseModel& model) { CHECK(model.communication_time(test::phase_of({}), test::six_ranks()) == 0_s); });
  }
  TEST_CASE("No model charges less for a longer message on either channel") {
    for_each_model([](const PhaseModel& model) {
      for (const std::uint32_t to : {1u, 2u, 3u}) {  // same node; same type; another type
        Seconds shorter;
        for (double m = 1; m <= 4 << 20; m *= 1.7) {
          const Seconds time = model.communication_time(test::phase_of({{0, to, std::floor(m)}}), test::six_ranks());
          CHECK(time > 0_s);
          CHECK(time >= shorter);
          shorter = time;
        }
      }
    });
  }
  TEST_CASE("No model charges less for longer messages in declared stages or in a set") {
    for_each_model([](const PhaseModel& model) {
      Seconds staged, set;
      for (double m = 1; m <= 4 << 20; m *= 3) {
        const Seconds longer = model.communication_time(declared_stages(std::floor(m)), test::six_ranks());
        CHECK(longer >= staged);
        staged = longer;
        const double n = std::floor(m);
        const auto exchange = test::phase_of({{0, 1, n}, {0, 3, n}, {1, 0, n}, {3, 0, n}, {3, 4, n}, {4, 3, n}});
        CHECK(model.communication_time(exchange, test::six_ranks()) >= set);
        set = model.communication_time(exchange, test::six_ranks());
      }
    });
  }
  TEST_CASE("No model charges less when a rank sends one message more") {
    for_each_model([](const PhaseModel& model) {
      const auto one = test::phase_of({{0, 2, 65536}});
      const auto two = test::phase_of({{0, 2, 65536}, {0, 3, 65536}});
      CHECK(model.communication_time(two, test::six_ranks()) >= model.communication_time(one, test::six_ranks()));
    });
  }
  TEST_CASE("Every model gives the same bits twice and the same time with and without its explanation") {
    for_each_model([](const PhaseModel& model) {
      std::vector<Explanation> first, second;
      const auto phase = declared_stages(5000);
      const Seconds time = model.communication_time(phase, test::six_ranks(), &first);
      CHECK(model.communication_time(phase, test::six_ranks(), &second) == time);
      CHECK(model.communication_time(phase, test::six_ranks()) == time);
      REQUIRE(first.size() == second.size());
      CHECK_FALSE(first.empty());
      for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].text == second[i].text);
    });
  }
  TEST_CASE("Every model says of a phase what it says of its communication as long as nothing is computed") {
    const test::Run run{{declared_stages(5000)}};
    for_each_model([&](const PhaseModel& model) {
      const PhaseTime time = model.time(run.phases[0], run.input());
      CHECK(time.total() == model.communication_time(run.phases[0], run.layout));
      CHECK(time.communication == time.total());
      CHECK(time.computation == 0_s);
      CHECK(time.overlap == 0_s);
    });
  }
  TEST_CASE("Every model has computation in its times exactly if it says so") {
    test::Run run{{declared_stages(5000)}};
    for (std::uint32_t rank = 0; rank < run.phases[0].ranks; ++rank)
      run.phases[0].computes.push_back({Rank{rank}, {Work::daxpy, 1e7 * 1_flop, {1e7}, {}}, 1, true});
    for (Message& message : run.phases[0].messages) message.overlapped = true;
    const Platform platform = test::two_types();
    for (const auto& [name, entry] : models().entries()) {
      if (entry.fitted_to_runs()) continue;
      for (const auto& variant : variants(entry)) {
        INFO("model ", name, " variant ", variant);
        const auto parameters = calibrated(entry, platform);
        const PhaseTime time =
            entry.make({platform, platform.networks[0], variant, parameters})->time(run.phases[0], run.input());
        CHECK((time.computation > 0_s) == !entry.computation.empty());
        CHECK((time.overlap > 0_s) == entry.computation.ends_with("overlaps"));
      }
    }
  }
  TEST_CASE("Every model is calibrated with those nodes that are on the network") {
    Platform platform = test::two_types(2, 2);
    platform.networks[0].adapters.at = {{0}, {}};
    Layout on_it = test::six_ranks();
    on_it.placements.resize(3);
    for (const auto& [name, entry] : models().entries()) {
      if (entry.fitted_to_runs()) continue;
      INFO("model ", name);
      if (entry.calibrated())
        for (const Experiment& experiment : entry.plan(platform, platform.networks[0], range)) {
          INFO(experiment.id);
          for (const CorePlace& place : experiment.placement)
            CHECK((place.node == experiment.placement.front().node || platform.type_of(place.node) == 0));
          CHECK((platform.type_of(experiment.placement.front().node) == 0 ||
                 experiment.placement.front().node == experiment.placement.back().node));
        }
      const auto parameters = calibrated(entry, platform);
      const auto model = entry.make({platform, platform.networks[0], variants(entry).front(), parameters});
      CHECK(model->communication_time(test::phase_of({{0, 1, 4096}, {0, 2, 4096}}, 3), on_it) > 0_s);
    }
  }
  TEST_CASE("Every model of whole runs refuses to be fitted to none") {
    for (const auto& [name, entry] : models().entries()) {
      INFO("model ", name);
      if (entry.fitted_to_runs()) CHECK_THROWS_AS(entry.check_runs("", {}, {}), Error);
    }
  }
  TEST_CASE("Every table of every model carries units in its columns and values in each row") {
    const Platform platform = test::two_types();
    for (const auto& [name, entry] : models().entries()) {
      INFO("model ", name);
      if (!entry.calibrated()) continue;
      const auto parameters = calibrated(entry, platform);
      CHECK(parameters.model == name);
      CHECK_FALSE(parameters.tables.empty());
      for (const auto& table : parameters.tables) {
        for (const auto& column : table.columns) CHECK((column.ends_with("_s") || column.ends_with("_B")));
        for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
      }
    }
  }
}
