// A program's beginning and end, and when it wants to be recorded.
#include <cstdarg>

#include "validation/record/wrapper.hpp"

namespace {

/// exit() without MPI_Finalize.
[[gnu::destructor]] void ended() { Recorder::one().died("ended without MPI_Finalize"); }

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  ORRERY_ENTRY(Init);
  const int code = ORRERY_MPI(Init)(argc, argv);
  if (code == MPI_SUCCESS && !Recorder::one().on()) Recorder::one().begin();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  ORRERY_ENTRY(Init_thread);
  const int code = ORRERY_MPI(Init_thread)(argc, argv, required, provided);
  if (code == MPI_SUCCESS && !Recorder::one().on()) Recorder::one().begin();
  return code;
}

int MPI_Finalize() {
  {
    ORRERY_ENTRY(Finalize);
    entry.follow(MPI_SUCCESS, [](Recorder& r) { r.end(); });
  }
  return ORRERY_MPI(Finalize)();
}

int MPI_Abort(MPI_Comm comm, int code) {
  Recorder::one().died("called MPI_Abort");
  return ORRERY_MPI(Abort)(comm, code);
}

/// 0 pauses the recording, 1 goes on with it; on all ranks, while no message is on its way. From 1000 on: a phase
/// begins. What else may stand behind the level is other tools' and is not looked at.
int MPI_Pcontrol(const int level, ...) {
  ORRERY_ENTRY(Pcontrol);
  constexpr int first_phase = 1000;
  if (level == 0 || level == 1) entry.follow(MPI_SUCCESS, [&](Recorder& r) { r.pause(level == 0); });
  if (level >= first_phase) entry.record(MPI_SUCCESS, [&](Recorder& r) { r.phase("level-" + std::to_string(level)); });
  return MPI_SUCCESS;
}

/// A phase of that name begins on this rank; one without a name (a null pointer) is called '-'. Programs declare it
/// weak, so that they run without a recorder, too.
void orrery_phase(const char* name) {
  ORRERY_ENTRY(Pcontrol);
  entry.record(MPI_SUCCESS, [&](Recorder& r) { r.phase(name == nullptr ? "" : name); });
}

}  // extern "C"

ORRERY_WRAPS(Init)
ORRERY_WRAPS(Init_thread)
ORRERY_WRAPS(Finalize)
ORRERY_WRAPS(Abort)
ORRERY_WRAPS(Pcontrol)
