// Which compute model a run uses, and from where its parameters come.
#include "sim/study/read/compute.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "platforms/loader.hpp"
#include "sim/config/csv.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/data_path.hpp"

using namespace orrery;

namespace {

/// The shipped Fermi with a `compute` section of its own.
Platform fermi_with(const std::string& compute) {
  const std::string file = data_path("platforms", "fermi", "yaml", "test");
  return load_platform(config::parse_yaml(config::read_file(file) + compute, "p.yaml"), "p.yaml");
}

std::string described(const Platform& platform, const NamedSpec& spec, std::shared_ptr<const DataTable> rows = {}) {
  const Layout layout = spread_layout(platform, {2, 1}, "test");
  return make_compute({spec, std::move(rows)}, platform, layout).model->description();
}

std::shared_ptr<const DataTable> table(const std::string& csv) {
  return std::make_shared<const DataTable>(config::parse_csv(csv, "f.csv"));
}

constexpr const char* rate = "\ncompute: {model: polynomial, rows: [{flop_s: 1e-10}], noise: 0.1}\n";

}  // namespace

TEST_SUITE("scenario/compute") {
  TEST_CASE("Work runs at peak speed unless the platform or the scenario says otherwise") {
    const Platform plain = fermi_with("");
    CHECK(described(plain, {}) == "constant: peak speed of the platform file, all efficiencies 1 (assumed)");
    CHECK(described(plain, {"polynomial", "here", {}}, table("flop_s\n1e-9\n"))
              .starts_with("polynomial: coefficients of 'f.csv'"));
    CHECK(described(fermi_with(rate), {}).starts_with("polynomial: coefficients of 'p.yaml:"));
    CHECK(described(fermi_with(rate), {}).ends_with("varies: noise 0.1, seed 1, day 0"));
  }

  TEST_CASE("A scenario changes settings of the platform's compute model or chooses another") {
    const Platform platform = fermi_with(rate);
    CHECK(described(platform, {"", "here", {{"noise", "0.2", "here"}}}).ends_with("varies: noise 0.2, seed 1, day 0"));
    CHECK(described(platform, {"polynomial", "here", {{"noise", "0", "here"}}}).ends_with("peak speed"));
    CHECK(described(platform, {"", "here", {}}, table("flop_s\n1e-9\n"))
              .starts_with("polynomial: coefficients of 'f.csv'"));
    CHECK(described(platform, {"constant", "here", {}}) ==
          "constant: peak speed of the platform file, all efficiencies 1 (assumed)");
  }

  TEST_CASE("The identity of a compute model holds every parameter and setting") {
    const Platform platform = fermi_with("");
    const Layout layout = spread_layout(platform, {2, 1}, "test");
    const auto identity = [&](const std::string& csv, const std::string& seed) {
      return make_compute({{"polynomial", "here", {{"seed", seed, "here"}}}, table(csv)}, platform, layout).identity;
    };
    CHECK(identity("flop_s\n1e-9\n", "1") == identity("# a comment\nflop_s\n1e-9\n", "1"));
    CHECK(identity("flop_s\n1e-9\n", "1") != identity("flop_s\n2e-9\n", "1"));
    CHECK(identity("flop_s\n1e-9\n", "1") != identity("flop_s\n1e-9\n", "2"));
  }

  TEST_CASE("Wrong compute settings are refused where they stand") {
    const Platform platform = fermi_with("");
    CHECK_THROWS_WITH_AS(
        described(platform, {"polynomail", "s.yaml:3:4", {}}),
        "s.yaml:3:4: unknown compute model 'polynomail' (known: constant, polynomial, regimes, roofline, "
        "table). Did you mean 'polynomial'?",
        InputError);
    CHECK_THROWS_WITH_AS(
        described(platform, {"polynomial", "s.yaml:3:4", {{"parameters", "dahoo", "s.yaml:4:4"}}}),
        "s.yaml:4:4: 'dahoo' is neither a file nor a name in 'platforms/compute' (known: dahu, "
        "dahu-2020, dahu-hot, dahu-hot-lines, grid5000-28, hcl, hcl-dgemm, heriot-watt, toyohashi). Did "
        "you mean 'dahu'?",
        InputError);
    CHECK_THROWS_WITH_AS(
        described(platform, {"polynomial", "s.yaml:3:4", {{"parameters", "dahu", "s.yaml:4:4"}}}, table("flop_s\n1\n")),
        "s.yaml:3:4: has both 'parameters' and 'rows' (only one is allowed). Remove one?", InputError);
    CHECK_THROWS_WITH_AS(
        described(platform, {"table", "s.yaml:3:4", {}}),
        "s.yaml:3:4: compute model 'table' needs parameters (a CSV file, or rows in the scenario). Add "
        "'parameters: FILE.csv'?",
        InputError);
    CHECK_THROWS_WITH_AS(described(platform, {"constant", "s.yaml:3:4", {{"noise", "0.9", "s.yaml:4:4"}}}),
                         "s.yaml:4:4: 'noise' is '0.9', outside 0..0.7. Choose a value in that range?", InputError);
  }
}
