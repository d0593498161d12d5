/// A recorded program: the calls of a trace file, rank by rank, in the order in which they were made.
///
///   compute f    flops of the rank's host, or the time f / speed if the trace or the parameter gives a speed
///   sleep t      the time t, in which the rank's core idles
///   send, recv, isend, irecv, wait, waitall   unchanged, on the world
///   collectives  messages among all ranks, or those of their communicator, by the algorithms of kernels/collectives,
///                then the flops of the reduction
///
/// Source   SMPI's time-independent traces: Degomme et al., IEEE TPDS 28(8), 2017; GOAL: Hoefler et al., ICPP 2009
/// Checked  tests/unit/kernels/trace_test.cpp, validation/smpi-traces
#include "sim/core/trace.hpp"

#include <fmt/format.h>

#include <memory>

#include "kernels/collectives/collective.hpp"
#include "kernels/kernel.hpp"
#include "kernels/trace_collectives.hpp"
#include "sim/core/asleep.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::trace_kernel {

namespace {

constexpr const char* compared_phase = "communication";

class TraceProgram final : public Program {
 public:
  explicit TraceProgram(const KernelInput& input)
      : trace_(input.trace),
        collectives_(input.parameters.text("collectives")),
        computes_(input.parameters.boolean("compute")) {
    if (!trace_)
      throw InputError(
          "trace: no file is named (a TI trace, its index, or a GOAL schedule). Write '--param file=FILE'?");
    const std::uint32_t placed = placed_ranks(*trace_);
    if (input.ranks != trace_->ranks.size())
      throw InputError(
          "trace: '{}' has {} ranks, the layout places {} (they must agree). Write '--ranks "
          "{}'?",
          trace_->file, placed, input.ranks, placed);
    require_collectives(collectives_, "trace");
    for (std::uint32_t g = 0; g <= trace_->groups.size(); ++g)
      nodes_.push_back(collectives::nodes_of(trace_->group(g), input.layout));
    speed_ = input.parameters.number("speed");
    if (speed_ == 0.0) speed_ = trace_->speed;
  }
  std::string name() const override { return "trace"; }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(trace_->ranks.size()); }

  Generator<Step> steps(Rank me) const override {
    using Kind = TraceCall::Kind;
    TraceCursor cursor(trace_->ranks[index(me)]);
    TraceCall call;
    CollectiveCall marked;
    if (trace_->names.empty()) co_yield phase(compared_phase);
    while (cursor.next(call)) switch (call.kind) {
        case Kind::compute:
        case Kind::sleep:
          if (computes_) co_yield work(call);
          break;
        case Kind::send:
          co_yield Send{call.peer, Bytes(call.amount), call.tag, on(call), call.repeat};
          break;
        case Kind::recv:
          co_yield recv(call.peer, Bytes(call.amount), call.tag, on(call));
          break;
        case Kind::isend:
          co_yield post(call);
          break;
        case Kind::irecv:
          co_yield irecv(call.peer, Bytes(call.amount), call.tag, call.request, on(call));
          break;
        case Kind::wait:
          co_yield wait(call.request);
          break;
        case Kind::wait_all:
          co_yield wait_all();
          break;
        case Kind::ideal_barrier:
          co_yield barrier();
          break;
        case Kind::phase:
          co_yield phase(trace_->names[call.number].c_str());
          break;
        case Kind::iteration:
          co_yield iteration(call.number);
          break;
        case Kind::stage:
          co_yield stage(trace_->names[call.number].c_str(), call.sequence ? Composition::sequence : Composition::set);
          break;
        case Kind::begin_marked:
          marked = trace_->marked[call.number].call;
          marked.algorithm = trace_->marked[call.number].algorithm.c_str();
          co_yield collective_begin(marked);
          break;
        case Kind::end_marked:
          co_yield collective_end();
          break;
        case Kind::collective:
          co_yield elements_of(collective_steps(trace_, call, me, collectives_, nodes_of(call)));
          if (call.reduction > 0.0 && computes_) co_yield work({.kind = Kind::compute, .amount = call.reduction});
          break;
      }
  }

 private:
  /// A time that the trace states for the reduction stands for all that members do beside messages.
  collectives::Nodes nodes_of(const TraceCall& call) const {
    const collectives::Nodes& nodes = nodes_[call.group];
    return call.reduction > 0.0 || !computes_ ? nodes.without_local_work() : nodes;
  }
  static Communicator on(const TraceCall& call) { return is_signal(call) ? between_streams : world; }
  static Step post(const TraceCall& call) {
    return Isend{{call.peer, Bytes(call.amount), call.tag, on(call), call.repeat}, call.request};
  }
  Step work(const TraceCall& call) const {
    if (call.kind == TraceCall::Kind::sleep) return asleep(Seconds(call.amount));
    if (speed_ > 0.0) return elapsed(Seconds(call.amount / speed_));
    return compute(Work::generic, Flops(call.amount));
  }

  std::shared_ptr<const Trace> trace_;
  std::string collectives_;
  std::vector<collectives::Nodes> nodes_;  ///< of each group, that of all ranks first
  bool computes_;
  double speed_ = 0.0;
};

const bool entered = kernels().add(
    {.name = "trace",
     .summary = "a recorded program: SMPI time-independent traces or GOAL schedules",
     .source = "Degomme et al., IEEE TPDS 28(8), 2017; Hoefler et al., ICPP 2009",
     .page =
         "The calls of the file, rank by rank, in the order in which they were made. A compute call is flops of the\n"
         "rank's host, unless the trace or the parameter 'speed' says for which hosts it was recorded: then it is the\n"
         "time that took. Without marks in the trace all of it is phase 'communication', compute included; models\n"
         "predict its messages only, so compare them with 'compute: false'.\n\n"
         "Collectives become messages of all ranks (or of their communicator), by the algorithms that 'collectives' "
         "chooses; scan and exscan are\n"
         "linear. The flops of a reduction follow its messages, as in SMPI. An algorithm that an operation does not "
         "have\n"
         "leaves it to openmpi.\n\n"
         "A sleep is no computing: the core idles. Ranks of a GOAL schedule that work on several cpus do so at the "
         "same\n"
         "time: each cpu is a rank of its own, on the host of its rank.",
     .parameters =
         {word_key("file", "", "a TI trace or its index, or a GOAL schedule"),
          speed_key("speed", 0,
                    "host speed for which compute amounts are given; 0: from the trace, else the rank's own host"),
          word_key("collectives", "openmpi",
                   "selector of algorithms: openmpi, smpi-openmpi (as in SMPI), mpich, cray-mpich; or one algorithm"),
          flag_key("compute", true, "false: skip compute and sleep calls")},
     .plays_trace = true,
     .make = [](const KernelInput& input) -> std::unique_ptr<Program> {
       return std::make_unique<TraceProgram>(input);
     }});

}  // namespace

}  // namespace orrery::trace_kernel
