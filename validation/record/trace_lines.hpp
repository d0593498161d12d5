/// The lines of one rank of a recorded program, as SMPI's time-independent traces have them.
///
///   TraceLines lines(3, 1e9);
///   lines.compute(2e-3);                                  "3 compute 2000000"       before the next line
///   lines.message("send", 1, 7, 100);                     "3 send 1 7 100"
///   const auto receive = lines.receive("irecv");
///   lines.settle(receive, {1, 7, 40});                    "3 irecv 1 7 40"          where it was posted
///
/// A receive is written with the rank, the tag and the size of the message that came, whatever it was posted for:
/// played again the program does what it did. Lines after it wait until that is known; `take` gives those before.
///
/// Source   Degomme et al., IEEE TPDS 28(8), 2017 (the format); the marks of docs/traces.md
/// Checked  tests/unit/validation/trace_lines_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::record {

/// A message as one of its ranks sees it. Ranks are the world's.
struct Message {
  int peer = 0, tag = 0;
  std::int64_t bytes = 0;
};

class TraceLines {
 public:
  TraceLines(int rank, double flops_per_s) : rank_(std::to_string(rank)), flops_per_s_(flops_per_s) {}

  /// Times add up to one line of whole flops; the rest goes on to the next.
  void compute(double seconds) { computed_s_ += seconds; }
  /// Whether a line of computing comes before the next.
  bool computed() const { return computed_s_ * flops_per_s_ >= 1.0; }
  void message(const char* call, const Message& message);
  /// A receive of which nothing is known yet. Gives its number.
  std::size_t receive(const char* call);
  void settle(std::size_t receive, const Message& message);
  void drop(std::size_t receive);  ///< nothing ever came
  /// The wait for a message between these two ranks.
  void wait(int from, int to, int tag);
  /// Any other call with its arguments.
  void call(std::string_view text);
  /// A comment that Orrery reads.
  void mark(std::string_view text);

  /// The lines before the first receive that is not settled.
  std::string take();
  /// Bytes that `take` would give.
  std::size_t ready() const { return ready_.size(); }
  std::uint64_t lines() const { return lines_; }

 private:
  enum class State : std::uint8_t { open, settled, dropped };
  /// A receive, and the lines between it and the next.
  struct Receive {
    const char* call;
    State state = State::open;
    Message message;
    std::string after;
  };
  void begin();  ///< of a line: what was computed before it
  std::string& end() { return receives_.empty() ? ready_ : receives_.back().after; }
  void write(std::string& into, const char* call, const Message& message) const;
  void advance();

  std::string rank_;
  double flops_per_s_;
  double computed_s_ = 0.0;
  std::string ready_;
  std::deque<Receive> receives_;
  std::size_t first_ = 0;  ///< number of receives_.front()
  std::uint64_t lines_ = 0;
};

/// "0:2:8" of evenly spaced ranks, else "0,2,5".
std::string ranks_text(const std::vector<int>& ranks);

}  // namespace orrery::record
