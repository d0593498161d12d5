#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>

#include "kernels/kernel.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/asleep.hpp"
#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/trace_of.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;

namespace {

class OneSecond final : public ComputeModel {
 public:
  std::string description() const override { return "1 s"; }
  Seconds compute_time(const Compute&, Rank) const override { return 1_s; }
};

using Settings = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Program> play(const Trace& trace, std::uint32_t ranks, const Settings& settings = {}) {
  const KernelEntry& kernel = kernels().at("trace", "test");
  Parameters parameters(kernel.parameters);
  for (const auto& [name, value] : settings) parameters.set(name, value, "test");
  return kernel.make({parameters, ranks, nullptr, std::make_shared<const Trace>(trace)});
}

std::unique_ptr<Program> play(const std::string& text, std::uint32_t ranks, const Settings& settings = {}) {
  return play(config::parse_ti(text, "t.ti"), ranks, settings);
}

const Send* sent_by(const Step& step) {
  const auto* isend = std::get_if<Isend>(&step);
  return isend != nullptr ? &isend->send : std::get_if<Send>(&step);
}

/// The steps of all ranks as the lines of a trace: a text in which programs can be compared.
std::string text_of(const Program& program) { return config::ti_text(trace_of(program, OneSecond{}, "test")); }

}  // namespace

TEST_SUITE("kernels/trace") {
  TEST_CASE("Every kernel exported as a trace and played again makes the same steps") {
    std::size_t compared = 0;
    for (const std::string name : {"pingpong", "ring", "barrier", "broadcast"}) {
      INFO(name);
      const KernelEntry& kernel = kernels().at(name, "test");
      Parameters parameters(kernel.parameters);
      const auto original = kernel.make({parameters, 6, nullptr});
      const Trace exported = trace_of(*original, OneSecond{}, "test");
      const Trace again = config::parse_ti(config::ti_text(exported), "again");
      CHECK(text_of(*play(again, 6)) == text_of(*original));
      ++compared;
    }
    CHECK(compared == 4);
  }

  TEST_CASE("Trains and collectives survive a trace file") {
    for (const auto& [name, settings] : std::vector<std::pair<std::string, Settings>>{
             {"hpl", {{"order", "29"}, {"block", "4"}, {"collapse-pivots", "true"}}},
             {"himeno", {{"iterations", "2"}}},
             {"collective", {{"operation", "alltoallv"}, {"weights", "1,2,3"}, {"communicator", "rows"}}}}) {
      INFO(name);
      const KernelEntry& kernel = kernels().at(name, "test");
      Parameters parameters(kernel.parameters);
      for (const auto& [key, value] : settings) parameters.set(key, value, "test");
      const auto original = kernel.make({parameters, 6, nullptr});
      const std::string text = text_of(*original);
      CHECK((text.find(name == "hpl" ? " train " : " begin ") != std::string::npos));
      CHECK(text_of(*play(config::parse_ti(text, "again"), 6)) == text);
    }
  }

  TEST_CASE("Compute amounts are flops of the host unless the trace or the user says for which hosts they are") {
    const std::string text = "0 init\n0 compute 3e9\n0 sleep 2\n0 finalize\n";
    const auto computes = [](const Program& program) {
      std::vector<Compute> result;
      const Recording recording = record(program);
      for (const Step& step : recording.steps[0])
        if (const auto* work = std::get_if<Compute>(&step)) result.push_back(*work);
      return result;
    };
    CHECK(computes(*play(text, 1))[0].work == Work::generic);
    CHECK(computes(*play(text, 1))[0].flops == Flops(3e9));
    CHECK(computes(*play(text, 1))[1].work == Work::elapsed);
    CHECK(computes(*play(text, 1))[1].flops == Flops(2e9));
    CHECK(is_asleep(computes(*play(text, 1))[1]));
    CHECK_FALSE(is_asleep(computes(*play(text, 1, {{"speed", "1.5Gflop/s"}}))[0]));
    const auto timed = computes(*play(text, 1, {{"speed", "1.5Gflop/s"}}));
    CHECK(timed[0].work == Work::elapsed);
    CHECK(timed[0].flops == Flops(2e9));
    CHECK(computes(*play("#orrery 0 speed 6e9\n" + text, 1))[0].flops == Flops(0.5e9));
    CHECK(computes(*play(text, 1, {{"compute", "false"}})).empty());
  }

  TEST_CASE("A reduction whose time a trace states costs that and not the rate of the platform") {
    const KernelEntry& kernel = kernels().at("trace", "test");
    Layout layout;
    for (std::uint32_t r = 0; r < 2; ++r)
      layout.placements.push_back({NodeId{r}, HostId{r}, 0, 1, false, 0, {.reduction = true, .copy = true}});
    const auto works = [&](const std::string& flops) {
      const std::string text = "0 allreduce 8 " + flops + "\n1 allreduce 8 " + flops + "\n";
      const auto program = kernel.make({Parameters(kernel.parameters), 2, nullptr,
                                        std::make_shared<const Trace>(config::parse_ti(text, "t.ti")), &layout});
      std::vector<Work> found;
      const Recording recording = record(*program);
      for (const Step& step : recording.steps[0])
        if (const auto* compute = std::get_if<Compute>(&step)) found.push_back(compute->work);
      return found;
    };
    CHECK(works("5") == std::vector{Work::generic});
    CHECK(works("0") == std::vector{Work::buffer_copy, Work::reduction});
  }

  TEST_CASE("A collective of a trace takes the algorithm that is named where its operation has it") {
    const std::string text = "0 bcast 8 0\n1 bcast 8 0\n2 bcast 8 0\n3 bcast 8 0\n";
    const auto sends_of_root = [&](const std::string& choice) {
      std::size_t sends = 0;
      const Recording recording = record(*play(text, 4, {{"collectives", choice}}));
      for (const Step& step : recording.steps[0])
        sends += std::holds_alternative<Send>(step) || std::holds_alternative<Isend>(step);
      return sends;
    };
    CHECK(sends_of_root("flattree") == 3);
    CHECK(sends_of_root("binomial_tree") == 2);
    CHECK(sends_of_root("lr") == sends_of_root("openmpi"));  // an allreduce
  }

  TEST_CASE("A collective of a communicator is messages among its ranks only") {
    std::string text;
    for (int rank = 0; rank < 4; ++rank)
      text += fmt::format(
          "{0} init\n#orrery {0} on {1} {2}:2:2\n{0} bcast 100 1 6\n#orrery {0} on {1} {2}:2:2\n{0} allreduce 8 0 "
          "6\n{0} finalize\n",
          rank, 1 + rank % 2, rank % 2);
    const Recording recording = record(*play(text, 4, {{"collectives", "rdb"}}));
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      int messages = 0;
      for (const Step& step : recording.steps[rank])
        if (const Send* sent = sent_by(step); sent != nullptr) {
          CHECK(index(sent->to) % 2 == rank % 2);
          CHECK(sent->communicator == Communicator{2 + rank % 2});
          ++messages;
        }
      CHECK(messages == (rank < 2 ? 1 : 2));  // the root, member 1, sends the broadcast; both exchange the sum
    }
  }

  TEST_CASE("A scan of listed ranks goes from each member to all behind it") {
    std::string text;
    for (const int rank : {0, 1, 3}) text += fmt::format("#orrery {0} on 1 3,0,1\n{0} scan 100 0 6\n", rank);
    const Recording recording = record(*play(text + "2 compute 1\n", 4));
    const auto sent = [&](std::uint32_t rank) {
      std::vector<Rank> to;
      for (const Step& step : recording.steps[rank])
        if (const Send* send = sent_by(step)) to.push_back(send->to);
      return to;
    };
    CHECK(sent(3) == std::vector{Rank{0}, Rank{1}});
    CHECK(sent(0) == std::vector{Rank{1}});
    CHECK(sent(1).empty());
  }

  TEST_CASE("The flops of a reduction follow its messages") {
    const auto steps = record(*play("0 allreduce 8 500\n1 allreduce 8 500\n", 2)).steps[0];
    REQUIRE(std::holds_alternative<Compute>(steps.back()));
    CHECK(std::get<Compute>(steps.back()).flops == 500_flop);
  }

  TEST_CASE("Equal iterations of a trace are one phase with a repeat count") {
    std::string text;
    for (int rank = 0; rank < 2; ++rank)
      for (int k = 0; k < 5; ++k)
        text += fmt::format(
            "#orrery {0} iteration {1}\n#orrery {0} phase communication\n{0} irecv {2} 1 8\n{0} isend {2} 1 8\n"
            "{0} wait {0} {2} 1\n{0} wait {2} {0} 1\n",
            rank, k, 1 - rank);
    const auto phases = build_phases(*play(text, 2));
    REQUIRE(phases.size() == 1);
    CHECK(phases[0].name == "communication");
    CHECK(phases[0].repeat == 5);
    CHECK(phases[0].messages.size() == 2);
  }

  TEST_CASE("A trace without a file or with another number of ranks is refused") {
    const KernelEntry& kernel = kernels().at("trace", "test");
    CHECK_THROWS_WITH_AS(
        kernel.make({Parameters(kernel.parameters), 2, nullptr}),
        "trace: no file is named (a TI trace, its index, or a GOAL schedule). Write '--param file=FILE'?", InputError);
    CHECK_THROWS_WITH_AS(play("0 init\n0 finalize\n", 2),
                         "trace: 't.ti' has 1 ranks, the layout places 2 (they must agree). Write '--ranks 1'?",
                         InputError);
    CHECK_THROWS_AS(play("0 barrier\n", 1, {{"collectives", "telepathy"}}), InputError);
  }
}
