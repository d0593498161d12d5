#include <doctest/doctest.h>

#include "sim/study/judge/compare.hpp"

using namespace orrery;
using namespace orrery::literals;

TEST_SUITE("app/compare") {
  TEST_CASE("Up to 128 ranks have a row each in the traffic matrix and more ranks share rows") {
    CHECK(study::traffic_group(4) == 1);
    CHECK(study::traffic_group(128) == 1);
    CHECK(study::traffic_group(129) == 2);
    CHECK(study::traffic_group(1024) == 8);
    const FunctionProgram program("p", 1024, [](Rank me) -> Generator<Step> {
      for (int i = 0; i < 3; ++i) {
        if (me == Rank{9}) co_yield send(Rank{1023}, 10_B, Tag{0});
        if (me == Rank{15}) co_yield isend(Rank{1016}, 5_B, Tag{0}, RequestId{0});
        if (me == Rank{16}) co_yield send(Rank{0}, 1_B, Tag{0});
      }
    });
    const auto matrix = study::traffic_matrix(program);
    REQUIRE(matrix.size() == 128);
    CHECK(matrix[1][127].messages == 6);
    CHECK(matrix[1][127].bytes == 45_B);
    CHECK(matrix[2][0].bytes == 3_B);
  }
}
