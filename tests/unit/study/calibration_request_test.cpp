#include "sim/study/fit/calibration_request.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/models/calibration_platform.hpp"

using namespace orrery;
using namespace orrery::literals;

TEST_SUITE("app/calibration_request") {
  TEST_CASE("Models to calibrate are named in one list or several and each is taken once") {
    const auto chosen = study::models_named({"loggp,hloggp", "loggp"});
    REQUIRE(chosen.size() == 2);
    CHECK(chosen[0]->name == "loggp");
    CHECK(chosen[1]->name == "hloggp");
    const auto calibrated = [](const auto& named) { return named.second.calibrated(); };
    CHECK(study::models_named({}).size() ==
          static_cast<std::size_t>(std::ranges::count_if(models().entries(), calibrated)));
    CHECK_THROWS_WITH_AS(study::models_named({"np-t"}),
                         "--model: 'np-t' has no parameters to measure ('orrery show model np-t'). Leave it "
                         "out?",
                         InputError);
    CHECK_THROWS_WITH(study::models_named({"logpg"}), doctest::Contains("--model: unknown model 'logpg' (known: "));
  }
  TEST_CASE("The network to calibrate may be left out when there is only one") {
    Platform platform = test::two_types();
    CHECK(study::network_named(platform, "").name == "wire");
    platform.networks.push_back(platform.networks[0]);
    platform.networks[1].name = "ether";
    CHECK(study::network_named(platform, "ether").name == "ether");
    CHECK_THROWS_WITH(study::network_named(platform, ""),
                      "--network: platform 'two-types' has 2 networks (wire, ether). Name one with --network wire?");
  }
  TEST_CASE("A calibration reaches the cores of the greatest node unless told otherwise") {
    const Platform platform = test::two_types();
    CHECK(study::calibration_range(platform, "", 0).concurrency == 4);
    CHECK(study::calibration_range(platform, "", 0).sizes.size() == 30);
    const auto range = study::calibration_range(platform, "4KiB,1B,64B,1B", 9);
    CHECK(range.concurrency == 9);
    CHECK(range.sizes == std::vector<Bytes>{1_B, 64_B, 4_KiB});
  }
  TEST_CASE("Sizes and concurrency that make no calibration are refused") {
    const Platform platform = test::two_types();
    CHECK_THROWS_WITH(study::calibration_range(platform, "0B,1B", 0),
                      "--sizes: '0B' is not a size to fit (1 B or more). Leave it out?");
    CHECK_THROWS_WITH(study::calibration_range(platform, "1B", -1),
                      "--concurrency: -1 lies outside 0..100000. Choose a value in that range?");
  }
  TEST_CASE("The plan of a calibration says which kernel runs where") {
    const Platform platform = test::two_types();
    const auto plan = models().at("hockney", "test").plan(platform, platform.networks[0], {.sizes = {1_B, 64_B}});
    const std::string text = study::plan_text(plan, platform);
    CHECK(text.starts_with(
        "pingpong/shared-memory/big\n  kernel pingpong, 2 ranks on node 0 of type big (cores 0..1, socket "
        "0)\n"));
    CHECK(text.find("pingpong/network/big+small\n  kernel pingpong, 2 ranks, ranks alternating over node 0 of type big "
                    "(core 0, socket 0) and 2 of type small (core 0, socket 0)\n  sizes: 1B,64B\n") !=
          std::string::npos);
  }
}
