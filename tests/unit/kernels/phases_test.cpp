/// The kernels as analytic models see them: phases with stages, messages and repeats.
#include <doctest/doctest.h>

#include <numeric>

#include "sim/core/phase.hpp"
#include "tests/support/partitions.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

std::vector<Phase> communication_of(const Program& program) {
  std::vector<Phase> result;
  for (auto& phase : build_phases(program))
    if (phase.name == "communication") result.push_back(std::move(phase));
  return result;
}

}  // namespace

TEST_SUITE("kernels/phases") {
  TEST_CASE("SUMMA on figure 8 has one phase for each pair of pivot owners and they add up to all iterations") {
    const auto phases = communication_of(*make_kernel("summa", {}, fig8()));
    std::vector<std::uint64_t> first, repeat;
    for (const Phase& phase : phases) {
      first.push_back(phase.first_iteration);
      repeat.push_back(phase.repeat);
      CHECK(phase.starts_together);
    }
    CHECK(first == std::vector<std::uint64_t>{0, 124, 134, 146, 152, 221});
    CHECK(repeat == std::vector<std::uint64_t>{124, 10, 12, 6, 69, 35});
  }

  TEST_CASE("SUMMA declares the pivot column and then the pivot row as sequences of each rank") {
    const Phase phase = communication_of(*make_kernel("summa", {}, fig8())).front();
    REQUIRE(phase.declared);
    REQUIRE(phase.stages.size() == 2);
    CHECK(phase.stages[0].name == "pivot column");
    CHECK(phase.stages[1].name == "pivot row");
    for (const Stage& stage : phase.stages) CHECK(stage.composition == Composition::sequence);
    std::vector<std::pair<std::size_t, double>> of_rank1;
    for (const Message& message : phase.messages) {
      CHECK(message.blocking == (message.stage == 1));
      if (message.from == Rank{1}) of_rank1.emplace_back(index(message.to), message.size.si() / 8192);
    }
    CHECK(of_rank1 == std::vector<std::pair<std::size_t, double>>{{0, 134}, {3, 146}, {5, 12}, {4, 124}});
  }

  TEST_CASE("Wave2D is one phase repeated in which all messages form one set") {
    for (const char* barrier : {"ideal", "dissemination", "none"}) {
      const auto phases = communication_of(*make_kernel("wave2d", {{"barrier", barrier}}, fig9()));
      REQUIRE(phases.size() == 1);
      CHECK(phases[0].repeat == 100);
      CHECK(phases[0].starts_together == (std::string(barrier) == "ideal"));
      REQUIRE(phases[0].stages.size() == 1);
      CHECK(phases[0].stages[0].composition == Composition::set);
      CHECK(phases[0].messages.size() == 26);
      for (const Message& message : phases[0].messages) CHECK(message.after.empty());
    }
  }

  TEST_CASE("A binomial broadcast has twice as many concurrent messages in each stage") {
    const auto phases = communication_of(*make_kernel("broadcast", {}, 16));
    REQUIRE(phases.size() == 1);
    std::vector<int> per_stage(phases[0].stages.size(), 0);
    for (const Message& message : phases[0].messages) ++per_stage[message.stage];
    CHECK(per_stage == std::vector<int>{1, 2, 4, 8});
  }

  TEST_CASE("In the tree barrier of four ranks the leaders' children wait before their release is sent") {
    const Phase phase = communication_of(*make_kernel("barrier", {{"algorithm", "tree"}}, 4)).front();
    REQUIRE(phase.messages.size() == 6);
    std::vector<std::pair<std::size_t, std::size_t>> waiting;
    for (const Message& message : phase.messages)
      if (message.receiver_waiting) waiting.emplace_back(index(message.from), index(message.to));
    CHECK(waiting == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {2, 3}});
  }
}
