#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/phase_collectives.hpp"
#include "sim/core/segment.hpp"

namespace orrery {

namespace {

/// MPI's matching over the whole program: first sent, first received, per (sender, receiver, tag, communicator).
class Matcher {
 public:
  void match(Phase& phase, std::vector<Segment>& segments) {
    sent_.resize(segments.size());
    create_messages(phase, segments);
    for (std::uint32_t r = 0; r < segments.size(); ++r)
      for (auto& transfer : segments[r].transfers)
        if (!transfer.is_send && transfer.peer != any_rank && transfer.tag != any_tag) match_named(transfer, Rank{r});
    for (std::uint32_t r = 0; r < segments.size(); ++r)
      for (auto& transfer : segments[r].transfers)
        if (!transfer.is_send && (transfer.peer == any_rank || transfer.tag == any_tag)) match_any(transfer, Rank{r});
    leave_for_later(phase);
  }
  /// Nothing sent is unreceived and nothing awaited unsent: the next phase stands alone.
  bool settled() const {
    return owed_.empty() && std::ranges::all_of(sent_, [](const auto& queues) { return queues.empty(); });
  }
  /// Receives that no send of the whole program answers.
  void check_complete(const std::string& program, std::uint32_t ranks) const {
    for (const auto& [key, count] : owed_) {
      const auto& [from, to, communicator, tag] = key;
      const std::string what = tag == any_tag ? "any tag" : fmt::format("tag {}", index(tag));
      const std::string whom =
          from == any_rank ? "any rank, and none sends it" : fmt::format("rank {}, which never sends it", index(from));
      throw ReplayError(fmt::format("rank {} waits for {} from {} ({}, p={})", index(to), what, whom, program, ranks));
    }
  }

 private:
  using Key = std::tuple<Rank, Rank, Communicator, Tag>;
  /// What a receiver has not received yet of one sender, communicator and tag, first in, first out: so many of earlier
  /// phases, then messages of this one, linked by `next_`. (A std::deque takes 512 B to 4 KiB, and each pair may have one.)
  struct Queue {
    Rank from{};
    Communicator communicator{};
    Tag tag{};
    std::uint32_t earlier = 0, first = none, last = none;

    auto key() const { return std::tuple(from, communicator, tag); }
    bool empty() const { return earlier == 0 && first == none; }
  };

  /// Where it is among those of its receiver, in ascending order, or belongs.
  std::vector<Queue>::iterator place_of(Rank to, const std::tuple<Rank, Communicator, Tag>& key) {
    std::vector<Queue>& queues = sent_[index(to)];
    if (queues.empty() || queues.back().key() < key) return queues.end();  // senders come in order
    return std::ranges::lower_bound(queues, key, {}, &Queue::key);
  }
  void push(const Transfer& send, Rank me) {
    const std::tuple key(me, send.communicator, send.tag);
    auto queue = place_of(send.peer, key);
    if (queue == sent_[index(send.peer)].end() || queue->key() != key)
      queue = sent_[index(send.peer)].insert(queue, {me, send.communicator, send.tag});
    (queue->first == none ? queue->first : next_[queue->last]) = send.message;
    queue->last = send.message;
  }
  /// The next message; none: of an earlier phase.
  std::uint32_t pop(Queue& queue) {
    if (queue.earlier > 0) return --queue.earlier, none;
    const std::uint32_t message = queue.first;
    queue.first = next_[message];
    return message;
  }
  /// What is left was sent here and is received in a later phase.
  void leave_for_later(Phase& phase) {
    for (auto& queues : sent_) {
      for (Queue& queue : queues)
        for (; queue.first != none; queue.first = next_[queue.first], ++queue.earlier)
          phase.messages[queue.first].received_in_phase = false;
      std::erase_if(queues, [](const Queue& queue) { return queue.empty(); });
    }
    next_.clear();
  }

  void create_messages(Phase& phase, std::vector<Segment>& segments) {
    for (std::uint32_t r = 0; r < segments.size(); ++r)
      for (auto& transfer : segments[r].transfers) {
        if (!transfer.is_send) continue;
        if (index(transfer.peer) >= phase.ranks)
          throw ReplayError(fmt::format("rank {} sends to rank {} (ranks are 0..{}; phase '{}')", r,
                                        index(transfer.peer), phase.ranks - 1, phase.name));
        transfer.message = static_cast<std::uint32_t>(phase.messages.size());
        phase.messages.push_back({.from = Rank{r},
                                  .to = transfer.peer,
                                  .size = transfer.size,
                                  .tag = transfer.tag,
                                  .blocking = transfer.blocking,
                                  .stage = transfer.stage,
                                  .overlapped = transfer.overlapped,
                                  .repeat = transfer.repeat,
                                  .collective = transfer.collective});
        next_.push_back(none);
        const auto owed = owed_.find({Rank{r}, transfer.peer, transfer.communicator, transfer.tag});
        if (owed == owed_.end()) {
          push(transfer, Rank{r});
          continue;
        }
        phase.messages.back().received_in_phase = false;  // its receive was posted in an earlier phase
        if (--owed->second == 0) owed_.erase(owed);
      }
  }
  void match_named(Transfer& receive, Rank me) {
    const std::tuple key(receive.peer, receive.communicator, receive.tag);
    const auto queue = place_of(me, key);
    if (queue == sent_[index(me)].end() || queue->key() != key || queue->empty())
      ++owed_[Key{receive.peer, me, receive.communicator, receive.tag}];
    else
      receive.message = pop(*queue);
  }
  /// Which sender an any-source receive meets depends on time; the lowest sender is taken.
  void match_any(Transfer& receive, Rank me) {
    for (Queue& queue : sent_[index(me)]) {
      if (queue.communicator != receive.communicator || queue.empty()) continue;
      if (receive.tag != any_tag && queue.tag != receive.tag) continue;
      if (receive.peer != any_rank && queue.from != receive.peer) continue;
      receive.message = pop(queue);
      return;
    }
    ++owed_[Key{receive.peer, me, receive.communicator, receive.tag}];
  }

  std::vector<std::vector<Queue>> sent_;  ///< [ranks]
  std::vector<std::uint32_t> next_;       ///< [messages of the phase] in the queue of each
  std::map<Key, std::uint32_t> owed_;     ///< receives whose send has not been seen yet
};

/// Walks one rank's actions and fills `after` of the messages it sends; remembers where it waited for the others.
class Dependencies {
 public:
  /// What a receiver had finished, or was still sending, when it began to wait for a message: `after`, and the first
  /// `own_sends` messages that it sends itself. (A list of both would grow with the square of a rank's messages.)
  struct Ready {
    std::vector<std::uint32_t> after;
    std::uint32_t own_sends = 0;
  };

  explicit Dependencies(Phase& phase) : phase_(phase), ready_(phase.messages.size()), own_sends_(phase.ranks) {}

  void walk(const Segment& segment, std::size_t rank) {
    frontier_.clear();
    open_.clear();
    me_ = rank;
    last_of_stage_ = none;
    composition_.reset();
    for (const auto& action : segment.actions) {
      switch (action.kind) {
        case Action::Kind::transfer:
          transfer(segment.transfers[action.transfer]);
          break;
        case Action::Kind::wait:
          wait(action.first, 1);
          break;
        case Action::Kind::wait_all:
          wait(action.first, action.count);
          break;
        case Action::Kind::stage:
          enter_stage(action.stage);
          break;
      }
    }
  }

  const Ready& receiver_ready(std::uint32_t message) const { return ready_[message]; }
  /// Messages that a rank sends, in program order.
  const std::vector<std::uint32_t>& own_sends(std::size_t rank) const { return own_sends_[rank]; }

 private:
  struct Open {
    RequestId request;
    std::uint32_t message;
    bool is_send;
    std::vector<std::uint32_t> posted_after;
  };

  void transfer(const Transfer& transfer) {
    if (transfer.is_send) {
      auto& message = phase_.messages[transfer.message];
      message.after = predecessors();
      last_of_stage_ = transfer.message;
      own_sends_[me_].push_back(transfer.message);
      if (!transfer.blocking)
        open_.push_back({transfer.request, transfer.message, true, {}});
      else if (!composition_)
        complete(transfer.message);
    } else if (transfer.blocking) {
      if (transfer.message == none) return;
      ready_[transfer.message] = {frontier_, sends_so_far()};
      complete(transfer.message);
    } else {
      open_.push_back({transfer.request, transfer.message, false, frontier_});
    }
  }

  std::vector<std::uint32_t> predecessors() const {
    auto before = frontier_;
    if (composition_ == Composition::sequence && last_of_stage_ != none) before.push_back(last_of_stage_);
    std::ranges::sort(before);
    before.erase(std::unique(before.begin(), before.end()), before.end());
    return before;
  }

  void wait(RequestId first, std::uint32_t count) {
    const std::uint64_t begin = static_cast<std::uint64_t>(first), end = begin + count;
    const auto covered = [&](const Open& open) {
      const auto number = static_cast<std::uint64_t>(open.request);
      return begin <= number && number < end;
    };
    for (const auto& open : open_) {
      if (!covered(open) || open.message == none) continue;
      if (!open.is_send) ready_[open.message] = {open.posted_after, sends_so_far()};
    }
    for (const auto& open : open_)
      if (covered(open) && open.message != none && !(open.is_send && composition_)) complete(open.message);
    std::erase_if(open_, covered);
  }

  std::uint32_t sends_so_far() const { return static_cast<std::uint32_t>(own_sends_[me_].size()); }

  /// Puts a message on the frontier and drops those it already implies.
  void complete(std::uint32_t message) {
    const auto& implied = phase_.messages[message].after;
    if (!implied.empty())
      std::erase_if(frontier_, [&](std::uint32_t m) { return std::ranges::binary_search(implied, m); });
    if (std::ranges::find(frontier_, message) == frontier_.end()) frontier_.push_back(message);
  }

  void enter_stage(std::uint32_t stage) {
    frontier_.clear();
    last_of_stage_ = none;
    composition_ = phase_.stages[stage].composition;
  }

  Phase& phase_;
  std::vector<Ready> ready_;                           ///< [messages]
  std::vector<std::vector<std::uint32_t>> own_sends_;  ///< [ranks]
  std::size_t me_ = 0;
  std::vector<std::uint32_t> frontier_;
  std::vector<Open> open_;
  std::uint32_t last_of_stage_ = none;
  std::optional<Composition> composition_;  ///< set inside a declared stage
};

/// Dependency level of every message: 0 without predecessors, else one more than the deepest of them.
std::vector<std::uint32_t> dependency_levels(const Phase& phase, const std::string& program) {
  const std::size_t count = phase.messages.size();
  std::vector<std::uint32_t> level(count, 0), missing(count, 0);
  std::vector<std::vector<std::uint32_t>> next(count);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t m = 0; m < count; ++m) {
    missing[m] = static_cast<std::uint32_t>(phase.messages[m].after.size());
    for (const auto before : phase.messages[m].after) next[before].push_back(m);
    if (missing[m] == 0) ready.push_back(m);
  }
  for (std::size_t done = 0; done < ready.size(); ++done)
    for (const auto follower : next[ready[done]]) {
      level[follower] = std::max(level[follower], level[ready[done]] + 1);
      if (--missing[follower] == 0) ready.push_back(follower);
    }
  if (ready.size() == count) return level;
  const auto stuck = std::ranges::find_if(missing, [](std::uint32_t n) { return n > 0; }) - missing.begin();
  const auto& message = phase.messages[static_cast<std::size_t>(stuck)];
  throw ReplayError(
      fmt::format("rank {} never sends tag {} to rank {}: what it waits for first waits for it ({}, p={})",
                  index(message.from), index(message.tag), index(message.to), program, phase.ranks));
}

void mark_waiting_receivers(Phase& phase, const Dependencies& dependencies, const std::vector<std::uint32_t>& level) {
  std::vector<std::vector<std::uint32_t>> sent_by(phase.ranks);  // [ranks] level after which its first n sends ended
  for (std::uint32_t r = 0; r < phase.ranks; ++r) {
    sent_by[r].push_back(0);
    for (const auto own : dependencies.own_sends(r)) sent_by[r].push_back(std::max(sent_by[r].back(), level[own] + 1));
  }
  for (std::uint32_t m = 0; m < phase.messages.size(); ++m) {
    auto& message = phase.messages[m];
    if (!message.received_in_phase) continue;
    const auto& ready = dependencies.receiver_ready(m);
    std::uint32_t idle_from = sent_by[index(message.to)][ready.own_sends];  // level from which the receiver only waits
    for (const auto before : ready.after) idle_from = std::max(idle_from, level[before] + 1);
    message.receiver_waiting = level[m] >= idle_from + 1;
  }
}

/// Orders messages by stage, then sender, then program order, and renumbers `after`.
void sort_by_stage(Phase& phase) {
  std::vector<std::uint32_t> order(phase.messages.size()), position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t m) { return phase.messages[m].stage; });
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  std::vector<Message> sorted;
  sorted.reserve(order.size());
  for (const auto m : order) {
    sorted.push_back(std::move(phase.messages[m]));
    for (auto& before : sorted.back().after) before = position[before];
    std::ranges::sort(sorted.back().after);
  }
  phase.messages = std::move(sorted);
}

void compose(Phase& phase, const std::vector<Segment>& segments, const std::string& program) {
  if (phase.declared) {
    const bool before_marks = std::ranges::any_of(phase.messages, [](const Message& m) { return m.stage == none; });
    if (before_marks) phase.stages.insert(phase.stages.begin(), Stage{"before the first stage", Composition::set});
    for (auto& message : phase.messages) message.stage = message.stage == none ? 0 : message.stage + before_marks;
  }
  Dependencies dependencies(phase);
  for (std::size_t r = 0; r < segments.size(); ++r) dependencies.walk(segments[r], r);
  const auto level = dependency_levels(phase, program);
  mark_waiting_receivers(phase, dependencies, level);
  if (!phase.declared) {
    std::uint32_t levels = 0;
    for (std::size_t m = 0; m < level.size(); ++m) {
      phase.messages[m].stage = level[m];
      levels = std::max(levels, level[m] + 1);
    }
    for (std::uint32_t l = 0; l < levels; ++l) phase.stages.push_back({fmt::format("level {}", l), Composition::set});
  }
  sort_by_stage(phase);
}

void check_same_marks(const std::vector<Segment>& segments, const std::string& program) {
  const Segment* first = nullptr;
  std::size_t first_rank = 0;
  for (std::size_t r = 0; r < segments.size(); ++r) {
    const auto& mine = segments[r];
    if (mine.ended) continue;
    if (first == nullptr) {
      first = &mine;
      first_rank = r;
    } else if (std::string_view(mine.phase) != first->phase || mine.iteration != first->iteration) {
      throw ReplayError(
          fmt::format("rank {} is in phase '{}' of iteration {} while rank {} is in phase '{}' of iteration "
                      "{} ({}). Give every rank the same marks?",
                      r, mine.phase, mine.iteration, first_rank, first->phase, first->iteration, program));
    }
  }
}

/// The segments a phase was built from, to recognise the same iteration without building it again.
struct Seen {
  std::size_t phase = 0;  ///< index into the result
  std::vector<Segment> segments;
  std::vector<Stage> stages;  ///< as marked

  bool same(const std::vector<Segment>& others, const std::vector<Stage>& marked) const {
    return stages == marked &&
           std::ranges::equal(segments, others, [](const Segment& a, const Segment& b) { return a.same_content(b); });
  }
};

}  // namespace

std::vector<Phase> build_phases(const Program& program, const std::function<void(std::uint64_t)>& tell) {
  std::vector<RankReader> readers;
  for (std::uint32_t r = 0; r < program.ranks(); ++r) readers.emplace_back(program, Rank{r});
  std::vector<Phase> phases;
  std::map<std::string, Seen> latest;  // by name of the phase
  Matcher matcher;
  std::uint64_t read = 0;
  while (std::ranges::any_of(readers, [](const RankReader& reader) { return !reader.done(); })) {
    Phase phase;
    std::vector<Segment> segments;
    segments.reserve(readers.size());
    for (auto& reader : readers) segments.push_back(reader.next_segment(phase));
    if (tell) tell(++read);
    check_same_marks(segments, program.name());
    const auto& labelled = *std::ranges::find(segments, false, &Segment::ended);
    const bool stands_alone = matcher.settled();
    const auto known = latest.find(labelled.phase);
    if (known != latest.end() && stands_alone && known->second.same(segments, phase.stages)) {
      ++phases[known->second.phase].repeat;
      continue;
    }
    phase.name = labelled.phase;
    phase.ranks = program.ranks();
    phase.first_iteration = labelled.iteration;
    phase.starts_together = std::ranges::all_of(segments, &Segment::starts_together);
    for (auto& segment : segments)
      phase.computes.insert(phase.computes.end(), segment.computes.begin(), segment.computes.end());
    Seen seen{phases.size(), segments, phase.stages};
    enter_collectives(phase, segments);
    matcher.match(phase, segments);
    compose(phase, segments, program.name());
    list_messages_of_collectives(phase);
    if (phase.messages.empty() && phase.computes.empty()) continue;
    if (stands_alone && matcher.settled())
      latest.insert_or_assign(phase.name, std::move(seen));
    else
      latest.erase(phase.name);
    phases.push_back(std::move(phase));
  }
  matcher.check_complete(program.name(), program.ranks());
  return phases;
}

}  // namespace orrery
