/// BSP with scalar parameters: a superstep computes, synchronises, communicates, synchronises.
///
///   T = w / r + l  +  h g + l        (the first l where the program computes at all)
///   h = max{h_s, h_r}                most words that a rank sends or receives in the phase
///
///   p  1                   ranks                     w  Flops           flop  most work of a rank in the phase
///   r  FlopsPerSecond      flop/s  DAXPY rate        g  Seconds         s     per word of an h-relation
///   l  Seconds             s       of synchronising  h  1               1     words of 8 B
///
/// g and l depend on p and on the number of nodes of its ranks; models/bspbench.hpp describes the measurement.
///
/// Source   Valiant, CACM 33(8), 1990, in the form of Meyer, doctoral thesis, NTNU, 2012, equations 3.1 to 3.3
/// Valid    work that runs at the speed of a DAXPY in cache; exchanges balanced over all ranks
/// Differs  phases called 'barrier' cost nothing, as l is the synchronisation; a computation that nothing follows is
///          not synchronised, as in equation 3.7
/// Checked  tests/unit/models/bsp_test.cpp, scenarios/meyer12-inner-product.yaml, scenarios/meyer12-fig3-2.yaml
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/bspbench.hpp"
#include "models/superstep.hpp"
#include "models/variant.hpp"

namespace orrery::bsp_model {

namespace {

class Bsp final : public PhaseModel {
 public:
  Bsp(const ModelParameters& parameters, const std::string& variant)
      : of_pair_(parts_of(models().at("bsp", "bsp"), variant).options.at("h") == "pair"), machines_(parameters) {}

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    if (phase.messages.empty() || is_barrier(phase)) return {};
    const BspMachine machine = machines_.at(bsp_size_of(layout));
    const double h = relation(phase);
    if (steps != nullptr) {
      steps->push_back({fmt::format("h g: {:g} words at {:.4g} s", h, machine.gap.si()), h * machine.gap});
      steps->push_back({"l after communicating", machine.latency});
    }
    return h * machine.gap + machine.latency;
  }

  PhaseTime time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const override {
    const Seconds work = longest_work(phase, input, steps);
    Seconds communication = communication_time(phase, input.layout, steps);
    const bool computes = std::ranges::any_of(input.phases, [](const Phase& one) { return !one.computes.empty(); });
    if (computes && communication > Seconds{}) {
      communication += machines_.at(bsp_size_of(input.layout)).latency;
      if (steps != nullptr) steps->push_back({"l after computing", machines_.at(bsp_size_of(input.layout)).latency});
    }
    return {.communication = communication, .computation = work};
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    const BspSize size = bsp_size_of(input.layout);
    const BspMachine machine = machines_.at(size);
    std::vector<std::string> notes;
    if (!machines_.measured(size))
      notes.push_back(fmt::format(
          "g and l were not measured for {} ranks on {} node{}: taken from the nearest numbers of ranks, then of nodes",
          size.ranks, size.nodes, size.nodes == 1 ? "" : "s"));
    if (machine.misfit > 0.1 * machine.latency)
      notes.push_back("h-relations do not lie on a line: some are measured more than l / 10 off it");
    return notes;
  }

  bool predicts_run() const override { return true; }

 private:
  /// Equation 3.1; or the most words of one pair, as equation 3.5 counts an exchange of single words.
  double relation(const Phase& phase) const {
    std::map<std::pair<Rank, Rank>, Bytes> pairs;
    std::vector<Bytes> sent(phase.ranks), received(phase.ranks);
    for (const Message& message : phase.messages) {
      if (of_pair_) pairs[{message.from, message.to}] += message.size;
      sent[index(message.from)] += message.size;
      received[index(message.to)] += message.size;
    }
    Bytes most = of_pair_ ? Bytes{} : std::max(std::ranges::max(sent), std::ranges::max(received));
    for (const auto& [pair, size] : pairs) most = std::max(most, size);
    return std::ceil(most / bsp_word);
  }

  /// w / r of the rank with most work.
  Seconds longest_work(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const {
    if (phase.computes.empty()) return {};
    const FlopsPerSecond rate = machines_.at(bsp_size_of(input.layout)).rate.value_or(daxpy_rate(input));
    std::vector<Seconds> busy(phase.ranks);
    for (const ComputeItem& item : phase.computes)
      busy[index(item.rank)] +=
          static_cast<double>(item.repeat) * (item.compute.work == Work::elapsed
                                                  ? input.compute.compute_time(item.compute, item.rank)
                                                  : item.compute.flops / rate);
    const Seconds most = std::ranges::max(busy);
    if (steps != nullptr)
      steps->push_back({fmt::format("w / r: {:.4g} flop at {:.4g} flop/s", (most * rate).si(), rate.si()), most});
    return most;
  }

  bool of_pair_;
  BspMachines machines_;
};

const bool entered = models().add(
    {.name = "bsp",
     .summary = "classic BSP: p, r, g and l as bspbench measures them",
     .source = "Valiant, CACM 33(8), 1990; Meyer, doctoral thesis, NTNU, 2012, equations 3.1 to 3.3; bspbench: "
               "Bisseling, 2004",
     .page =
         "T = w / r + l + h g + l, h = max{words sent, words received} of a rank, a word is 8 B\n"
         "a phase with messages is a superstep: synchronised before and after; phases 'barrier' are l themselves\n\n"
         "Parameters, for p ranks on n nodes (table 'bspbench', labels 'ranks' and 'nodes')\n"
         "  gap_s            s       g, per word of an h-relation        or gap_flop: g r, as bspbench prints it\n"
         "  latency_s        s       l, of synchronising                 or latency_flop: l r\n"
         "  rate_flop_per_s  flop/s  r; without it DAXPYs of 1 to 1024 elements on the run's compute model\n"
         "  misfit_s         s       greatest deviation of a measured h-relation from l + h g\n"
         "measured by the kernel h-relation: the line of least squares through p <= h <= 255\n"
         "h: pair counts the words between two ranks instead, as equation 3.5 has it",
     .assumptions =
         {"all work runs at the rate of a DAXPY in cache, on every rank alike",
          "an exchange costs as many words as its busiest rank sends or receives, whoever they are for",
          "synchronising costs the same after computing and after communicating",
          "computation and communication never go on at once",
          "l is where a line of least squares begins: with twice the bandwidth it may grow, and exchanges of few "
          "words be predicted up to 15 % slower"},
     .computation = "at the rate of a DAXPY in cache",
     .options = {word_key("h", "rank", "size of a relation: words per rank (equation 3.1) or per pair (equation 3.5)",
                          {"rank", "pair"})},
     .needs = bspbench_needs,
     .plan = bspbench_plan,
     .fit = bspbench_fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<Bsp>(input.parameters, input.variant);
     }});

}  // namespace

}  // namespace orrery::bsp_model
