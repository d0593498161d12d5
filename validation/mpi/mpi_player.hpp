/// Performs one rank of a program with real MPI calls: the same coroutine that the engines play, with real payloads.
///
///   MpiPlayer player(program, compute, comm, options);   collective over the program's ranks
///   player.play(clock);                                  as often as one likes
///
///   messages and waits   MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv, MPI_Wait, MPI_Waitall, MPI_Iprobe
///
///   computation          nothing, a spin or a sleep of as long as the compute model says, as many flops and bytes, or
///                        with a worker (validation/programs) the kernel's own work on the data that its messages carry
///
///   polling computation  in equal parts, with MPI_Request_get_status between them
///
///   ideal barrier        a moment agreed upon; what that takes is left out of the clock
///
///   collectives          as our algorithms send them, or one call of the library's own, but for uneven shares
///
/// Errors: a rank that is not there, a tag or a size beyond MPI's, a train of messages: InputError before anything is
/// sent. A message of another size, or with a wrong byte while `check` is on: ReplayError.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/core/compute_model.hpp"
#include "sim/core/program.hpp"
#include "validation/mpi/common_clock.hpp"
#include "validation/mpi/needs.hpp"
#include "validation/mpi/payload.hpp"
#include "validation/mpi/phase_times.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::mpi {

enum class ComputeAs : std::uint8_t { none, spin, sleep, work, real };

struct PlayOptions {
  ComputeAs compute = ComputeAs::spin;
  bool library_collectives = false;
  programs::Worker* worker = nullptr;  ///< of this rank, for ComputeAs::real
};

/// Compute steps of one kind of work in one phase of a run.
struct WorkDone {
  std::uint64_t steps = 0;
  Flops flops;
  Bytes traffic;
  double seconds = 0.0;
};
using WorkByPhase = std::map<std::pair<std::string, Work>, WorkDone>;

class MpiPlayer {
 public:
  MpiPlayer(const Program& program, const ComputeModel& compute, MPI_Comm ranks, const PlayOptions& options);
  MpiPlayer(const MpiPlayer&) = delete;
  MpiPlayer& operator=(const MpiPlayer&) = delete;
  ~MpiPlayer();

  /// Once, from a common start. With `check` every byte of every message is written and read; `orrery record` keeps
  /// the runs with `record` and what is outside of them is not recorded. Collective.
  void play(CommonClock& clock, bool check, bool record = false);

  const PhaseTimes& times() const { return times_; }
  const WorkByPhase& work_done() const { return work_; }  ///< of the last run, with a worker
  double end_s() const { return end_s_; }                 ///< since the common start
  std::uint64_t checked() const { return checked_; }      ///< messages received whose bytes were all right
  std::uint64_t sent() const { return sent_; }            ///< by this rank in one run

 private:
  struct Open {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<unsigned char> buffer;
    bool receives = false;
    std::size_t bytes = 0;
    Recv recv = {};  ///< of what a worker receives
  };

  void make_communicators(const Needs& needs);
  MPI_Comm of(Communicator communicator) const { return communicators_.at(communicator); }
  Address sent_to(const Send& send) const;
  std::vector<unsigned char> take_buffer(std::size_t bytes);
  const void* outgoing(const Send& send, std::vector<unsigned char>& buffer);
  void received(const MPI_Status& status, const std::vector<unsigned char>& buffer, std::size_t bytes);
  void finish(RequestId id, const MPI_Status& status);
  /// The worker, for messages that carry its data; else null.
  programs::Worker* carrier(Tag tag) const;
  const double* carried(const Send& send) const;
  double* room_for(const Recv& recv) const;
  void require_size(const MPI_Status& status, std::size_t bytes) const;
  void compute_for(const Compute& compute, double share);
  void call_library(const CollectiveCall& call);

  void perform(const Compute& step);
  void perform(const ComputeUntil& step);
  void perform(const Send& step);
  void perform(const Recv& step);
  void perform(const Isend& step);
  void perform(const Irecv& step);
  void perform(const Wait& step);
  void perform(const WaitAll& step);
  void perform(const WaitAny& step);
  void perform(const Probe& step);
  void perform(const IdealBarrier& step);
  void perform(const PhaseMark& mark);
  void perform(const IterationMark& mark);
  void perform(const StageMark&) {}
  void perform(const CollectiveBegin& mark);
  void perform(const CollectiveEnd&);

  const Program& program_;
  const ComputeModel& compute_;
  PlayOptions options_;
  MPI_Comm ranks_;
  int me_ = 0;
  std::map<Communicator, MPI_Comm> communicators_;
  std::map<std::uint64_t, MPI_Comm> groups_;  ///< for the library's collectives, by the group's fingerprint
  std::unordered_map<std::uint32_t, Open> open_;
  std::vector<std::vector<unsigned char>> spare_;
  std::vector<unsigned char> source_, sink_;  ///< what unchecked messages and the library's collectives are made of
  CommonClock* clock_ = nullptr;
  PhaseTimes times_;
  WorkByPhase work_;
  double end_s_ = 0.0;
  bool check_ = false, skipping_ = false, recorded_ = false;
  std::uint64_t checked_ = 0, sent_ = 0, computes_ = 0;
};

}  // namespace orrery::mpi
