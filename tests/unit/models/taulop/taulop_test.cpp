#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "kernels/kernel.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"
#include "tests/unit/models/taulop/support.hpp"

namespace orrery::test {

namespace {

ParameterTable parameter_table(const std::string& channel, const std::string& text_name, const std::string& types) {
  const auto source = synthetic_channel(text_name, true);
  ParameterTable table{
      .name = "channel", .labels = {{"channel", channel}, {"types", types}}, .columns = {}, .rows = {}};
  table.columns = {"message_B", "overhead_s"};
  for (std::size_t tau = 1; tau <= source.transfer.size(); ++tau)
    table.columns.push_back("L" + std::to_string(tau) + "_s");
  for (std::size_t i = 0; i < source.sizes.size(); ++i) {
    table.rows.push_back({source.sizes[i] / 1_B, source.overhead[i] / 1_s});
    for (const auto& row : source.transfer) table.rows.back().push_back(row[i] / 1_s);
  }
  return table;
}

/// synth1 with InfiniBand on nodes 'big' and 'small'; between them the network is that of TCP.
ModelParameters parameters() {
  return {.model = "taulop",
          .platform = "two-types",
          .network = "wire",
          .origin = "formulas",
          .tables = {parameter_table("shared-memory", "SHM", "big"), parameter_table("shared-memory", "SHM", "small"),
                     parameter_table("network", "IB", "big"), parameter_table("network", "IB", "small"),
                     parameter_table("network", "TCP", "big,small")}};
}

std::unique_ptr<PhaseModel> model(const std::string& mode) { return make_model(parameters(), two_types(), mode); }

/// Ranks 0..2 on node 0 and 3..5 on node 1, both 'big'.
Layout fig8_layout() {
  Layout layout;
  for (std::uint32_t r = 0; r < 6; ++r) layout.placements.push_back({.node = fig8_node(r), .host = HostId{r / 3}});
  return layout;
}

/// The communication of one iteration of a kernel on the partition of Fig. 8.
Phase fig8_phase(const std::string& kernel, std::uint32_t iteration) {
  const auto& entry = kernels().at(kernel, "test");
  KernelInput input{
      .parameters = Parameters(entry.parameters), .ranks = 6, .partition = std::make_shared<Partition>(fig8())};
  if (kernel == "wave2d") input.parameters.set("points", "256", "test");
  const auto program = entry.make(input);
  for (const auto& phase : build_phases(*program))
    if (phase.name == "communication" && phase.first_iteration <= iteration &&
        iteration < phase.first_iteration + phase.repeat)
      return phase;
  FAIL("no such phase");
  return {};
}

Seconds t(std::size_t channel, double blocks, std::uint32_t concurrency = 1) {
  static const auto tables = synthetic_platforms()[2].tables;  // synth1_IB
  return tables[channel].time(blocks * 8192_B, concurrency);
}

}  // namespace

TEST_SUITE("models/taulop") {
  TEST_CASE("A train of messages costs what its messages cost one after another with an overhead each") {
    for (const char* mode : {"timeline", "algebra"}) {
      INFO(mode);
      const auto phase_time = [&](const Phase& phase) {
        return model(mode)->communication_time(phase, fig8_layout(), nullptr);
      };
      Phase train = test::phase_of({{0, 3, 5 * 8192.0}, {1, 2, 8192.0, 1, {0}}}),
            one = test::phase_of({{0, 3, 8192.0}});
      const Phase last = test::phase_of({{1, 2, 8192.0}});
      train.messages[0].repeat = 5;
      CHECK(phase_time(train).si() == near((5.0 * phase_time(one) + phase_time(last)).si(), 1e-12));
    }
  }

  TEST_CASE("Messages longer than the tables and more at a time than they have are noted") {
    const auto tau_lop = model("timeline");
    test::Run run{{test::phase_of({{0, 3, 8192.0}})}};
    run.layout = fig8_layout();
    CHECK(tau_lop->notes(run.input()).empty());
    run.phases[0].messages[0].size = Bytes(1e9);
    REQUIRE(tau_lop->notes(run.input()).size() == 1);
    CHECK(tau_lop->notes(run.input())[0].starts_with("1 message of "));
    CHECK(tau_lop->notes(run.input())[0].ends_with(": longer ones are taken as several"));
    run.phases = {test::phase_of({{0, 3, 8.0}, {1, 3, 8.0}, {2, 3, 8.0}})};
    while (run.phases[0].messages.size() < 40) run.phases[0].messages.push_back(run.phases[0].messages[0]);
    REQUIRE(tau_lop->notes(run.input()).size() == 1);
    CHECK(tau_lop->notes(run.input())[0].starts_with(
        "more messages at a time through one channel into one node than the "));
    // One after another they are one at a time.
    test::declare(run.phases[0], {"level"});
    CHECK(tau_lop->notes(run.input()).empty());
  }

  TEST_CASE("TauLop yields equation 10 for iteration 80 of SUMMA from the kernel and the partition alone") {
    const auto phase = fig8_phase("summa", 80);
    std::vector<Explanation> steps;
    const auto time = model("algebra")->communication_time(phase, fig8_layout(), &steps);
    CHECK(time == near(t(1, 35, 3) + t(1, 166, 2) + t(1, 81) + t(0, 116, 2) + t(0, 18), 1e-12));
    REQUIRE(steps.size() == 7);
    CHECK(steps[0].text ==
          "pivot column: 2 || T^0(950272 B) + T^0(147456 B) + 2 || T^1(851968 B) + T^1(442368 B)");  // eq. (8)
    CHECK(steps[1].text == "pivot row: 3 || T^1(286720 B) + 2 || T^1(507904 B) + T^1(221184 B)");    // eq. (9)
    CHECK(steps[2].text == "2 || T^0(950272 B)");
    CHECK(steps[2].cost == near(t(0, 116, 2), 1e-12));
  }

  TEST_CASE("TauLop drops the last shared memory of equation 8 in its other rule") {
    const auto time = model("algebra-dropping")->communication_time(fig8_phase("summa", 80), fig8_layout());
    CHECK(time == near(t(1, 35, 3) + t(1, 166, 2) + t(1, 81) + t(0, 116, 2), 1e-12));
  }

  TEST_CASE("TauLop's timeline of SUMMA is the authors' library's when receivers are listed column by column") {
    const auto p = fig8();
    const auto timeline = model("timeline overhead=per-slice");
    Seconds total;
    for (const std::uint32_t change : {0u, 124u, 134u, 146u, 152u, 221u}) {  // iterations where an owner changes
      auto phase = fig8_phase("summa", change);
      std::ranges::stable_sort(phase.messages, {}, [&](const Message& m) {
        return std::tuple(m.stage, m.from, p.of(m.to).x, p.of(m.to).y);
      });
      total += static_cast<double>(phase.repeat) * timeline->communication_time(phase, fig8_layout());
    }
    for (const auto& row : golden("summa"))
      if (row.at("what") == "SUMMA_total" && row.at("mode") == "P2P")
        CHECK(total.si() == near(std::stod(row.at("synth1_IB")), 5e-6));
  }

  TEST_CASE("TauLop unless told otherwise steps through time and charges each message one overhead") {
    const auto both = phase_of({{0, 1, 8192}, {2, 1, 4096}});  // into one node, from two: 1 through memory
    const auto default_time = model("")->communication_time(both, six_ranks());
    CHECK(default_time == model("timeline")->communication_time(both, six_ranks()));
    CHECK(default_time == model("timeline overhead=once")->communication_time(both, six_ranks()));
    const auto two = phase_of({{0, 2, 8192}, {1, 2, 4096}});
    const Seconds free = model("timeline overhead=none-on-network")->communication_time(two, six_ranks());
    CHECK(model("timeline")->communication_time(two, six_ranks()) - free == near(2_us, 1e-9));
    CHECK(model("timeline overhead=per-slice")->communication_time(two, six_ranks()) - free == near(4_us, 1e-9));
    CHECK(model("algebra")->communication_time(two, six_ranks()) - free == near(4_us, 1e-9));
    CHECK(model("algebra overhead=once")->communication_time(two, six_ranks()) - free == near(2_us, 1e-9));
    CHECK(model("algebra-dropping overhead=none-on-network")->communication_time(two, six_ranks()) ==
          near(free, 1e-12));
  }

  TEST_CASE("TauLop composes Wave2D as a set in which the dearer channel counts as in equations 13 and 14") {
    const auto phase = fig8_phase("wave2d", 0);
    std::vector<Explanation> steps;
    const auto time = model("algebra")->communication_time(phase, fig8_layout(), &steps);
    std::uint32_t on_network = 0;
    for (const auto& message : phase.messages) on_network += fig8_layout().same_node(message.from, message.to) ? 0 : 1;
    Seconds sum;
    for (const auto& step : steps) sum += step.cost;
    CHECK(sum == near(time, 1e-12));
    REQUIRE(steps.size() > 1);
    CHECK(steps[1].text.starts_with(std::to_string(on_network) + " || T^1("));
  }

  TEST_CASE("TauLop steps through the messages of a program that declares no stages") {
    const auto chain = phase_of({{0, 1, 8192}, {1, 2, 8192, 1, {0}}});
    CHECK(model("timeline")->communication_time(chain, six_ranks()) == near(t(0, 1) + t(1, 1), 1e-12));
    CHECK(model("algebra")->communication_time(chain, six_ranks()) == near(t(0, 1) + t(1, 1), 1e-12));
  }

  TEST_CASE("TauLop gives a pair of node types its own table and a mixed channel the dearest") {
    const auto tcp = taulop::rdma_transmission(synthetic_channel("TCP", true)).time(8192_B, 1);
    CHECK(model("algebra")->communication_time(phase_of({{0, 3, 8192}}), six_ranks()) == near(tcp, 1e-12));
    const auto both = phase_of({{0, 2, 8192}, {3, 2, 8192}});
    const auto tcp_of_two = taulop::rdma_transmission(synthetic_channel("TCP", true)).time(8192_B, 2);
    for (const char* mode : {"algebra", "timeline overhead=per-slice"})
      CHECK(model(mode)->communication_time(both, six_ranks()) == near(tcp_of_two, 1e-12));
    // Each in its own time: the fast one has arrived when the overhead of the slow one has elapsed.
    CHECK(model("timeline")->communication_time(both, six_ranks()) == near(tcp, 1e-12));
  }

  TEST_CASE("TauLop adds the memory of both ends where the network copies") {
    auto platform = two_types();
    platform.networks[0].protocol.copies = {1, 1};
    const auto time =
        make_model(parameters(), platform, "algebra")->communication_time(phase_of({{0, 2, 8192}}), six_ranks());
    CHECK(time == near(t(1, 1) + 8192_B * SecondsPerByte(2e-10), 1e-12));
  }

  TEST_CASE("TauLop refuses what it cannot use") {
    auto missing = parameters();
    missing.tables.pop_back();
    const auto incomplete = make_model(missing, two_types(), "timeline");
    CHECK_THROWS_WITH_AS(incomplete->communication_time(phase_of({{0, 3, 1}}), six_ranks()),
                         "taulop: no parameters for channel 'network' between nodes 'big' and 'small'. Calibrate it on "
                         "this platform?",
                         InputError);
    auto no_overhead = parameters();
    no_overhead.tables[0].columns[1] = "o_s";
    CHECK_THROWS_WITH_AS(
        make_model(no_overhead, two_types(), "timeline"),
        "taulop: table 'channel' shared-memory big: no column 'overhead_s' (there are message_B, o_s, L1_s, "
        "L2_s, L3_s, L4_s, L5_s, L6_s, L7_s, L8_s). Add it?",
        InputError);
    auto short_row = parameters();
    short_row.tables[0].rows[3].pop_back();
    CHECK_THROWS_WITH_AS(make_model(short_row, two_types(), "timeline"),
                         "taulop: table 'channel' shared-memory big: a row of 9 values under 10 columns", InputError);
    CHECK_THROWS_WITH_AS(
        model("timelin"),
        "taulop: model 'taulop' has no mode 'timelin' (known: algebra, algebra-dropping, timeline). Did you mean "
        "'timeline'?",
        InputError);
    auto platform = two_types();
    platform.networks[0].protocol.copies = {1, 1};
    auto no_memory = parameters();
    no_memory.tables.erase(no_memory.tables.begin());
    CHECK_THROWS_WITH_AS(make_model(no_memory, platform, "algebra"),
                         "taulop: network 'wire' copies through memory, and there is no table of channel "
                         "'shared-memory' for nodes 'big'. Calibrate it on this platform?",
                         InputError);
  }
}

}  // namespace orrery::test
