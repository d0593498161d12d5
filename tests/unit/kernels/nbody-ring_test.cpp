#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

const Partition uneven{1, 100, {{0, 0, 1, 10}, {0, 10, 1, 60}, {0, 70, 1, 30}, {0, 100, 1, 0}}};

}  // namespace

TEST_SUITE("kernels/nbody-ring") {
  TEST_CASE("Every block of bodies travels once around the ring and meets every other") {
    for (const char* overlap : {"true", "false"}) {
      const auto all =
          totals(*make_kernel("nbody-ring", {{"bodies", "100"}, {"iterations", "1"}, {"overlap", overlap}}, uneven));
      CHECK(all.messages == 4 * 3);
      CHECK(all.bytes == 3 * 100 * 32);
      CHECK(all.between.at({0, 1}) == (10 + 0 + 30) * 32);  // all blocks but that of rank 1
      CHECK(all.between.size() == 4);
      CHECK(all.flops == 20.0 * 100 * 99);
      CHECK(all.computed.at(1) == 20.0 * 60 * 99);
    }
  }

  TEST_CASE("With overlap forces are computed between posting and waiting") {
    const auto recording = record(*make_kernel("nbody-ring", {{"bodies", "100"}, {"iterations", "1"}}, uneven));
    const auto& steps = recording.steps[1];
    const auto is = [](std::size_t kind) { return [kind](const Step& step) { return step.index() == kind; }; };
    const auto computed = std::ranges::find_if(steps, is(Step(Compute{}).index()));
    CHECK(std::ranges::find_if(steps, is(Step(Isend{}).index())) < computed);
    CHECK(computed < std::ranges::find_if(steps, is(Step(WaitAll{}).index())));
  }
}
