/// A recorded program in memory: for each rank its calls, packed into a string of bytes (5 to 10 B a call).
///
///   TraceWriter writer(trace.ranks[r]);  writer.isend(Rank{1}, Tag{3}, Bytes{64}, RequestId{0});
///   TraceCursor cursor(trace.ranks[r]);  TraceCall call;  while (cursor.next(call)) ...
///
/// A call is one byte for its kind, then its arguments as variable-length integers (7 bits a byte) or doubles. Readers
/// of trace files (sim/config) write it; the kernel `trace` and the writers of trace files read it once, in order; 10
/// million calls take about 80 MB.
///
/// Checked  tests/unit/core/trace_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery {

struct TraceCall {
  enum class Kind : std::uint8_t {
    compute,        ///< amount: flop
    sleep,          ///< amount: s
    send,           ///< peer, tag, amount: B
    recv,           ///< peer, tag, amount: B
    isend,          ///< and request
    irecv,          ///< and request
    wait,           ///< request
    wait_all,       ///< every open request
    collective,     ///< what, peer: root, amount: B a rank gives (see below), reduction: flop, counts: B by rank
    ideal_barrier,  ///< all leave when the last enters
    phase,          ///< number: of the name in Trace::names
    iteration,      ///< number
    stage,          ///< number: of the name; sequence
    begin_marked,   ///< number: in Trace::marked; the calls up to the end are a collective's messages
    end_marked
  };
  Kind kind{};
  Operation what{};
  Rank peer{};
  Tag tag{};
  RequestId request{};
  double amount = 0.0;
  double reduction = 0.0;
  std::uint32_t number = 0;
  std::uint32_t group = 0;    ///< of a collective: 0 all ranks, n: Trace::groups[n - 1]; `peer` is then a member
  std::uint32_t element = 1;  ///< of a collective: B of one element; amounts and counts are whole elements
  std::uint32_t repeat = 1;   ///< of a message: length of a train, see step.hpp; at both ends; amount is of one
  bool sequence = false;
  std::vector<std::uint64_t> counts;  ///< alltoallv: sent to each rank; other *v and reduce_scatter: of each rank
};

inline constexpr std::size_t trace_call_kinds = 15;
const char* trace_call_name(TraceCall::Kind kind);

struct RankTrace {
  std::vector<std::uint8_t> bytes;
  std::uint64_t calls = 0;
};

/// A collective that a program performed as messages between marks.
struct MarkedCollective {
  CollectiveCall call;    ///< except the name of its algorithm:
  std::string algorithm;  ///< stored here, because a trace is copied

  bool operator==(const MarkedCollective&) const = default;
};

struct Trace {
  std::string file;              ///< where it was read from
  std::string kind;              ///< "ti" or "goal"
  std::vector<RankTrace> ranks;  ///< [ranks]
  std::vector<std::string> names;
  double speed = 0.0;  ///< flop/s of the hosts that the compute amounts are for; 0: not given
  /// Of each gatherv and scatterv: bytes of each rank. Only the root's line of a trace knows them all.
  std::vector<std::vector<std::uint64_t>> root_counts;
  std::vector<MarkedCollective> marked;
  std::vector<Group> groups;  ///< of collectives on some of the ranks; each has its own communicator, 2 or more
  std::vector<std::string> notes;  ///< what was dropped or changed in the file, one sentence each

  std::uint64_t calls() const;
  Group group(std::uint32_t number) const;  ///< of TraceCall::group
  std::uint64_t fingerprint() const;        ///< FNV-1a of everything that determines the program
};

/// Precedes the kind of a call that is a train; the call's `repeat` comes next.
inline constexpr std::uint8_t train_prefix = 0xff;

class TraceWriter {
 public:
  TraceWriter(RankTrace& into) : into_(into) {}  // NOLINT: implicit on purpose, a writer is a view

  void compute(double flops) { begin(TraceCall::Kind::compute), real(flops); }
  void sleep(double seconds) { begin(TraceCall::Kind::sleep), real(seconds); }
  void send(Rank to, Tag tag, Bytes m, std::uint32_t repeat = 1);
  void recv(Rank from, Tag tag, Bytes m, std::uint32_t repeat = 1);
  void isend(Rank to, Tag tag, Bytes m, RequestId request, std::uint32_t repeat = 1);
  void irecv(Rank from, Tag tag, Bytes m, RequestId request, std::uint32_t repeat = 1);
  void wait(RequestId request) { begin(TraceCall::Kind::wait), whole(static_cast<std::uint32_t>(request)); }
  void wait_all() { begin(TraceCall::Kind::wait_all); }
  void ideal_barrier() { begin(TraceCall::Kind::ideal_barrier); }
  void collective(const TraceCall& call);
  /// Copies one call unchanged: its bytes are [begin, end).
  void copy(const std::vector<std::uint8_t>& bytes, std::size_t begin, std::size_t end);
  void phase(std::uint32_t name) { begin(TraceCall::Kind::phase), whole(name); }
  void iteration(std::uint32_t number) { begin(TraceCall::Kind::iteration), whole(number); }
  void begin_marked(std::uint32_t collective) { begin(TraceCall::Kind::begin_marked), whole(collective); }
  void end_marked() { begin(TraceCall::Kind::end_marked); }
  void stage(std::uint32_t name, bool sequence) { begin(TraceCall::Kind::stage), whole(name), whole(sequence ? 1 : 0); }

 private:
  void begin(TraceCall::Kind kind) {
    into_.bytes.push_back(static_cast<std::uint8_t>(kind));
    ++into_.calls;
  }
  void whole(std::uint64_t value) {
    while (value >= 0x80) {
      into_.bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    into_.bytes.push_back(static_cast<std::uint8_t>(value));
  }
  void real(double value);
  void message(Rank peer, Tag tag, Bytes m);
  void train(std::uint32_t repeat);

  RankTrace& into_;
};

class TraceCursor {
 public:
  explicit TraceCursor(const RankTrace& trace) : at_(trace.bytes.data()), end_(at_ + trace.bytes.size()) {}

  /// Fills `call` with the next one; false at the end.
  bool next(TraceCall& call);
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }

 private:
  std::uint64_t whole() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = *at_++;
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  double real();
  void message(TraceCall& call);
  void collective(TraceCall& call);

  const std::uint8_t *at_, *end_;
};

/// Smallest request number not in use: programs that repeat themselves get the same numbers each time.
class RequestNumbers {
 public:
  RequestId take();
  void give_back(RequestId request);
  void give_back_all() { free_.clear(), next_ = 0; }

 private:
  std::vector<std::uint32_t> free_;  ///< a heap, smallest first
  std::uint32_t next_ = 0;
};

}  // namespace orrery
