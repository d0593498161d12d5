#include "kernels/dividing.hpp"

#include <doctest/doctest.h>

#include <string_view>

#include "sim/core/elapsed.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("kernels/dividing") {
  TEST_CASE("A program that measures first runs each round's shares and hands sizes and times around") {
    const Partition slices{1, 8, {{0, 0, 1, 6}, {0, 6, 1, 2}}};
    const Words words{{"blocks", "8"}, {"block", "4"}};
    const auto& kernel = kernels().at("matmul-1d", "test");
    const auto parameters = kernel_parameters("matmul-1d", words);
    Layout layout{"two", {}};
    layout.placements.push_back({.node = NodeId{0}, .host = HostId{0}});
    layout.placements.push_back({.node = NodeId{1}, .host = HostId{1}});
    PartitionRound even{.shares = {{1, 4}, {1, 4}}, .run = {{Seconds(1), Seconds(9)}, Seconds(9)}, .known = {}};
    PartitionRound last{
        .shares = {{1, 8}, {}}, .run = {{Seconds(5), {}}, Seconds(3)}, .cut_off = Seconds(3), .known = {}};
    const auto program = dividing(kernel, parameters, layout, {even, last}, make_kernel("matmul-1d", words, slices));
    std::vector<Compute> computed;
    std::vector<std::string> phases;
    std::uint32_t messages = 0;
    for (auto steps = program->steps(Rank{0}); const Step* step = steps.next();) {
      if (const auto* compute = std::get_if<Compute>(step)) computed.push_back(*compute);
      if (const auto* mark = std::get_if<PhaseMark>(step)) phases.emplace_back(mark->name);
      messages += std::get_if<Send>(step) != nullptr || std::get_if<Isend>(step) != nullptr;
    }
    REQUIRE(computed.size() == 2 + 2 + 8);  // each round makes its matrices and runs one update; then all updates
    CHECK(computed[0].traffic == Bytes(8.0 * (2 * 16 + 32) * 32));
    CHECK(computed[1] == kernel.share(parameters, {1, 4}));
    CHECK(computed[3] == std::get<Compute>(elapsed(Seconds(3))));  // cut off
    CHECK(phases == std::vector<std::string>{"dividing", "dividing", "communication", "computation"});
    CHECK(messages == 3);  // a size to rank 1 in each round and when the division is accepted
    std::uint32_t of_other = 0;
    for (auto steps = program->steps(Rank{1}); const Step* step = steps.next();)
      of_other += std::get_if<Compute>(step) != nullptr;
    CHECK(of_other == 2 + 8);  // nothing to run in the second round
    std::vector<std::string> before_work;
    for (auto steps = program->steps(Rank{1}); const Step* step = steps.next();) {
      if (std::get_if<Recv>(step) != nullptr || std::get_if<Irecv>(step) != nullptr)
        before_work.emplace_back("receives");
      if (const auto* mark = std::get_if<PhaseMark>(step);
          mark != nullptr && std::string_view(mark->name) != dividing_phase)
        break;
    }
    CHECK(before_work.size() == 3);  // the last of them after its last time is sent: no work before the verdict
    CHECK(program->memory(Rank{0}) == make_kernel("matmul-1d", words, slices)->memory(Rank{0}));
  }
}
