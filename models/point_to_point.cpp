#include "models/point_to_point.hpp"

#include <algorithm>
#include <cassert>
#include <queue>

#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

constexpr std::uint32_t none = 0xffffffffu;

/// Plays messages [first, last) of a phase: each starts when its sender is free and what it comes after has ended.
class Schedule {
 public:
  Schedule(const Phase& phase, const CostOfMessage& cost, std::size_t first, std::size_t last, bool dependencies)
      : phase_(phase),
        cost_(cost),
        first_(first),
        runs_(last - first),
        queue_of_(phase.ranks),
        sender_(phase.ranks),
        receiver_(phase.ranks) {
    for (std::size_t i = last; i-- > first;) {
      const auto& message = phase.messages[i];
      queue_of_[index(message.from)].push_back(position(i));  // last first, so that the next is at the back
      if (!dependencies) continue;
      for (const auto before : message.after) {
        assert(before >= first && before < i && "a message comes after one of a later stage");
        runs_[position(before)].next.push_back(position(i));
        ++runs_[position(i)].waits_for;
      }
    }
    for (auto& queue : queue_of_) offer_head(queue);
    while (!ready_.empty()) {
      const auto [start, message] = ready_.top();
      ready_.pop();
      play(message, start);
    }
  }

  Seconds end() const { return last_ == none ? Seconds(0.0) : runs_[last_].end; }

  /// Messages of the longest path, in order, with the times they start and end.
  struct PathElement {
    const Message* message;
    Seconds start, end;
  };
  std::vector<PathElement> longest_path() const {
    std::vector<PathElement> path;
    for (auto m = last_; m != none; m = runs_[m].decided_by)
      path.push_back({&phase_.messages[first_ + m], runs_[m].start, runs_[m].end});
    std::ranges::reverse(path);
    return path;
  }

 private:
  struct Run {
    std::vector<std::uint32_t> next;
    std::uint32_t waits_for = 0;
    std::uint32_t decided_by = none;  ///< the message whose end decided when this one could start or be received
    Seconds ready, start, end;
    bool offered = false;
  };
  struct Port {
    Seconds free;
    std::uint32_t last = none;
  };
  using Candidate = std::pair<Seconds, std::uint32_t>;

  std::uint32_t position(std::size_t message) const { return static_cast<std::uint32_t>(message - first_); }

  void offer_head(const std::vector<std::uint32_t>& queue) {
    if (queue.empty()) return;
    Run& run = runs_[queue.back()];
    if (run.waits_for > 0 || run.offered) return;
    const Port& port = sender_[index(phase_.messages[first_ + queue.back()].from)];
    if (port.last != none && port.free >= run.ready) {
      run.ready = port.free;
      run.decided_by = port.last;
    }
    run.offered = true;
    ready_.emplace(run.ready, queue.back());
  }

  void play(std::uint32_t m, Seconds start) {
    const Message& message = phase_.messages[first_ + m];
    const TransmissionCost cost = cost_(message);
    Run& run = runs_[m];
    run.start = start;
    Port& in = receiver_[index(message.to)];
    Seconds begin = start;
    if (cost.receiver_busy > Seconds(0.0)) {
      if (in.last != none && in.free > begin) {
        begin = in.free;
        run.decided_by = in.last;
      }
      in = {begin + cost.receiver_busy, m};
    }
    run.end = begin + cost.transfer;
    sender_[index(message.from)] = {begin + cost.sender_busy, m};
    if (last_ == none || run.end > runs_[last_].end) last_ = m;
    auto& queue = queue_of_[index(message.from)];
    queue.pop_back();
    for (const auto follower : run.next) {
      Run& next = runs_[follower];
      if (run.end > next.ready) {
        next.ready = run.end;
        next.decided_by = m;
      }
      if (--next.waits_for == 0) {
        const auto& its_queue = queue_of_[index(phase_.messages[first_ + follower].from)];
        if (!its_queue.empty() && its_queue.back() == follower) offer_head(its_queue);
      }
    }
    offer_head(queue);
  }

  const Phase& phase_;
  const CostOfMessage& cost_;
  std::size_t first_;
  std::vector<Run> runs_;
  std::vector<std::vector<std::uint32_t>> queue_of_;  ///< [ranks] what each still sends
  std::vector<Port> sender_, receiver_;               ///< [ranks]
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> ready_;
  std::uint32_t last_ = none;
};

std::string run_text(const Message& message, std::size_t count, Bytes bytes) {
  if (count == 1)
    return fmt::format("rank {} sends {} to rank {}", index(message.from), to_text(bytes), index(message.to));
  return fmt::format("rank {} sends {} messages, {} in all, the last to rank {}", index(message.from), count,
                     to_text(bytes), index(message.to));
}

/// One message of a train, which is many.
Message one_of(const Message& train) {
  Message one = train;
  one.size = train.size / train.repeat;
  one.repeat = 1;
  return one;
}

/// One term per run of messages of one sender on the longest path; the terms add up to the end.
void explain_path(const Schedule& schedule, const std::string& prefix, const SummandsOfMessage& summands,
                  std::vector<Explanation>& steps) {
  const auto path = schedule.longest_path();
  Seconds explained;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t last = i;
    Bytes bytes = path[i].message->size;
    std::string each = summands ? summands(one_of(*path[i].message)) : "";
    while (last + 1 < path.size() && path[last + 1].message->from == path[i].message->from) {
      bytes += path[++last].message->size;
      if (!each.empty() && summands(one_of(*path[last].message)) != each) each.clear();
    }
    std::string text = prefix + run_text(*path[last].message, last - i + 1, bytes);
    if (!each.empty()) text += (last > i || path[i].message->repeat > 1 ? ": each " : ": ") + each;
    steps.push_back({std::move(text), path[last].end - explained});
    explained = path[last].end;
    i = last + 1;
  }
}

}  // namespace

namespace {

/// Messages of a train follow each other: each is sent when the one before has ended at both ends.
TransmissionCost cost_of_train(const Message& train, const CostOfMessage& cost_of_one) {
  if (train.repeat == 1) return cost_of_one(train);
  const TransmissionCost cost = cost_of_one(one_of(train));
  const Seconds before = (train.repeat - 1.0) * std::max(cost.transfer, cost.sender_busy);
  const bool one_at_a_time = cost.receiver_busy > Seconds{};
  return {before + cost.transfer, before + cost.sender_busy,
          one_at_a_time ? before + cost.receiver_busy : cost.receiver_busy};
}

}  // namespace

std::string summands_text(std::initializer_list<std::pair<const char*, Seconds>> summands) {
  std::string text;
  for (const auto& [symbol, time] : summands)
    if (time != Seconds(0.0)) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", symbol, to_text(time));
  return text;
}

Seconds compose(const Phase& phase, const CostOfMessage& cost_of_one, std::vector<Explanation>* steps,
                const SummandsOfMessage& summands) {
  const CostOfMessage cost = [&](const Message& message) { return cost_of_train(message, cost_of_one); };
  if (!phase.declared) {
    const Schedule schedule(phase, cost, 0, phase.messages.size(), true);
    if (steps != nullptr) explain_path(schedule, "", summands, *steps);
    return schedule.end();
  }
  Seconds total;
  for (std::size_t first = 0; first < phase.messages.size();) {
    const auto stage = phase.messages[first].stage;
    std::size_t last = first;
    while (last < phase.messages.size() && phase.messages[last].stage == stage) ++last;
    const Schedule schedule(phase, cost, first, last, false);
    total += schedule.end();
    if (steps != nullptr) explain_path(schedule, phase.stages[stage].name + ": ", summands, *steps);
    first = last;
  }
  return total;
}

std::vector<std::string> notes_on_sizes(const PredictionInput& input, const MessageRange& range, const char* then) {
  std::uint64_t outside = 0;
  Bytes least, greatest;
  for (const auto& phase : input.phases) {
    if (phase.name != input.compared_phase) continue;
    for (const auto& message : phase.messages) {
      const Bytes size = message.size / static_cast<double>(message.repeat);
      if (range.covers(size)) continue;
      least = outside == 0 ? size : std::min(least, size);
      greatest = std::max(greatest, size);
      outside += std::uint64_t{phase.repeat} * message.repeat;
    }
  }
  if (outside == 0) return {};
  const std::string sizes = least == greatest ? to_text(least) : to_text(least) + ".." + to_text(greatest);
  return {fmt::format("{} message{} of {} lie{} outside the calibrated {}..{}: {}", outside, outside == 1 ? "" : "s",
                      sizes, outside == 1 ? "s" : "", to_text(range.least), to_text(range.greatest), then)};
}

void for_each_pair(const ModelParameters& parameters, const std::string& name, const Platform& platform,
                   const std::function<void(ChannelKind, std::uint32_t, std::uint32_t, const ParameterTable&)>& f) {
  const auto types = static_cast<std::uint32_t>(platform.node_types.size());
  for (const auto channel : {ChannelKind::shared_memory, ChannelKind::network})
    for (std::uint32_t a = 0; a < types; ++a)
      for (std::uint32_t b = 0; b < types; ++b)
        if (const auto* table = find_table(parameters, name, platform, {channel, a, b})) f(channel, a, b, *table);
}

MessageRange message_range(const ModelParameters& parameters, const ParameterTable& table) {
  return {Bytes(value_of(parameters, table, "message_min_B")), Bytes(value_of(parameters, table, "message_max_B"))};
}

void require_two_sizes(const std::string& model, const CalibrationRange& range) {
  if (range.sizes.size() < 2)
    throw InputError("{}: {} message size{} cannot fit a line (2 or more sizes). Add one with --sizes?", model,
                     range.sizes.size(), range.sizes.size() == 1 ? "" : "s");
}

}  // namespace orrery
