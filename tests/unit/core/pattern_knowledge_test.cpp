#include "sim/core/pattern_knowledge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

using namespace orrery;

namespace {

using Matrix = std::vector<std::vector<std::uint64_t>>;

Matrix identity(std::uint32_t ranks) {
  Matrix matrix(ranks, std::vector<std::uint64_t>(ranks, 0));
  for (std::uint32_t i = 0; i < ranks; ++i) matrix[i][i] = 1;
  return matrix;
}

/// K + K x S, as equation 5.2 writes it; of K = I it is equation 5.1.
Matrix next(const Matrix& known, const PatternStage& stage) {
  Matrix result = known;
  for (const auto& [from, to] : stage.signals())
    for (std::size_t i = 0; i < known.size(); ++i) result[i][to] += known[i][from];
  return result;
}

std::optional<Ignorance> first_zero(const StagePattern& pattern) {
  Matrix known = identity(pattern.ranks);
  for (const auto& stage : pattern.stages) known = next(known, stage);
  for (std::uint32_t of = 0; of < pattern.ranks; ++of)
    for (std::uint32_t who = 0; who < pattern.ranks; ++who)
      if (known[of][who] == 0) return Ignorance{who, of};
  return std::nullopt;
}

/// Partial sums as sets of ranks: added where they have nobody in common, taken or left where one holds the other.
std::optional<Ignorance> summed_twice(const StagePattern& pattern) {
  std::vector<std::set<std::uint32_t>> sums(pattern.ranks);
  for (std::uint32_t i = 0; i < pattern.ranks; ++i) sums[i] = {i};
  for (const auto& stage : pattern.stages) {
    const auto before = sums;
    for (const auto& [from, to] : stage.signals_by_receiver()) {
      std::set<std::uint32_t> both;
      std::ranges::set_intersection(sums[to], before[from], std::inserter(both, both.end()));
      if (!both.empty() && both != sums[to] && both != before[from]) return Ignorance{to, *both.begin()};
      sums[to].insert(before[from].begin(), before[from].end());
    }
  }
  return std::nullopt;
}

/// Random signals; two a rank in each stage are enough for about half of such patterns to synchronise.
StagePattern random_pattern(std::mt19937& random, double of_rank = 2.0) {
  StagePattern pattern{2 + static_cast<std::uint32_t>(random() % 9), {}};
  for (std::uint32_t s = 0; s < 4; ++s) {
    std::vector<Signal> signals;
    for (std::uint32_t k = 0; k < of_rank * pattern.ranks; ++k) {
      const Signal signal{static_cast<std::uint32_t>(random() % pattern.ranks),
                          static_cast<std::uint32_t>(random() % pattern.ranks)};
      if (signal.from != signal.to) signals.push_back(signal);
    }
    pattern.stages.emplace_back(std::move(signals));
  }
  return pattern;
}

}  // namespace

TEST_SUITE("core/pattern knowledge") {
  TEST_CASE("The linear barrier of four ranks counts the messages of equations 5.1 and 5.2") {
    const StagePattern linear = linear_pattern(4);
    const Matrix first = next(identity(4), linear.stages[0]);
    CHECK(first == Matrix{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}});
    CHECK(next(first, linear.stages[1]) == Matrix{{1, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {1, 1, 1, 2}});
  }
  TEST_CASE("What is known of a pattern is where the product of its matrices is not zero") {
    std::mt19937 random(7);
    int synchronise = 0;
    for (int i = 0; i < 400; ++i) {
      const StagePattern pattern = random_pattern(random);
      const auto found = first_ignorance(pattern);
      CHECK(found == first_zero(pattern));
      synchronise += found ? 0 : 1;
    }
    CHECK(synchronise > 50);
    CHECK(synchronise < 350);
  }
  TEST_CASE("Linear and tree and dissemination patterns synchronise and without their last stage do not") {
    for (std::uint32_t ranks = 2; ranks <= 40; ++ranks)
      for (StagePattern pattern : {linear_pattern(ranks), tree_pattern(ranks), tree_pattern(ranks, 3),
                                   tree_pattern(ranks, 7), dissemination_pattern(ranks)}) {
        CHECK_FALSE(first_ignorance(pattern));
        pattern.stages.pop_back();
        CHECK(first_ignorance(pattern));
      }
  }
  TEST_CASE("A pattern that does not synchronise is refuted by a pair beyond the first thousand ranks") {
    StagePattern pattern = dissemination_pattern(1300);
    CHECK_FALSE(first_ignorance(pattern));
    std::vector<Signal> last(pattern.stages.back().signals().begin(), pattern.stages.back().signals().end());
    std::erase(last, Signal{0, 1024});  // the only way for 0's arrival to reach 1024
    pattern.stages.back() = PatternStage(last);
    CHECK(first_ignorance(pattern) == Ignorance{1024, 0});
    StagePattern broken = linear_pattern(1300);
    std::vector<Signal> arrivals(broken.stages[0].signals().begin(), broken.stages[0].signals().end());
    std::erase(arrivals, Signal{1201, 0});
    broken.stages[0] = PatternStage(arrivals);
    CHECK(first_ignorance(broken) == Ignorance{0, 1201});
  }
  TEST_CASE("Of seventy ranks the last one is looked for too") {
    StagePattern broken = linear_pattern(70);
    std::vector<Signal> arrivals(broken.stages[0].signals().begin(), broken.stages[0].signals().end());
    std::erase(arrivals, Signal{69, 0});
    broken.stages[0] = PatternStage(arrivals);
    CHECK(first_ignorance(broken) == Ignorance{0, 69});
  }
  TEST_CASE("Equations 5.1 and 5.2 refute a pattern that stops a stage early by the pair whose product is zero") {
    const StagePattern one{3, {PatternStage({{0, 1}, {1, 2}})}};
    CHECK(next(identity(3), one.stages[0])[0][2] == 0);  // K_0 of (5.1)
    CHECK(first_ignorance(one) == Ignorance{2, 0});
    const StagePattern two{3, {PatternStage({{0, 1}, {1, 2}}), PatternStage({{1, 2}, {2, 0}, {2, 1}})}};
    CHECK(next(next(identity(3), two.stages[0]), two.stages[1])[0][2] == 1);  // K_1 of (5.2)
    CHECK_FALSE(first_ignorance(two));
  }
  TEST_CASE("Trees sum at any number of ranks and dissemination at powers of two alone") {
    for (std::uint32_t ranks = 2; ranks <= 40; ++ranks) {
      for (const StagePattern& pattern : {linear_pattern(ranks), tree_pattern(ranks), tree_pattern(ranks, 3)})
        CHECK_FALSE(first_double_count(pattern));
      CHECK(first_double_count(dissemination_pattern(ranks)).has_value() == !std::has_single_bit(ranks));
    }
    CHECK(first_double_count(dissemination_pattern(3)) == Ignorance{0, 0});  // of ranks 1, 2 and of 0 once more
    CHECK_FALSE(first_double_count(dissemination_pattern(1024)));
    CHECK(first_double_count(dissemination_pattern(1300)).has_value());
  }
  TEST_CASE("What patterns sum is what partial sums of each rank's bit come to") {
    std::mt19937 random(5);
    int sums = 0;
    for (int i = 0; i < 400; ++i) {
      const StagePattern pattern = random_pattern(random, 0.3);
      const auto found = first_double_count(pattern);
      CHECK(found == summed_twice(pattern));
      sums += found ? 0 : 1;
    }
    CHECK(sums > 100);
    CHECK(sums < 300);
  }
  TEST_CASE("The first half of a tree reduces to its root and the second broadcasts from it") {
    for (std::uint32_t ranks = 2; ranks <= 20; ++ranks) {
      StagePattern up = tree_pattern(ranks), down = up;
      const auto half = static_cast<std::ptrdiff_t>(up.stages.size() / 2);
      up.stages.resize(static_cast<std::size_t>(half));
      down.stages.erase(down.stages.begin(), down.stages.begin() + half);
      CHECK_FALSE(first_ignorance(up, PatternGoal::reduce, 0));
      CHECK_FALSE(first_ignorance(down, PatternGoal::bcast, 0));
      CHECK(first_ignorance(up) == Ignorance{1, 0});
      CHECK(first_ignorance(up, PatternGoal::reduce, 1) == Ignorance{1, 0});
      CHECK(first_ignorance(down, PatternGoal::bcast, 1) == Ignorance{0, 1});
    }
  }
}
