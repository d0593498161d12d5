#include <doctest/doctest.h>

#include <cmath>

#include "models/compute/catalogue.hpp"
#include "tests/support/relative.hpp"
#include "two_types.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr const char* caches =
    "type,gpu,level,size_B,bandwidth_B_per_s\n"
    "big,any,L2,4e7,2e12\n"
    "*,*,L1,32e3,200e9\n*,*,L2,1e6,50e9\n";

}  // namespace

TEST_SUITE("models/compute/roofline") {
  TEST_CASE("A step takes its flops at peak or its bytes at memory bandwidth whichever is longer") {
    const auto model = compute_model("roofline", "");
    // Rank 0: 5 x 10 Gflop/s; the memory copies 20 GB/s, 40 GB/s read and written, and rank 0 is alone on it.
    CHECK(seconds(*model, {Work::dgemm, Flops(50e9), {}, Bytes(1e9)}, 0) == near(1.0));
    CHECK(seconds(*model, {Work::stencil, Flops(1e9), {}, Bytes(40e9)}, 0) == near(1.0));
    CHECK(seconds(*model, {Work::stencil, Flops(1e9), {}, Bytes(100e9)}, 1) == near(1.0));
    CHECK(seconds(*model, {Work::stencil, Flops(50e9), {}}, 0) == near(1.0));
    CHECK(model->description() == "roofline: peak speed, memory bandwidth shared by the ranks of a node");
  }

  TEST_CASE("Ranks of one node share its memory bandwidth by their cores unless told otherwise") {
    Layout layout{"two on a node", {}};
    for (const std::uint32_t cores : {1u, 7u}) layout.placements.push_back({.cores = cores});
    const Compute sweep{Work::stencil, Flops(1), {}, Bytes(40e9)};
    const auto shared = compute_model("roofline", "", {}, layout);
    CHECK(seconds(*shared, sweep, 0) == near(8.0));
    CHECK(seconds(*shared, sweep, 1) == near(8.0 / 7));
    const auto alone = compute_model("roofline", "", {{"shared-memory-bandwidth", "false"}}, layout);
    CHECK(seconds(*alone, sweep, 0) == near(4.0));  // one core copies 5 GB/s
    CHECK(seconds(*alone, sweep, 1) == near(1.0));
  }

  TEST_CASE("Ranks of one socket share its part of the memory where each has its own") {
    Platform platform = compute_platform();
    platform.node_types[0].sockets = 2;
    platform.node_types[0].numa_domain = NumaDomain::socket;  // 20 GB/s each, read and written
    Layout layout{"two on one socket and one on the other", {}};
    for (const std::uint32_t cores : {1u, 7u}) layout.placements.push_back({.cores = cores});
    layout.placements.push_back({.host = HostId{1}, .cores = 8, .socket_of_node = 1});
    const Compute sweep{Work::stencil, Flops(1), {}, Bytes(40e9)};
    const auto shared = compute_model("roofline", "", {}, layout, platform);
    CHECK(shared->description().ends_with("memory bandwidth shared by the ranks of a node or socket"));
    CHECK(seconds(*shared, sweep, 0) == near(16.0));
    CHECK(seconds(*shared, sweep, 1) == near(16.0 / 7));
    CHECK(seconds(*shared, sweep, 2) == near(2.0));
    const auto alone = compute_model("roofline", "", {{"shared-memory-bandwidth", "false"}}, layout, platform);
    CHECK(seconds(*alone, sweep, 0) == near(4.0));
    CHECK(seconds(*alone, sweep, 2) == near(2.0));
  }

  TEST_CASE("Ranks that take turns on the cores of a node share its memory bandwidth by the cores it has") {
    // 16 ranks on 8 cores: an eighth of 40 GB/s each, as of 8 ranks; that each has half of a core is the engine's.
    const Compute sweep{Work::stencil, Flops(1), {}, Bytes(40e9)};
    for (const std::uint32_t ranks : {8u, 16u}) {
      const Layout layout{"crowd", std::vector<Placement>(ranks)};
      CHECK(seconds(*compute_model("roofline", "", {}, layout), sweep, ranks - 1) == near(8.0));
    }
    // Of four ranks of 8 cores each has all bandwidth while it has its turn.
    const Layout wide{"wide", std::vector<Placement>(4, Placement{.cores = 8})};
    CHECK(seconds(*compute_model("roofline", "", {}, wide), sweep, 3) == near(1.0));
  }

  TEST_CASE("Threads of a rank keep a share of its speed at each doubling of them") {
    Layout layout{"threads", {}};
    for (const std::uint32_t cores : {1u, 2u, 4u}) layout.placements.push_back({.cores = cores});
    const Compute sweep{Work::stencil, Flops(1), {}, Bytes(40e9)}, product{Work::dgemm, Flops(50e9)};
    const auto all = compute_model("roofline", "", {}, layout);
    const auto kept = compute_model("roofline", "", {{"thread-efficiency", "0.8"}}, layout);
    for (const Compute& step : {sweep, product})
      for (const std::uint32_t rank : {0u, 1u, 2u})
        CHECK(seconds(*kept, step, rank) == near(seconds(*all, step, rank) / std::pow(0.8, rank)));
  }

  TEST_CASE("Data that fit a cache move at the bandwidth of the smallest one that holds them") {
    const auto model = compute_model("roofline", caches, {{"efficiency", "0.5"}});
    const auto time = [&](double bytes, std::uint32_t rank) {
      return seconds(*model, {Work::stencil, Flops(1), {}, Bytes(bytes)}, rank);
    };
    CHECK(time(5 * 32e3, 0) == near(32e3 / 200e9));  // five cores have five caches
    CHECK(time(5 * 1e6, 0) == near(1e6 / 50e9));
    CHECK(time(5 * 1e6 + 8, 0) == near((5e6 + 8) / 40e9));
    CHECK(time(4e7, 1) == near(4e7 / 2e12));
    CHECK(seconds(*model, {Work::dgemm, Flops(50e9), {}}, 0) == near(2.0));
    CHECK(model->description() ==
          "roofline: peak speed x 0.5, memory bandwidth shared by the ranks of a node, caches of 'f.csv'");
  }

  TEST_CASE("The typical product is a square one of a billion flops that moves three matrices and one of them twice") {
    const Compute work = typical_work(Work::dgemm);
    const double side = work.shape[0];
    CHECK(2 * side * side * side == near(1e9));
    CHECK(work.shape[1] == near(side));
    CHECK(work.shape[2] == near(side));
    CHECK(work.traffic.si() == near(4 * 8 * side * side));
  }

  TEST_CASE("Levels that do not grow are refused") {
    CHECK_THROWS_WITH_AS(compute_model("roofline", "size_B,bandwidth_B_per_s\n1e6,1e11\n1e5,1e12\n"),
                         "f.csv:3: 'size_B' is 100000 after 1e+06 (levels grow). Sort the rows?", InputError);
  }
}
