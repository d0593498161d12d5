// What each member does in a stretch (alike.hpp): its steps, pulled ahead of time.
#include <algorithm>

#include "sim/core/asleep.hpp"
#include "sim/engine/player.hpp"

namespace orrery::engine {

namespace {

constexpr std::uint32_t collectives_max = 64;  // of a stretch

}  // namespace

bool holds_all(Operation operation) {
  switch (operation) {
    case Operation::barrier:
    case Operation::allreduce:
    case Operation::allgather:
    case Operation::allgatherv:
    case Operation::alltoall:
    case Operation::reduce_scatter:
      return true;
    default:
      return false;
  }
}

/// Takes a step into a script; false where it belongs to the stretch no more.
struct Player::Taker {
  Player& player;
  Rank rank;
  const orrery::Group& group;
  Script& script;
  bool inside = true;

  bool leaves(const char* what) const {
    if (inside) throw Unalike{what};
    return false;
  }
  Rank member(Rank of) const { return Rank{group.member(of)}; }
  void count_request(RequestId first, std::uint32_t count) const {
    const auto begin = static_cast<std::uint32_t>(first);
    script.first_request = std::min(script.first_request, begin);
    script.last_request = std::max(script.last_request, begin + std::min(count - 1, 0xffffffffu - begin));
  }
  bool takes(const Send& send) const { return send.in_switch == InSwitch::nothing && group.contains(send.to); }
  Send sent(Send send) const {
    script.messages += std::max(send.repeat, 1u);
    script.bytes += std::max(send.repeat, 1u) * send.message.si();
    send.to = member(send.to);
    return send;
  }
  Recv received(Recv recv) const {
    recv.from = member(recv.from);
    return recv;
  }

  bool operator()(const Compute& compute) const {
    if (is_asleep(compute)) return leaves("a rank sleeps in a collective");
    Process& process = player.processes_[index(rank)];
    const double seconds = player.compute_.sampled_time(compute, rank, process.computes).si();
    if (player.sweeps_memory_ && player.protocol_.memory_sweep(rank, compute, seconds).route != no_route)
      return leaves("a collective works in the node's memory");
    ++process.computes;
    script.add(orrery::compute(Work::elapsed, Flops(seconds)));
    return true;
  }
  bool operator()(const Send& send) const {
    if (!inside || !takes(send)) return leaves("a collective sends to others");
    script.add(sent(send));
    return true;
  }
  bool operator()(const Recv& recv) const {
    if (!inside || !group.contains(recv.from)) return leaves("a collective receives from others");
    script.add(received(recv));
    return true;
  }
  bool operator()(const Isend& isend) const {
    if (!inside || !takes(isend.send)) return leaves("a collective sends to others");
    count_request(isend.request, 1);
    script.add(Isend{sent(isend.send), isend.request});
    return true;
  }
  bool operator()(const Irecv& irecv) const {
    if (!inside || !group.contains(irecv.recv.from)) return leaves("a collective receives from others");
    count_request(irecv.request, 1);
    script.add(Irecv{received(irecv.recv), irecv.request});
    return true;
  }
  bool operator()(const Wait& one) const {
    if (!inside) return false;
    count_request(one.request, 1);
    script.add(one);
    return true;
  }
  bool operator()(const WaitAll& all) const {
    if (!inside) return false;
    count_request(all.first, all.count);
    script.add(all);
    return true;
  }
  bool operator()(const CollectiveBegin& mark) {
    if (inside || !holds_all(mark.call->operation) || !(mark.call->group == group) ||
        script.collectives == collectives_max)
      return leaves("a collective is inside another");
    inside = true;
    script.begin_collective(*mark.call);
    return true;
  }
  bool operator()(const CollectiveEnd& mark) {
    inside = false;
    script.add(mark);
    return true;
  }
  bool operator()(const StageMark&) const { return true; }
  bool operator()(const ComputeUntil&) const { return leaves("a collective computes until a message is there"); }
  bool operator()(const IdealBarrier&) const { return leaves("a collective has an ideal barrier"); }
  bool operator()(const PhaseMark&) const { return leaves("a phase begins in a collective"); }
  bool operator()(const IterationMark&) const { return leaves("an iteration begins in a collective"); }
  bool operator()(const Probe&) const { return leaves("a collective probes for messages"); }
  bool operator()(const WaitAny&) const { return leaves("a collective waits for whichever request is first"); }
};

/// Pulls the steps of a member as far as the stretch goes.
void Player::take_script(Rank rank, Alike::Group& group, Alike::Member& member, const CollectiveCall& first) {
  Process& process = processes_[index(rank)];
  const orrery::Group its = first.group;
  Script& script = alike_->scratch;
  script.clear();
  script.begin_collective(first);
  Taker taker{*this, rank, its, script};
  for (;;) {
    ++process.steps;
    member.next = process.program.next();
    if (member.next == nullptr || !visit_step(taker, *member.next)) break;
  }
  if (taker.inside) throw Unalike{"a collective does not end"};
  require_apart(rank, group, script);
  member.script = alike_->known(script);
}

/// Of what the member has open nothing meets what it does in the stretch.
void Player::require_apart(Rank rank, const Alike::Group& group, const Script& script) const {
  const Requests& requests = processes_[index(rank)].requests;
  requests.for_each_open([&](Slot slot) {
    const auto number = static_cast<std::uint32_t>(requests.number(slot));
    if (number >= script.first_request && number <= script.last_request)
      throw Unalike{"a collective waits for requests of others"};
    const Request& request = requests[slot];
    if (request.communicator != script.calls.front().group.communicator()) return;
    if (std::ranges::find(group.ranks, request.peer) != group.ranks.end())
      throw Unalike{"a member has messages to others of its group under way"};
  });
}

}  // namespace orrery::engine
