#include "sim/engine/history.hpp"

#include <utility>

namespace orrery::engine {

namespace {

// Events until the log is tidied up for the first time: what is held is then a tenth of it, or soon costs more to keep.
constexpr std::size_t first_limit = std::size_t{1} << 17;

std::uint32_t held_by(const Hold& hold) {
  return hold.by == no_resource ? held_by_cap : static_cast<std::uint32_t>(hold.by);
}

}  // namespace

History::History(std::uint32_t ranks, std::size_t events_max)
    : ranks_count_(ranks),
      events_max_(events_max > 0 ? events_max : events_max_of(ranks)),
      limit_(static_cast<Index>(std::min(first_limit, events_max_))),
      events_(std::make_unique_for_overwrite<Event[]>(limit_)),
      ranks_(ranks) {
  events_[0] = start();
  for (OfRank& rank : ranks_) rank.event = 0;
  begins_.assign(ranks, 0.0);
}

void History::shares_cores(Rank rank, double seconds) {
  if (alone_.empty()) alone_.assign(ranks_.size(), std::numeric_limits<double>::infinity());
  alone_[index(rank)] = seconds;
}

void History::begin_work(OfRank& own, Rank rank, PathKind kind, std::uint32_t phase, double now) {
  own.sort = sort_of(kind, phase);
  if (!alone_.empty()) {
    const double alone = own.until + alone_[index(rank)];
    if (later(now, alone)) {
      extend(own, alone, kind, rank, any_rank, held_by_none, phase);
      kind = PathKind::shared_cores;
    }
  }
  extend(own, now, kind, rank, any_rank, held_by_none, phase);
}

void History::sent(MessageId i, Rank from, Handshake handshake) {
  if (!messages_.has(i)) messages_.resize(std::max<std::size_t>(index(i) + 1, 2 * messages_.size()));
  OfMessage& message = messages_[i];
  message.leave(ranks_[index(from)]);
  message.handshake = handshake;
}

void History::delayed(OfMessage& message, Ends ends, double now) {
  if (message.handshake.all > 0.0)
    extend(message, std::min(now, message.until + message.handshake.all), PathKind::handshake, ends.from, ends.to,
           held_by_none, 0);
  extend(message, now, PathKind::latency, ends.from, ends.to, held_by_none, 0);
}

void History::delayed(MessageId message, Ends ends, double now) { delayed(messages_[message], ends, now); }

void History::flowed(MessageId i, Ends ends, double began, PathKind kind, std::span<const Hold> held, double now) {
  OfMessage& message = messages_[i];
  if (began > message.until) delayed(message, ends, began);
  std::uint32_t by = held_by_none;
  for (std::size_t k = 0; k < held.size(); ++k) {
    by = held_by(held[k]);
    if (k + 1 == held.size()) break;
    extend(message, std::min(now, message.until + held[k].seconds), kind, ends.from, ends.to, by, 0);
  }
  extend(message, now, kind, ends.from, ends.to, by, 0);
}

/// The rank goes on from the message if that ended later. Of two in one instant the lower sender's counts.
void History::waited(Rank rank, MessageId i, Ends ends) {
  const OfMessage& message = messages_[i];
  OfRank& own = ranks_[index(rank)];
  const std::uint32_t came = message_from | static_cast<std::uint32_t>(ends.from);
  if (!later(message.until, own.until)) {
    const bool both_came = own.sort >= message_from && own.sort != no_sort && !later(own.until, message.until);
    if (!both_came || own.sort <= came) return;
  }
  own.leave(message);
  own.sort = rank == ends.to ? came : no_sort;
}

void History::barrier(Rank last, std::uint32_t first, std::uint32_t end) {
  const OfRank& its = ranks_[index(last)];
  for (std::uint32_t i = first; i < end; ++i) {
    OfRank& own = ranks_[i];
    if (&own == &its) continue;
    own.leave(its);
    own.sort = no_sort;
  }
}

void History::keep_jobs(std::span<const Job> jobs) {
  std::uint32_t first = 0;
  for (const Job& job : jobs) {
    OfJob& own = jobs_.emplace_back();
    own.name = job.name;
    own.first = first;
    own.ranks = job.ranks;
    own.start = job.start.si();
    first += job.ranks;
  }
}

void History::finished(Rank rank) {
  OfRank& own = ranks_[index(rank)];
  if (last_.event == none || later(own.until, last_.until)) last_ = own;
  for (OfJob& job : jobs_)
    if (index(rank) - job.first < job.ranks && (job.event == none || later(own.until, job.until))) job.leave(own);
  own.event = none;
  begins_[index(rank)] = std::numeric_limits<double>::infinity();
}

void History::phase_ended(std::uint32_t number, std::uint32_t phase, Rank rank, double begin, double now,
                          bool slowest) {
  if (number >= records_.size()) records_.resize(number + 1);
  Record& record = records_[number];
  begins_[index(rank)] = now;
  if (slowest) {
    record.leave(ranks_[index(rank)]);
    record.phase = phase;
    record.begin = begin;
    record.end = now;
  }
  if (++record.ended == ranks_count_) fold(record);
}

}  // namespace orrery::engine
