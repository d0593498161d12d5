#include "sim/replay/matching.hpp"

#include <utility>

namespace orrery::replay {

template <class Accepts>
Matching::Found Matching::first(List& list, Accepts accepts) const {
  Index previous = none;
  for (Index i = list.head; i != none; previous = i, i = pool_[i].next)
    if (accepts(pool_[i].pattern)) return {&list, previous, i};
  return {};
}

Matching::Handle Matching::remove(const Found& found) {
  Entry& entry = pool_[found.entry];
  if (found.previous == none)
    found.list->head = entry.next;
  else
    pool_[found.previous].next = entry.next;
  if (found.list->tail == found.entry) found.list->tail = found.previous;
  entry.next = std::exchange(free_, found.entry);
  return entry.handle;
}

void Matching::append(List& list, const Pattern& pattern, Handle handle) {
  Index i = free_;
  if (i == none) {
    i = static_cast<Index>(pool_.size());
    pool_.emplace_back();
  } else {
    free_ = pool_[i].next;
  }
  pool_[i] = {pattern, handle, none, sequence_++};
  if (list.tail == none)
    list.head = i;
  else
    pool_[list.tail].next = i;
  list.tail = i;
}

void Matching::rehash(Buckets& lists, std::size_t size) {
  const Buckets old = std::exchange(lists, Buckets(size));
  for (const List& list : old) {  // entries of one source keep their order: they come from one list
    for (Index i = list.head; i != none;) {
      const Index next = std::exchange(pool_[i].next, none);
      List& into = lists[bucket(lists, pool_[i].pattern.from)];
      if (into.tail == none)
        into.head = i;
      else
        pool_[into.tail].next = i;
      into.tail = i;
      i = next;
    }
  }
}

void Matching::grow(Queue& queue) {
  ++queue.entries;
  if (queue.entries <= queue.receives.size() * 2) return;
  const std::size_t size = queue.receives.size() * 2;
  rehash(queue.receives, size);
  rehash(queue.messages, size);
}

Matching::Handle Matching::offer(Rank to, const Pattern& envelope, Handle message) {
  Queue& queue = queues_[index(to)];
  const auto accepts = [&](const Pattern& wanted) { return takes(wanted, envelope); };
  Found found;
  if (queue.entries != 0) {
    found = first(queue.receives[bucket(queue.receives, envelope.from)], accepts);
    const Found any = first(queue.any_source, accepts);
    if (any.list != nullptr && (found.list == nullptr || pool_[any.entry].sequence < pool_[found.entry].sequence))
      found = any;
  }
  if (found.list != nullptr) {
    --queue.entries;
    return remove(found);
  }
  grow(queue);
  append(queue.messages[bucket(queue.messages, envelope.from)], envelope, message);
  return none;
}

Matching::Found Matching::find_message(Queue& queue, const Pattern& wanted) const {
  const auto accepts = [&](const Pattern& envelope) { return takes(wanted, envelope); };
  Found found;
  if (queue.entries == 0) return found;
  if (wanted.from != any_rank) return first(queue.messages[bucket(queue.messages, wanted.from)], accepts);
  for (List& list : queue.messages) {
    const Found here = first(list, accepts);
    if (here.list != nullptr && (found.list == nullptr || pool_[here.entry].sequence < pool_[found.entry].sequence))
      found = here;
  }
  return found;
}

Matching::Handle Matching::waiting(Rank me, const Pattern& wanted) {
  const Found found = find_message(queues_[index(me)], wanted);
  return found.list == nullptr ? none : pool_[found.entry].handle;
}

Matching::Handle Matching::request(Rank me, const Pattern& wanted, Handle receive) {
  Queue& queue = queues_[index(me)];
  const Found found = find_message(queue, wanted);
  if (found.list != nullptr) {
    --queue.entries;
    return remove(found);
  }
  grow(queue);
  append(wanted.from == any_rank ? queue.any_source : queue.receives[bucket(queue.receives, wanted.from)], wanted,
         receive);
  return none;
}

}  // namespace orrery::replay
