#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/barrier_steps.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

using Matrix = std::vector<std::vector<int>>;

/// S_k(i, j) = 1 when i signals j in stage k (Meyer 2012, section 5.5); checks that sources mirror destinations.
std::vector<Matrix> incidence(BarrierAlgorithm algorithm, std::uint32_t ranks, std::uint32_t degree = 2) {
  const BarrierPlan plan{.algorithm = algorithm, .ranks = ranks, .degree = degree};
  std::vector<Matrix> stages;
  for (std::uint32_t s = 0; s < barrier_stages(plan); ++s) {
    Matrix sent(ranks, std::vector<int>(ranks, 0)), received = sent;
    BarrierSignals signals;
    for (std::uint32_t i = 0; i < ranks; ++i) {
      barrier_signals(plan, s, Rank{i}, signals);
      for (const Rank to : signals.destinations) sent[i][index(to)] += 1;
      for (const Rank from : signals.sources) received[index(from)][i] += 1;
    }
    CHECK(sent == received);
    stages.push_back(sent);
  }
  return stages;
}

/// Equations 5.1 and 5.2: after the last stage everybody knows of everybody's arrival.
bool synchronises(const std::vector<Matrix>& stages, std::uint32_t ranks) {
  std::vector<std::vector<bool>> knows(ranks, std::vector<bool>(ranks, false));  // [who][of whom]
  for (std::uint32_t i = 0; i < ranks; ++i) knows[i][i] = true;
  for (const Matrix& stage : stages) {
    const auto before = knows;
    for (std::uint32_t i = 0; i < ranks; ++i)
      for (std::uint32_t j = 0; j < ranks; ++j)
        for (std::uint32_t of = 0; stage[i][j] != 0 && of < ranks; ++of)
          if (before[i][of]) knows[j][of] = true;
  }
  for (const auto& row : knows)
    for (const bool known : row)
      if (!known) return false;
  return true;
}

}  // namespace

TEST_SUITE("kernels/barrier") {
  TEST_CASE("The linear barrier of four ranks has the matrices of Meyer's figure 5.2") {
    CHECK(incidence(BarrierAlgorithm::linear, 4) ==
          std::vector<Matrix>{{{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}},
                              {{0, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
  }

  TEST_CASE("The dissemination barrier of four ranks has the matrices of Meyer's figure 5.3") {
    CHECK(incidence(BarrierAlgorithm::dissemination, 4) ==
          std::vector<Matrix>{{{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}},
                              {{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}}});
  }

  TEST_CASE("The tree barrier of four ranks has the matrices of Meyer's figure 5.4") {
    const auto stages = incidence(BarrierAlgorithm::tree, 4);
    REQUIRE(stages.size() == 4);
    CHECK(stages[0] == Matrix{{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}});
    CHECK(stages[1] == Matrix{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}});
    CHECK(stages[2] == Matrix{{0, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
    CHECK(stages[3] == Matrix{{0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}});
  }

  TEST_CASE("Every message barrier tells every rank of every arrival for any number of ranks") {
    for (const auto algorithm : {BarrierAlgorithm::linear, BarrierAlgorithm::dissemination, BarrierAlgorithm::tree})
      for (std::uint32_t ranks = 2; ranks <= 40; ++ranks)
        for (const std::uint32_t degree : {2u, 3u, 7u}) {
          INFO(fmt::format("{} on {} ranks, degree {}", word_of(barrier_words, algorithm), ranks, degree));
          const auto stages = incidence(algorithm, ranks, degree);
          CHECK(synchronises(stages, ranks));
          auto incomplete = stages;
          incomplete.pop_back();
          CHECK_FALSE(synchronises(incomplete, ranks));
        }
  }

  TEST_CASE("Barriers send as many messages as their page says") {
    const auto messages = [](const char* algorithm, std::uint32_t ranks) {
      const auto program = make_kernel("barrier", {{"algorithm", algorithm}, {"signal", "4B"}}, ranks);
      const auto run = match_messages(record(*program), SendEnds::received);
      CHECK(run.defect == "");
      for (const auto& message : run.messages) CHECK(message.size == 4_B);
      return run.messages.size();
    };
    CHECK(messages("linear", 13) == 24);
    CHECK(messages("tree", 13) == 24);
    CHECK(messages("dissemination", 13) == 52);
    CHECK(messages("ideal", 13) == 0);
    CHECK(messages("dissemination", 1) == 0);
  }

  TEST_CASE("In each stage of a barrier a rank receives first and then sends and then waits for both") {
    const auto program = make_kernel("barrier", {{"algorithm", "dissemination"}}, 4);
    const auto steps = record(*program).steps[0];
    REQUIRE(steps.size() == 10);
    for (const std::size_t stage : {0u, 1u}) {
      CHECK(std::holds_alternative<Irecv>(steps[3 + 3 * stage]));
      CHECK(std::holds_alternative<Isend>(steps[4 + 3 * stage]));
      CHECK(std::get<WaitAll>(steps[5 + 3 * stage]).count == 2);
    }
  }

  TEST_CASE("A pattern of signals is played stage by stage") {
    const auto made = [](std::uint32_t pattern_ranks, std::shared_ptr<const StagePattern> pattern) {
      KernelInput input{kernel_parameters("barrier", {{"algorithm", "pattern"}, {"pattern", "trees"}}), 5};
      if (pattern_ranks > 0) pattern = std::make_shared<StagePattern>(tree_pattern(pattern_ranks, 3));
      input.pattern = pattern;
      return kernels().at("barrier", "test").make(input);
    };
    const auto tree = make_kernel("barrier", {{"algorithm", "tree"}, {"degree", "3"}}, 5);
    const auto match = [](const Program& program) { return match_messages(record(program), SendEnds::received); };
    const auto played = match(*made(5, nullptr));
    CHECK(played.defect == "");
    CHECK(played.messages.size() == match(*tree).messages.size());
    CHECK_THROWS_WITH_AS(made(0, nullptr),
                         "barrier: algorithm 'pattern' and no file of one (stage matrices, or who signals whom). Set "
                         "'pattern'?",
                         InputError);
    CHECK_THROWS_WITH_AS(made(7, nullptr),
                         "barrier: pattern 'trees' has 7 ranks, the layout places 5 (they must agree). Write '--ranks "
                         "7'?",
                         InputError);
  }
  TEST_CASE("A pattern that does not do what it is meant to is not played") {
    StagePattern arrivals = linear_pattern(3);
    arrivals.stages.pop_back();
    const auto made = [&](const char* goal, const char* root) {
      KernelInput input{
          kernel_parameters("barrier",
                            {{"algorithm", "pattern"}, {"pattern", "half.txt"}, {"goal", goal}, {"root", root}}),
          3};
      input.pattern = std::make_shared<StagePattern>(arrivals);
      return kernels().at("barrier", "test").make(input);
    };
    CHECK(made("reduce", "0")->ranks() == 3);
    CHECK_THROWS_WITH_AS(made("barrier", "0"),
                         "barrier: pattern 'half.txt' is no barrier: rank 1 leaves without knowing that rank 0 has "
                         "arrived (equations 5.1 and 5.2). Complete it, or set 'goal'?",
                         InputError);
    CHECK_THROWS_WITH_AS(made("bcast", "1"),
                         "barrier: pattern 'half.txt' is no bcast: rank 2 leaves without knowing that rank 1 has "
                         "arrived (equations 5.1 and 5.2). Complete it, or set 'goal'?",
                         InputError);
    CHECK_THROWS_WITH_AS(made("reduce", "3"), "barrier: 'root' is 3 (0..2). Choose one of the ranks?", InputError);
  }
}
