#include "models/variant.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

namespace {

const ModelEntry& taulop_entry() { return models().at("taulop", "test"); }

std::string variant(const std::vector<ModelSetting>& settings) { return variant_of(taulop_entry(), settings); }

}  // namespace

TEST_SUITE("models/variant") {
  TEST_CASE("A model without settings is in its first mode and its name says no more") {
    CHECK(variant({}) == "timeline");
    CHECK(variant_of(models().at("hockney", "test"), {}).empty());
    CHECK(variants(models().at("hockney", "test")) == std::vector<std::string>{""});
  }

  TEST_CASE("An option that says what the mode takes anyhow is left out of a variant's name") {
    CHECK(variant({{"overhead", "once", "x"}}) == "timeline");
    CHECK(variant({{"overhead", "per-slice", "x"}, {"mode", "algebra", "x"}}) == "algebra");
    CHECK(variant({{"mode", "algebra", "x"}, {"overhead", "once", "x"}}) == "algebra overhead=once");
    const auto parts = parts_of(taulop_entry(), "algebra overhead=once");
    CHECK(parts.mode == "algebra");
    CHECK(parts.options.at("overhead") == "once");
    CHECK(parts_of(taulop_entry(), "algebra").options.at("overhead") == "per-slice");
    CHECK(variants(taulop_entry()).size() == 9);
  }

  TEST_CASE("A setting or value that a model does not have is refused with the known ones") {
    CHECK_THROWS_WITH_AS(variant({{"overheads", "once", "s.yaml:3:5"}}),
                         "s.yaml:3:5: model 'taulop' has no setting 'overheads' (known: mode, overhead). Did you mean "
                         "'overhead'?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        variant({{"overhead", "per slice", "s.yaml:3:5"}}),
        "s.yaml:3:5: model 'taulop' has no overhead 'per slice' (known: none-on-network, once, per-slice). Did you "
        "mean 'per-slice'?",
        InputError);
  }
}
