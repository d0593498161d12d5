/// Barriers by Meyer's matrices: the signals between ranks, stage by stage, weighted by the cost of a signal per pair.
///
/// The formula, its two conditions and its table of symbols are in models/barrier/pattern_cost.hpp.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, chapter 5
/// Valid    messages of negligible length: their sizes are not looked at
/// Checked  tests/unit/models/barrier_matrix_test.cpp, tests/unit/models/barrier/pattern_cost_test.cpp
#include <fmt/format.h>

#include "models/barrier/cost_parameters.hpp"
#include "models/barrier/phase_pattern.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::barrier_matrix_model {

namespace {

class BarrierMatrix final : public PhaseModel {
 public:
  explicit BarrierMatrix(const ModelInput& input)
      : parameters_(input.parameters),
        platform_(input.platform),
        acknowledged_(input.variant.find("acknowledgement=none") == std::string::npos) {}

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const StagePattern pattern = pattern_of(phase);
    SignalCosts costs = signal_costs(parameters_, platform_, layout);
    costs.acknowledged = acknowledged_;
    const PatternCost cost = pattern_cost(pattern, costs);
    if (steps != nullptr)
      for (std::size_t s = 0; s < cost.path.size(); ++s)
        steps->push_back({fmt::format("stage {}: rank {} signals {}", s, cost.path[s].rank,
                                      pattern.stages[s].sent_by(cost.path[s].rank).size()),
                          cost.path[s].cost});
    return cost.total;
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    Bytes greatest;
    for (const Phase& phase : input.phases)
      if (phase.name == input.compared_phase)
        for (const Message& message : phase.messages) greatest = std::max(greatest, message.size);
    if (greatest <= signal_max) return {};
    return {
        fmt::format("messages of up to {} cost what a signal costs: their bytes are not counted", to_text(greatest))};
  }

 private:
  static constexpr Bytes signal_max{64.0};
  ModelParameters parameters_;
  const Platform& platform_;
  bool acknowledged_;
};

const bool entered = models().add(
    {.name = "barrier-matrix",
     .summary = "barriers by matrices: cost(s, i) = 2 sum_j L_ij S_s(i, j) + max_j O_ij S_s(i, j)",
     .source = "Meyer, doctoral thesis, NTNU, 2012, equation 5.4",
     .page =
         "cost(s, i) = sum_j (L_ij + L_ji) S_s(i, j) + max_j O_ij S_s(i, j)      S_s(i, j) = 1: i signals j in stage "
         "s\n"
         "  at least O_ii, which a rank that signals nobody pays as well\n"
         "  O_jj instead of O_ij where j is known to wait: the last thing it did was to signal i, a stage ago or more\n"
         "T(phase) = the dearest path over the stages, from a rank to itself or to whom it signals\n\n"
         "Parameters, by channel and pair of node types (table 'pair')\n"
         "  invocation_s  s  O_ii, a stage's call without requests (kernel barrier-stage, signals=0)\n"
         "  overhead_s    s  O_ij, slope of the time of n signals over n (kernel barrier-stage)\n"
         "  latency_s     s  L_ij, ping-pong's line at 0 B\n"
         "or matrices O (its diagonal is O_ii) and L by cores, or by nodes ('orrery calibrate --pairs cores')\n"
         "'orrery barrier' prints costs, proofs and the best barrier by this model",
     .assumptions =
         {"a signal is acknowledged over the same link (option acknowledgement)",
          "the signals that a rank sends at once add their latencies",
          "signals of different ranks do not slow each other down, whatever they share",
          "sizes of messages do not count",
          "L is where a line of least squares begins: with twice the bandwidth it may grow, and a barrier be "
          "predicted up to 15 % slower"},
     .options = {word_key("acknowledgement", "counted",
                          "counted: a signal costs 2 L, as in equation 5.4; none: L, if sends need no answer",
                          {"counted", "none"})},
     .matrices =
         {{"O", "s", {MatrixRows::cores, MatrixRows::nodes}, "overhead of a signal; by cores O_ii on the diagonal"},
          {"L", "s", {MatrixRows::cores, MatrixRows::nodes}, "latency of a signal"}},
     .plan = [](const Platform& platform, const Network& network,
                const CalibrationRange& range) { return barrier_cost_plan(platform, network, range); },
     .fit = fit_barrier_costs,
     .make = [](const ModelInput& input) { return std::make_unique<BarrierMatrix>(input); }});

}  // namespace

}  // namespace orrery::barrier_matrix_model
