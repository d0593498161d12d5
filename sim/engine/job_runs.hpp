/// Several jobs in one run: the job of each rank, the repetitions of each job and their ends, and the bytes it sent
/// over each resource. The actions at the end of a rank's program are in player_jobs.cpp.
///
///   a repetition begins when the last rank of the job has ended the one before
///   a job without a number of repetitions begins another one as long as a job with a number has not ended
///
/// So the ranks of a job agree on the number of repetitions, whatever the other jobs do.
///
/// Checked  tests/replay/several_jobs_test.cpp
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/engine/ids.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

class History;
class Resources;

class JobRuns {
 public:
  struct Ranks {
    std::uint32_t first = 0, end = 0;
  };

  /// Throws InputError unless the jobs have as many ranks as the program.
  JobRuns(std::span<const Job> jobs, std::uint32_t ranks);

  Ranks ranks(Rank rank) const { return state(rank).ranks; }
  const Job& job(Rank rank) const { return jobs_[of_rank_[index(rank)]]; }
  std::uint32_t& at_barrier(Rank rank) { return state(rank).at_barrier; }

  /// Whether the rank's core was busy waiting for its job's start.
  bool begins(Rank rank, bool starting, double now) const {
    return starting && job(rank).start > Seconds{} && now <= state(rank).begun;
  }
  void set_begun(Rank rank, double date) { state(rank).begun = date; }

  /// A rank has come to its program's end; true if it is the last one of its job.
  bool ends(Rank rank, double now);
  /// Called after the last one: whether the job is repeated. Throws ReplayError if its repetitions take no time, so
  /// that they would never end.
  bool goes_on(Rank rank);
  void ended(Rank rank, double now);
  /// Whether the rank belongs to a job that others wait for.
  bool is_waited_for(Rank rank) const { return job(rank).repeat > 0; }

  void sent(Rank from, Bytes bytes, std::uint32_t count) {
    Traffic& sent = state(from).sent;
    sent.messages += count;
    sent.bytes += count * bytes;
  }
  void carried(Rank from, std::span<const ResourceId> route, double bytes);

  std::vector<JobRecord> records(const Resources& resources, const History* history) const;

 private:
  struct State {
    Ranks ranks;
    std::uint32_t at_barrier = 0, at_end = 0, left = 0;
    double begun = 0.0;  ///< date of the job's start
    std::vector<Seconds> ends;
    Traffic sent;
    std::vector<double> carried;  ///< [resources] bytes
  };
  State& state(Rank rank) { return states_[of_rank_[index(rank)]]; }
  const State& state(Rank rank) const { return states_[of_rank_[index(rank)]]; }

  std::vector<Job> jobs_;
  std::vector<State> states_;           ///< [jobs]
  std::vector<std::uint32_t> of_rank_;  ///< [ranks] its job
  std::size_t waited_for_ = 0;          ///< jobs with a number of repetitions that have not ended
};

}  // namespace orrery::engine
