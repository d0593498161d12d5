#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "sim/config/traces/goal_streams.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/config/traces/trace_matching.hpp"
#include "sim/config/traces/trace_words.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr double goal_ranks_max = 1u << 20;

/// Comments become blanks, and ':', '{' and '}' words of their own; lines stay lines.
std::string cleaned(const std::string& text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  enum class In : std::uint8_t { code, line_comment, comment } in = In::code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\n';
    if (c == '\n') {
      if (in == In::line_comment) in = In::code;
      result += '\n';
    } else if (in == In::comment && c == '*' && next == '/') {
      in = In::code;
      ++i;
    } else if (in != In::code) {
      continue;
    } else if (c == '/' && (next == '/' || next == '*')) {
      in = next == '/' ? In::line_comment : In::comment;
      ++i;
    } else if (c == ':' || c == '{' || c == '}') {
      result += {' ', c, ' '};
    } else {
      result += c;
    }
  }
  return result;
}

class GoalReader {
 public:
  GoalReader(const std::string& text, const std::string& file) : text_(cleaned(text)), at_(text_, file) {
    trace_.file = file;
    trace_.kind = "goal";
    trace_.speed = 1e9;  // calc is in nanoseconds
  }

  Trace read() {
    while (at_.next(words_, "")) line();
    if (trace_.ranks.empty()) at_.refuse("no 'num_ranks' (the first line of a schedule). Write 'num_ranks 2'?");
    if (inside_) at_.refuse(Refusal("rank {} is not closed ('}}' ends it). Is the file cut off?", rank_));
    const auto missing = std::ranges::find(seen_, false);
    if (missing != seen_.end())
      at_.refuse(
          Refusal("rank {} is missing (num_ranks is {}). Is the file cut off?", missing - seen_.begin(), seen_.size()));
    write_streams(several_, lines_, trace_, notes_);
    require_matched(lines_, {},
                    [&](std::uint32_t, std::uint32_t line) { return fmt::format("{}:{}", trace_.file, line); });
    note(notes_.orders,
         "places where the graph leaves open which operation comes next: the first of the file is waited for");
    note(notes_.behind_computing, "operations that may start together with a 'calc' start after it");
    note(other_nics_, "messages on a nic other than 0: they take the adapter that the platform gives their rank");
    if (!several_.empty())
      trace_.notes.push_back(fmt::format(
          "{} of {} ranks work on several cpus: each cpu is a rank here, on the host of its rank, {} ranks in all",
          several_.size(), seen_.size(), trace_.ranks.size()));
    return std::move(trace_);
  }

 private:
  void note(std::uint64_t count, const char* what) {
    if (count > 0) trace_.notes.push_back(fmt::format("{} {}", count, what));
  }

  void line() {
    if (words_[0] == "num_ranks" && words_.size() == 2) return ranks();
    if (words_[0] == "rank" && words_.size() == 3 && words_[2] == "{") return open_rank();
    if (trace_.ranks.empty()) at_.refuse("no 'num_ranks' before this line (it comes first). Write 'num_ranks 2'?");
    if (!inside_)
      at_.refuse(
          Refusal("'{}' outside of a rank ('rank N {{' opens one). Is a brace missing?", words_[0].substr(0, 40)));
    if (words_[0] == "}" && words_.size() == 1) return close_rank();
    if (words_.size() == 3 && (words_[1] == "requires" || words_[1] == "irequires")) return dependency();
    operation();
  }

  void ranks() {
    if (!trace_.ranks.empty()) at_.refuse("'num_ranks' is given twice (once only). Remove one?");
    const double count = at_.whole(words_[1], "num_ranks", goal_ranks_max);
    if (count < 1.0) at_.refuse("num_ranks is '0' (1 or more). Correct it?");
    trace_.ranks.resize(static_cast<std::size_t>(count));
    lines_.resize(trace_.ranks.size());
    seen_.resize(trace_.ranks.size(), false);
  }

  void open_rank() {
    if (trace_.ranks.empty()) at_.refuse("no 'num_ranks' before this line (it comes first). Write 'num_ranks 2'?");
    if (inside_) at_.refuse(Refusal("a rank opens inside rank {} ('}}' ends it). Is a brace missing?", rank_));
    rank_ = static_cast<std::uint32_t>(at_.whole(words_[1], "the rank", static_cast<double>(seen_.size() - 1)));
    if (seen_[rank_]) at_.refuse(Refusal("rank {} appears twice (once each). Remove one?", rank_));
    seen_[rank_] = inside_ = true;
    operations_.clear();
    labels_.clear();
  }

  void close_rank() {
    inside_ = false;
    const bool one = std::ranges::all_of(
        operations_, [&](const GoalOperation& operation) { return operation.cpu == operations_.front().cpu; });
    if (!one) {
      several_[rank_] = std::move(operations_);
      return;
    }
    if (const std::int64_t stuck = write_in_order(operations_, trace_.ranks[rank_], notes_); stuck >= 0)
      refuse_cycle(trace_.file, operations_[static_cast<std::size_t>(stuck)], rank_);
  }

  std::uint32_t labelled(std::string_view label) const {
    const auto found = labels_.find(std::string(label));
    if (found == labels_.end())
      at_.refuse(Refusal("rank {} has no operation '{}' above this line (LABEL requires LABEL). Is it misspelt?", rank_,
                         label.substr(0, 40)));
    return found->second;
  }
  void dependency() {
    GoalOperation& later = operations_[labelled(words_[0])];
    (words_[1] == "requires" ? later.after : later.started).push_back(labelled(words_[2]));
  }

  void operation() {
    std::size_t i = 0;
    const auto number = static_cast<std::uint32_t>(operations_.size());
    if (words_.size() > 2 && words_[1] == ":") {
      if (!labels_.emplace(std::string(words_[0]), number).second)
        at_.refuse(Refusal("label '{}' is used twice in rank {} (labels are unique). Rename one?",
                           words_[0].substr(0, 40), rank_));
      i = 2;
    }
    GoalOperation operation;
    operation.line = at_.line();
    const std::string_view what = words_[i++];
    if (what == "calc") {
      operation.kind = GoalOperation::Kind::calc;
      operation.amount = at_.whole(word(i++, "the nanoseconds"), "the nanoseconds");
    } else if (what == "send" || what == "recv") {
      operation.kind = what == "send" ? GoalOperation::Kind::send : GoalOperation::Kind::recv;
      message(operation, i);
    } else {
      at_.refuse(
          Refusal("unknown operation '{}' (known: calc, recv, send; LABEL requires LABEL; LABEL irequires "
                  "LABEL). Is it misspelt?",
                  what.substr(0, 40)));
    }
    places(operation, i);
    operations_.push_back(std::move(operation));
  }

  std::string_view word(std::size_t i, const char* name) const {
    if (i >= words_.size()) at_.refuse(Refusal("the line ends where {} should be. Is it cut off?", name));
    return words_[i];
  }

  /// "10b to 1" or "10b from 1", then perhaps "tag 3".
  void message(GoalOperation& operation, std::size_t& i) {
    const bool sends = operation.kind == GoalOperation::Kind::send;
    std::string_view size = word(i++, "the size");
    if (size.ends_with('b'))
      size.remove_suffix(1);
    else if (word(i++, "the unit") != "b")
      at_.refuse(
          Refusal("the size '{}' has no 'b' after it (bytes). Write '{}b'?", size.substr(0, 40), size.substr(0, 40)));
    operation.amount = at_.whole(size, "the size");
    const char* direction = sends ? "to" : "from";
    if (word(i++, direction) != direction)
      at_.refuse(Refusal("'{}' where '{}' is expected (as in '{}'). Correct it?", words_[i - 1].substr(0, 40),
                         direction, sends ? "send 8b to 1 tag 0" : "recv 8b from 1 tag 0"));
    const std::string_view peer = word(i++, "the rank");
    operation.peer =
        !sends && peer == "-1"
            ? any_rank
            : Rank{static_cast<std::uint32_t>(at_.whole(peer, "the rank", static_cast<double>(seen_.size() - 1)))};
    if (i < words_.size() && words_[i] == "tag") {
      const std::string_view tag = word(i + 1, "the tag");
      operation.tag =
          !sends && tag == "-1" ? any_tag : Tag{static_cast<std::uint32_t>(at_.whole(tag, "the tag", 4294967294.0))};
      i += 2;
    }
    (sends ? lines_[rank_].sends : lines_[rank_].receives).push_back({operation.peer, operation.tag, at_.line()});
  }

  /// "cpu N" and "nic N", each at most once.
  void places(GoalOperation& operation, std::size_t i) {
    for (; i < words_.size(); i += 2) {
      const bool cpu = words_[i] == "cpu";
      if (!cpu && words_[i] != "nic")
        at_.refuse(Refusal("unexpected '{}' at the end of an operation (known: cpu, nic, tag). Remove it?",
                           words_[i].substr(0, 40)));
      const double place = at_.whole(word(i + 1, "its number"), cpu ? "cpu" : "nic", 255.0);
      if (cpu) operation.cpu = static_cast<std::uint8_t>(place);
      if (place > 0.0 && !cpu) ++other_nics_;
    }
  }

  std::string text_;
  TraceLines at_;
  std::vector<std::string_view> words_;
  Trace trace_;
  std::vector<RankLines> lines_;
  std::vector<bool> seen_;
  bool inside_ = false;
  std::uint32_t rank_ = 0;
  std::vector<GoalOperation> operations_;
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::map<std::uint32_t, std::vector<GoalOperation>> several_;  ///< of ranks on several cpus
  GoalNotes notes_;
  std::uint64_t other_nics_ = 0;
};

}  // namespace

Trace parse_goal(const std::string& text, const std::string& file) { return GoalReader(text, file).read(); }

bool looks_like_goal(const std::string& text) {
  const std::string start = cleaned(text.substr(0, 65536));
  const auto word = start.find_first_not_of(" \t\r\n");
  return word != std::string::npos && start.compare(word, 9, "num_ranks") == 0;
}

}  // namespace orrery::config
