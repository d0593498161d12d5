#include "sim/core/trace_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

/// What communicators and tags the whole program uses, to see whether tags alone can tell messages apart.
struct TagUse {
  bool other_communicators = false, world_any_tag = false, world_high_tag = false;
};

class RankTracer {
 public:
  RankTracer(const Program& program, const ComputeModel& compute, const std::string& where, Trace& trace, TagUse& use,
             Rank me)
      : program_(program),
        compute_(compute),
        where_(where),
        trace_(trace),
        use_(use),
        me_(me),
        writer_(trace.ranks[index(me)]) {}

  void trace() {
    auto steps = program_.steps(me_);
    while (const Step* step = steps.next()) std::visit([this](const auto& s) { write(s); }, *step);
  }

 private:
  void write(const Compute& step) {
    writer_.compute(compute_.sampled_time(step, me_, computes_++).si() * traced_speed);
  }
  void write(const ComputeUntil& step) { write(step.compute); }
  void write(const Send& s) {
    once(s);
    writer_.send(s.to, tag(s.tag, s.communicator), s.message);
  }
  void write(const Recv& r) { writer_.recv(r.from, tag(r.tag, r.communicator), r.message); }
  void write(const Isend& s) {
    once(s.send);
    writer_.isend(s.send.to, tag(s.send.tag, s.send.communicator), s.send.message, open(s.request));
  }
  void write(const Irecv& r) {
    writer_.irecv(r.recv.from, tag(r.recv.tag, r.recv.communicator), r.recv.message, open(r.request));
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
  void write(const Probe&) {}  // to a trace nothing was found
  void write(const StageMark& mark) { writer_.stage(name(mark.name), mark.composition == Composition::sequence); }

  void once(const Send& s) const {
    if (s.repeat > 1)
      throw InputError(fmt::format(
          "{}: '{}' sends trains of {} messages (a trace holds single messages only). Export it without collapsed "
          "exchanges?",
          where_, program_.name(), s.repeat));
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
      throw InputError(fmt::format(
          "{}: '{}' uses {} on communicator {}, which no tag of the world communicator can represent (tags below "
          "{}, communicators below 2047). Export another kernel?",
          where_, program_.name(), tag == any_tag ? std::string("any tag") : fmt::format("tag {}", index(tag)), number,
          communicator_tags));
    return Tag{number * communicator_tags + static_cast<std::uint32_t>(tag)};
  }

  const Program& program_;
  const ComputeModel& compute_;
  const std::string& where_;
  Trace& trace_;
  TagUse& use_;
  Rank me_;
  TraceWriter writer_;
  RequestNumbers numbers_;
  std::uint64_t computes_ = 0;           ///< as the engines count them
  std::map<RequestId, RequestId> open_;  ///< the program's number -> the trace's
};

}  // namespace

Trace trace_of(const Program& program, const ComputeModel& compute, const std::string& where) {
  Trace trace;
  trace.file = program.name();
  trace.kind = "ti";
  trace.speed = traced_speed;
  trace.ranks.resize(program.ranks());
  TagUse use;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    RankTracer(program, compute, where, trace, use, Rank{rank}).trace();
  if (use.other_communicators && (use.world_any_tag || use.world_high_tag))
    throw InputError(fmt::format(
        "{}: '{}' uses several communicators and {} on the world, so tags alone do not tell its "
        "messages apart. Export another kernel?",
        where, program.name(),
        use.world_any_tag ? std::string("any tag") : fmt::format("tags of {} and more", communicator_tags)));
  return trace;
}

namespace {

/// Copies one rank's calls with the times that a compute model gives its amounts.
void retime(const RankTrace& from, RankTrace& into, Rank me, const ComputeModel& compute, double speed) {
  TraceCursor cursor(from);
  TraceCall call;
  std::uint64_t computes = 0;
  const auto on_traced_host = [&](double flops) {
    if (speed > 0.0) return flops / speed * traced_speed;
    return compute.sampled_time(Compute{Work::generic, Flops(flops), {}}, me, computes).si() * traced_speed;
  };
  for (std::size_t begin = 0; cursor.next(call);) {
    const std::size_t end = from.bytes.size() - cursor.bytes_left();
    TraceWriter writer(into);
    if (call.kind == TraceCall::Kind::compute) {
      writer.compute(on_traced_host(call.amount));
    } else if (call.kind == TraceCall::Kind::collective && call.reduction != 0.0) {
      call.reduction = on_traced_host(call.reduction);
      writer.collective(call);
    } else {
      writer.copy(from.bytes, begin, end);
    }
    const bool counted = call.kind == TraceCall::Kind::compute || call.kind == TraceCall::Kind::sleep ||
                         (call.kind == TraceCall::Kind::collective && call.reduction != 0.0);
    computes += counted ? 1 : 0;
    begin = end;
  }
}

}  // namespace

Trace retimed(const Trace& trace, const ComputeModel& compute, double speed) {
  Trace result = trace;
  if (speed == 0.0) speed = trace.speed;
  result.speed = traced_speed;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    result.ranks[rank] = {};
    retime(trace.ranks[rank], result.ranks[rank], Rank{rank}, compute, speed);
  }
  return result;
}

std::string communication_phase(const Trace& trace) {
  constexpr const char* usual = "communication";
  if (trace.names.empty()) return usual;
  std::map<std::string, std::uint64_t> messages;
  for (const RankTrace& rank : trace.ranks) {
    TraceCursor cursor(rank);
    TraceCall call;
    std::uint64_t* here = &messages[default_phase];
    while (cursor.next(call)) {
      using Kind = TraceCall::Kind;
      if (call.kind == Kind::phase) here = &messages[trace.names[call.number]];
      *here += call.kind == Kind::send || call.kind == Kind::isend || call.kind == Kind::collective ? 1 : 0;
    }
  }
  if (messages.contains(usual)) return usual;
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(messages.begin(), messages.end(), fewer)->first;
}

}  // namespace orrery
