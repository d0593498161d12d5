/// Plays a program: one state machine per rank that reads its steps, MPI matching, the protocol of each message.
///
/// Engine-independent. The engine owns time and the sharing of resources. The player passes it flows and timers, and
/// the engine reports back:
///
///   Player player(input, routes, sink);  player.begin();
///   each event:  player.run_due(now)  and  player.flow_ended(flow, now);  next timer: player.next_date()
///
/// Calls come in order of time; flows that end in one event are reported in the order of their numbers, before the
/// timers of that date. Everything at one instant happens in the order it was caused: same input, same bits.
///
/// One instant is a picosecond, or 1e-12 of the time since the start. Engines round differently, and in a program whose
/// ranks are synchronous many events fall on the same date, ordered only by rounding. Where order matters, a call sees
/// only earlier instants: a probe does not find an envelope that leaves at the same time, a polling compute step
/// continues for another chunk, and a message that arrives as its receive is posted is not unexpected.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sim/engine/alike.hpp"
#include "sim/engine/blocked.hpp"
#include "sim/engine/collective_records.hpp"
#include "sim/engine/date_queue.hpp"
#include "sim/engine/history.hpp"
#include "sim/engine/in_calls.hpp"
#include "sim/engine/job_runs.hpp"
#include "sim/engine/kept_cores.hpp"
#include "sim/engine/matching.hpp"
#include "sim/engine/overhead_variation.hpp"
#include "sim/engine/owners.hpp"
#include "sim/engine/playing.hpp"
#include "sim/engine/ports.hpp"
#include "sim/engine/processors.hpp"
#include "sim/engine/protocol.hpp"
#include "sim/engine/recording.hpp"
#include "sim/engine/resources.hpp"
#include "sim/engine/send_queues.hpp"

namespace orrery::engine {

/// The interface for an engine's flows: `bytes` over all resources of `route` (a number in `Player::routes`) at the
/// same time, at most at `cap` B/s (0: no cap).
class FlowSink {
 public:
  virtual ~FlowSink() = default;
  virtual void start_flow(FlowId flow, RouteId route, double bytes, double cap) = 0;
  /// Use of a resource, called when no flow remains.
  virtual Use use(ResourceId resource) const = 0;
  /// What limited the flow that began at `began` and ends now, if ReplayOptions::critical_path. Empty: not known.
  virtual void holds_of(RouteId route, double cap, double began, std::vector<Hold>& by) = 0;
  /// A flow over this route will start soon: called a few events earlier, `steps_to_start` counting down from 3 to 0.
  virtual void fetch_start(RouteId route, int steps_to_start) const {
    static_cast<void>(route), static_cast<void>(steps_to_start);
  }
  /// Number of rank pairs whose routes are cached, in use or not. An engine that can forget a route is told when the
  /// route is no longer cached; an engine that cannot keeps all routes.
  virtual std::size_t pairs_kept(std::size_t ranks) const {
    return static_cast<void>(ranks), std::numeric_limits<std::size_t>::max();
  }
  virtual void forget_route(RouteId route) { static_cast<void>(route); }
  /// Plays another run over the same network now and reports the loads of its resources over time.
  using PlayApart = std::function<RunResult(const ReplayInput& input, std::vector<LoadPiece>& pieces)>;
  virtual PlayApart apart() { return nullptr; }  ///< null if the engine cannot
};

class Player {
 public:
  Player(const ReplayInput& input, const Routes& routes, FlowSink& sink);

  const Resources& resources() const { return resources_; }
  const RouteTable& routes() const { return routes_; }
  void begin();
  /// Date of the next timer; infinity if there is none.
  double next_date() { return timers_.next_date(); }
  void run_due(double now);
  void flow_ended(FlowId flow, double now);

  /// Call when no event remains: the result, or ReplayError with the blocked ranks.
  RunResult finish(std::string engine);
  /// No rank has any step left; messages may still be in flight.
  bool is_over() const { return finished_ == processes_.size(); }

  /// Messages that have arrived: the rest are still to come, however many were posted.
  std::uint64_t messages() const { return messages_arrived_; }

  /// For simulations larger than the caches, an engine reports which flows will end soon, two steps and one ahead.
  bool fetches_ahead() const { return fetches_ahead_; }
  void fetch_end(FlowId flow, int steps_to_end) const;

 private:
  using State = playing::State;
  using Polling = playing::Polling;
  using Process = playing::Process;
  using Message = playing::Message;

  /// Whether a call made now sees an event at `date`: not if both are one instant, see the head of this file.
  bool seen(double date) const { return date < now_ - (1e-12 + 1e-12 * now_); }

  void forget_unused_routes();  ///< player_routes.cpp
  // player_fetch.cpp
  void fetch_ahead() const;
  void fetch_next_step(const Process& process) const;

  // ranks (player.cpp)
  void run_ready();
  void advance(Rank rank);
  bool perform(Rank rank, const Step& step);  ///< false: the rank is blocked or busy
  // One overload for each kind of step and no default: a missing kind does not compile.
  bool play(Rank rank, const Compute& compute);
  bool play(Rank rank, const ComputeUntil& until);
  bool play(Rank rank, const Send& send);
  bool play(Rank rank, const Recv& recv);
  bool play(Rank rank, const Isend& isend);
  bool play(Rank rank, const Irecv& irecv);
  bool play(Rank rank, const Wait& one);
  bool play(Rank rank, const WaitAll& all);
  bool play(Rank rank, const IdealBarrier& barrier);
  bool play(Rank rank, const PhaseMark& mark);
  bool play(Rank rank, const IterationMark& mark);
  bool play(Rank rank, const StageMark& mark);
  bool play(Rank rank, const Probe& probe);
  bool play(Rank rank, const WaitAny& any);
  bool play(Rank rank, const CollectiveBegin& mark);
  bool play(Rank rank, const CollectiveEnd& mark);
  void begin_step(Rank rank);
  /// For a number that may come from outside the program: throws if it is negative or not finite.
  void require_number(double value, const char* what, const char* unit, Rank rank) const {
    if (!(value >= 0.0 && value < std::numeric_limits<double>::infinity())) refuse_number(value, what, unit, rank);
  }
  [[noreturn]] void refuse_number(double value, const char* what, const char* unit, Rank rank) const;
  Unreceived unreceived() const;
  bool perform_compute(Rank rank, const Compute& compute);
  bool perform_sleep(Rank rank, const Compute& sleep);
  bool perform_until(Rank rank, const ComputeUntil& until);
  bool perform_probe(Rank rank, const Probe& probe);
  void answer(Rank rank);
  bool perform_send(Rank rank, const Send& send, Slot slot, bool blocking);
  bool perform_receive(Rank rank, const Recv& recv);
  bool perform_wait(Rank rank, RequestId first, std::uint32_t count);
  bool perform_choice(Rank rank, const WaitAny& any);
  bool choose(Rank rank);
  void request_completed(Rank rank, Slot slot, const Message& message);
  bool perform_barrier(Rank rank);
  bool go_on_waiting(Rank rank);
  void finish_rank(Rank rank);
  void next_chunk(Rank rank);
  bool occupy_core(Rank rank, double seconds, State state);  ///< true when it takes no time
  bool share_core(Rank rank, double seconds);
  bool is_stale(Rank rank);
  void sweep_memory(Rank rank, const FlowPlan& plan);
  static PathKind kind_of(State state);
  void core_free(Rank rank);
  void resume(Rank rank) { ready_.push_back(rank); }
  void end_interval(Rank rank, Activity activity);
  Slot open_request(Rank rank, RequestId id, bool is_receive);
  Polling& polling(Rank rank);
  std::vector<BlockedRank> blocked_ranks() const;
  void explain(const Process& process, Slot slot, std::vector<Awaited>& into) const;

  // messages (player_messages.cpp)
  MessageId new_message();
  void launch(MessageId message, const Send* by_gpus = nullptr);
  void post_receive(Rank rank, Slot slot, const Recv& recv);
  void matched(MessageId message, Slot slot);
  void start_transfer(MessageId message);
  void delayed(MessageId message);
  void next_flows(MessageId message);
  void start_flow(MessageId message, std::uint32_t k);
  FlowPlan flow_of(const Message& message, std::uint32_t k) const;
  void remember_flow(MessageId message, std::uint32_t k, const FlowPlan& plan);
  struct Line {                            ///< a queue in which a message waits for its wire
    std::uint32_t number = 0, queues = 0;  ///< queues 0: it does not wait
    ResourceId held_by{};
  };
  Line line_of(const Message& message, std::uint32_t end) const;
  void end_turn(MessageId message, const Line& line);
  void flow_of_message_ended(MessageId message, std::uint32_t k);
  // varying overheads (player_ports.cpp)
  void start(Rank rank, double after = 0.0);  ///< of the program, or after an ideal barrier
  void give_up_processor(Rank rank);          ///< if it waits
  double varied_overhead(Rank rank, Rank peer, double overhead);
  // identical intervals (player_alike.cpp)
  struct Taker;
  void keep_alike(const ReplayInput& input);
  std::string why_whole(const ReplayInput& input) const;
  void examine(Alike::Group& group);
  bool may_open(const Alike::Group& group, Operation operation);
  bool is_quiet(Rank rank, const Alike::Group& group);
  bool holds(Rank rank, const CollectiveCall& call);
  void take_script(Rank rank, Alike::Group& group, Alike::Member& member, const CollectiveCall& first);
  void require_apart(Rank rank, const Alike::Group& group, const Script& script) const;
  void begin_stretch(std::uint32_t number);
  Stretch play_stretch(const Alike::Group& group);
  void leave_stretch(Rank rank);
  void end_stretch(const Alike::UnderWay& over);
  void require_order(const char* what) const {
    if (alike_) throw Unalike{what};
  }
  // several jobs (player_jobs.cpp)
  void begin_job(Rank rank);
  bool ends_repetition(Rank rank);  ///< false: the rank's program is over
  bool is_stuck(const Process& process) const;
  bool others_are_stuck() const;
  void add_jobs(RunResult& result);
  // messages that progress only in calls (player_calls.cpp); all but the first two only if a run has some
  void begin_call(Rank rank) {
    begin_step(rank);
    if (in_calls_) enter_call(rank);
  }
  void begin_work(Rank rank) {
    begin_step(rank);
    if (in_calls_) in_calls_->leave(rank, now_);
  }
  bool is_in_call(Rank rank) const;
  void enter_call(Rank rank);
  void negotiate(MessageId message);
  void request_came(MessageId message);
  void answer_came(MessageId message);
  // first-in-first-out ports (player_ports.cpp)
  bool crosses_ports(const Message& message) const { return ports_ && message.transfer.wire != no_route; }
  bool is_through_ports(const Message& message, std::uint32_t k) const {
    return crosses_ports(message) && k == wire_flow(message);
  }
  /// Whether the next part of its handshake is sent before its receive is posted.
  bool requests_ahead(const Message& message) const { return message.handshakes_left > protocol_.answers(); }
  void begin_leg(MessageId message);
  void enter_ports(MessageId message);
  void leg_over(MessageId message);
  double forwarded();  ///< date when the switch has done half its work on a message
  std::pair<NodeId, NodeId> ends_of_leg(const Message& message) const;
  double bytes_of_leg(const Message& message) const;
  std::uint32_t wire_flow(const Message& message) const;
  Use use(ResourceId resource) const;
  ResourceId sending_adapter(const Message& message) const;
  void arrived(MessageId message);
  void received(MessageId message);
  void send_complete(Message& message);
  void receive_complete(Rank rank, Slot slot, const Message& message);
  void release(MessageId message);

  const Program& program_;
  const Layout& layout_;
  const ComputeModel& compute_;
  ReplayOptions options_;
  FlowSink& sink_;
  Resources resources_;
  RouteTable routes_;
  Protocol protocol_;
  Matching matching_;
  std::unique_ptr<Processors> processors_;  ///< of the machine that emulates the platform, if one does
  std::unique_ptr<KeptCores> kept_cores_;   ///< if any rank keeps a core while it waits that others want
  std::unique_ptr<InCalls> in_calls_;       ///< if any message moves in calls alone
  std::unique_ptr<JobRuns> jobs_;           ///< of a run of several
  std::unique_ptr<Ports> ports_;            ///< of a network that is first in first out
  std::unique_ptr<SendQueues> queues_;      ///< of a network whose adapters have such, or whose switches reduce
  std::vector<std::uint64_t> overheads_;    ///< [ranks] paid so far, where they vary: numbers their draws
  std::unique_ptr<Alike> alike_;            ///< if stretches that are alike are played once
  Repeated repeated_;                       ///< where they are not: why
  std::unique_ptr<History> history_;        ///< if the critical path is asked for
  Recording recording_;
  CollectiveRecords collectives_;
  DateQueue timers_;
  std::vector<Process> processes_;
  IdVector<MessageId, Message> messages_;
  std::vector<MessageId> free_messages_;
  std::vector<Rank> ready_;
  std::size_t ready_first_ = 0;
  std::vector<RouteId> cores_;  ///< [ranks] over the time-shared cores of its host; no_route: it has its own
  std::uint32_t at_barrier_ = 0, finished_ = 0;
  bool fetches_ahead_;
  bool sweeps_memory_ = false;  ///< local work of a collective uses memory bandwidth
  std::size_t pairs_max_;       ///< of places whose routes are cached, in use or not
  double start_skew_ = 0.0, forwarding_ = 0.0, forwarding_next_ = 0.0, now_ = 0.0, makespan_ = 0.0;
  std::uint64_t messages_started_ = 0, messages_arrived_ = 0, unexpected_ = 0;
  std::vector<Hold> holds_;  ///< scratch
};

}  // namespace orrery::engine
