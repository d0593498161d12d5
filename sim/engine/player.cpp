#include "sim/engine/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/core/asleep.hpp"
#include "sim/core/doing.hpp"
#include "sim/core/error.hpp"

namespace orrery::engine {

namespace {

constexpr std::uint32_t fetch_ahead_from = 4096;  // ranks; of 1,024, most is in a cache and asking gains nothing

}  // namespace

Player::Player(const ReplayInput& input, const Routes& routes, FlowSink& sink)
    : program_(*input.program),
      layout_(*input.layout),
      compute_(*input.compute),
      options_(input.options),
      sink_(sink),
      resources_(input, routes),
      protocol_(input, routes, resources_, routes_),
      matching_(input.layout->ranks()),
      processors_(input.platform->processors > 0
                      ? std::make_unique<Processors>(input.platform->processors, input.layout->ranks())
                      : nullptr),
      ports_(input.network->protocol.discipline == Discipline::fifo
                 ? std::make_unique<Ports>(*input.network, routes.nodes(), resources_.loads())
                 : nullptr),
      queues_(input.network->adapters.send_queues > 0 || input.network->aggregation ? std::make_unique<SendQueues>()
                                                                                    : nullptr),
      history_(input.options.critical_path ? std::make_unique<History>(input.layout->ranks(), input.options.path_events)
                                           : nullptr),
      recording_(input.layout->ranks(), input.options, history_.get(), PowerMeter::of(input, routes)),
      collectives_(input.layout->ranks()),
      processes_(input.layout->ranks()),
      fetches_ahead_(input.layout->ranks() >= fetch_ahead_from),
      pairs_max_(sink.pairs_kept(input.layout->ranks())),
      start_skew_(input.platform->start_skew.si()),
      forwarding_(processors_ ? input.platform->forwarding.si() : 0.0),
      forwarding_next_(input.platform->forwarding_next.si()) {
  if (program_.ranks() != layout_.ranks())
    throw InputError("layout '{}': has {} ranks, program '{}' has {} (they must agree)", layout_.name, layout_.ranks(),
                     program_.name(), program_.ranks());
  sweeps_memory_ =
      std::ranges::any_of(layout_.placements, [](const Placement& place) { return place.local_work.any(); });
  for (std::uint32_t rank = 0; rank < layout_.ranks(); ++rank) {
    const ResourceId cores = resources_.cores(Rank{rank});
    cores_.push_back(cores == no_resource ? no_route : routes_.add({&cores, 1}));
    processes_[rank].time_shared = cores != no_resource;
  }
  auto kept = std::make_unique<KeptCores>(*input.platform, layout_);
  if (kept->any()) kept_cores_ = std::move(kept);
  if (protocol_.any_in_calls()) in_calls_ = std::make_unique<InCalls>(layout_.ranks());
  if (!input.jobs.empty()) {
    jobs_ = std::make_unique<JobRuns>(input.jobs, layout_.ranks());
    if (history_) history_->keep_jobs(input.jobs);
  }
  if (options_.alike_once) keep_alike(input);
}

void Player::begin() {
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    if (jobs_) {
      begin_job(Rank{i});
      continue;
    }
    processes_[i].program = program_.steps(Rank{i});
    start(Rank{i});
  }
  run_ready();
}

void Player::run_due(double now) {
  now_ = std::max(now_, now);
  while (timers_.next_date() <= now_) {
    const TimerOwner owner{timers_.top_what()};
    timers_.pop();
    if (fetches_ahead_) fetch_ahead();
    if (!owner.is_rank())
      delayed(owner.message());
    else if (!is_stale(owner.rank()))
      core_free(owner.rank());
    run_ready();
  }
}

void Player::flow_ended(FlowId flow, double now) {
  now_ = std::max(now_, now);
  if (const FlowOwner owner{flow}; owner.is_rank()) {
    core_free(owner.rank());
  } else {
    flow_of_message_ended(owner.message(), owner.flow());
  }
  run_ready();
}

void Player::run_ready() {
  while (ready_first_ < ready_.size()) advance(ready_[ready_first_++]);
  ready_.clear();
  ready_first_ = 0;
}

void Player::advance(Rank rank) {
  Process& process = processes_[index(rank)];
  process.state = State::running;
  doing.rank = static_cast<std::uint32_t>(rank);
  for (;;) {
    doing.step = ++process.steps;
    const Step* step = process.program.next();
    if (step == nullptr) break;
    if (perform(rank, *step)) continue;
    if (processors_) give_up_processor(rank);
    return;
  }
  if (jobs_ && ends_repetition(rank)) return;
  finish_rank(rank);
}

void Player::finish_rank(Rank rank) {
  Process& process = processes_[index(rank)];
  process.state = State::done;
  if (processors_) give_up_processor(rank);
  if (kept_cores_)
    kept_cores_->leave(rank, now_, [this](Rank other, double end) { timers_.push(end, TimerOwner{other}.token()); });
  if (in_calls_) enter_call(rank);
  process.program = {};
  recording_.finish(rank, now_);
  if (history_) history_->finished(rank);
  makespan_ = std::max(makespan_, now_);
  if (jobs_) jobs_->ended(rank, now_);
  ++finished_;
  if (ports_ && is_over()) ports_->end(now_);
}

bool Player::perform(Rank rank, const Step& step) {
  return visit_step([this, rank](const auto& kind) { return play(rank, kind); }, step);
}

void Player::begin_step(Rank rank) {
  Process& process = processes_[index(rank)];
  recording_.step(rank);
  process.since = now_;
  process.peer = any_rank;
  process.bytes = Bytes{};
}

bool Player::play(Rank rank, const PhaseMark& mark) { return recording_.enter_phase(rank, mark.name, now_), true; }
bool Player::play(Rank rank, const IterationMark& mark) {
  return recording_.enter_iteration(rank, mark.iteration, now_), true;
}
bool Player::play(Rank, const StageMark&) { return true; }
bool Player::play(Rank rank, const CollectiveBegin& mark) {
  if (mark.call == nullptr)
    throw ReplayError("rank {} begins a collective, but says not which ({}, p={}, t={:.6g}s)", index(rank),
                      program_.name(), layout_.ranks(), now_);
  if (alike_ && holds(rank, *mark.call)) return false;
  return collectives_.begin(rank, mark, now_), true;
}
bool Player::play(Rank rank, const CollectiveEnd&) {
  if (alike_) alike_->collective_ended(rank);
  return recording_.collective(rank, collectives_.end(rank, now_), now_), true;
}

bool Player::play(Rank rank, const Isend& isend) {
  begin_call(rank);
  collectives_.sends(rank, isend.send.tag);
  return perform_send(rank, isend.send, open_request(rank, isend.request, false), false);
}
bool Player::play(Rank rank, const Irecv& irecv) {
  begin_call(rank);
  collectives_.receives(rank, irecv.recv.tag);
  post_receive(rank, open_request(rank, irecv.request, true), irecv.recv);
  return true;
}
bool Player::play(Rank rank, const Send& send) {
  begin_call(rank);
  collectives_.sends(rank, send.tag);
  return perform_send(rank, send, processes_[index(rank)].requests.open_blocking(false), true);
}
bool Player::play(Rank rank, const Recv& recv) {
  begin_call(rank);
  collectives_.receives(rank, recv.tag);
  return perform_receive(rank, recv);
}
bool Player::play(Rank rank, const WaitAll& all) {
  begin_call(rank);
  return perform_wait(rank, all.first, all.count);
}
bool Player::play(Rank rank, const Wait& one) {
  begin_call(rank);
  return perform_wait(rank, one.request, 1);
}
bool Player::play(Rank rank, const Compute& compute) {
  begin_work(rank);
  return is_asleep(compute) ? perform_sleep(rank, compute) : perform_compute(rank, compute);
}
bool Player::play(Rank rank, const ComputeUntil& until) { return begin_work(rank), perform_until(rank, until); }
bool Player::play(Rank rank, const Probe& probe) { return begin_call(rank), perform_probe(rank, probe); }
bool Player::play(Rank rank, const WaitAny& any) { return begin_call(rank), perform_choice(rank, any); }
bool Player::play(Rank rank, const IdealBarrier&) { return begin_call(rank), perform_barrier(rank); }

bool Player::occupy_core(Rank rank, double seconds, State state) {
  Process& process = processes_[index(rank)];
  process.state = state;
  if (!(seconds > 0.0)) return true;
  if (process.time_shared || processors_) return share_core(rank, seconds);
  timers_.push(now_ + seconds, TimerOwner{rank}.token());
  return false;
}

/// As `occupy_core`, of a rank that has its core not for itself.
bool Player::share_core(Rank rank, double seconds) {
  if (alike_) alike_->core_taken(rank, now_);
  if (processors_) {
    const auto until_done = processors_->take({rank, seconds}, now_);
    if (!until_done) return false;
    seconds = *until_done;
  }
  if (!processes_[index(rank)].time_shared) {
    timers_.push(now_ + seconds, TimerOwner{rank}.token());
    return false;
  }
  if (history_) history_->shares_cores(rank, seconds);
  const double longer = seconds * resources_.time_sharing(rank);
  if (kept_cores_ && kept_cores_->keeps(rank)) {
    timers_.push(kept_cores_->begin(rank, longer, now_), TimerOwner{rank}.token());
    return false;
  }
  const double width = layout_.of(rank).cores * core_unit;
  sink_.start_flow(FlowOwner{rank}.id(), cores_[index(rank)], longer * width, width);
  return false;
}

PathKind Player::kind_of(State state) {
  switch (state) {
    case State::computing:
    case State::polling:
    case State::starting:
      return PathKind::computation;
    case State::sleeping:
      return PathKind::sleep;
    case State::probing:
      return PathKind::probe;
    case State::sending:
      return PathKind::send_overhead;
    default:
      return PathKind::receive_overhead;
  }
}

void Player::core_free(Rank rank) {
  Process& process = processes_[index(rank)];
  if (history_) {
    if (jobs_ && jobs_->begins(rank, process.state == State::starting, now_))
      history_->begins(rank, now_);
    else
      history_->worked(rank, kind_of(process.state), recording_.phase(rank), now_);
  }
  switch (process.state) {
    case State::computing:
      end_interval(rank, Activity::compute);
      return resume(rank);
    case State::sleeping:
      return resume(rank);
    case State::polling:
      return next_chunk(rank);
    case State::probing:
      answer(rank);
      return resume(rank);
    case State::sending:
      return launch(process.message);
    case State::starting:
      return resume(rank);
    case State::held:
      return leave_stretch(rank);
    case State::receiving:
      end_interval(rank, Activity::receive);
      return resume(rank);
    default:  // waiting
      process.core_busy = false;
      if (go_on_waiting(rank)) return resume(rank);
      if (processors_) give_up_processor(rank);
  }
}

void Player::end_interval(Rank rank, Activity activity) {
  const Process& process = processes_[index(rank)];
  recording_.interval(rank, activity, process.since, now_, process.peer, process.bytes);
}

bool Player::perform_compute(Rank rank, const Compute& compute) {
  Process& process = processes_[index(rank)];
  const double seconds = compute_.sampled_time(compute, rank, process.computes++).si();
  require_number(seconds, "computes for", "s", rank);
  if (sweeps_memory_ && !process.time_shared && !processors_)
    if (const FlowPlan plan = protocol_.memory_sweep(rank, compute, seconds); plan.route != no_route)
      return sweep_memory(rank, plan), false;
  return occupy_core(rank, seconds, State::computing);
}

void Player::sweep_memory(Rank rank, const FlowPlan& plan) {
  processes_[index(rank)].state = State::computing;
  sink_.start_flow(FlowOwner{rank}.id(), plan.route, plan.bytes, plan.cap);
}

Player::Polling& Player::polling(Rank rank) {
  std::unique_ptr<Polling>& polling = processes_[index(rank)].polling;
  if (polling == nullptr) polling = std::make_unique<Polling>();
  return *polling;
}

bool Player::perform_until(Rank rank, const ComputeUntil& until) {
  require_order("a rank computes until a message is there");
  Process& process = processes_[index(rank)];
  Polling& poll = polling(rank);
  poll.chunks_left = std::max(until.chunks, 1u);
  poll.chunk = compute_.sampled_time(until.compute, rank, process.computes++).si() / poll.chunks_left;
  require_number(poll.chunk, "computes for", "s", rank);
  poll.polled = process.requests.find(until.request);
  --poll.chunks_left;
  if (!occupy_core(rank, poll.chunk, State::polling)) return false;
  next_chunk(rank);
  return false;
}

void Player::next_chunk(Rank rank) {
  const Process& process = processes_[index(rank)];
  Polling& poll = *process.polling;
  while (poll.chunks_left > 0) {
    const bool known = poll.polled != no_slot;
    const bool pending =
        known && !(process.requests.is_complete(poll.polled) && seen(process.requests[poll.polled].completed));
    // One probe after each chunk until the request has completed; then the rest is computed in one go.
    double seconds = protocol_.probe_overhead(rank, known ? process.requests[poll.polled].peer : any_rank);
    seconds += pending ? poll.chunk : poll.chunk * poll.chunks_left;
    poll.chunks_left = pending ? poll.chunks_left - 1 : 0;
    if (pending && in_calls_) {
      enter_call(rank);
      in_calls_->leave(rank, now_);
    }
    if (!occupy_core(rank, seconds, State::polling)) return;
  }
  end_interval(rank, Activity::compute);
  resume(rank);
}

bool Player::perform_probe(Rank rank, const Probe& probe) {
  require_order("a rank probes for messages");
  if (probe.found == nullptr)
    throw ReplayError("rank {} probes, but says not where the answer goes ({}, p={}, t={:.6g}s)", index(rank),
                      program_.name(), layout_.ranks(), now_);
  polling(rank).probe = probe;
  if (!occupy_core(rank, protocol_.probe_overhead(rank, probe.from), State::probing)) return false;
  answer(rank);
  return true;
}

void Player::answer(Rank rank) {
  const Probe& probe = processes_[index(rank)].polling->probe;
  const Matching::Waiting waiting = matching_.waiting(rank, {probe.from, probe.tag, probe.communicator});
  *probe.found = waiting.message != no_message && seen(waiting.since);
  end_interval(rank, Activity::wait);
}

bool Player::perform_barrier(Rank rank) {
  processes_[index(rank)].state = State::barrier;
  const JobRuns::Ranks its = jobs_ ? jobs_->ranks(rank) : JobRuns::Ranks{0, layout_.ranks()};
  std::uint32_t& arrived = jobs_ ? jobs_->at_barrier(rank) : at_barrier_;
  if (++arrived < its.end - its.first) return false;
  arrived = 0;
  if (history_) history_->barrier(rank, its.first, its.end);
  for (std::uint32_t i = its.first; i < its.end; ++i) {
    end_interval(Rank{i}, Activity::barrier);
    start(Rank{i});
  }
  return false;
}

void Player::refuse_number(double value, const char* what, const char* unit, Rank rank) const {
  throw ReplayError("rank {} {} {} {} (a number from 0 on; {}, p={}, t={:.6g}s)", index(rank), what, value, unit,
                    program_.name(), layout_.ranks(), now_);
}

RunResult Player::finish(std::string engine) {
  if (finished_ < processes_.size())
    throw ReplayError(Refusal::sentence(blocked_report(program_.name(), layout_.ranks(), now_, blocked_ranks())));
  RunResult result;
  result.engine = std::move(engine);
  result.makespan = Seconds{makespan_};
  result.messages = messages_started_;
  result.unexpected_messages = unexpected_;
  if (history_) result.critical_path = history_->result(resources_, recording_.phase_names(), recording_.phases());
  result.unreceived = unreceived();
  result.repeated = alike_ ? alike_->repeated : repeated_;
  result.collectives = collectives_.records();
  const auto use = [this](ResourceId resource) { return this->use(resource); };
  result.resources = resources_.records(use, makespan_);
  result.kind_loads = resources_.kind_loads(use, makespan_);
  recording_.move_into(result);
  if (jobs_) add_jobs(result);
  return result;
}

}  // namespace orrery::engine
