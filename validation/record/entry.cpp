// From call to call: what a program does in between, and how long it is in each.
#include "validation/record/recorder.hpp"

namespace orrery::record {

namespace {

constexpr std::size_t much = 1u << 16;  // B of lines

// Of each thread: how deep in calls of MPI it is, and when it left the last.
thread_local int depth = 0;
thread_local double left_s = 0.0;
thread_local bool records_computing = false;  ///< the thread that began MPI
thread_local bool polled = false;             ///< the last call was a poll that found nothing

constexpr double shortest_between_polls_s = 1e-6;

}  // namespace

void Recorder::begin_thread() {
  records_computing = true;
  left_s = now_s();
}

void Recorder::begin_call() {
  if (inside_.fetch_add(1) == 0 || !writes()) return;
  const std::lock_guard lock(guard_);
  at_once_ = true;
  note("calls that began while another thread of their rank was in MPI: what was recorded is no trace");
}

/// What lies between the last call and this one.
void Recorder::entered(double at_s) {
  const double since_s = at_s - left_s;
  if (!writes() || (polled && since_s < shortest_between_polls_s)) return;
  const std::lock_guard lock(guard_);
  if (!records_computing) return note("calls of other threads than the one that began MPI: written where they fell");
  lines_->compute(since_s);
  computed_s_ += since_s;
}

void Recorder::left(CallTime& call, double entered_at_s) {
  left_s = now_s();
  polled = false;
  if (!writes()) return;
  const std::lock_guard lock(guard_);
  ++call.count;
  call.seconds += left_s - entered_at_s;
  if (lines_->ready() < much) return;
  write();
  left_s = now_s();
}

Entry::Entry(CallTime& call) : call_(call), outermost_(depth++ == 0), on_(outermost_ && Recorder::one().on()) {
  if (!on_) return;
  Recorder::one().begin_call();
  entered_s_ = now_s();
  Recorder::one().entered(entered_s_);
}

Entry::~Entry() {
  --depth;
  if (!on_) return;
  Recorder::one().end_call();
  if (Recorder::one().on()) Recorder::one().left(call_, entered_s_);
}

Poll::Poll(CallTime& call) : call_(call), outermost_(depth++ == 0), on_(outermost_ && Recorder::one().on()) {
  if (!on_) return;
  entered_s_ = now_s();
  Recorder::one().entered(entered_s_);
}

Poll::~Poll() {
  --depth;
  if (!on_) return;
  if (found_) {
    Recorder::one().left(call_, entered_s_);
    return;
  }
  left_s = now_s();
  polled = true;
  if (!Recorder::one().writes()) return;
  ++call_.count;  // of several threads some may be missed
  call_.seconds += left_s - entered_s_;
}

Unheld::Unheld(const char* what) {
  if (depth++ > 0 || !Recorder::one().writes()) return;
  const std::lock_guard lock(Recorder::one().guard());
  Recorder::one().note(what);
}
Unheld::~Unheld() { --depth; }

}  // namespace orrery::record
