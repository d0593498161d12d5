/// Private to the reader of TI traces: the lines of one rank as calls.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/traces/trace_matching.hpp"
#include "sim/config/traces/trace_words.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace.hpp"

namespace orrery::config {

/// Number of things that were dropped or changed, by the sentence that describes them.
using TraceNotes = std::map<std::string, std::uint64_t>;

/// The element of Trace::root_counts for the n-th gatherv or scatterv of a group: (group, n).
using RootedCalls = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

/// A message to or from a rank that does not exist.
struct RankOutside : InputError {
  using InputError::InputError;
};

class TiRank {
 public:
  using Words = std::vector<std::string_view>;

  /// `index`: the file that names one file per rank, "" if one file has all ranks.
  TiRank(Trace& trace, TraceNotes& notes, RootedCalls& rooted, std::uint32_t me, std::uint32_t ranks,
         const std::string& index)
      : trace_(trace),
        notes_(notes),
        all_rooted_(rooted),
        writer_(trace.ranks[me]),
        me_(me),
        ranks_(ranks),
        index_(index) {}

  /// words: the rank, the call, its arguments.
  void read(const TraceLines& at, const Words& words);
  /// words: "#orrery", the rank, a mark, its arguments (written by `ti_text`).
  void read_mark(const TraceLines& at, const Words& words);
  /// Throws if the trace began with `init` and stops before `finalize`.
  void finish(const std::string& file);

  RankLines take_lines() { return std::move(lines_); }

 private:
  struct Open {
    Rank from{}, to{};
    Tag tag{};
    RequestId request{};
    bool closed = false;
  };
  struct Call {
    const char* name;
    void (TiRank::*read)(const TraceLines&, const Words&);
    std::size_t least, most;  ///< arguments
  };
  static const Call* find(std::string_view name);

  void init(const TraceLines& at, const Words& words);
  void finalize(const TraceLines& at, const Words& words);
  void nothing(const TraceLines& at, const Words& words);
  void communicator(const TraceLines& at, const Words& words);
  void compute(const TraceLines& at, const Words& words);
  void sleep(const TraceLines& at, const Words& words);
  void send(const TraceLines& at, const Words& words);
  void receive(const TraceLines& at, const Words& words);
  void send_receive(const TraceLines& at, const Words& words);
  void test(const TraceLines& at, const Words& words);
  void wait(const TraceLines& at, const Words& words);
  void wait_all(const TraceLines& at, const Words& words);
  void barrier(const TraceLines& at, const Words& words);
  void bcast(const TraceLines& at, const Words& words);
  void reduce(const TraceLines& at, const Words& words);
  void all_reduce(const TraceLines& at, const Words& words);
  void all_to_all(const TraceLines& at, const Words& words);
  void all_to_all_v(const TraceLines& at, const Words& words);
  void gather(const TraceLines& at, const Words& words);
  void gather_v(const TraceLines& at, const Words& words);
  void scatter(const TraceLines& at, const Words& words);
  void scatter_v(const TraceLines& at, const Words& words);
  void all_gather(const TraceLines& at, const Words& words);
  void all_gather_v(const TraceLines& at, const Words& words);
  void reduce_scatter(const TraceLines& at, const Words& words);

  Rank source(const TraceLines& at, std::string_view word) const;
  Rank peer(const TraceLines& at, std::string_view word, const char* name) const;
  Tag tag(const TraceLines& at, std::string_view word, bool any_allowed) const;
  double size_of(const TraceLines& at, const Words& words, std::size_t datatype);  ///< B of one element
  double element_size(const TraceLines& at, const Words& words, std::size_t datatype);
  std::vector<std::uint64_t> counts(const TraceLines& at, const Words& words, std::size_t first, double size) const;
  void open_send(const TraceLines& at, Rank to, Tag tag, double bytes);
  void open_receive(Rank from, Tag tag, double bytes);
  Open* find_open(Rank from, Rank to, Tag tag);
  void close(Open& open);
  void ignore_after(const Words& words, std::size_t most);  ///< counts the remaining words
  std::vector<std::uint64_t>& counts_of_root();
  Rank root(const TraceLines& at, std::string_view word) const;  ///< a member of the call's group
  std::uint32_t members() const;                                 ///< of it
  bool is_root() const;
  void read_group(const TraceLines& at, const Words& words);
  void begin_marked(const TraceLines& at, const Words& words);
  double of_train(const TraceLines& at, double bytes);  ///< bytes of one of its messages
  void enter(const TraceLines& at, Operation what, bool same_amount);

  Trace& trace_;
  TraceNotes& notes_;
  RootedCalls& all_rooted_;
  TraceWriter writer_;
  RankLines lines_;
  RequestNumbers numbers_;
  std::vector<Open> open_;
  std::size_t open_first_ = 0, open_count_ = 0;  ///< all before the first are closed
  TraceCall call_;                               ///< a collective being read
  std::uint32_t elements_ = 0;                   ///< datatypes of it so far
  std::uint32_t me_, ranks_;
  const std::string& index_;
  std::uint32_t last_line_ = 0;
  std::map<std::uint32_t, std::uint32_t> rooted_;  ///< gatherv and scatterv so far, by group
  double default_size_ = 1.0;                      ///< B of an element without a datatype
  std::uint32_t train_ = 1;                        ///< of the message being read
  bool began_ = false, ended_ = false, next_barrier_ideal_ = false, marked_ = false;
};

}  // namespace orrery::config
