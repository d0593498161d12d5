#include "sim/core/trace_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <tuple>

#include "sim/core/asleep.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

/// What communicators and tags the whole program uses, to see whether tags alone can tell messages apart.
struct TagUse {
  bool other_communicators = false, world_any_tag = false, world_high_tag = false;
  bool trains = false;                          ///< some send is more than one message
  std::uint64_t by_kernels = 0, by_switch = 0;  ///< messages that GPUs' kernels hand over, or stand for a switch's work

  void count(const Send& send) {
    if (send.in_switch != InSwitch::nothing)
      ++by_switch;
    else if (send.protocol != GpuProtocol::none)
      ++by_kernels;
  }
};

/// What becomes of messages that a trace has no words for.
void note_tags(const TagUse& use, Trace& trace) {
  const auto messages = [](std::uint64_t count, const char* are, const char* is) {
    return fmt::format("{} {}", count, count == 1 ? is : are);
  };
  if (use.by_kernels > 0)
    trace.notes.push_back(messages(use.by_kernels, "messages are", "message is") +
                          " handed over by kernels of GPUs, by NCCL's protocols; here they are sent as any other");
  if (use.by_switch > 0)
    trace.notes.push_back(messages(use.by_switch, "messages are", "message is") +
                          " what a switch reduces or multicasts; here each goes from one GPU to another");
}

/// How many messages each send of the program is, by who sends what to whom, in program order: what receives take.
class Trains {
 public:
  explicit Trains(const Program& program) {
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      auto steps = program.steps(Rank{rank});
      while (const Step* step = steps.next()) {
        if (const auto* send = std::get_if<Send>(step)) enter(Rank{rank}, *send);
        if (const auto* isend = std::get_if<Isend>(step)) enter(Rank{rank}, isend->send);
      }
    }
  }
  std::uint32_t take(const Recv& receive, Rank me) {
    auto& sent = sent_[{receive.from, me, receive.communicator, receive.tag}];
    if (sent.empty()) return 1;
    const std::uint32_t repeat = sent.front();
    sent.pop_front();
    return repeat;
  }

 private:
  void enter(Rank from, const Send& send) {
    sent_[{from, send.to, send.communicator, send.tag}].push_back(send.repeat);
  }

  std::map<std::tuple<Rank, Rank, Communicator, Tag>, std::deque<std::uint32_t>> sent_;
};

class RankTracer {
 public:
  /// `trains`: null as long as none is known of, see `TagUse::trains`.
  RankTracer(const Program& program, const ComputeModel& compute, const std::string& where, Trace& trace, TagUse& use,
             Trains* trains, TracedCollectives collectives, Rank me)
      : program_(program),
        compute_(compute),
        where_(where),
        trace_(trace),
        use_(use),
        trains_(trains),
        collectives_(collectives),
        me_(me),
        writer_(trace.ranks[index(me)]) {}

  void trace() {
    auto steps = program_.steps(me_);
    while (const Step* step = steps.next()) {
      if (call_ == nullptr || std::holds_alternative<CollectiveEnd>(*step))
        visit_step([this](const auto& s) { write(s); }, *step);
      else if (const auto* reduction = std::get_if<Compute>(step))  // the call stands for all else
        reduction_ += time_of(*reduction);
    }
  }

 private:
  void write(const Compute& step) {
    if (is_asleep(step))
      writer_.sleep(time_of(step) / traced_speed);
    else
      writer_.compute(time_of(step));
  }
  void write(const ComputeUntil& step) { write(step.compute); }
  void write(const Send& s) {
    use_.trains |= s.repeat > 1;
    use_.count(s);
    writer_.send(s.to, tag(s.tag, s.communicator), s.message, s.repeat);
  }
  void write(const Recv& r) { writer_.recv(r.from, tag(r.tag, r.communicator), r.message, repeat_of(r)); }
  void write(const Isend& s) {
    use_.trains |= s.send.repeat > 1;
    use_.count(s.send);
    writer_.isend(s.send.to, tag(s.send.tag, s.send.communicator), s.send.message, open(s.request), s.send.repeat);
  }
  void write(const Irecv& r) {
    writer_.irecv(r.recv.from, tag(r.recv.tag, r.recv.communicator), r.recv.message, open(r.request),
                  repeat_of(r.recv));
  }
  void write(const Wait& step) { wait(open_.find(step.request)); }
  void write(const WaitAll& step) {
    const auto first = open_.lower_bound(step.first);
    const bool to_the_end = step.count > ~static_cast<std::uint32_t>(step.first);
    const auto last =
        to_the_end ? open_.end() : open_.lower_bound(RequestId{static_cast<std::uint32_t>(step.first) + step.count});
    if (first == open_.begin() && last == open_.end()) {
      if (!open_.empty()) writer_.wait_all();
      open_.clear();
      numbers_.give_back_all();
      return;
    }
    for (auto at = first; at != last;) wait(at++);
  }
  void write(const IdealBarrier&) { writer_.ideal_barrier(); }
  void write(const PhaseMark& mark) { writer_.phase(name(mark.name)); }
  void write(const IterationMark& mark) { writer_.iteration(mark.iteration); }
  void write(const WaitAny&) {}
  void write(const Probe&) {}  // to a trace nothing was found
  void write(const CollectiveBegin& mark) {
    if (collectives_ == TracedCollectives::calls && is_call(*mark.call)) {
      call_ = mark.call;
      reduction_ = 0.0;
      return;
    }
    MarkedCollective marked{*mark.call, mark.call->algorithm};
    marked.call.algorithm = "";
    const auto known = std::ranges::find(trace_.marked, marked);
    writer_.begin_marked(static_cast<std::uint32_t>(known - trace_.marked.begin()));
    if (known == trace_.marked.end()) trace_.marked.push_back(std::move(marked));
  }
  void write(const CollectiveEnd&) {
    if (call_ == nullptr) return writer_.end_marked();
    TraceCall call{.kind = TraceCall::Kind::collective, .what = call_->operation, .peer = Rank{call_->root}};
    const bool shared = call_->operation != Operation::bcast && call_->operation != Operation::reduce &&
                        call_->operation != Operation::allreduce;
    call.amount = call_->bytes.si() / (shared ? call_->group.size() : 1u);
    call.reduction = reduction_;
    writer_.collective(call);
    call_ = nullptr;
  }
  void write(const StageMark& mark) { writer_.stage(name(mark.name), mark.composition == Composition::sequence); }

  /// flop of a traced host
  double time_of(const Compute& step) { return compute_.sampled_time(step, me_, computes_++).si() * traced_speed; }
  bool is_call(const CollectiveCall& call) const {
    switch (call.operation) {
      case Operation::barrier:
      case Operation::bcast:
      case Operation::reduce:
      case Operation::allreduce:
      case Operation::scatter:
      case Operation::gather:
      case Operation::allgather:
      case Operation::alltoall:
        break;
      default:
        return false;
    }
    const auto ranks = static_cast<std::uint32_t>(trace_.ranks.size());
    if (call.group == Group::world(ranks)) return true;
    bool in_order = call.group.size() == ranks;
    for (Member m = 0; in_order && m < ranks; ++m) in_order = call.group.rank(m) == Rank{m};
    return in_order;
  }
  std::uint32_t repeat_of(const Recv& receive) const {
    if (trains_ == nullptr) return 1;
    if (receive.from == any_rank || receive.tag == any_tag)
      throw InputError(
          "{}: '{}' sends trains of messages and receives {} (a trace says which receives take a train). "
          "Export another kernel?",
          where_, program_.name(), receive.from == any_rank ? "from any rank" : "any tag");
    return trains_->take(receive, me_);
  }
  RequestId open(RequestId request) { return open_[request] = numbers_.take(); }
  void wait(std::map<RequestId, RequestId>::iterator at) {
    if (at == open_.end()) return;
    writer_.wait(at->second);
    numbers_.give_back(at->second);
    open_.erase(at);
  }
  /// One word in the file: blanks would end it.
  std::uint32_t name(std::string_view text) {
    std::string word(text);
    for (char& c : word)
      if (c == ' ' || c == '\t') c = '-';
    for (std::uint32_t i = 0; i < trace_.names.size(); ++i)
      if (trace_.names[i] == word) return i;
    trace_.names.push_back(word);
    return static_cast<std::uint32_t>(trace_.names.size() - 1);
  }
  Tag tag(Tag tag, Communicator communicator) {
    const auto number = static_cast<std::uint32_t>(communicator);
    if (communicator == world) {
      use_.world_any_tag |= tag == any_tag;
      use_.world_high_tag |= tag != any_tag && index(tag) >= communicator_tags;
      return tag;
    }
    use_.other_communicators = true;
    if (tag == any_tag || index(tag) >= communicator_tags || number >= 2047)
      throw InputError(
          "{}: '{}' uses {} on communicator {}, which no tag of the world communicator can represent (tags below "
          "{}, communicators below 2047). Export another kernel?",
          where_, program_.name(), tag == any_tag ? std::string("any tag") : fmt::format("tag {}", index(tag)), number,
          communicator_tags);
    return Tag{number * communicator_tags + static_cast<std::uint32_t>(tag)};
  }

  const Program& program_;
  const ComputeModel& compute_;
  const std::string& where_;
  Trace& trace_;
  TagUse& use_;
  Trains* trains_;
  TracedCollectives collectives_;
  const CollectiveCall* call_ = nullptr;  ///< being written as one call
  double reduction_ = 0.0;                ///< flop of its compute steps
  Rank me_;
  TraceWriter writer_;
  RequestNumbers numbers_;
  std::uint64_t computes_ = 0;           ///< as the engines count them
  std::map<RequestId, RequestId> open_;  ///< the program's number -> the trace's
};

}  // namespace

namespace {

Trace traced(const Program& program, const ComputeModel& compute, const std::string& where, TagUse& use,
             TracedCollectives collectives, Trains* trains) {
  Trace trace;
  trace.file = program.name();
  trace.kind = "ti";
  trace.speed = traced_speed;
  trace.ranks.resize(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    RankTracer(program, compute, where, trace, use, trains, collectives, Rank{rank}).trace();
  return trace;
}

}  // namespace

Trace trace_of(const Program& program, const ComputeModel& compute, const std::string& where,
               TracedCollectives collectives) {
  TagUse use;
  Trace trace = traced(program, compute, where, use, collectives, nullptr);
  if (use.trains) {  // once more, now that receives can be told how many messages they take
    Trains trains(program);
    use.by_kernels = use.by_switch = 0;
    trace = traced(program, compute, where, use, collectives, &trains);
  }
  if (use.other_communicators && (use.world_any_tag || use.world_high_tag))
    throw InputError(
        "{}: '{}' uses several communicators and {} on the world, so tags alone do not tell its "
        "messages apart. Export another kernel?",
        where, program.name(),
        use.world_any_tag ? std::string("any tag") : fmt::format("tags of {} and more", communicator_tags));
  note_tags(use, trace);
  return trace;
}

}  // namespace orrery
