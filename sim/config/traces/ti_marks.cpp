// What Orrery writes into TI traces for itself: the comments that begin with '#orrery'.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/config/traces/ti_calls.hpp"

namespace orrery::config {

void TiRank::read_mark(const TraceLines& at, const Words& words) {
  const auto is = [&](const char* name, std::size_t arguments) {
    return words.size() == 3 + arguments && words[2] == name;
  };
  const auto name = [&] {
    const std::string text(words[3]);
    const auto known = std::ranges::find(trace_.names, text);
    if (known == trace_.names.end()) trace_.names.push_back(text);
    return static_cast<std::uint32_t>(std::ranges::find(trace_.names, text) - trace_.names.begin());
  };
  if (is("phase", 1)) {
    writer_.phase(name());
  } else if (is("iteration", 1)) {
    writer_.iteration(static_cast<std::uint32_t>(at.whole(words[3], "the iteration", 4294967295.0)));
  } else if (is("stage", 2) && (words[4] == "sequence" || words[4] == "set")) {
    const bool sequence = words[4] == "sequence";
    writer_.stage(name(), sequence);
  } else if (is("ideal", 0)) {
    next_barrier_ideal_ = true;
  } else if (is("begin", 6) && !marked_) {
    begin_marked(at, words);
  } else if (is("end", 0) && marked_) {
    marked_ = false;
    writer_.end_marked();
  } else if (is("on", 2)) {
    read_group(at, words);
  } else if (is("train", 1)) {
    train_ = static_cast<std::uint32_t>(at.whole(words[3], "the train", 4294967295.0));
    if (train_ == 0) at.refuse("a train of no messages (1 or more). Correct it?");
  } else if (is("speed", 1)) {
    trace_.speed = at.number(words[3], "the speed");
    if (trace_.speed < 1.0) at.refuse("the speed is less than 1 flop/s (flop/s of the traced hosts). Correct it?");
  } else {
    at.refuse(
        "'#orrery' without a known mark (phase NAME, iteration N, stage NAME sequence|set, begin OPERATION ALGORITHM "
        "ROOT BYTES COMMUNICATOR RANKS and its end, on COMMUNICATOR RANKS, train N, ideal, speed N). Remove the line?");
  }
}

void TiRank::begin_marked(const TraceLines& at, const Words& words) {
  std::optional<Operation> operation;
  for (std::size_t i = 0; i < operations; ++i)
    if (words[3] == ti_operation_name(static_cast<Operation>(i))) operation = static_cast<Operation>(i);
  const auto communicator = static_cast<std::uint32_t>(at.whole(words[7], "the communicator", 4294967295.0));
  const auto group = parse_group(words[8], ranks_, Communicator{communicator});
  if (!operation || !group || !group->contains(Rank{me_}))
    at.refuse(
        Refusal("'begin {}' with ranks '{}' is no collective of rank {} (an operation; ranks of 0 to {}, "
                "among them this one, as '0:1:{}' or '0,2,5'). Remove the line?",
                words[3].substr(0, 40), words[8].substr(0, 40), me_, ranks_ - 1, ranks_));
  const auto root = static_cast<Member>(at.whole(words[5], "the root", group->size() - 1.0));
  const Bytes size(at.whole(words[6], "the size"));
  MarkedCollective mark;
  mark.call = {*operation, root, "", size, *group};
  mark.algorithm = words[4];
  const auto known = std::ranges::find(trace_.marked, mark);
  writer_.begin_marked(static_cast<std::uint32_t>(known - trace_.marked.begin()));
  if (known == trace_.marked.end()) trace_.marked.push_back(std::move(mark));
  marked_ = true;
}

/// The collective that follows is one of these ranks.
void TiRank::read_group(const TraceLines& at, const Words& words) {
  constexpr std::uint32_t first = 1;  // 0: messages between two ranks, 1: collectives of all
  const auto communicator = static_cast<std::uint32_t>(at.whole(words[3], "the communicator", 1e9));
  const auto group = parse_group(words[4], ranks_, Communicator{communicator + first});
  if (communicator == 0 || !group || !group->contains(Rank{me_}))
    at.refuse(
        Refusal("'on {} {}' is no communicator of rank {} (a number from 1 on; ranks of 0 to {}, among them this "
                "one, as '0:2:{}' or '0,2,5'). Remove the line?",
                words[3].substr(0, 40), words[4].substr(0, 40), me_, ranks_ - 1, (ranks_ + 1) / 2));
  const auto known = std::ranges::find(trace_.groups, *group);
  call_.group = static_cast<std::uint32_t>(known - trace_.groups.begin()) + 1;
  if (known == trace_.groups.end()) trace_.groups.push_back(*group);
}

double TiRank::of_train(const TraceLines& at, double bytes) {
  const double each = bytes / train_;
  if (each != std::floor(each))
    at.refuse(Refusal("{:.0f} B are no train of {} equal messages (whole bytes each). Correct it?", bytes, train_));
  return each;
}

}  // namespace orrery::config
