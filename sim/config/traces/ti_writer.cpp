#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "sim/config/traces/trace_file.hpp"
#include "sim/config/traces/trace_words.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::config {

namespace {

constexpr int any_source = -555, any_tag_written = -444;  // SMPI's MPI_ANY_SOURCE and MPI_ANY_TAG

std::int64_t peer_number(Rank rank) { return rank == any_rank ? any_source : static_cast<std::int64_t>(index(rank)); }
std::int64_t tag_number(Tag tag) { return tag == any_tag ? any_tag_written : static_cast<std::int64_t>(index(tag)); }

/// SMPI's number of a datatype of this size: byte, short, int, double, long double, long double complex.
int datatype_of(std::uint32_t element) {
  switch (element) {
    case 2:
      return 3;
    case 4:
      return 1;
    case 8:
      return 0;
    case 16:
      return 14;
    case 32:
      return 27;
    default:
      return 6;
  }
}

/// The lines of one rank. Messages are written in bytes, collectives in their elements.
class TiLines {
 public:
  TiLines(const Trace& trace, Rank rank) : trace_(trace), rank_(rank) {}

  std::string write() {
    if (rank_ == Rank{0} && trace_.speed > 0.0) mark("speed {:.17g}", trace_.speed);
    line("init");
    TraceCursor cursor(trace_.ranks[index(rank_)]);
    TraceCall call;
    while (cursor.next(call)) write(call);
    line("finalize");
    return std::move(text_);
  }

 private:
  struct Open {
    std::int64_t from = 0, to = 0, tag = 0;
  };
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), "{} ", index(rank_));
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  template <class... Arguments>
  void mark(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += "#orrery ";
    line(format, std::forward<Arguments>(arguments)...);
  }

  void write(const TraceCall& call) {
    using Kind = TraceCall::Kind;
    switch (call.kind) {
      case Kind::compute:
      case Kind::sleep:
        return line("{} {:.17g}", trace_call_name(call.kind), call.amount);
      case Kind::send:
      case Kind::recv:
        return transfer(call);
      case Kind::isend:
        open(call.request, {static_cast<std::int64_t>(index(rank_)), peer_number(call.peer), tag_number(call.tag)});
        return transfer(call);
      case Kind::irecv:
        open(call.request, {peer_number(call.peer), static_cast<std::int64_t>(index(rank_)), tag_number(call.tag)});
        return transfer(call);
      case Kind::wait: {
        const Open& request = open_[static_cast<std::size_t>(call.request)];
        --open_count_;
        return line("wait {} {} {}", request.from, request.to, request.tag);
      }
      case Kind::wait_all:
        line("waitall {}", open_count_);
        open_count_ = 0;
        return;
      case Kind::ideal_barrier:
        mark("ideal");
        return line("barrier");
      case Kind::collective:
        return collective(call);
      case Kind::phase:
        return mark("phase {}", trace_.names[call.number]);
      case Kind::iteration:
        return mark("iteration {}", call.number);
      case Kind::stage:
        return mark("stage {} {}", trace_.names[call.number], call.sequence ? "sequence" : "set");
      case Kind::begin_marked:
        return begin_marked(trace_.marked[call.number]);
      case Kind::end_marked:
        return mark("end");
    }
  }

  void open(RequestId request, const Open& message) {
    const auto at = static_cast<std::size_t>(request);
    if (open_.size() <= at) open_.resize(at + 1);
    open_[at] = message;
    ++open_count_;
  }
  /// A train is one message of all its bytes to SMPI.
  void transfer(const TraceCall& call) {
    if (call.repeat > 1) mark("train {}", call.repeat);
    line("{} {} {} {:.0f}", trace_call_name(call.kind), peer_number(call.peer), tag_number(call.tag),
         call.repeat * call.amount);
  }
  void begin_marked(const MarkedCollective& marked) {
    mark("begin {} {} {} {:.0f} {} {}", ti_operation_name(marked.call.operation), marked.algorithm, marked.call.root,
         marked.call.bytes.si(), static_cast<std::uint32_t>(marked.call.group.communicator()),
         group_text(marked.call.group));
  }

  static std::string list(const std::vector<std::uint64_t>& counts, std::size_t first, std::size_t n,
                          std::uint32_t element) {
    std::string text;
    for (std::size_t i = first; i < first + n; ++i) text += fmt::format("{} ", counts[i] / element);
    return text;
  }
  static std::uint64_t sum(const std::vector<std::uint64_t>& counts, std::size_t first, std::size_t n,
                           std::uint32_t element) {
    std::uint64_t total = 0;
    for (std::size_t i = first; i < first + n; ++i) total += counts[i] / element;
    return total;
  }

  void collective(const TraceCall& call) {
    const char* name = ti_operation_name(call.what);
    const Group group = trace_.group(call.group);
    const std::size_t p = group.size();
    if (call.group > 0) mark("on {} {}", static_cast<std::uint32_t>(group.communicator()) - 1, group_text(group));
    const auto root = index(call.peer);
    // An element of no predefined size is written as bytes.
    const std::uint32_t unit = datatype_of(call.element) == 6 ? 1 : call.element;
    const int type = datatype_of(unit);
    const double amount = call.amount / unit;
    switch (call.what) {
      case Operation::barrier:
        return line("barrier");
      case Operation::bcast:
        return line("{} {:.0f} {} {}", name, amount, root, type);
      case Operation::reduce:
        return line("{} {:.0f} {:.17g} {} {}", name, amount, call.reduction, root, type);
      case Operation::allreduce:
      case Operation::scan:
      case Operation::exscan:
        return line("{} {:.0f} {:.17g} {}", name, amount, call.reduction, type);
      case Operation::alltoall:
      case Operation::allgather:
        return line("{0} {1:.0f} {1:.0f} {2} {2}", name, amount, type);
      case Operation::gather:
      case Operation::scatter:
        return line("{0} {1:.0f} {1:.0f} {2} {3} {3}", name, amount, root, type);
      case Operation::gatherv:
        return line("{0} {1:.0f} {2}{3} {4} {4}", name, amount, list(trace_.root_counts[call.number], 0, p, unit), root,
                    type);
      case Operation::scatterv:
        return line("{0} {1}{2:.0f} {3} {4} {4}", name, list(trace_.root_counts[call.number], 0, p, unit), amount, root,
                    type);
      case Operation::allgatherv:
        return line("{0} {1:.0f} {2}{3} {3}", name, amount, list(call.counts, 0, p, unit), type);
      case Operation::alltoallv:
        return line("{0} {1} {2}{3} {4}{5} {5}", name, sum(call.counts, 0, p, unit), list(call.counts, 0, p, unit),
                    sum(call.counts, p, p, unit), list(call.counts, p, p, unit), type);
      case Operation::reduce_scatter:
        return line("{} {}{:.17g} {}", name, list(call.counts, 0, p, unit), call.reduction, type);
    }
  }

  const Trace& trace_;
  Rank rank_;
  std::string text_;
  std::vector<Open> open_;  ///< by request number
  std::size_t open_count_ = 0;
};

}  // namespace

std::string ti_text(const Trace& trace, Rank rank) {
  require_one_stream(trace, "a TI trace has", "Play the schedule itself, with '--replay " + trace.file + "'");
  return TiLines(trace, rank).write();
}

std::string ti_text(const Trace& trace) {
  std::string text;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) text += ti_text(trace, Rank{rank});
  return text;
}

}  // namespace orrery::config
