#include "kernels/kernel.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <variant>

#include "tests/support/recorder.hpp"

using namespace orrery;

TEST_SUITE("kernels/kernel") {
  TEST_CASE("A kernel that keeps references to its input plays what it was made from") {
    const KernelEntry keeper{.name = "keeper", .make = [](const KernelInput& input) {
                               const auto steps = [&input, layout = input.layout](Rank me) -> Generator<Step> {
                                 const auto node = static_cast<double>(layout->of(me).node);
                                 co_yield compute(Work::generic, Flops(node + input.parameters.number("added")));
                               };
                               return std::make_unique<FunctionProgram>("keeper", input.ranks, steps);
                             }};
    std::unique_ptr<Program> program;
    {
      Layout layout{"apart", {{.node = NodeId{3}}, {.node = NodeId{5}}}};
      Parameters parameters({number_key("added", 0.25, "", 0, 1)});
      program = keeper.make({parameters, 2, nullptr, {}, &layout});
      layout.placements.clear();
    }
    const Recording recorded = record(*program);
    CHECK(std::get<Compute>(recorded.steps[0].at(0)).flops == Flops(3.25));
    CHECK(std::get<Compute>(recorded.steps[1].at(0)).flops == Flops(5.25));
  }
}
