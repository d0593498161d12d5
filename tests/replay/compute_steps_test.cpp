// Compute steps are numbered by rank in program order, and a model that varies is asked by that number.
#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/engine/wire_format.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::near;

namespace {

/// Step k of a rank takes 2^k seconds: every sum tells which steps were played.
class PowersOfTwo final : public ComputeModel {
 public:
  std::string description() const override { return "step k takes 2^k s"; }
  Seconds compute_time(const Compute&, Rank) const override { return Seconds{1e9}; }
  Seconds sampled_time(const Compute&, Rank, std::uint64_t step) const override {
    return Seconds{static_cast<double>(1u << step)};
  }
};

}  // namespace

TEST_SUITE("replay/compute steps") {
  TEST_CASE("Compute steps are numbered by rank in program order and a polling one counts as one") {
    Cluster cluster(2);
    cluster.place({0, 1});
    const FunctionProgram program("numbered", 2, [](Rank me) -> Generator<Step> {
      const Compute work{Work::generic, Flops{1.0}};
      co_yield work;  // 1 s
      if (me == Rank{0}) co_return;
      co_yield ComputeUntil{work, 5, RequestId{9}};  // 2 s, nothing to poll for
      co_yield work;                                 // 4 s
    });
    const PowersOfTwo compute;
    const RunResult result = engine::from_bytes(engine::run_isolated("test", [&] {
      return engine::to_bytes(
          make_engine(with_simgrid ? "simgrid" : "flow", "test")
              ->replay({&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options}));
    }));
    CHECK(result.timelines[0].back().end.si() == near(1.0));
    CHECK(result.timelines[1].back().end.si() == near(7.0));
  }
}
