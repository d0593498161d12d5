#include "tests/support/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace orrery {

Recording record(const Program& program) {
  Recording recording{program.name(), {}};
  for (std::uint32_t r = 0; r < program.ranks(); ++r) {
    auto& steps = recording.steps.emplace_back();
    auto generator = program.steps(Rank{r});
    while (const Step* step = generator.next()) {
      steps.push_back(*step);
      if (auto* mark = std::get_if<CollectiveBegin>(&steps.back())) {
        recording.collectives.push_back(std::make_shared<const CollectiveCall>(*mark->call));
        recording.teams.push_back(std::make_shared<const std::vector<Rank>>(mark->team.begin(), mark->team.end()));
        *mark = {recording.collectives.back().get(), *recording.teams.back()};
      }
    }
  }
  return recording;
}

namespace {

struct Posted {
  Rank rank{};  ///< who posted it
  std::size_t at = 0;
  Send send;  ///< of a send
  Recv recv;  ///< of a receive
  bool blocking = false;
  std::optional<RequestId> request;
};

bool fits(const Posted& receive, const Posted& sent) {
  return receive.recv.communicator == sent.send.communicator &&
         (receive.recv.from == any_rank || receive.recv.from == sent.rank) &&
         (receive.recv.tag == any_tag || receive.recv.tag == sent.send.tag);
}

class Player {
 public:
  Player(const Recording& recording, SendEnds send_ends)
      : recording_(recording),
        send_ends_(send_ends),
        next_(recording.ranks(), 0),
        entered_(recording.ranks(), false),
        posted_(recording.ranks(), false),
        open_(recording.ranks()),
        blocking_open_(recording.ranks(), false),
        sends_(recording.ranks()),
        receives_(recording.ranks()) {}

  MatchedRun play() {
    for (bool moved = true; moved && run_.defect.empty();) {
      moved = false;
      for (std::uint32_t r = 0; r < recording_.ranks(); ++r)
        while (run_.defect.empty() && advance(Rank{r})) moved = true;
      if (!moved) moved = leave_barrier();
    }
    if (run_.defect.empty()) find_stuck();
    if (run_.defect.empty()) find_unreceived();
    return std::move(run_);
  }

 private:
  bool finished(Rank me) const { return next_[index(me)] == recording_.steps[index(me)].size(); }

  /// Tries the next step of a rank; false when it blocks or the rank has finished.
  bool advance(Rank me) {
    if (finished(me) || entered_[index(me)]) return false;
    const Step& step = recording_.steps[index(me)][next_[index(me)]];
    if (!visit_step([&](const auto& kind) { return perform(me, kind); }, step)) return false;
    posted_[index(me)] = false;
    ++next_[index(me)];
    return true;
  }

  bool perform(Rank me, const Send& step) {
    return blocking(me, [&] { post_send(me, step, std::nullopt); });
  }
  bool perform(Rank me, const Recv& step) {
    return blocking(me, [&] { post_receive(me, step, std::nullopt); });
  }
  bool perform(Rank me, const Isend& step) {
    if (open(me, step.request)) post_send(me, step.send, step.request);
    return true;
  }
  bool perform(Rank me, const Irecv& step) {
    if (open(me, step.request)) post_receive(me, step.recv, step.request);
    return true;
  }
  bool perform(Rank me, const Wait& step) { return completed(me, step.request); }
  bool perform(Rank me, const WaitAll& step) {
    const auto first = static_cast<std::uint64_t>(step.first);
    return std::ranges::none_of(open_[index(me)], [&](const auto& request) {
      const auto number = static_cast<std::uint64_t>(request.first);
      return request.second && number >= first && number < first + step.count;
    });
  }
  bool perform(Rank me, const IdealBarrier&) {
    entered_[index(me)] = true;
    return false;
  }
  bool perform(Rank me, const ComputeUntil& step) {
    if (!open_[index(me)].contains(step.request)) run_.defect = unknown_request(me, step.request);
    return true;
  }
  bool perform(Rank, const Compute&) { return true; }
  bool perform(Rank, const WaitAny&) { return true; }
  bool perform(Rank, const Probe&) { return true; }  // without a clock nothing is found
  bool perform(Rank, const PhaseMark&) { return true; }
  bool perform(Rank, const IterationMark&) { return true; }
  bool perform(Rank, const StageMark&) { return true; }
  bool perform(Rank, const CollectiveBegin&) { return true; }
  bool perform(Rank, const CollectiveEnd&) { return true; }

  template <class Post>
  bool blocking(Rank me, Post post) {
    if (!posted_[index(me)]) {
      posted_[index(me)] = true;
      blocking_open_[index(me)] = true;
      post();
    }
    return !blocking_open_[index(me)];
  }

  bool open(Rank me, RequestId request) {
    const auto [found, fresh] = open_[index(me)].try_emplace(request, true);
    if (!fresh && found->second)
      run_.defect = fmt::format("rank {} posts request {} again before waiting for it (step {})", index(me),
                                static_cast<std::uint32_t>(request), next_[index(me)]);
    found->second = true;
    return run_.defect.empty();
  }
  bool completed(Rank me, RequestId request) {
    const auto found = open_[index(me)].find(request);
    if (found == open_[index(me)].end()) run_.defect = unknown_request(me, request);
    return found != open_[index(me)].end() && !found->second;
  }
  std::string unknown_request(Rank me, RequestId request) const {
    return fmt::format("rank {} waits for request {}, which it never posted (step {})", index(me),
                       static_cast<std::uint32_t>(request), next_[index(me)]);
  }

  void finish(const Posted& posted) {
    if (posted.request)
      open_[index(posted.rank)][*posted.request] = false;
    else
      blocking_open_[index(posted.rank)] = false;
  }

  void post_send(Rank me, const Send& send, std::optional<RequestId> request) {
    if (index(send.to) >= recording_.ranks()) {
      run_.defect = fmt::format("rank {} sends to rank {}, of {} (step {})", index(me), index(send.to),
                                recording_.ranks(), next_[index(me)]);
      return;
    }
    Posted sent{me, next_[index(me)], send, {}, !request, request};
    if (send_ends_ == SendEnds::posted) finish(sent);
    auto& waiting = receives_[index(send.to)];
    const auto receive = std::ranges::find_if(waiting, [&](const Posted& posted) { return fits(posted, sent); });
    if (receive == waiting.end()) return sends_[index(send.to)].push_back(sent);
    match(sent, *receive);
    waiting.erase(receive);
  }

  void post_receive(Rank me, const Recv& recv, std::optional<RequestId> request) {
    Posted receive{me, next_[index(me)], {}, recv, false, request};
    auto& arrived = sends_[index(me)];
    const auto sent = std::ranges::find_if(arrived, [&](const Posted& posted) { return fits(receive, posted); });
    if (sent == arrived.end()) return receives_[index(me)].push_back(receive);
    match(*sent, receive);
    arrived.erase(sent);
  }

  void match(const Posted& sent, const Posted& receive) {
    run_.messages.push_back(
        {sent.rank, receive.rank, sent.send.message, sent.send.tag, sent.blocking, sent.at, receive.at});
    if (sent.send.message > receive.recv.message)
      run_.defect =
          fmt::format("rank {} sends {} B to rank {}, which expects {} B (steps {} and {})", index(sent.rank),
                      sent.send.message.si(), index(receive.rank), receive.recv.message.si(), sent.at, receive.at);
    finish(sent);
    finish(receive);
  }

  /// Lets everybody out of an ideal barrier once all have entered.
  bool leave_barrier() {
    if (!std::ranges::all_of(entered_, [](bool in) { return in; }) || entered_.empty()) return false;
    std::fill(entered_.begin(), entered_.end(), false);
    for (auto& at : next_) ++at;
    return true;
  }

  void find_stuck() {
    for (std::uint32_t r = 0; r < recording_.ranks(); ++r) {
      if (finished(Rank{r})) continue;
      run_.defect = fmt::format("rank {} never gets past its step {} of {}", r, next_[r], recording_.steps[r].size());
      return;
    }
  }
  void find_unreceived() {
    for (const auto& arrived : sends_)
      for (const Posted& sent : arrived) {
        run_.defect = fmt::format("nobody receives the message of rank {} to rank {} with tag {} (step {})",
                                  index(sent.rank), index(sent.send.to), index(sent.send.tag), sent.at);
        return;
      }
    for (const auto& waiting : receives_)
      for (const Posted& receive : waiting) {
        run_.defect =
            fmt::format("rank {} never gets the message it receives in step {}", index(receive.rank), receive.at);
        return;
      }
  }

  const Recording& recording_;
  SendEnds send_ends_;
  MatchedRun run_;
  std::vector<std::size_t> next_;                ///< [ranks] the step to perform
  std::vector<bool> entered_;                    ///< [ranks] inside an ideal barrier
  std::vector<bool> posted_;                     ///< [ranks] the blocking step at hand is posted
  std::vector<std::map<RequestId, bool>> open_;  ///< [ranks] request -> still open
  std::vector<bool> blocking_open_;              ///< [ranks] the blocking step at hand is still open
  std::vector<std::deque<Posted>> sends_;        ///< [ranks] arrived there, not yet received
  std::vector<std::deque<Posted>> receives_;     ///< [ranks] posted there, not yet matched
};

}  // namespace

MatchedRun match_messages(const Recording& recording, SendEnds send_ends) {
  return Player(recording, send_ends).play();
}

}  // namespace orrery
