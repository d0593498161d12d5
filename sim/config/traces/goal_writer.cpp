#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::config {

namespace {

constexpr double goal_ns_per_s = 1e9;

/// One rank's calls as operations with the order MPI gives them:
///
///   requires   what the rank had completed: blocking calls and waits since the operation before
///   irequires  the operation before, when it was only posted
class GoalLines {
 public:
  GoalLines(const Trace& trace, Rank rank) : trace_(trace), rank_(rank) {}

  std::string write() {
    text_ = fmt::format("\nrank {} {{\n", index(rank_));
    TraceCursor cursor(trace_.ranks[index(rank_)]);
    TraceCall call;
    while (cursor.next(call)) write(call);
    return std::move(text_) + "}\n";
  }

 private:
  using Label = std::uint64_t;
  static constexpr Label none = 0;

  void write(const TraceCall& call) {
    using Kind = TraceCall::Kind;
    switch (call.kind) {
      case Kind::compute:
        if (trace_.speed == 0.0)
          throw InputError(
              "goal: '{}' gives computation in flops (GOAL needs times). Export it through the "
              "kernel 'trace' with 'speed'?",
              trace_.file);
        return block(operation(fmt::format("calc {}", nanoseconds(call.amount / trace_.speed))));
      case Kind::sleep:
        return block(operation(fmt::format("calc {}", nanoseconds(call.amount))));
      case Kind::send:
      case Kind::recv:
        return block(messages(call));
      case Kind::isend:
      case Kind::irecv:
        return post(call);
      case Kind::wait:
        return complete(requests_.at(static_cast<std::size_t>(call.request)));
      case Kind::wait_all:
        for (Label& open : requests_) complete(open);
        return;
      case Kind::ideal_barrier:
        throw InputError(
            "goal: '{}' has ideal barriers (GOAL has messages and computation only). Choose a barrier "
            "of messages, or none?",
            trace_.file);
      case Kind::collective:
        throw InputError(
            "goal: '{}' has collectives (GOAL has messages only). Export it through the kernel "
            "'trace', which expands them?",
            trace_.file);
      case Kind::phase:
      case Kind::iteration:
      case Kind::stage:
      case Kind::begin_marked:
      case Kind::end_marked:
        return;
    }
  }

  static std::int64_t nanoseconds(double seconds) { return std::llround(seconds * goal_ns_per_s); }
  static std::string number(Rank rank) { return rank == any_rank ? "-1" : std::to_string(index(rank)); }
  static std::string number(Tag tag) { return tag == any_tag ? "-1" : std::to_string(index(tag)); }
  static std::string message(const TraceCall& call) {
    const bool sends = call.kind == TraceCall::Kind::send || call.kind == TraceCall::Kind::isend;
    return fmt::format("{} {:.0f}b {} {} tag {}", sends ? "send" : "recv", call.amount, sends ? "to" : "from",
                       number(call.peer), number(call.tag));
  }

  Label operation(const std::string& what) {
    const Label me = ++last_label_;
    fmt::format_to(std::back_inserter(text_), "l{}: {}\n", me, what);
    bool before_completed = previous_ == none;
    for (const Label done : completed_) {
      fmt::format_to(std::back_inserter(text_), "l{} requires l{}\n", me, done);
      before_completed |= done == previous_;
    }
    if (!before_completed) fmt::format_to(std::back_inserter(text_), "l{} irequires l{}\n", me, previous_);
    completed_.clear();
    return previous_ = me;
  }
  void block(Label done) { completed_.push_back(done); }
  /// The last message of a train, each of which requires the one before.
  Label messages(const TraceCall& call) {
    Label last = operation(message(call));
    for (std::uint32_t more = 1; more < call.repeat; ++more) {
      completed_.push_back(last);
      last = operation(message(call));
    }
    return last;
  }
  void post(const TraceCall& call) {
    const auto slot = static_cast<std::size_t>(call.request);
    if (requests_.size() <= slot) requests_.resize(slot + 1, none);
    requests_[slot] = messages(call);
  }
  void complete(Label& open) {
    if (open != none) completed_.push_back(open);
    open = none;
  }

  const Trace& trace_;
  Rank rank_;
  std::string text_;
  Label last_label_ = none, previous_ = none;
  std::vector<Label> completed_, requests_;  ///< requests by number
};

}  // namespace

std::string goal_text(const Trace& trace) {
  require_one_stream(trace, "a schedule is written here with", "Take '" + trace.file + "' as it is");
  std::string text = fmt::format("num_ranks {}\n", trace.ranks.size());
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) text += GoalLines(trace, Rank{rank}).write();
  return text;
}

}  // namespace orrery::config
