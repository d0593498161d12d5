#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/models/channel_means_test.hpp"

using namespace orrery;

namespace {

bool close(Seconds a, double us) { return std::abs(a.si() / (us * 1e-6) - 1.0) < 1e-9; }

}  // namespace

TEST_SUITE("models/loggph") {
  TEST_CASE("LogGPH charges a message the parameters of its channel whatever nodes it joins") {
    const Platform platform = test::two_types();
    const auto model = test::on_two_channels("loggph", platform);
    const auto time = [&](std::uint32_t from, std::uint32_t to, double m) {
      return model->communication_time(test::phase_of({{from, to, m}}), test::six_ranks());
    };
    CHECK(close(time(0, 1, 1), 2.0));
    CHECK(close(time(0, 1, 501), 2.5));
    CHECK(close(time(0, 2, 501), 15.0));
    CHECK(close(time(0, 3, 501), 15.0));
    CHECK(close(time(0, 3, 4001), 22.0));  // the line goes on
  }

  TEST_CASE("LogGPH adds up the transmissions of a rank and keeps them a gap apart") {
    const Platform platform = test::two_types();
    const auto model = test::on_two_channels("loggph", platform);
    CHECK(close(model->communication_time(test::phase_of({{0, 2, 1}, {0, 3, 1}}), test::six_ranks()), 28.0));
    CHECK(close(model->communication_time(test::phase_of({{0, 1, 1}, {0, 1, 1}}), test::six_ranks()), 2.5 + 2.0));
  }

  TEST_CASE("HLogGP on alike nodes is LogGPH") {
    const Platform platform = test::two_types();
    const auto loggph = test::on_two_channels("loggph", platform), hloggp = test::on_two_channels("hloggp", platform);
    const auto phase = test::phase_of({{0, 1, 700}, {0, 2, 30}, {1, 2, 1500}, {3, 4, 9}, {3, 0, 1000}});
    const Seconds a = loggph->communication_time(phase, test::six_ranks()),
                  b = hloggp->communication_time(phase, test::six_ranks());
    CHECK(std::abs(a / b - 1.0) < 1e-12);
  }

  TEST_CASE("LogGPH weighs the pairs of nodes of a channel by their pairs of cores") {
    const Platform platform = test::two_types();  // 2 nodes of 4 cores, 2 of 2
    auto measured = test::two_channels(platform);
    for (auto& series : measured)
      if (series.id == "pingpong/shared-memory/big")
        for (auto& [m, t] : series.times) t += Seconds(7e-6);
    const auto& entry = models().at("loggph", "test");
    const auto parameters = entry.fit(platform, platform.networks[0],
                                      {.sizes = {Bytes(1), Bytes(1001), Bytes(2001)}, .concurrency = 2}, measured);
    // 2 * 4 * 3 = 24 pairs in big nodes, 2 * 2 * 1 = 4 in small ones: 7 us * 24 / 28 = 6 us
    const auto model = entry.make({platform, platform.networks[0], "", parameters});
    CHECK(close(model->communication_time(test::phase_of({{3, 4, 1}}), test::six_ranks()), 8.0));
  }

  TEST_CASE("LogGPH without parameters of a channel names it") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("loggph", "test");
    auto parameters =
        entry.fit(platform, platform.networks[0], {.sizes = {Bytes(1), Bytes(1001), Bytes(2001)}, .concurrency = 2},
                  test::two_channels(platform));
    parameters.tables.pop_back();
    CHECK_THROWS_WITH(
        entry.make({platform, platform.networks[0], "", parameters})
            ->communication_time(test::phase_of({{0, 2, 1}}), test::six_ranks()),
        "loggph: the parameters have no table 'level' of channel 'network'. Calibrate it on this platform?");
  }
}
