/// One clock for all ranks of a real run, in which a barrier costs nothing.
///
///   now() = CLOCK_MONOTONIC + offset - left_out
///
///   offset    to rank 0's clock. 0 on rank 0's machine (the same boot id); elsewhere from the quickest of 100 round
///             trips: its answer was read half a round trip before it arrived
///   left_out  what ideal barriers took, so that all ranks leave one at the time at which the last of them entered it
///
/// An ideal barrier agrees on a moment a few milliseconds ahead and sleeps to it. A barrier of messages lets ranks go
/// one after another, which doubles what short messages seem to take.
///
/// Units    seconds
/// Valid    clocks that do not drift apart by more than the quickest round trip while a program runs
#pragma once

#include <mpi.h>

namespace orrery::mpi {

class CommonClock {
 public:
  /// Collective over `world`.
  explicit CommonClock(MPI_Comm world);

  double now() const;
  /// Starts at 0 for all ranks at one moment. Collective.
  void start_together(MPI_Comm ranks);
  /// Collective. Messages under way go on while it lasts.
  void ideal_barrier(MPI_Comm ranks);
  /// By how much this rank left a barrier too late, at most, since the last start.
  double greatest_lateness_s() const { return lateness_s_; }

 private:
  double common() const;
  /// All ranks leave at one moment; returns what `entered` was at most.
  double meet(MPI_Comm ranks, double entered_s, double& met_at_s);

  double offset_s_ = 0.0, left_out_s_ = 0.0, lateness_s_ = 0.0;
  double agreement_s_ = 0.0;  ///< how long the last agreement took this rank, from the last rank's entry on
};

}  // namespace orrery::mpi
