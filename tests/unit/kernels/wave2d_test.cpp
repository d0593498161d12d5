#include <doctest/doctest.h>

#include <map>

#include "sim/core/error.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("kernels/wave2d") {
  TEST_CASE("Rank 1 of figure 9 sends its six neighbours the lengths that equation 13 prints") {
    const Recording recording = record(*make_kernel("wave2d", {{"iterations", "1"}}, fig9()));
    std::map<std::size_t, double> doubles;
    for (const auto& message : match_messages(recording).messages)
      if (message.from == Rank{1}) doubles[index(message.to)] += message.size.si() / 8.0;
    CHECK(doubles == std::map<std::size_t, double>{{2, 64}, {4, 48}, {3, 64}, {6, 64}, {0, 96}, {5, 16}});
  }

  TEST_CASE("Wave2D posts every receive and then every send and waits once") {
    const auto steps = record(*make_kernel("wave2d", {{"iterations", "1"}}, fig9())).steps[1];
    REQUIRE(steps.size() == 18);
    CHECK(std::holds_alternative<IdealBarrier>(steps[1]));
    for (std::size_t i = 3; i < 9; ++i) CHECK(std::holds_alternative<Irecv>(steps[i]));
    for (std::size_t i = 9; i < 15; ++i) CHECK(std::holds_alternative<Isend>(steps[i]));
    CHECK(std::holds_alternative<WaitAll>(steps[15]));
    CHECK(std::get<Compute>(steps[17]).flops == Flops(10.0 * 64 * 112));
    CHECK(std::get<Compute>(steps[17]).shape == std::array<double, 3>{64, 112, 0});
    CHECK(std::get<Compute>(steps[17]).traffic == Bytes(3.0 * 8.0 * 64 * 112));  // two time steps read and one written
  }

  TEST_CASE("Each rank of Wave2D sends the part of its perimeter that is inside the mesh") {
    for (const auto& partitioner : partitioners().names())
      for (const std::uint32_t ranks : {1u, 2u, 3u, 5u, 8u, 13u}) {
        std::vector<double> speeds;
        for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + (r * 5) % 7);
        const Partition partition = partitioners().at(partitioner, "test").make(test::problem_of({60, 60}, speeds));
        const Recording recording =
            record(*make_kernel("wave2d", {{"points", "60"}, {"iterations", "2"}, {"element", "4B"}}, partition));
        std::vector<double> sent(ranks, 0.0);
        for (const auto& message : match_messages(recording).messages) sent[index(message.from)] += message.size.si();
        for (std::uint32_t r = 0; r < ranks; ++r) {
          const Rectangle& mine = partition.rectangles[r];
          const double inside = (mine.x > 0) * mine.height + (mine.right() < 60) * mine.height +
                                (mine.y > 0) * mine.width + (mine.bottom() < 60) * mine.width;
          INFO(partitioner);
          CHECK(sent[r] == (mine.area() == 0 ? 0.0 : 2 * 4 * inside));  // an empty share has no neighbours
        }
      }
  }

  TEST_CASE("Wave2D refuses a partition that is missing or of another size or for other ranks") {
    CHECK_THROWS_WITH_AS(make_kernel("wave2d", {}, 4), "wave2d: needs a partition of its points. Name an algorithm?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("wave2d", {{"points", "512"}}, fig9()),
                         "wave2d: the partition is 256 x 256 points, 'points' is 512 (they must agree). Set 'points' "
                         "to 256?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        kernels().at("wave2d", "test").make({kernel_parameters("wave2d", {}), 7, std::make_shared<Partition>(fig9())}),
        "wave2d: the partition is for 8 ranks, the run has 7 (they must agree). Make a partition for "
        "7 ranks?",
        InputError);
  }
}
