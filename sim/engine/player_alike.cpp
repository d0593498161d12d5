// Stretches of groups that are alike, held and counted: alike.hpp. player_scripts.cpp has what members do in one,
// player_apart.cpp how one is played.
#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/engine/player.hpp"

namespace orrery::engine {

namespace {

constexpr std::uint32_t members_max = 128;  // of a group

}  // namespace

void Player::keep_alike(const ReplayInput& input) {
  repeated_ = {.asked = true, .whole = why_whole(input)};
  if (!repeated_.whole.empty()) return;
  alike_ = std::make_unique<Alike>(input);
  alike_->repeated.asked = true;
  for (std::uint32_t i = 0; i < layout_.ranks(); ++i)
    if (const ResourceId cores = resources_.cores(Rank{i}); cores != no_resource)
      alike_->by_cores[cores].push_back(Rank{i});
}

std::string Player::why_whole(const ReplayInput& input) const {
  if (!sink_.apart()) return "this engine plays everything";
  if (history_) return "the critical path is kept";
  if (!input.jobs.empty()) return "there are several jobs";
  if (ports_) return "ports are first in, first out";
  if (protocol_.send_queues() > 0) return "adapters send from queues";
  if (processors_) return "the platform emulates its nodes";
  if (kept_cores_) return "ranks that wait keep their cores";
  if (in_calls_) return "messages move in calls alone";
  if (protocol_.overheads_vary()) return "overheads vary";
  if (input.options.approximate > 0.0) return "sharing is approximate";
  if (input.network->routing.kind == Routing::Kind::adaptive) return "routing is adaptive";
  return {};
}

/// Whether the messages of a group go over links between GPUs alone, and what those are.
void Player::examine(Alike::Group& group) {
  const std::size_t members = group.ranks.size();
  group.members.resize(members);
  if (members > members_max) return;
  std::vector<double> parameters{static_cast<double>(members)};
  for (const Rank rank : group.ranks) {
    const Placement& place = layout_.of(rank);
    if (!place.gpu || recording_.is_traced(rank) || resources_.time_sharing(rank) != 1.0) return;
    const auto same = std::ranges::find_if(group.ranks, [&](Rank r) { return layout_.same_node(r, rank); });
    for (const double parameter : {static_cast<double>(place.node_type), static_cast<double>(place.socket_of_node),
                                   static_cast<double>(same - group.ranks.begin())})
      parameters.push_back(parameter);
  }
  for (const Rank from : group.ranks)
    for (const Rank to : group.ranks) {
      if (from == to) continue;
      const Transfer transfer = protocol_.transfer(from, to, Bytes{1.0});
      if (transfer.medium != Medium::gpu_links || transfer.parts != 1 || protocol_.flows(transfer) != 1) return;
      if (group.links.empty()) group.channel = transfer.kind();
      if (transfer.kind() != group.channel) return;
      parameters.insert(parameters.end(), {transfer.delay, transfer.cap});
      for (const ResourceId id : routes_.resources(transfer.wire)) {
        auto at = std::ranges::find(group.links, id);
        if (at == group.links.end()) at = group.links.insert(at, id);
        parameters.insert(parameters.end(), {static_cast<double>(at - group.links.begin()), resources_.capacity(id)});
      }
      parameters.push_back(-1.0);
    }
  for (const Rank rank : group.ranks)
    for (const Rank other : alike_->on_cores(resources_.cores(rank)))
      if (std::ranges::find(group.ranks, other) == group.ranks.end())
        group.beside.push_back(other);
      else if (other != rank)
        return;
  group.kind = alike_->kind_of(parameters);
  group.fits = true;
}

/// It waits for a message that a member has yet to send, so nothing of it happens before.
bool Player::is_quiet(Rank rank, const Alike::Group& group) {
  const Process& process = processes_[index(rank)];
  if (process.state == State::done) return true;
  if (process.state != State::receive_wait) return false;
  const Pattern* wanted = matching_.posted(rank, Requests::blocking);
  return wanted != nullptr && std::ranges::find(group.ranks, wanted->from) != group.ranks.end();
}

bool Player::may_open(const Alike::Group& group, Operation operation) {
  return holds_all(operation) && group.whole_ended == group.whole * group.ranks.size() && !alike_->is_in_vain() &&
         alike_->is_idle(group) && std::ranges::all_of(group.beside, [&](Rank rank) { return is_quiet(rank, group); });
}

bool Player::holds(Rank rank, const CollectiveCall& call) {
  const auto [number, fresh] = alike_->number_of(call.group);
  Alike::Group& group = alike_->groups[number];
  if (fresh) examine(group);
  if (!group.fits) return false;
  Alike::RankState& of_rank = alike_->rank_states[index(rank)];
  of_rank = {number, call.group.member(rank), Alike::none};
  Alike::Member& member = group.members[of_rank.member];
  if (group.open && member.calls != group.opens_at) throw Unalike{"members call different collectives"};
  if (!group.open) {
    if (member.calls == group.decided && may_open(group, call.operation)) {
      group.open = true;
      group.opens_at = member.calls;
      alike_->open(group);
    } else {
      if (member.calls == group.decided) {
        ++group.decided;
        ++group.whole;
      }
      ++member.calls;
      of_rank.inside = number;
      return false;
    }
  }
  recording_.step(rank);
  processes_[index(rank)].state = State::held;
  member.came = now_;
  take_script(rank, group, member, call);
  if (++group.came == group.ranks.size()) begin_stretch(number);
  return true;
}

/// All members have come.
void Player::begin_stretch(std::uint32_t number) {
  Alike::Group& group = alike_->groups[number];
  const std::uint32_t collectives = group.members.front().script->collectives;
  for (const Alike::Member& member : group.members)
    if (member.script->collectives != collectives) throw Unalike{"members call different collectives"};
  const Stretch* stretch = alike_->find(group, now_);
  if (stretch == nullptr) stretch = alike_->keep(group, now_, play_stretch(group));
  alike_->close(group, *stretch, now_);
  const std::uint32_t under_way =
      alike_->begin({stretch, number, static_cast<std::uint32_t>(group.ranks.size()), now_});
  for (std::size_t m = 0; m < group.ranks.size(); ++m) {
    if (stretch->ends[m] < 0.0) throw Unalike{"a member leaves a collective before all have come"};
    Alike::Member& member = group.members[m];
    member.under_way = under_way;
    member.calls += collectives;
    timers_.push(now_ + stretch->ends[m], TimerOwner{group.ranks[m]}.token());
  }
  group.decided = group.opens_at + collectives;
  group.open = false;
  group.came = 0;
}

/// What the rank did meanwhile counts now; it goes on with what comes after the stretch.
void Player::leave_stretch(Rank rank) {
  const Alike::RankState& of_rank = alike_->rank_states[index(rank)];
  Alike::Group& group = alike_->groups[of_rank.group];
  const Alike::Member& member = group.members[of_rank.member];
  Alike::UnderWay& its = alike_->under_way[member.under_way];
  for (const Stretch::Doing& doing : its.stretch->doings[of_rank.member])
    recording_.interval(rank, doing.activity, std::max(0.0, its.last_came + doing.begin),
                        std::min(now_, its.last_came + doing.end), any_rank, Bytes{});
  recording_.messages(rank, group.channel, member.script->messages, Bytes{member.script->bytes});
  if (--its.left == 0) {
    end_stretch(its);
    alike_->free_under_way.push_back(member.under_way);
  }
  processes_[index(rank)].state = State::running;
  const Step* next = member.next;
  if (next == nullptr || perform(rank, *next)) resume(rank);
}

void Player::end_stretch(const Alike::UnderWay& over) {
  const Alike::Group& group = alike_->groups[over.group];
  const Stretch& stretch = *over.stretch;
  messages_started_ += stretch.messages;
  messages_arrived_ += stretch.messages;
  unexpected_ += stretch.unexpected;
  for (const CollectiveRecord& record : stretch.collectives) collectives_.add(record);
  Loads& loads = resources_.loads();
  for (std::size_t k = 0; k < group.links.size(); ++k) {
    const Stretch::OnLink& link = stretch.links[k];
    const ResourceId id = group.links[k];
    if (index(id) >= alike_->uses.size()) alike_->uses.resize(2 * index(id) + 1);
    alike_->uses[index(id)].bytes += link.bytes;
    alike_->uses[index(id)].busy += link.busy;
    const auto date = [&](double after) { return std::clamp(over.last_came + after, 0.0, now_); };
    if (loads.kept() && loads.bin(date(link.first)) == loads.bin(date(link.last))) {
      loads.carried(id, link.bytes, date(link.first), date(link.last));
      continue;
    }
    for (const LoadPiece& piece : link.pieces) loads.carried(id, piece.bytes, date(piece.from), date(piece.to));
  }
}

}  // namespace orrery::engine
