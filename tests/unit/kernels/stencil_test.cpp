#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "sim/core/error.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

Partition grid_of(std::uint32_t points, std::uint32_t ranks) {
  return partitioners().at("even-grid", "test").make({{points, points}, std::vector<double>(ranks, 1.0)});
}

std::vector<Compute> computes_of(const Program& program, std::uint32_t rank) {
  std::vector<Compute> found;
  const Recording recording = record(program);
  for (const Step& step : recording.steps[rank])
    if (const auto* work = std::get_if<Compute>(&step)) found.push_back(*work);
  return found;
}

}  // namespace

TEST_SUITE("kernels/stencil") {
  TEST_CASE("The BSP form sends eight messages of b edge lines and b squared corners") {
    for (const std::uint32_t b : {1u, 3u}) {
      const auto all = totals(
          *make_kernel("stencil", {{"points", "60"}, {"iterations", std::to_string(b)}, {"border", std::to_string(b)}},
                       grid_of(60, 9)));
      const double l = 20;
      std::map<std::uint32_t, double> sent;  // rank 4 is in the middle
      for (const auto& [pair, bytes] : all.between)
        if (pair.first == 4) sent[pair.second] = bytes;
      CHECK(sent.size() == 8);
      for (const std::uint32_t edge : {1u, 3u, 5u, 7u}) CHECK(sent.at(edge) == 8 * b * l);
      for (const std::uint32_t corner : {0u, 2u, 6u, 8u}) CHECK(sent.at(corner) == 8.0 * b * b);
    }
  }

  TEST_CASE("The MPI form sends columns and then rows with the corners in them") {
    const auto program = make_kernel(
        "stencil", {{"points", "60"}, {"form", "mpi"}, {"iterations", "4"}, {"border", "2"}}, grid_of(60, 9));
    const auto all = totals(*program);
    CHECK(all.messages == 2 * (2 * 6 + 2 * 6));  // two supersteps; six pairs of neighbours along each direction
    CHECK(all.between.at({4, 5}) == 2 * 8 * 2 * 20);
    CHECK(all.between.at({4, 7}) == 2 * 8 * 2 * (20 + 4));
    CHECK(all.between.at({0, 3}) == 2 * 8 * 2 * (20 + 2));
    CHECK_FALSE(all.between.contains({4, 8}));
  }

  TEST_CASE("Both forms update the same points of an inner rank with shrinking regions") {
    const std::uint32_t b = 3;
    const double exact = 5.0 * ((20 + 4) * (20 + 4) + (20 + 2) * (20 + 2) + 20 * 20);
    for (const char* form : {"bsp", "mpi"}) {
      const auto program =
          make_kernel("stencil", {{"points", "60"}, {"form", form}, {"iterations", "3"}, {"border", std::to_string(b)}},
                      grid_of(60, 9));
      CHECK(totals(*program).computed.at(4) == exact);
      CHECK(totals(*program).computed.at(0) == 5.0 * (22 * 22 + 21 * 21 + 20 * 20));  // a corner of the mesh
    }
  }

  TEST_CASE("The BSP form finishes its own border before it sends and the inside while messages travel") {
    const auto program =
        make_kernel("stencil", {{"points", "60"}, {"iterations", "1"}, {"border", "2"}}, grid_of(60, 9));
    const auto computes = computes_of(*program, 4);
    REQUIRE(computes.size() == 2);
    CHECK(computes[0].flops.si() == 5.0 * (20 * 20 - 16 * 16));
    CHECK(computes[1].flops.si() == 5.0 * 16 * 16);
    CHECK(computes[1].traffic.si() == 16.0 * 16 * 16);
    const auto steps = record(*program).steps[4];
    const auto is_send = [](const Step& step) { return std::holds_alternative<Isend>(step); };
    const auto is_inside = [](const Step& step) {
      const auto* work = std::get_if<Compute>(&step);
      return work != nullptr && work->shape[0] == 16;
    };
    CHECK(std::ranges::find_if(steps, is_send) < std::ranges::find_if(steps, is_inside));
    CHECK(computes_of(
              *make_kernel("stencil", {{"points", "60"}, {"iterations", "1"}, {"overlap", "false"}}, grid_of(60, 9)), 4)
              .size() == 1);
  }

  TEST_CASE("BSPonMPI's synchronisation carries the borders after all is computed") {
    const auto program = [](const char* barrier) {
      return make_kernel("stencil", {{"points", "60"}, {"iterations", "2"}, {"border", "2"}, {"barrier", barrier}},
                         grid_of(60, 9));
    };
    const auto early = totals(*program("none")), postponed = totals(*program("bsponmpi"));
    for (std::uint32_t from = 0; from < 9; ++from)
      for (std::uint32_t to = 0; to < 9; ++to) {
        if (from == to) continue;
        const auto border = early.between.find({from, to});
        const double put = border == early.between.end() ? 0.0 : 16.0 + border->second;
        CHECK(postponed.between.at({from, to}) == 12.0 + 72.0 + put);
      }
    const auto steps = record(*program("bsponmpi")).steps[4];
    const auto computes = [](const Step& step) { return std::holds_alternative<Compute>(step); };
    const auto last = std::find_if(steps.rbegin(), steps.rend(), computes);
    const auto sends = [](const Step& step) { return std::holds_alternative<Isend>(step); };
    CHECK(std::none_of(last, steps.rend(), sends));
    CHECK(std::count_if(steps.begin(), steps.end(), computes) == 2);
    CHECK(postponed.computed.at(4) == early.computed.at(4));
    CHECK(postponed.messages == 9 * 8 + 9 * 8);
    const auto thirteen = totals(
        *make_kernel("stencil", {{"points", "60"}, {"iterations", "1"}, {"barrier", "bsponmpi"}}, grid_of(60, 13)));
    CHECK(thirteen.messages == 13 * 4 + 13 * 12);  // what will come, by Bruck to rank + 1, 2, 4 and 8
  }

  TEST_CASE("A last superstep may be shorter and a reduction follows each") {
    const auto program = make_kernel(
        "stencil",
        {{"points", "60"}, {"iterations", "7"}, {"border", "3"}, {"reduction", "true"}, {"allreduce", "rdb"}},
        grid_of(60, 4));
    std::size_t reductions = 0;
    for (const auto& message : match_messages(record(*program)).messages) reductions += message.tag == Tag{3};
    CHECK(reductions == 3 * 4 * 2);
    double flops = 0.0;
    for (const auto& work : computes_of(*program, 0)) flops += work.flops.si();
    CHECK(flops == 5.0 * (2 * (32 * 32 + 31 * 31 + 30 * 30) + 30 * 30));
  }

  TEST_CASE("On any rectangles a rank gets every point of its border from its owner once") {
    for (const auto& partitioner : partitioners().names())
      for (const std::uint32_t ranks : {2u, 5u, 8u, 13u})
        for (const std::uint32_t b : {1u, 4u}) {
          std::vector<double> speeds;
          for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + (r * 5) % 7);
          const Partition partition = partitioners().at(partitioner, "test").make(test::problem_of({60, 60}, speeds));
          const auto all = totals(*make_kernel(
              "stencil", {{"points", "60"}, {"iterations", "1"}, {"border", std::to_string(b)}, {"element", "1B"}},
              partition));
          std::vector<double> received(ranks, 0.0);
          for (const auto& [pair, bytes] : all.between) received[pair.second] += bytes;
          for (std::uint32_t r = 0; r < ranks; ++r) {
            const Rectangle& mine = partition.rectangles[r];
            if (mine.area() == 0) continue;
            const double wide = std::min(60u, mine.right() + b) - (mine.x - std::min(mine.x, b));
            const double high = std::min(60u, mine.bottom() + b) - (mine.y - std::min(mine.y, b));
            CHECK(received[r] == wide * high - static_cast<double>(mine.area()));
          }
        }
  }

  TEST_CASE("The stencil refuses partitions that its form cannot use") {
    CHECK_THROWS_WITH_AS(make_kernel("stencil", {}, 4), "stencil: needs a partition of its points. Name an algorithm?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("stencil", {{"points", "512"}}, fig9()),
                         "stencil: the partition is 256 x 256 points, the kernel's grid 512 x 512 (they must agree). "
                         "Change 'points'?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("stencil", {{"points", "256"}, {"form", "mpi"}}, fig8()),
                         "stencil: its rows of ranks are not straight (form 'mpi' shifts whole columns and rows of "
                         "ranks). Use partition 'even-grid', or form 'bsp'?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        make_kernel("stencil", {{"points", "60"}, {"form", "mpi"}, {"barrier", "bsponmpi"}}, grid_of(60, 4)),
        "stencil: 'barrier: bsponmpi' with 'form: mpi' (it carries the borders of 'form: bsp' only). Set 'form: bsp'?",
        InputError);
    CHECK_THROWS_WITH_AS(make_kernel("stencil", {{"points", "12"}, {"form", "mpi"}, {"border", "5"}}, grid_of(12, 9)),
                         "stencil: rank 0 has 4 x 4 points, less than the border of 5 (form 'mpi' shifts whole columns "
                         "and rows of ranks). Use partition 'even-grid', or form 'bsp'?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        kernels()
            .at("stencil", "test")
            .make({kernel_parameters("stencil", {{"points", "256"}}), 7, std::make_shared<Partition>(fig9())}),
        "stencil: the partition is for 8 ranks, the run has 7 (they must agree). Make a partition for 7 ranks?",
        InputError);
  }
}
