#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "two_types.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Speeds as in functional performance models: rising, then falling when the data leave a memory.
constexpr const char* speeds =
    "type,gpu,cores,size_flop,speed_flop_per_s\n"
    "big,any,,1e6,100e9\nbig,any,,1e9,400e9\n"
    "big,,5,1e6,30e9\nbig,,5,1e8,40e9\nbig,,5,1e9,20e9\n"
    "small,,,1e6,2e9\n";

double gflops(const ComputeModel& model, double flops, std::uint32_t rank) {
  return flops / seconds(model, {Work::dgemm, Flops(flops), {}}, rank) / 1e9;
}

}  // namespace

TEST_SUITE("models/compute/table") {
  TEST_CASE("Speed is linear between measured sizes and constant outside them") {
    const auto model = compute_model("table", speeds);
    CHECK(gflops(*model, 1e5, 0) == near(30));
    CHECK(gflops(*model, 1e6, 0) == near(30));
    CHECK(gflops(*model, 0.5 * (1e6 + 1e8), 0) == near(35));
    CHECK(gflops(*model, 1e8 + 0.25 * 9e8, 0) == near(35));
    CHECK(gflops(*model, 1e12, 0) == near(20));
    CHECK(gflops(*model, 1e9, 1) == near(400));
    CHECK(gflops(*model, 1e9, 2) == near(6));  // three cores of 2 Gflop/s
    CHECK(model->description() ==
          "table: speed by size_flop from 'f.csv', 3 curves for all work; other work at peak speed");
  }

  TEST_CASE("A table may be interpolated by a monotone cubic that stays between its points") {
    const char* points = "size_flop,speed_flop_per_s\n1e6,1e9\n2e6,1e9\n3e6,9e9\n4e6,9e9\n";
    const auto linear = compute_model("table", points);
    const auto cubic = compute_model("table", points, {{"interpolation", "cubic"}});
    CHECK(gflops(*cubic, 2e6, 0) == near(gflops(*linear, 2e6, 0)));
    CHECK(gflops(*cubic, 2.25e6, 0) < gflops(*linear, 2.25e6, 0));
    CHECK(gflops(*cubic, 1.5e6, 0) == near(gflops(*linear, 1.5e6, 0)));
    CHECK(cubic->description().find("1 cubic curve for all work") != std::string::npos);
  }

  TEST_CASE("A speed in two parameters is linear between the curves of the widths beside it") {
    const auto model = compute_model("table", "size_M,size_N,speed_flop_per_s\n10,100,4e9\n20,100,2e9\n10,200,2e9\n");
    const auto of = [&](double m, double n) {
      return 1.0 / seconds(*model, {Work::dgemm, Flops(1e9), {m, n, 32}}, 1);  // Gflop/s of the GPU
    };
    CHECK(of(10, 100) == near(4));
    CHECK(of(15, 100) == near(3));
    CHECK(of(10, 150) == near(3));
    CHECK(of(20, 150) == near(2));
    CHECK(model->description() ==
          "table: speed by size_M and size_N from 'f.csv', 1 surface for all work; other work at peak speed");
    CHECK_THROWS_WITH_AS(compute_model("table", "size_M,speed_flop_per_s\n1,1e9\n"),
                         "f.csv: has column 'size_M' and no 'size_N' (both sides of a shape). Add it?", InputError);
    CHECK_THROWS_WITH_AS(compute_model("table", "size_M,size_N,size_B,speed_flop_per_s\n1,1,1,1e9\n"),
                         "f.csv: has columns 'size_M' and 'size_B' (one kind of size). Remove one?", InputError);
  }

  TEST_CASE("Sizes may be the elements of the shape or the bytes of a step") {
    const Compute work{Work::stencil, Flops(1e9), {100, 50, 0}, Bytes(8e6)};
    const auto elements =
        compute_model("table", "work,size_elements,speed_flop_per_s\nstencil,4e3,1e9\nstencil,6e3,3e9\n");
    CHECK(seconds(*elements, work, 1) == near(0.5));
    CHECK(seconds(*elements, {Work::dgemm, Flops(500e9), {}}, 1) == near(1.0));
    const auto bytes = compute_model("table", "size_B,speed_flop_per_s\n0,1e9\n16e6,5e9\n");
    CHECK(seconds(*bytes, work, 1) == near(1.0 / 3.0));
  }

  TEST_CASE("Tables that cannot be read are refused with their line") {
    CHECK_THROWS_WITH_AS(compute_model("table", "size_flop,speed_flop_per_s\n1e6,1e9\n1e6,2e9\n"),
                         "f.csv:3: 'size_flop' is 1e+06 after 1e+06 (the sizes of a curve ascend). Sort the rows?",
                         InputError);
    CHECK_THROWS_WITH_AS(compute_model("table", "size_flop,speed_flop_per_s\n1e6,0\n"),
                         "f.csv:2: 'speed_flop_per_s' is '0' (a number from 1 to 1e+21). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(compute_model("table", "size_flop,speed_flop_per_s\n1e6,\n"),
                         "f.csv:2: no 'speed_flop_per_s' (a number from 1 to 1e+21). Add it?", InputError);
    CHECK_THROWS_WITH_AS(compute_model("table", "speed_flop_per_s\n1e9\n"),
                         "f.csv: no column says the size (size_flop, size_elements or size_B). Add 'size_flop'?",
                         InputError);
    CHECK_THROWS_WITH_AS(compute_model("table", "size_flop,size_B,speed_flop_per_s\n1,1,1e9\n"),
                         "f.csv: has columns 'size_flop' and 'size_B' (one kind of size). Remove one?", InputError);
  }
}
