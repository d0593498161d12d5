#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/models/channel_means_test.hpp"

using namespace orrery;

namespace {

bool close(Seconds a, double us) { return std::abs(a.si() / (us * 1e-6) - 1.0) < 1e-9; }

}  // namespace

TEST_SUITE("models/mlog_np") {
  TEST_CASE("mlog_nP adds up the implicit transfers of a message at its size") {
    const Platform platform = test::two_types();
    const auto model = test::on_two_channels("mlog_np", platform);
    const auto time = [&](std::uint32_t from, std::uint32_t to, double m) {
      return model->communication_time(test::phase_of({{from, to, m}}), test::six_ranks());
    };
    CHECK(close(time(0, 1, 0), 2.0));
    CHECK(close(time(0, 1, 1001), 3.0));
    CHECK(close(time(0, 3, 501), 15.0));
    CHECK(close(time(0, 3, 3001), 20.0));  // the last line goes on
  }

  TEST_CASE("mlog_nP tells two transfers in memory and three between nodes") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("mlog_np", "test");
    const auto parameters =
        entry.fit(platform, platform.networks[0], {.sizes = {Bytes(1), Bytes(1001), Bytes(2001)}, .concurrency = 2},
                  test::two_channels(platform));
    REQUIRE(parameters.tables.size() == 2);
    CHECK(parameters.tables[0].columns.size() == 3);
    const auto& row = parameters.tables[1].rows[1];  // 1001 B over the network: 16 us
    REQUIRE(row.size() == 4);
    CHECK(close(Seconds(row[1]), 1.0));
    CHECK(close(Seconds(row[2]), 12.0));
    CHECK(close(Seconds(row[3]), 3.0));
  }

  TEST_CASE("mlog_nP adds up a rank's transmissions and leaves ranks alone") {
    const Platform platform = test::two_types();
    const auto model = test::on_two_channels("mlog_np", platform);
    CHECK(close(model->communication_time(test::phase_of({{0, 2, 1}, {0, 3, 1}, {1, 2, 1}}), test::six_ranks()), 28.0));
  }

  TEST_CASE("mlog_nP refuses a channel or sizes that were not measured") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("mlog_np", "test");
    auto parameters =
        entry.fit(platform, platform.networks[0], {.sizes = {Bytes(1), Bytes(1001), Bytes(2001)}, .concurrency = 2},
                  test::two_channels(platform));
    auto memory_only = parameters;
    memory_only.tables.pop_back();
    CHECK_THROWS_WITH(
        entry.make({platform, platform.networks[0], "", memory_only})
            ->communication_time(test::phase_of({{0, 2, 1}}), test::six_ranks()),
        "mlog_np: the parameters have no table 'transfers' of channel 'network'. Calibrate it on this platform?");
    parameters.tables[0].rows.resize(1);
    CHECK_THROWS_WITH(entry.make({platform, platform.networks[0], "", parameters}),
                      "mlog_np: table 'transfers' has fewer than two sizes, or they do not ascend. Calibrate again?");
  }
}
