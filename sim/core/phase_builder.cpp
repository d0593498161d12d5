#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/phase_collectives.hpp"
#include "sim/core/phase_matching.hpp"
#include "sim/core/segment.hpp"

namespace orrery {

namespace {

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
  std::vector<std::size_t> begin(count + 1, 0);  // of each message's followers in `next`
  std::vector<std::uint32_t> ready;
  for (std::uint32_t m = 0; m < count; ++m) {
    missing[m] = static_cast<std::uint32_t>(phase.messages[m].after.size());
    for (const auto before : phase.messages[m].after) ++begin[before + 1];
    if (missing[m] == 0) ready.push_back(m);
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> next(begin.back());
  std::vector<std::size_t> filled(begin.begin(), begin.end() - 1);
  for (std::uint32_t m = 0; m < count; ++m)
    for (const auto before : phase.messages[m].after) next[filled[before]++] = m;
  for (std::size_t done = 0; done < ready.size(); ++done)
    for (std::size_t i = begin[ready[done]]; i < begin[ready[done] + 1]; ++i) {
      level[next[i]] = std::max(level[next[i]], level[ready[done]] + 1);
      if (--missing[next[i]] == 0) ready.push_back(next[i]);
    }
  if (ready.size() == count) return level;
  const auto stuck = std::ranges::find_if(missing, [](std::uint32_t n) { return n > 0; }) - missing.begin();
  const auto& message = phase.messages[static_cast<std::size_t>(stuck)];
  throw ReplayError("rank {} never sends tag {} to rank {}: what it waits for first waits for it ({}, p={})",
                    index(message.from), index(message.tag), index(message.to), program, phase.ranks);
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
          "rank {} is in phase '{}' of iteration {} while rank {} is in phase '{}' of iteration "
          "{} ({}). Give every rank the same marks?",
          r, mine.phase, mine.iteration, first_rank, first->phase, first->iteration, program);
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
  PhaseMatching matcher;
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
