#include <doctest/doctest.h>

#include "kernels/superstep_library.hpp"
#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Bytes of the dissemination that a rank sends, headers included.
double map_bytes(std::uint32_t p) {
  double sum = 0.0;
  for (std::uint32_t s = 0; s < map_stages(p); ++s) sum += (sync_header + map_payload(p, s)).si();
  return sum;
}

}  // namespace

TEST_SUITE("kernels/bsp-sync") {
  TEST_CASE("The message map doubles from stage to stage and the last stage carries the rows that are left") {
    CHECK(map_stages(12) == 4);
    CHECK(map_payload(12, 0) == Bytes(4.0 * 12));
    CHECK(map_payload(12, 2) == Bytes(4.0 * 4 * 12));
    CHECK(map_payload(12, 3) == Bytes(4.0 * (12 - 8) * 12));
    CHECK(map_payload(16, 3) == Bytes(4.0 * 8 * 16));
    for (const std::uint32_t p : {2u, 3u, 12u, 16u, 100u})  // every rank gets the rows of all others
      CHECK(map_bytes(p) == 16.0 * map_stages(p) + 4.0 * p * (p - 1));
  }
  TEST_CASE("bsp_sync without operations is the dissemination with headers and a tree of signals") {
    const auto all = totals(*make_kernel("bsp-sync", {{"repetitions", "3"}}, 12));
    CHECK(all.messages == 3 * (12 * 4 * 2 + 2 * 11));
    CHECK(all.bytes == 3 * (12 * map_bytes(12) + 2 * 11));
    const auto bare =
        totals(*make_kernel("bsp-sync", {{"repetitions", "1"}, {"map", "false"}, {"second-barrier", "none"}}, 12));
    CHECK(bare.messages == 12 * 4);
    CHECK(bare.bytes == 12 * 4 * 16.0);
  }
  TEST_CASE("Puts gets and sends have a header of six integers and their data travels the right way") {
    for (const auto& [operation, data] : {std::pair{"put", 100.0}, {"get", 100.0}, {"send", 104.0}}) {
      const auto all = totals(*make_kernel("bsp-sync",
                                           {{"repetitions", "1"},
                                            {"fan", "2"},
                                            {"primitive", operation},
                                            {"message", "100B"},
                                            {"second-barrier", "none"}},
                                           5));
      CHECK(all.messages == 5 * 2 * 2 + 5 * 3 * 2);
      CHECK(all.bytes == 5 * 2 * (24 + data) + 5 * map_bytes(5));
    }
  }
  TEST_CASE("Operations travel while a rank computes") {
    const auto phases =
        build_phases(*make_kernel("bsp-sync", {{"repetitions", "1"}, {"fan", "1"}, {"work", "10flop"}}, 4));
    REQUIRE(phases.front().computes.size() == 4);
    CHECK(phases.front().computes[0].overlapped);
    CHECK(phases.front().messages.size() == 8);
    CHECK(phases.back().name == "barrier");
  }
  TEST_CASE("More operations than other ranks are refused") {
    CHECK_THROWS_WITH_AS(make_kernel("bsp-sync", {{"fan", "4"}}, 4),
                         "bsp-sync: 'fan' is 4 with 4 ranks (fewer than ranks). Lower it?", InputError);
  }
}
