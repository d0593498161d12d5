#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double block_B = 32.0 * 32.0 * 8.0;

using Blocks = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

/// Messages of one iteration in blocks, by (sender, receiver), of one kind of send.
Blocks blocks_of(const Recording& recording, const MatchedRun& run, std::uint32_t iteration, bool blocking) {
  Blocks result;
  for (const auto& message : run.messages) {
    const auto& steps = recording.steps[index(message.from)];
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < message.sent_at; ++i)
      if (const auto* mark = std::get_if<IterationMark>(&steps[i])) at = mark->iteration;
    if (at == iteration && message.blocking == blocking)
      result[{index(message.from), index(message.to)}] += message.size.si() / block_B;
  }
  return result;
}

Partition columns_of(std::uint32_t blocks, const std::vector<double>& speeds) {
  return partitioners().at("beaumont-columns", "test").make({{blocks, blocks}, speeds});
}

}  // namespace

TEST_SUITE("kernels/summa") {
  TEST_CASE("SUMMA sends the blocks that Rico-Gallego et al. read off their figure 8 in iteration 80") {
    const auto program = make_kernel("summa", {}, fig8());
    const Recording recording = record(*program);
    const MatchedRun run = match_messages(recording);
    REQUIRE(run.defect == "");
    const Blocks column{{{1, 0}, 134}, {{1, 3}, 146}, {{1, 5}, 12}, {{4, 2}, 104}, {{4, 3}, 6}, {{4, 5}, 110}};
    CHECK(blocks_of(recording, run, 80, false) == column);  // 146 + 12 = 158 and 6 + 110 = 116 in equation 8
    const Blocks row{{{1, 4}, 124}, {{0, 5}, 97}, {{3, 2}, 35}};
    CHECK(blocks_of(recording, run, 80, true) == row);  // equation 9
  }

  TEST_CASE("A rank of SUMMA follows Algorithm 1 step by step") {
    const Partition partition{2, 2, {{0, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 1, 2}}};
    const auto program = make_kernel("summa", {{"blocks", "2"}, {"block", "10"}}, partition);
    const auto steps = record(*program).steps[0];
    REQUIRE(steps.size() == 20);
    CHECK(std::get<IterationMark>(steps[0]).iteration == 0);
    CHECK(std::holds_alternative<IdealBarrier>(steps[1]));
    CHECK(std::string(std::get<PhaseMark>(steps[2]).name) == "communication");
    CHECK(std::get<StageMark>(steps[3]).composition == Composition::sequence);
    CHECK(std::get<Isend>(steps[4]).send.to == Rank{2});
    CHECK(std::get<Isend>(steps[4]).send.message == 800_B);
    CHECK(std::holds_alternative<StageMark>(steps[5]));
    CHECK(std::get<Send>(steps[6]).to == Rank{1});
    CHECK(std::holds_alternative<WaitAll>(steps[7]));
    CHECK(std::string(std::get<PhaseMark>(steps[8]).name) == "computation");
    CHECK(std::get<Compute>(steps[9]).flops == 2000_flop);
    CHECK(std::get<Compute>(steps[9]).traffic == 3200_B);  // C of 10 x 10 read and written, two panels read
    CHECK(std::get<Irecv>(steps[14]).recv.from == Rank{2});
    CHECK(std::get<Recv>(steps[16]).from == Rank{1});
  }

  TEST_CASE("SUMMA with separate stages waits for its pivot column and then for everybody before the pivot row") {
    const Partition partition{2, 2, {{0, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 1, 2}}};
    const auto program = make_kernel("summa", {{"blocks", "2"}, {"stages", "separate"}}, partition);
    for (const auto& steps : record(*program).steps) {
      std::uint32_t separated = 0;
      for (std::size_t i = 0; i + 2 < steps.size(); ++i)
        if (std::holds_alternative<WaitAll>(steps[i]) && std::holds_alternative<IdealBarrier>(steps[i + 1]) &&
            std::holds_alternative<StageMark>(steps[i + 2]))
          ++separated;
      CHECK(separated == 2);  // once per iteration, empty-handed ranks included
    }
    CHECK_THROWS_WITH_AS(make_kernel("summa", {{"blocks", "2"}, {"stages", "apart"}}, partition),
                         "test: 'stages' is 'apart' (known: overlapping, separate).", InputError);
  }

  TEST_CASE("SUMMA updates each block once per iteration with a product of b x b matrices") {
    const auto program = make_kernel("summa", {{"blocks", "24"}}, columns_of(24, {5, 1, 3, 2, 8, 1, 1}));
    double flops = 0.0;
    for (const auto& steps : record(*program).steps)
      for (const Step& step : steps)
        if (const auto* work = std::get_if<Compute>(&step)) {
          flops += work->flops.si();
          CHECK(work->work == Work::dgemm);
          CHECK(2.0 * work->shape[0] * work->shape[1] * work->shape[2] == near(work->flops.si()));
        }
    CHECK(flops == near(2.0 * 24 * 24 * 24 * 32768.0));
  }

  TEST_CASE("Each rank of SUMMA receives its rows and columns of all blocks that it does not own") {
    for (const std::uint32_t ranks : {1u, 2u, 3u, 5u, 8u, 13u}) {
      std::vector<double> speeds;
      for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + (r * 5) % 7);
      const Partition partition = columns_of(24, speeds);
      const Recording recording = record(*make_kernel("summa", {{"blocks", "24"}}, partition));
      std::vector<double> received(ranks, 0.0);
      for (const auto& message : match_messages(recording).messages)
        received[index(message.to)] += message.size.si() / block_B;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        const auto& mine = partition.rectangles[r];
        CHECK(received[r] == mine.height * (24.0 - mine.width) + mine.width * (24.0 - mine.height));
      }
    }
  }

  TEST_CASE("A rank of SUMMA with an empty rectangle sends and receives and computes nothing") {
    const Partition partition = columns_of(24, {1, 0, 2});
    REQUIRE(partition.rectangles[1].area() == 0);
    const Recording recording = record(*make_kernel("summa", {{"blocks", "24"}}, partition));
    CHECK(match_messages(recording).defect == "");
    for (const Step& step : recording.steps[1]) {
      CHECK_FALSE(std::holds_alternative<Irecv>(step));
      CHECK_FALSE(std::holds_alternative<Recv>(step));
      CHECK_FALSE(std::holds_alternative<Compute>(step));
    }
  }

  TEST_CASE("A message barrier of SUMMA stays outside the measured communication phase") {
    const auto program = make_kernel("summa", {{"barrier", "dissemination"}}, fig8());
    const auto steps = record(*program).steps[0];
    CHECK(std::string(std::get<PhaseMark>(steps[1]).name) == "barrier");
    std::string phase;
    for (const Step& step : steps) {
      if (const auto* mark = std::get_if<PhaseMark>(&step)) phase = mark->name;
      const auto* sent = std::get_if<Isend>(&step);
      if (sent != nullptr) CHECK((sent->send.message == 1_B) == (phase == "barrier"));
    }
  }

  TEST_CASE("SUMMA refuses a partition that is missing or of another size or for other ranks or not in columns") {
    CHECK_THROWS_WITH_AS(make_kernel("summa", {}, 4), "summa: needs a partition of its blocks. Name an algorithm?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("summa", {{"blocks", "128"}}, fig8()),
                         "summa: the partition is 256 x 256 blocks, 'blocks' is 128 (they must agree). Set 'blocks' to "
                         "256?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        kernels().at("summa", "test").make({kernel_parameters("summa", {}), 7, std::make_shared<Partition>(fig8())}),
        "summa: the partition is for 6 ranks, the run has 7 (they must agree). Make a partition for 7 "
        "ranks?",
        InputError);
    const Partition windmill{3, 3, {{0, 0, 2, 1}, {2, 0, 1, 2}, {1, 2, 2, 1}, {0, 1, 1, 2}, {1, 1, 1, 1}}};
    REQUIRE(tiling_defect(windmill) == "");
    const Partition brick{2, 2, {{0, 0, 1, 2}, {0, 0, 2, 2}}};  // does not even tile
    CHECK_THROWS_WITH_AS(make_kernel("summa", {{"blocks", "2"}}, brick),
                         "summa: column 0 does not stand in one column of rectangles (columns of rectangles must reach "
                         "from the first row to the last). Use 'beaumont-columns'?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("summa", {{"blocks", "3"}}, windmill),
                         "summa: the rectangles at columns 0..0 end at row 0 of 3 (columns of rectangles must reach "
                         "from the first row to the last). Use 'beaumont-columns'?",
                         InputError);
  }
}
