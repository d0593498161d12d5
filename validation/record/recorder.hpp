/// What one rank has recorded, and what it knows of its communicators and open requests. Private to the wrappers.
///
///   int MPI_Send(...) {
///     Entry entry(calls().send);                       // the time since the last call of MPI was computation
///     const int code = ORRERY_MPI(Send)(...);
///     entry.record(code, [&](Recorder& r) { r.sent("send", {to, tag, bytes}, comm); });
///     return code;                                     // until the next call the program computes
///   }
///
/// Calls that MPI makes of itself inside another are not recorded. Nothing is locked while MPI is called.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "validation/record/call_times.hpp"
#include "validation/record/phases.hpp"
#include "validation/record/real_mpi.hpp"
#include "validation/record/trace_lines.hpp"

namespace orrery::record {

/// A collective that was begun and is written when it has completed: a trace has only blocking ones.
struct BegunCollective {
  MPI_Request request;
  std::string text;
};

/// A communicator as the trace names it: 0 is the world, others are numbered alike on all of their ranks.
struct Known {
  int number = 0;
  const std::vector<int>* world = nullptr;  ///< [members] rank on the world
  int me = 0;                               ///< which member this rank is
  std::string on;                           ///< the mark of its collectives; none of the world
  std::deque<BegunCollective> begun;        ///< in the order in which all of its ranks begin them

  int size() const { return static_cast<int>(world->size()); }
  int world_rank(int member) const { return (*world)[static_cast<std::size_t>(member)]; }
};

/// A message that was posted and not yet waited for. `receive`: its line in the trace.
struct Posted {
  std::optional<std::size_t> receive;
  int from = 0, to = 0, tag = 0;  ///< ranks of the world; of a receive as posted, perhaps any
  std::int64_t bytes = 0;
  const Known* known = nullptr;
};

/// What a persistent request posts each time it is started.
struct Template {
  bool receives = false;
  Message message;
  const Known* known = nullptr;
};

class Recorder {
 public:
  static Recorder& one();

  void begin();  ///< after MPI_Init
  void end();    ///< before MPI_Finalize
  void died(const std::string& how);
  bool on() const { return lines_.has_value(); }
  bool writes() const { return lines_.has_value() && !paused_; }
  void pause(bool paused);
  void phase(const std::string& name);  ///< begins here

  /// Gives a communicator its number; all of its ranks call it together.
  void name(MPI_Comm comm);
  /// Nothing for a communicator that has no number (between groups, or made by a call that is not recorded), said.
  Known* known(MPI_Comm comm);

  /// Of one call. `Message::peer` and `tag` are the program's; a receive's are of its status.
  void sent(const char* call, const Message& message, MPI_Comm comm);
  void received(const MPI_Status& status, MPI_Comm comm);
  void exchanged(const Message& sent, const MPI_Status& came, MPI_Comm comm);
  void posted_send(const Message& message, MPI_Comm comm, MPI_Request request);
  void posted_receive(const Message& message, MPI_Comm comm, MPI_Request request);
  void persistent(bool receives, const Message& message, MPI_Comm comm, MPI_Request request);
  void started(MPI_Request request);
  void completed(MPI_Request request, const MPI_Status& status);
  void freed(MPI_Request request);
  void matched(MPI_Message message, MPI_Comm comm) { matched_[message] = comm; }
  MPI_Comm comm_of(MPI_Message message);

  /// Blocking, or begun and completed with `request`.
  void collective(MPI_Comm comm, const std::string& text);
  void begun(MPI_Comm comm, const std::string& text, MPI_Request request);

  /// Counts what a trace cannot say; the sentence stands in notes.txt.
  void note(const std::string& what) { ++notes_[what]; }

  void cancels() { cancels_ = true; }
  void begin_thread();  ///< whose computing counts
  // Around every call. Two at once, of two threads, have no order that a trace could give them.
  void begin_call();
  void end_call() { --inside_; }
  void entered(double at_s);
  void left(CallTime& call, double entered_at_s);
  std::mutex& guard() { return guard_; }

 private:
  bool belongs_here() const;
  bool open_file();
  const Known* peer_on(MPI_Comm comm, int peer) { return peer == MPI_PROC_NULL ? nullptr : known(comm); }
  void post_send(const Message& message, const Known& where, MPI_Request request);
  void post_receive(const Message& message, const Known& where, MPI_Request request);
  int tag_of(int tag, const Known& known);
  void write_collective(const Known& known, const std::string& text);
  void complete_collectives(Known& known, MPI_Request up_to);
  void settle(const Posted& posted, const MPI_Status& status);
  void settle_the_rest();
  double recorded_s() const;  ///< since it began, but for pauses
  bool in_use() const { return lines_->lines() > phase_from_ || lines_->computed(); }
  std::string longest_phases();
  void write();
  bool close_file(bool is_trace);
  void write_summary(double longest_s, const std::string& phases, const std::string& notes,
                     const std::string& calls) const;
  void write_no_trace(const std::string& notes, const std::string& calls) const;
  std::string own_notes() const;
  std::string own_calls() const;

  std::optional<TraceLines> lines_;
  std::string folder_, part_;
  std::FILE* file_ = nullptr;
  int rank_ = 0, ranks_ = 0, key_ = MPI_KEYVAL_INVALID, next_number_ = 1;
  bool paused_ = false, cancels_ = false, whole_ = true;
  double flops_per_s_ = 0.0;  ///< 0: seconds are asked for
  double resumed_s_ = 0.0, took_s_ = 0.0, computed_s_ = 0.0;
  Phases phases_;
  PhaseWords phase_words_;
  std::uint64_t phase_from_ = 0;  ///< lines before this phase
  std::int64_t process_ = 0;      ///< a child of it is not recorded
  std::set<std::vector<int>> groups_;
  std::deque<Known> communicators_;
  Known* world_ = nullptr;
  std::unordered_map<MPI_Request, std::vector<Posted>> open_;  ///< MPI gives those complete at once one handle
  std::vector<Posted> abandoned_;                              ///< receives whose requests were freed
  std::unordered_map<MPI_Request, Known*> begun_;
  std::unordered_map<MPI_Request, Template> templates_;
  std::unordered_map<MPI_Message, MPI_Comm> matched_;
  std::map<std::string, std::uint64_t> notes_;
  std::mutex guard_;
  std::atomic<int> inside_ = 0;  ///< threads that are in a call
  bool at_once_ = false;         ///< two of them were
};

/// Does `what` with the recorder to itself.
template <class Do>
void with_recorder(Do&& what) {
  const std::lock_guard lock(Recorder::one().guard());
  what(Recorder::one());
}

/// One call of the program.
class Entry {
 public:
  explicit Entry(CallTime& call);
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  /// Does `what` for a call of the program that went well, while the trace is written.
  template <class Do>
  void record(int code, Do&& what) const {
    if (code != MPI_SUCCESS || !outermost_ || !Recorder::one().writes()) return;
    with_recorder(what);
  }
  /// The same also while it is paused: what later calls refer to.
  template <class Do>
  void follow(int code, Do&& what) const {
    if (code != MPI_SUCCESS || !outermost_ || !Recorder::one().on()) return;
    with_recorder(what);
  }

 private:
  CallTime& call_;
  double entered_s_ = 0.0;
  bool outermost_, on_;
};

/// A test or a probe: a call like any other when it finds something. When not, it is one of many, so it costs little,
/// and what lies between two of them is waiting unless it takes longer than a microsecond.
class Poll {
 public:
  explicit Poll(CallTime& call);
  ~Poll();
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;

  template <class Do>
  void found(int code, Do&& what) {
    found_ = true;
    if (code != MPI_SUCCESS || !outermost_ || !Recorder::one().on()) return;
    with_recorder(what);
  }

 private:
  CallTime& call_;
  double entered_s_ = 0.0;
  bool outermost_, on_, found_ = false;
};

/// A call that the trace cannot hold: counted, and its time left to the program's computing.
class Unheld {
 public:
  explicit Unheld(const char* what);
  ~Unheld();
  Unheld(const Unheld&) = delete;
  Unheld& operator=(const Unheld&) = delete;
};

/// Bytes of so many elements.
std::int64_t bytes_of(std::int64_t count, MPI_Datatype type);
/// Bytes that came.
std::int64_t bytes_of(const MPI_Status& status);

}  // namespace orrery::record
