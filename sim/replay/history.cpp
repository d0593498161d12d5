#include "sim/replay/history.hpp"

#include <algorithm>
#include <utility>

namespace orrery::replay {

namespace {

constexpr std::size_t first_limit = std::size_t{1} << 16;  // nodes before the trunk is looked for

std::uint32_t held_by(const Hold& hold) {
  return hold.by == no_resource ? held_by_cap : static_cast<std::uint32_t>(hold.by);
}

}  // namespace

History::History(std::uint32_t ranks, std::size_t nodes_max)
    : ranks_count_(ranks), nodes_max_(nodes_max), limit_(std::min(first_limit, nodes_max)), ranks_(ranks, 0) {
  nodes_.push_back({.holders = ranks});
  live_ = 1;
  begins_.assign(ranks, 0.0);
}

void History::shares_cores(Rank rank, double seconds) {
  if (alone_.empty()) alone_.assign(ranks_.size(), std::numeric_limits<double>::infinity());
  alone_[index(rank)] = seconds;
}

void History::worked(Rank rank, PathKind kind, std::uint32_t phase, double now) {
  Index& holder = ranks_[index(rank)];
  Node node{.end = now, .rank = rank, .phase = static_cast<std::uint16_t>(phase), .kind = kind};
  if (!alone_.empty()) {
    const double alone = nodes_[holder].end + alone_[index(rank)];
    if (later(now, alone)) {
      node.end = alone;
      extend(holder, node);
      node.end = now;
      node.kind = PathKind::shared_cores;
    }
  }
  extend(holder, node);
}

void History::sent(MessageId i, Rank from, Rank to, std::uint32_t phase) {
  if (!messages_.has(i)) messages_.resize(std::max<std::size_t>(index(i) + 1, 2 * messages_.size()));
  OfMessage& message = messages_[i];
  message.node = ranks_[index(from)];
  ++nodes_[message.node].holders;
  message.from = from;
  message.to = to;
  message.phase = static_cast<std::uint16_t>(phase);
  message.stages = 0;
}

void History::met(MessageId i) {
  OfMessage& message = messages_[i];
  const Index receiver = ranks_[index(message.to)];
  if (!later(nodes_[receiver].end, end_of(message))) return;
  message.stages = 0;
  hold(message.node, receiver);
}

void History::delayed(MessageId i, double handshake, double now) {
  OfMessage& message = messages_[i];
  if (handshake > 0.0) pass(message, {std::min(now, end_of(message) + handshake), held_by_none, PathKind::handshake});
  pass(message, {now, held_by_none, PathKind::latency});
}

void History::flowed(MessageId i, PathKind kind, std::span<const Hold> held, double now) {
  OfMessage& message = messages_[i];
  for (std::size_t k = 0; k + 1 < held.size(); ++k)
    pass(message, {std::min(now, end_of(message) + held[k].seconds), held_by(held[k]), kind});
  pass(message, {now, held.empty() ? held_by_none : held_by(held.back()), kind});
}

void History::pass(OfMessage& message, const Stage& stage) {
  if (!(stage.end > end_of(message))) return;
  if (message.stages == stages_max) make_nodes(message);
  message.stage[message.stages++] = stage;
}

void History::make_nodes(OfMessage& message) {
  for (std::size_t k = 0; k < message.stages; ++k) {
    const Stage& stage = message.stage[k];
    extend(message.node, {.end = stage.end,
                          .rank = message.from,
                          .peer = message.to,
                          .held = stage.held,
                          .phase = message.phase,
                          .kind = stage.kind});
  }
  message.stages = 0;
}

/// The rank goes on from the message if that ended later. Of two in one instant the lower sender's counts.
void History::waited(Rank rank, MessageId i) {
  OfMessage& message = messages_[i];
  const Node& own = nodes_[ranks_[index(rank)]];
  const double end = end_of(message);
  if (!later(end, own.end)) {
    const bool both_came = own.peer == rank && !later(own.end, end);
    if (!both_came || own.rank <= message.from) return;
  }
  make_nodes(message);
  hold(ranks_[index(rank)], message.node);
}

void History::forget(MessageId message) { let_go(std::exchange(messages_[message].node, none)); }

void History::barrier(Rank last) {
  const Index node = ranks_[index(last)];
  for (Index& holder : ranks_) hold(holder, node);
}

void History::finished(Rank rank) {
  const Index node = std::exchange(ranks_[index(rank)], none);
  begins_[index(rank)] = std::numeric_limits<double>::infinity();
  if (last_ != none && !later(nodes_[node].end, nodes_[last_].end)) return let_go(node);
  let_go(std::exchange(last_, node));
}

void History::phase_ended(std::uint32_t number, std::uint32_t phase, Rank rank, double begin, double now,
                          bool slowest) {
  if (number >= records_.size()) records_.resize(number + 1);
  Record& record = records_[number];
  begins_[index(rank)] = now;
  if (slowest) {
    const Index node = ranks_[index(rank)];
    ++nodes_[node].holders;
    let_go(std::exchange(record.node, node));
    record.phase = phase;
    record.begin = begin;
    record.end = now;
  }
  if (++record.ended == ranks_count_) fold(record);
}

void History::hold(Index& holder, Index other) {
  if (holder == other) return;
  ++nodes_[other].holders;
  let_go(std::exchange(holder, other));
}

/// The holder's history goes on with `what`. An event of the same sort that nobody else has seen just becomes longer.
void History::extend(Index& holder, const Node& what) {
  if (live_ >= limit_) make_room();
  Node& last = nodes_[holder];
  if (!(what.end > last.end)) return;
  if (last.holders == 1 && last.parent != none && last.kind == what.kind && last.rank == what.rank &&
      last.phase == what.phase && last.held == what.held && last.peer == what.peer) {
    last.end = what.end;
    return;
  }
  Index fresh = 0;
  if (free_.empty()) {
    fresh = static_cast<Index>(nodes_.size());
    nodes_.push_back(what);
  } else {
    fresh = free_.back();
    free_.pop_back();
    nodes_[fresh] = what;
  }
  nodes_[fresh].parent = holder;
  nodes_[fresh].holders = 1;
  ++live_;
  holder = fresh;
}

void History::let_go(Index node) {
  while (node != none && --nodes_[node].holders == 0) {
    free_.push_back(node);
    --live_;
    node = nodes_[node].parent;
  }
}

void History::make_room() {
  for (Record& record : records_) fold(record);
  fold_trunk();
  if (2 * live_ <= limit_) return;
  if (limit_ < nodes_max_)
    limit_ = std::min(nodes_max_, 2 * limit_);
  else
    cut();
}

void History::fold_trunk() {
  const auto some = std::ranges::find_if(ranks_, [](Index node) { return node != none; });
  const double until = *std::ranges::min_element(begins_);
  chain_.clear();
  for (Index n = some != ranks_.end() ? *some : last_; n != none; n = nodes_[n].parent) chain_.push_back(n);
  while (chain_.size() > 1 && nodes_[chain_.back()].holders == 1) {
    const Index root = chain_.back(), next = chain_[chain_.size() - 2];
    if (nodes_[next].end > until) break;
    add_to_run(nodes_[next], nodes_[root].end);
    nodes_[next].parent = none;
    nodes_[root].holders = 0;
    free_.push_back(root);
    --live_;
    chain_.pop_back();
  }
  trunk_ = nodes_[chain_.back()].end;
}

template <class Act>
void History::for_each_holder(Act act) {
  for (Index& node : ranks_) act(node);
  for (std::uint32_t i = 0; i < messages_.size(); ++i) act(messages_[MessageId{i}].node);
  for (Record& record : records_) act(record.node);
  act(last_);
}

/// The older half of the history goes: whoever came from there comes from a new start.
void History::cut() {
  std::vector<double> ends;
  for (const Node& node : nodes_)
    if (node.holders > 0) ends.push_back(node.end);
  std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2), ends.end());
  const double date = ends[ends.size() / 2];
  const auto start = static_cast<Index>(nodes_.size());
  nodes_.push_back({.end = date, .holders = 1});
  for_each_holder([&](Index& node) {
    if (node != none && nodes_[node].end <= date) node = start;
  });
  for (Node& node : nodes_)
    if (node.holders > 0 && node.end > date && nodes_[node.parent].end <= date) node.parent = start;
  for (Node& node : nodes_) node.holders = node.holders > 0 && node.end > date ? 1 : 0;  // 1: stays
  std::vector<Index> holders(nodes_.size(), 0);
  for_each_holder([&](Index& node) {
    if (node != none) ++holders[node];
  });
  for (const Node& node : nodes_)
    if (node.holders > 0) ++holders[node.parent];
  free_.clear();
  live_ = 0;
  for (Index n = 0; n < nodes_.size(); ++n) {
    nodes_[n].holders = holders[n];
    if (holders[n] > 0)
      ++live_;
    else
      free_.push_back(n);
  }
  run_.time += date - trunk_;
  run_.left_out += date - trunk_;
  trunk_ = date;
}

/// Adds up the last part of the record's path that is not counted yet. (A rank that was slower still may follow: then
/// only what it took longer counts again.)
void History::fold(Record& record) {
  if (record.node == none) return;
  const double time = record.end - record.begin;
  const double begin = record.end - (time - record.counted);
  if (phases_.size() <= record.phase) phases_.resize(record.phase + 1);
  Sum& sum = phases_[record.phase];
  double end = record.end;
  for (Index n = record.node; end > begin && nodes_[n].parent != none; n = nodes_[n].parent) {
    const double from = std::max(begin, nodes_[nodes_[n].parent].end);
    if (end > from) add(sum, record.phase, nodes_[n], from, end);
    end = std::min(end, from);
  }
  sum.time += record.end - begin;
  if (end > begin) sum.left_out += end - begin;
  record.counted = time;
  let_go(std::exchange(record.node, none));
}

void History::add(Sum& sum, std::uint32_t phase, const Node& node, double begin, double end) const {
  const double time = end - begin;
  sum.kinds[static_cast<std::size_t>(node.kind)] += time;
  if (node.kind == PathKind::computation) {
    sum.computing[static_cast<std::uint32_t>(node.rank)] += time;
    if (phase != no_phase && node.phase != phase) sum.late += time;
  }
  if (node.held == held_by_cap)
    sum.own_limit += time;
  else if (node.held != held_by_none)
    sum.held[node.held] += time;
}

}  // namespace orrery::replay
