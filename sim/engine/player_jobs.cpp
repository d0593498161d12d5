// Ranks of several jobs: when their programs begin, and whether they begin once more (job_runs.hpp).
#include <algorithm>

#include "sim/engine/player.hpp"

namespace orrery::engine {

void Player::begin_job(Rank rank) {
  const Job& job = jobs_->job(rank);
  if (job.idle) return finish_rank(rank);
  processes_[index(rank)].program = program_.steps(rank);
  if (job.start > Seconds{}) jobs_->set_begun(rank, job.start.si() + start_skew_);
  start(rank, job.start.si());
}

/// Who repeats waits, at no cost and with no mark in its time line, for the last rank of its job.
bool Player::ends_repetition(Rank rank) {
  if (jobs_->job(rank).repeat == 1) return false;
  Process& process = processes_[index(rank)];
  recording_.finish(rank, now_);
  process.program = {};
  process.state = State::barrier;
  if (in_calls_) enter_call(rank);
  if (processors_) give_up_processor(rank);
  if (!jobs_->ends(rank, now_)) return true;
  const JobRuns::Ranks its = jobs_->ranks(rank);
  const bool again = jobs_->goes_on(rank) && (jobs_->is_waited_for(rank) || !others_are_stuck());
  if (history_) history_->barrier(rank, its.first, its.end);
  for (std::uint32_t i = its.first; i < its.end; ++i) {
    if (again) {
      processes_[i].program = program_.steps(Rank{i});
      recording_.again(Rank{i}, now_);
      resume(Rank{i});
    } else {
      finish_rank(Rank{i});
    }
  }
  return true;
}

/// It goes on when something else happens, or never.
bool Player::is_stuck(const Process& process) const {
  switch (process.state) {
    case State::done:
    case State::send_wait:
    case State::receive_wait:
    case State::choosing:
    case State::barrier:
      return true;
    case State::waiting:
      return !process.core_busy;
    default:
      return false;
  }
}

/// Whether nothing is under way in any job that others go on for: they would go on for ever, and nobody would hear of
/// the deadlock.
bool Player::others_are_stuck() const {
  for (std::uint32_t i = 0; i < processes_.size(); ++i)
    if (jobs_->is_waited_for(Rank{i}) && !is_stuck(processes_[i])) return false;
  if (std::any_of(ready_.begin() + static_cast<std::ptrdiff_t>(ready_first_), ready_.end(),
                  [this](Rank rank) { return jobs_->is_waited_for(rank); }))
    return false;
  std::vector<bool> free(messages_.size(), false);
  for (const MessageId i : free_messages_) free[index(i)] = true;
  for (std::uint32_t i = 0; i < messages_.size(); ++i) {
    const Message& message = messages_[MessageId{i}];
    if (free[i] || !jobs_->is_waited_for(message.from)) continue;
    const bool moves = message.flows_running > 0 || message.leg != Leg::none ||
                       (!message.arrived && (message.transfer.eager || message.receive_slot != no_slot));
    if (moves) return false;
  }
  return true;
}

void Player::add_jobs(RunResult& result) { result.jobs = jobs_->records(resources_, history_.get()); }

}  // namespace orrery::engine
