#include "sim/engine/matching.hpp"

#include <utility>

namespace orrery::engine {

template <class Accepts>
Matching::Found Matching::first(List& list, Accepts accepts) const {
  Index previous = none;
  for (Index i = list.head; i != none; previous = i, i = pool_[i].next)
    if (accepts(pool_[i])) return {&list, previous, i};
  return {};
}

const Matching::Entry& Matching::remove(Queue& queue, const Found& found) {
  const Entry& entry = pool_[found.entry];
  --(entry.is_message ? queue.messages : queue.receives);
  if (found.previous == none)
    found.list->head = entry.next;
  else
    pool_[found.previous].next = entry.next;
  if (found.list->tail == found.entry) found.list->tail = found.previous;
  free_.push_back(found.entry);
  return entry;
}

void Matching::append(Queue& queue, const Entry& entry) {
  Index i = static_cast<Index>(pool_.size());
  if (free_.empty()) {
    pool_.emplace_back();
  } else {
    i = free_.back();
    free_.pop_back();
  }
  pool_[i] = entry;
  pool_[i].sequence = sequence_++;
  ++(entry.is_message ? queue.messages : queue.receives);
  if (queue.messages + queue.receives > 2 * queue.buckets) grow(queue);
  link(entry.pattern.from == any_rank ? queue.any_source : queue.of(entry.pattern.from), i);
}

void Matching::link(List& list, Index i) {
  pool_[i].next = none;
  if (list.tail == none)
    list.head = i;
  else
    pool_[list.tail].next = i;
  list.tail = i;
}

/// Entries of one source keep their order: they come from one list.
void Matching::grow(Queue& queue) {
  Queue wider;
  wider.buckets = 2 * queue.buckets;
  wider.many = std::make_unique<List[]>(wider.buckets);
  for (const List& list : queue) {
    for (Index i = list.head, next = none; i != none; i = next) {
      next = pool_[i].next;
      link(wider.of(pool_[i].pattern.from), i);
    }
  }
  queue.buckets = wider.buckets;
  queue.many = std::move(wider.many);
}

Slot Matching::offer(Rank to, const Pattern& envelope, MessageId message, double now) {
  Queue& queue = queues_[index(to)];
  if (queue.receives != 0) {
    const auto accepts = [&](const Entry& entry) { return !entry.is_message && takes(entry.pattern, envelope); };
    Found found = first(queue.of(envelope.from), accepts);
    const Found any = first(queue.any_source, accepts);
    if (any.list != nullptr && (found.list == nullptr || before(pool_[any.entry], pool_[found.entry]))) found = any;
    if (found.list != nullptr) return remove(queue, found).receive();
  }
  append(queue, {envelope, static_cast<std::uint32_t>(message), none, true, 0, now});
  return no_slot;
}

Matching::Found Matching::find_message(Queue& queue, const Pattern& wanted) const {
  const auto accepts = [&](const Entry& entry) { return entry.is_message && takes(wanted, entry.pattern); };
  Found found;
  if (queue.messages == 0) return found;
  if (wanted.from != any_rank) return first(queue.of(wanted.from), accepts);
  for (List& list : queue) {
    const Found here = first(list, accepts);
    if (here.list != nullptr && (found.list == nullptr || before(pool_[here.entry], pool_[found.entry]))) found = here;
  }
  return found;
}

Matching::Waiting Matching::waiting(Rank me, const Pattern& wanted) {
  const Found found = find_message(queues_[index(me)], wanted);
  if (found.list == nullptr) return {};
  return {pool_[found.entry].message(), pool_[found.entry].since};
}

const Pattern* Matching::posted(Rank me, Slot receive) {
  Queue& queue = queues_[index(me)];
  const auto accepts = [&](const Entry& entry) { return !entry.is_message && entry.receive() == receive; };
  for (List* list = queue.begin(); list != queue.end(); ++list)
    if (const Found found = first(*list, accepts); found.list != nullptr) return &pool_[found.entry].pattern;
  const Found any = first(queue.any_source, accepts);
  return any.list != nullptr ? &pool_[any.entry].pattern : nullptr;
}

MessageId Matching::request(Rank me, const Pattern& wanted, Slot receive) {
  Queue& queue = queues_[index(me)];
  const Found found = find_message(queue, wanted);
  if (found.list != nullptr) return remove(queue, found).message();
  append(queue, {wanted, static_cast<std::uint32_t>(receive)});
  return no_message;
}

}  // namespace orrery::engine
