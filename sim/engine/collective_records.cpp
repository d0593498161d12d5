#include "sim/engine/collective_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/core/error.hpp"

namespace orrery::engine {

std::uint32_t CollectiveRecords::group_number(const CollectiveCall& call) {
  const auto next = static_cast<std::uint32_t>(groups_.size());
  const auto [found, fresh] = numbers_.try_emplace(call.group.fingerprint(), next);
  if (fresh) groups_.push_back({call.group.size(), 0, {}});
  return found->second;
}

/// Algorithms of an alltoallv send a message for each block; the others may join two shares.
Bytes CollectiveRecords::longest_block(const CollectiveCall& call) {
  if (call.operation == Operation::alltoallv) return Bytes(std::numeric_limits<double>::infinity());
  return in_shares(call.operation) ? 2.0 * call.bytes / call.group.size() : Bytes{};
}

void CollectiveRecords::begin(Rank rank, const CollectiveBegin& mark, double now) {
  const CollectiveCall& call = *mark.call;
  if (members_.empty()) members_.resize(ranks_);
  Member& member = members_[index(rank)];
  member.group = group_number(call);
  auto calls = std::ranges::find(member.calls, member.group, &Calls::group);
  if (calls == member.calls.end()) calls = member.calls.insert(calls, {member.group, 0});
  member.number = calls->times++;
  member.began = now;
  member.inside = true;
  member.team.assign(mark.team.begin(), mark.team.end());
  member.sent = member.received = {};
  member.block = longest_block(call);
  ++inside_;
  Group& group = groups_[member.group];
  const std::size_t at = member.number - group.first;
  if (at == group.open.size())
    return group.open.push_back({.operation = call.operation,
                                 .name = call.name,
                                 .algorithm = call.algorithm,
                                 .bytes = call.bytes,
                                 .first_began = now,
                                 .last_began = now,
                                 .members_left = group.size});
  group.open[at].bytes = std::max(group.open[at].bytes, call.bytes);
  group.open[at].last_began = now;
}

CollectiveRecords::Left CollectiveRecords::end(Rank rank, double now) {
  if (members_.empty() || !members_[index(rank)].inside)
    throw ReplayError("rank {} ends a collective that it has not begun (t={:.6g}s)", index(rank), now);
  Member& member = members_[index(rank)];
  member.inside = false;
  member.block = {};
  Group& group = groups_[member.group];
  Open& open = group.open[member.number - group.first];
  --inside_;
  open.time = std::max(open.time, now - member.began);
  open.messages += member.sent.all;
  open.steps = std::max({open.steps, member.sent.of_channel, member.received.of_channel});
  const Left left{open.operation, open.algorithm, open.bytes, member.began};
  if (--open.members_left > 0) return left;
  add(open, group.size);  // calls of one group are over in their order: so are they at each member
  group.open.pop_front();
  ++group.first;
  return left;
}

void CollectiveRecords::add(const Open& over, std::uint32_t group_size) {
  CollectiveRecord& record = records_[{over.operation, over.name, over.algorithm, group_size, over.bytes.si()}];
  if (record.calls++ == 0) {
    record.operation = over.operation;
    record.name = over.name;
    record.algorithm = over.algorithm;
    record.ranks = group_size;
    record.bytes = over.bytes;
  }
  record.time += Seconds{over.time};
  record.time_max = std::max(record.time_max, Seconds{over.time});
  record.late += Seconds{over.last_began - over.first_began};
  record.messages += over.messages;
  record.steps = std::max<std::uint64_t>(record.steps, over.steps);
}

void CollectiveRecords::add(const CollectiveRecord& others) {
  const auto [at, fresh] =
      records_.try_emplace({others.operation, others.name, others.algorithm, others.ranks, others.bytes.si()}, others);
  if (fresh) return;
  CollectiveRecord& record = at->second;
  record.calls += others.calls;
  record.time += others.time;
  record.time_max = std::max(record.time_max, others.time_max);
  record.late += others.late;
  record.messages += others.messages;
  record.steps = std::max(record.steps, others.steps);
}

std::vector<CollectiveRecord> CollectiveRecords::records() const {
  std::vector<CollectiveRecord> list;
  for (const auto& [key, record] : records_) list.push_back(record);
  return list;
}

}  // namespace orrery::engine
