/// Meyer's matrix model: supersteps as requirements and costs of each process and pair, with overlap.
///
///   (Rcomp (x) Ckernel) s  +  (Rmessages (x) L + Rdata (x) beta) s                                (3.15)
///   T_i = (Tcomp - T'comp) + (Tcomm - T'comm) + max(T'comp, T'comm)     of process i, ' maskable    (1.4)
///   T   = max_i T_i + Tsync
///
///   Rcomp      [p x k]  flop  work of each kind                  Ckernel  [p x k]  s/flop  by the run's compute model
///   Rmessages  [p x p]  1     messages                           L        [p x p]  s       latency
///   Rdata      [p x p]  B     their bytes                        beta     [p x p]  s/B     inverse bandwidth
///
/// Maskable is a program's computation between posting a message and waiting for it, and the messages in flight then.
/// Phases called 'barrier' are Tsync: the most expensive path of equation 5.4 (models/barrier/pattern_cost.hpp),
/// signals not acknowledged; models/superstep_sync.hpp has the cost of those with payload.
///
///   mode predictor   the program of figures 8.8 and 8.9 as printed (models/superstep_predictor.hpp): all computation
///                    of a superstep can be masked, signals are acknowledged (2 L)
///   mode border      the same with figure 8.17 for kernel 'stencil'
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, equations 1.4 and 3.8 to 3.16, figures 8.8, 8.9 and 8.17
/// Valid    communication that its senders pay for; overlap within a phase
/// Checked  tests/unit/models/bsp_matrix_test.cpp, tests/unit/models/requirement_matrices_test.cpp,
///          tests/unit/models/superstep_predictor_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/barrier/pattern_cost.hpp"
#include "models/barrier/phase_pattern.hpp"
#include "models/pair_costs.hpp"
#include "models/superstep.hpp"
#include "models/superstep_predictor.hpp"
#include "models/superstep_sync.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"

namespace orrery::bsp_matrix_model {

namespace {

constexpr const char* stencil = "stencil";

enum class Mode : std::uint8_t { equations, predictor, border };

class BspMatrix final : public PhaseModel {
 public:
  explicit BspMatrix(const ModelInput& input)
      : mode_(mode_of(parts_of(models().at("bsp-matrix", "bsp-matrix"), input.variant).mode)),
        costs_("bsp-matrix", input.parameters, input.platform) {}

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    if (phase.messages.empty()) return {};
    if (is_barrier(phase)) return synchronisation(phase, layout, steps);
    if (mode_ != Mode::equations) return predicted_communication(phase, layout, steps);
    const SuperstepTimes times = communication_times(phase, links(layout));
    const std::size_t rank = times.slowest();
    if (steps != nullptr) steps->push_back({communication_of(phase, rank), times.communication[rank]});
    return times.communication[rank];
  }

  PhaseTime time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const override {
    if (is_barrier(phase)) return {.communication = synchronisation(phase, input.layout, steps)};
    if (mode_ == Mode::predictor) return predicted(phase, input, steps);
    if (mode_ == Mode::border) return of_border(phase, input, steps);
    const SuperstepTimes times = superstep_times(phase, links(input.layout), input.compute);
    if (times.computation.empty()) return {};
    const std::size_t rank = times.slowest();
    if (steps != nullptr) {
      if (!phase.messages.empty()) steps->push_back({communication_of(phase, rank), times.communication[rank]});
      if (!phase.computes.empty()) steps->push_back({computation_of(times, rank), times.computation[rank]});
      if (times.overlap(rank) > Seconds{}) steps->push_back({"of that at once", -1.0 * times.overlap(rank)});
    }
    return {times.communication[rank], times.computation[rank], times.overlap(rank)};
  }

  std::vector<std::string> notes(const PredictionInput& input) const override;
  bool predicts_run() const override { return true; }

 private:
  static Mode mode_of(const std::string& word) {
    return word == "equations" ? Mode::equations : word == "predictor" ? Mode::predictor : Mode::border;
  }

  LinkCosts links(const Layout& layout) const {
    const auto cost = costs_.between(layout);
    return {[cost](Rank i, Rank j) { return cost(i, j).latency; }, [cost](Rank i, Rank j) { return cost(i, j).beta; }};
  }

  static std::string communication_of(const Phase& phase, std::size_t rank) {
    std::uint64_t messages = 0;
    for (const Message& message : phase.messages) messages += index(message.from) == rank ? message.repeat : 0;
    return fmt::format("communication of rank {}: {} message{}", rank, messages, messages == 1 ? "" : "s");
  }
  static std::string computation_of(const SuperstepTimes& times, std::size_t rank) {
    Seconds sum;
    for (const Seconds time : times.computation) sum += time;
    return fmt::format("computation of rank {}, {:.3f} of the mean", rank,
                       times.computation[rank] / (sum / static_cast<double>(times.computation.size())));
  }

  /// The dearest path through the stages: equation 5.4; where a message map travels along, figure 6.2.
  Seconds synchronisation(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const {
    const auto cost = costs_.between(layout);
    if (carries_payload(phase)) {
      const Seconds time =
          mode_ == Mode::equations ? sync_as_messages(phase, cost) : sync_of_parameter_6_2(phase, cost);
      if (steps != nullptr)
        steps->push_back({fmt::format("synchronisation with payload in {} stages", phase.stages.size()), time});
      return time;
    }
    const SignalCosts signals{
        .ranks = phase.ranks,
        .invocation = [](std::uint32_t) { return Seconds{}; },
        .overhead = [&](std::uint32_t i, std::uint32_t j) { return cost(Rank{i}, Rank{j}).overhead; },
        .latency = [&](std::uint32_t i, std::uint32_t j) { return cost(Rank{i}, Rank{j}).latency; },
        .acknowledged = mode_ != Mode::equations};
    const Seconds total = pattern_cost(pattern_of(phase), signals).total;
    if (steps != nullptr) steps->push_back({fmt::format("synchronisation in {} stages", phase.stages.size()), total});
    return total;
  }

  Seconds predicted_communication(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const {
    const auto cost = costs_.between(layout);
    const Seconds time =
        parameter_8_9_communication(phase, links(layout), [&](Rank i, Rank j) { return cost(i, j).overhead; });
    if (steps != nullptr) steps->push_back({"communication of the dearest rank, by its dearest destination", time});
    return time;
  }

  static Seconds longest_computation(const Phase& phase, const PredictionInput& input) {
    std::vector<Seconds> busy(std::max(1u, phase.ranks));
    for (const ComputeItem& item : phase.computes)
      busy[index(item.rank)] += static_cast<double>(item.repeat) * input.compute.compute_time(item.compute, item.rank);
    return std::ranges::max(busy);
  }

  static bool communicates(const Phase& phase) { return !phase.messages.empty() && !is_barrier(phase); }

  /// Figure 8.9: what a superstep computes before its messages counts with them.
  PhaseTime predicted(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const {
    const auto of_superstep = [&](const Phase& other) {
      return other.first_iteration == phase.first_iteration && other.repeat == phase.repeat;
    };
    if (!communicates(phase)) {
      const bool counted = std::ranges::any_of(
          input.phases, [&](const Phase& other) { return communicates(other) && of_superstep(other); });
      return {.computation = counted ? Seconds{} : longest_computation(phase, input)};
    }
    // Of several exchanges of a superstep the first has its computation.
    const bool is_first = &*std::ranges::find_if(input.phases, [&](const Phase& other) {
      return communicates(other) && of_superstep(other);
    }) == &phase;
    Seconds computation;
    for (const Phase& other : input.phases)
      if (&other == &phase || (is_first && !communicates(other) && of_superstep(other)))
        computation += longest_computation(other, input);
    const Seconds communication = predicted_communication(phase, input.layout, steps);
    const Seconds overlap = std::min(computation, communication);
    if (steps != nullptr) {
      steps->push_back({"computation of the superstep", computation});
      steps->push_back({"of that at once", -1.0 * overlap});
    }
    return {communication, computation, overlap};
  }

  /// Figure 8.17: equal square domains.
  PhaseTime of_border(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const {
    if (input.kernel != stencil) return predicted(phase, input, steps);
    if (!communicates(phase)) return {};
    const double points = static_cast<double>(input.parameters.integer("points"));
    const double side = points / std::sqrt(static_cast<double>(input.layout.ranks()));
    const Compute iteration{Work::stencil, Flops(5.0 * side * side), {side, side, 0.0}, Bytes(16.0 * side * side)};
    const auto border = std::min(input.parameters.integer("border"), input.parameters.integer("iterations"));
    const PhaseTime time =
        parameter_8_17_superstep({.width = side,
                                  .height = side,
                                  .border = static_cast<std::uint32_t>(border),
                                  .rate = side * side / input.compute.compute_time(iteration, Rank{0}).si(),
                                  .communication = predicted_communication(phase, input.layout, nullptr)});
    if (steps != nullptr) steps->push_back({fmt::format("superstep of {} iterations", border), time.total()});
    return time;
  }

  Mode mode_;
  PairCosts costs_;
};

/// How uneven the computation is, and whether two ranks had better change places.
std::vector<std::string> BspMatrix::notes(const PredictionInput& input) const {
  auto notes = costs_.range() ? notes_on_sizes(input, *costs_.range()) : std::vector<std::string>{};
  if (mode_ == Mode::border && input.kernel != stencil)
    notes.push_back("figure 8.17 is of kernel 'stencil': this is figure 8.9");
  Seconds longest, mean;
  const Phase* dearest = nullptr;
  Seconds dearest_time;
  for (const Phase& phase : input.phases) {
    const auto repeat = static_cast<double>(phase.repeat);
    const Seconds most = longest_computation(phase, input);
    longest += repeat * most;
    for (const ComputeItem& item : phase.computes)
      mean += repeat * item.repeat * input.compute.compute_time(item.compute, item.rank) / phase.ranks;
    if (repeat * most > dearest_time) {
      dearest = &phase;
      dearest_time = repeat * most;
    }
  }
  constexpr double uneven = 1.05;
  if (dearest == nullptr || longest < uneven * mean) return notes;
  notes.push_back(fmt::format("load imbalance: the busiest ranks compute {:.2f} times the mean", longest / mean));
  if (const auto exchange = best_exchange(kernel_matrices(*dearest, input.compute)))
    notes.push_back(
        fmt::format("scheduling: ranks {} and {} on each other's processors would take {:.3g} s instead of "
                    "{:.3g} s for phase '{}' (off the diagonal of R C^T)",
                    exchange->busiest, exchange->other, exchange->then.si(), exchange->now.si(), dearest->name));
  return notes;
}

const bool entered = models().add(
    {.name = "bsp-matrix",
     .summary = "bulk-synchronous programs by matrices of requirements and costs, with overlap",
     .source = "Meyer, doctoral thesis, NTNU, 2012, equations 1.4 and 3.8 to 3.16, figures 8.8, 8.9 and 8.17",
     .page =
         "T = max_i [ (Tcomp - T'comp) + (Tcomm - T'comm) + max(T'comp, T'comm) ] + Tsync      of processes i\n"
         "Tcomp = (Rcomp (x) Ckernel) s      Tcomm = (Rmessages (x) L + Rdata (x) beta) s      ' can be masked\n"
         "maskable: computation between posting a message and waiting for it, and the messages under way then\n"
         "Tsync: phases 'barrier', by equation 5.4 without acknowledgements (model barrier-matrix);\n"
         "of messages with payload (kernel bsp-sync): stage by stage their sums of L and beta\n\n"
         "mode equations   as above\n"
         "mode predictor   figures 8.8 and 8.9 as printed: destinations are compared, not summed; 2 L and a header of\n"
         "                 16 B to every rank; O carried from rank to rank; all computation can be masked; Tsync with "
         "2 L\n"
         "mode border      the same with figure 8.17 for kernel stencil: extra iterations of a wide border\n\n"
         "Parameters, by channel and pair of node types (table 'pair')\n"
         "  latency_s     s    L, ping-pong's line at 0 B\n"
         "  beta_s_per_B  s/B  its slope\n"
         "  overhead_s    s    O, one message more among those started together (kernel overhead)\n"
         "or matrices L, O and beta by nodes or cores ('orrery calibrate --pairs nodes')\n"
         "Ckernel is asked of the run's compute model",
     .assumptions =
         {"a process pays for the messages that it sends, one after another; receiving is free",
          "messages of different ranks do not slow each other down, whatever they share",
          "what can be masked is masked completely",
          "L is where a line of least squares begins: with twice the bandwidth it may grow, and short messages be "
          "predicted up to 15 % slower",
          "supersteps end together: each takes as long as its slowest process"},
     .computation = "as the compute model has it, and what of it overlaps",
     .modes = {"equations", "predictor", "border"},
     .matrices = {{"L", "s", {MatrixRows::nodes, MatrixRows::cores}, "latency"},
                  {"O", "s", {MatrixRows::nodes, MatrixRows::cores}, "overhead of one message more"},
                  {"beta", "s/B", {MatrixRows::nodes, MatrixRows::cores}, "inverse bandwidth"}},
     .plan = pair_cost_plan,
     .fit =
         [](const Platform& platform, const Network& network, const CalibrationRange& range,
            const std::vector<Measurement>& measured) {
           return fit_pair_costs("bsp-matrix", platform, network, range, measured);
         },
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<BspMatrix>(input);
     }});

}  // namespace

}  // namespace orrery::bsp_matrix_model
