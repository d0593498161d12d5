/// What the program/phase interface must carry, on real kernels and models, with no code for any pair of the two:
/// equations 4, 8-10 and 13-14 and the HLogGP sums of Rico-Gallego, Lastovetsky & Diaz-Martin (2016), and what equation
/// 5.4 of Meyer (2012) needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"
#include "tests/unit/models/taulop/support.hpp"

using namespace orrery;
using test::near;

namespace {

/// Ranks on nodes of one type, `node_of[r]` the node of rank r.
Layout on_nodes(const std::vector<std::uint32_t>& node_of) {
  Layout layout;
  for (const auto node : node_of) layout.placements.push_back({.node = NodeId{node}, .host = HostId{2 * node}});
  return layout;
}

Phase phase_at(const Program& program, const std::string& name, std::uint32_t iteration) {
  for (const auto& phase : build_phases(program))
    if (phase.name == name && phase.first_iteration <= iteration && iteration < phase.first_iteration + phase.repeat)
      return phase;
  FAIL("no phase '" << name << "' at iteration " << iteration);
  return {};
}

/// tau-Lop on the synthetic platform synth1 with InfiniBand, and its T(m, tau).
const std::vector<taulop::TransmissionTable>& synth1() {
  static const auto tables = test::synthetic_platforms()[2].tables;
  return tables;
}

std::unique_ptr<PhaseModel> taulop_on_synth1(const Platform& platform, const std::string& mode) {
  ModelParameters parameters{.model = "taulop", .platform = platform.name, .network = "wire", .origin = "formulas"};
  for (const auto* channel : {"shared-memory", "network"}) {
    const auto source = test::synthetic_channel(std::string(channel) == "network" ? "IB" : "SHM", true);
    ParameterTable table{.name = "channel", .labels = {{"channel", channel}, {"types", "big"}}};
    table.columns = {"message_B", "overhead_s"};
    for (std::size_t tau = 1; tau <= source.transfer.size(); ++tau)
      table.columns.push_back("L" + std::to_string(tau) + "_s");
    for (std::size_t i = 0; i < source.sizes.size(); ++i) {
      table.rows.push_back({source.sizes[i].si(), source.overhead[i].si()});
      for (const auto& row : source.transfer) table.rows.back().push_back(row[i].si());
    }
    parameters.tables.push_back(std::move(table));
  }
  return test::make_model(parameters, platform, mode);
}

/// HLogGP with equal processes: T(m) = 3 + 2 + (m - 1) / 2 in a node, 3 + 10 + (m - 1) between nodes.
std::unique_ptr<PhaseModel> slow_hloggp(const Platform& platform) {
  ModelParameters parameters{.model = "hloggp", .platform = platform.name, .network = "wire", .origin = "hand"};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    const bool network = pair.channel == ChannelKind::network;
    parameters.tables.push_back(test::table("pair", platform, pair,
                                            {"latency_s", "gap_per_byte_s_per_B", "message_min_B", "message_max_B"},
                                            {network ? 10.0 : 2.0, network ? 1.0 : 0.5, 1, 1e9}));
    if (pair.a == pair.b)
      parameters.tables.push_back(
          test::table("process", platform, pair, {"overhead_send_s", "overhead_receive_s", "gap_s"}, {1.0, 2.0, 0.0}));
  }
  return test::make_model(parameters, platform);
}

double hloggp_time(const Layout& layout, Rank from, Rank to, double m) {
  return layout.same_node(from, to) ? 5 + (m - 1) / 2 : 13 + (m - 1);
}

/// Equation 5.4 of Meyer, section 5.6.5, with its two conditions, as any PhaseModel may state it: cost of a rank in a
/// stage = 2 sum L_ij + max(O_ii, max_j O_ij), where O_jj replaces O_ij for a receiver j that was already waiting; the
/// barrier costs its longest path of stages.
class MeyerBarrier final : public PhaseModel {
 public:
  static constexpr double latency = 1.0, overhead_of_call = 0.125;
  static double overhead(Rank i, Rank j) { return 0.25 + 0.5 * static_cast<double>(index(i) + index(j)); }

  Seconds communication_time(const Phase& phase, const Layout&, std::vector<Explanation>*) const override {
    std::map<std::pair<std::uint32_t, Rank>, double> latencies, overheads;
    for (const auto& message : phase.messages) {
      const std::pair key{message.stage, message.from};
      latencies[key] += 2 * latency;
      auto& greatest = overheads.emplace(key, overhead_of_call).first->second;
      greatest = std::max(greatest, message.receiver_waiting ? overhead_of_call : overhead(message.from, message.to));
    }
    std::vector<double> path(phase.messages.size());  // cost of the dearest path that ends with the message's stage
    double longest = 0.0;
    for (std::size_t m = 0; m < path.size(); ++m) {
      const auto& message = phase.messages[m];
      const std::pair key{message.stage, message.from};
      for (const auto before : message.after) path[m] = std::max(path[m], path[before]);
      path[m] += latencies[key] + overheads[key];
      longest = std::max(longest, path[m]);
    }
    return Seconds(longest);
  }
};

/// A superstep as in Meyer, equations 1.1 and 3.15: ranks compute and transmit at once, as far as the messages leave
/// before the last computation. A second per message here; what it needs is in Phase and PredictionInput.
class Superstep final : public PhaseModel {
 public:
  Seconds communication_time(const Phase& phase, const Layout&, std::vector<Explanation>*) const override {
    std::map<Rank, double> sent;
    double greatest = 0.0;
    for (const auto& message : phase.messages) greatest = std::max(greatest, sent[message.from] += 1.0);
    return Seconds(greatest);
  }
  PhaseTime time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>*) const override {
    std::map<Rank, Seconds> busy;
    PhaseTime time{communication_time(phase, input.layout, nullptr)};
    for (const auto& item : phase.computes)
      time.computation = std::max(time.computation,
                                  busy[item.rank] += item.repeat * input.compute.compute_time(item.compute, item.rank));
    time.overlap = std::min(time.computation, time.communication);
    return time;
  }
  bool predicts_run() const override { return true; }
};

}  // namespace

TEST_SUITE("models/interface") {
  TEST_CASE("A binomial broadcast kernel under tau-Lop is equation 4 in both readings") {
    const Platform platform = test::two_types();
    for (const std::uint32_t p : {2u, 8u, 16u}) {
      const auto program = test::make_kernel("broadcast", {{"message", "64KiB"}}, p);
      const auto phase = phase_at(*program, "communication", 0);
      const Layout layout = on_nodes(std::vector<std::uint32_t>(p, 0));
      double equation_4 = 0.0;
      for (std::uint32_t senders = 1; senders < p; senders *= 2) equation_4 += synth1()[0].time(64_KiB, senders).si();
      for (const char* mode : {"algebra", "timeline"})
        CHECK(taulop_on_synth1(platform, mode)->communication_time(phase, layout).si() == near(equation_4));
    }
  }

  TEST_CASE("The summa kernel on the partition of figure 8 under tau-Lop is equations 8 and 9 joined as in 10") {
    const Platform platform = test::two_types();
    const auto program = test::make_kernel("summa", {{"blocks", "256"}}, test::fig8());
    const auto phase = phase_at(*program, "communication", 80);
    const auto t = [](std::size_t channel, double blocks, std::uint32_t tau) {
      return synth1()[channel].time(blocks * 8192_B, tau).si();
    };
    std::vector<Explanation> steps;
    const Seconds time =
        taulop_on_synth1(platform, "algebra")->communication_time(phase, on_nodes({0, 0, 0, 1, 1, 1}), &steps);
    const double equation_10 = t(1, 35, 3) + t(1, 166, 2) + t(1, 81, 1) + t(0, 116, 2) + t(0, 18, 1);
    CHECK(time.si() == near(equation_10));
    REQUIRE(steps.size() >= 2);
    CHECK(steps[0].text ==
          "pivot column: 2 || T^0(950272 B) + T^0(147456 B) + 2 || T^1(851968 B) + T^1(442368 B)");  // equation 8
    CHECK(steps[1].text == "pivot row: 3 || T^1(286720 B) + 2 || T^1(507904 B) + T^1(221184 B)");    // equation 9
  }

  TEST_CASE("The wave2d kernel on the partition of figure 9 gives rank 1 the six terms of equation 13 as one set") {
    // The text lists seven terms for the six neighbours {2, 4, 3, 6, 0, 5}: one T0(64) is printed twice (a side of p1
    // has 64 + 48 = 96 + 16 points). 'orrery show kernel wave2d' tells why.
    const auto program = test::make_kernel("wave2d", {{"points", "256"}}, test::fig9());
    const auto phase = phase_at(*program, "communication", 0);
    const Layout layout = on_nodes({1, 0, 1, 0, 1, 0, 0, 1});
    std::multimap<int, double> terms;  // channel -> doubles
    for (const auto& message : phase.messages) {
      CHECK(message.stage == 0);  // equation 14: everything progresses at once
      CHECK(message.after.empty());
      if (message.from == Rank{1}) terms.emplace(layout.same_node(Rank{1}, message.to) ? 0 : 1, message.size.si() / 8);
    }
    std::vector<double> memory, network;
    for (const auto& [channel, points] : terms) (channel == 0 ? memory : network).push_back(points);
    std::ranges::sort(memory);
    std::ranges::sort(network);
    CHECK(memory == std::vector<double>{16, 64, 64});
    CHECK(network == std::vector<double>{48, 64, 96});
  }

  TEST_CASE("The kernels under HLogGP are the sums of sections 4.1 and 4.2") {
    const Platform platform = test::two_types();
    const auto model = slow_hloggp(platform);
    const Layout six = on_nodes({0, 0, 0, 1, 1, 1});
    const auto p = test::fig8();
    const auto summa = test::make_kernel("summa", {{"blocks", "256"}}, p);
    const std::uint32_t k = 80;
    std::vector<double> owner(6, 0.0);       // pivot column: sum over the ranks it overlaps
    std::map<std::uint32_t, double> column;  // pivot row: sum over the column
    for (std::uint32_t i = 0; i < 6; ++i)
      for (std::uint32_t j = 0; j < 6; ++j) {
        const auto &mine = p.of(Rank{i}), &other = p.of(Rank{j});
        if (i == j) continue;
        if (mine.has_column(k) && shared_rows(mine, other) > 0)
          owner[i] += hloggp_time(six, Rank{i}, Rank{j}, 8192.0 * shared_rows(mine, other));
        if (mine.has_row(k) && mine.x == other.x)
          column[mine.x] += hloggp_time(six, Rank{i}, Rank{j}, 8192.0 * mine.width);
      }
    const double dearest_column = std::ranges::max_element(column, {}, [](const auto& c) { return c.second; })->second;
    CHECK(model->communication_time(phase_at(*summa, "communication", k), six).si() ==
          near(std::ranges::max(owner) + dearest_column, 1e-12));

    const auto q = test::fig9();
    const Layout eight = on_nodes({1, 0, 1, 0, 1, 0, 0, 1});
    const auto wave = phase_at(*test::make_kernel("wave2d", {{"points", "256"}}, q), "communication", 0);
    std::vector<double> sums(8, 0.0);
    for (const auto& m : wave.messages) sums[index(m.from)] += hloggp_time(eight, m.from, m.to, m.size.si());
    CHECK(model->communication_time(wave, eight).si() == near(std::ranges::max(sums), 1e-12));
  }

  TEST_CASE("A model of phases may charge computation and what of it hides communication") {
    test::Run run{{test::phase_of({{0, 1, 8}, {0, 2, 8}})}};
    run.phases[0].computes = {{Rank{1}, {.flops = Flops(2.0)}, 3}};
    const PhaseTime time = Superstep().time(run.phases[0], run.input(), nullptr);
    CHECK(time.communication.si() == 2.0);
    CHECK(time.computation.si() == 6.0);
    CHECK(time.overlap.si() == 2.0);
    CHECK(time.total().si() == 6.0);  // max(T_comp, T_comm)
  }

  TEST_CASE("The phases of linear and tree barriers carry what equation 5.4 of Meyer needs") {
    const auto cost = [](const char* algorithm) {
      const auto phases = build_phases(*test::make_kernel("barrier", {{"algorithm", algorithm}}, 4));
      for (const auto& phase : phases)
        if (!phase.messages.empty()) return MeyerBarrier().communication_time(phase, Layout{}, nullptr).si();
      return 0.0;
    };
    const auto o = [](std::uint32_t i, std::uint32_t j) { return MeyerBarrier::overhead(Rank{i}, Rank{j}); };
    // Figure 5.2: ranks 1 to 3 signal 0, which answers all three; rank 3 arrives dearest and none was idle before.
    CHECK(cost("linear") == (2.0 + o(3, 0)) + (6.0 + std::max({o(0, 1), o(0, 2), o(0, 3)})));
    // Figure 5.4: 3 -> 2, 2 -> 0, 0 -> 2, and in the last stage 3 has been waiting for two stages: O_33 replaces O_23.
    CHECK(cost("tree") == (2.0 + o(3, 2)) + (2.0 + o(2, 0)) + (2.0 + o(0, 2)) + (2.0 + MeyerBarrier::overhead_of_call));
  }
}
