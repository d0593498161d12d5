#include <doctest/doctest.h>

#include "models/calibration.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "tests/unit/models/calibration_platform.hpp"

using namespace orrery;
using namespace orrery::literals;

TEST_SUITE("app/calibrate") {
  TEST_CASE("Measurements of a real machine are read in any order of columns with others beside them") {
    const auto measured = study::parse_measured_csv(
        "# Open MPI 4.1, "
        "2026\ntime_s,id,runs,message_B\n2e-6,pingpong/network/big,10,1\r\n\n3e-6,pingpong/network/big,10,64\n",
        "mpi.csv");
    CHECK(measured.origin == "mpi.csv");
    REQUIRE(measured.series.size() == 1);
    REQUIRE(measured.series[0].times.size() == 2);
    CHECK(measured.series[0].times[1].first == 64_B);
    CHECK(measured.series[0].times[1].second == 3_us);
  }
  TEST_CASE("A measurement file that is damaged is refused with its line") {
    CHECK_THROWS_WITH(study::parse_measured_csv("id,message_b,time_s\n", "mpi.csv"),
                      "mpi.csv:1: no column 'message_B' (there are id, message_b, time_s). Rename 'message_b'?");
    CHECK_THROWS_WITH(study::parse_measured_csv("id,message_B,time_s\nring,1,fast\n", "mpi.csv"),
                      "mpi.csv:2: 'time_s' is 'fast' (0 or a number from 1e-12 to 1e+09). Correct it?");
    CHECK_THROWS_WITH(study::parse_measured_csv("id,message_B,time_s\nring,1,1e-300\n", "mpi.csv"),
                      "mpi.csv:2: 'time_s' is '1e-300' (0 or a number from 1e-12 to 1e+09). Correct it?");
    CHECK_THROWS_WITH(study::parse_measured_csv("id,message_B,time_s\nring,inf,1e-6\n", "mpi.csv"),
                      "mpi.csv:2: 'message_B' is 'inf' (0 or a number from 1 to 1e+18). Correct it?");
    CHECK_THROWS_WITH(study::parse_measured_csv("id,message_B,time_s\nring,1\n", "mpi.csv"),
                      "mpi.csv:2: 2 fields, but the header names more. Complete the line?");
    CHECK_THROWS_WITH(
        study::parse_measured_csv("id,message_B,time_s\n", "mpi.csv"),
        "mpi.csv: no measurements (a header 'id,message_B,time_s' and one line each). Is the file cut off?");
  }
  TEST_CASE("An experiment fills the cores of its nodes one by one and starts again when they are full") {
    const Platform platform = test::two_types();  // nodes 0, 1: 2 sockets of 2 cores; nodes 2, 3: 2 sockets of 1
    const auto layout = study::layout_of(
        cores_in_order(platform, {NodeId{0}, NodeId{2}, NodeId{0}, NodeId{2}, NodeId{0}, NodeId{2}}), platform);
    CHECK(layout.of(Rank{0}).host == layout.of(Rank{2}).host);
    CHECK(layout.of(Rank{4}).host != layout.of(Rank{0}).host);
    CHECK(layout.of(Rank{1}).host != layout.of(Rank{3}).host);
    CHECK(layout.of(Rank{5}).host == layout.of(Rank{1}).host);
    CHECK(layout.of(Rank{3}).node_type == 1);
  }
  TEST_CASE("A calibration covers thirty sizes from one byte to four mebibytes unless told otherwise") {
    const auto sizes = study::default_sizes();
    CHECK(sizes.size() == 30);
    CHECK(sizes.front() == 1_B);
    CHECK(sizes.back() == 4_MiB);
    for (std::size_t i = 1; i < sizes.size(); ++i) CHECK(sizes[i - 1] < sizes[i]);
  }
}
