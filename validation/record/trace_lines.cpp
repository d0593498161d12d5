#include "validation/record/trace_lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace orrery::record {

namespace {

/// One line, put together before it is added to the text: every call of a program makes one or two.
class Line {
 public:
  Line& word(std::string_view text) {
    at_ = std::copy(text.begin(), text.end(), at_);
    *at_++ = ' ';
    return *this;
  }
  template <class Number>
  Line& number(Number number) {
    at_ = std::to_chars(at_, text_ + sizeof text_, number).ptr;
    *at_++ = ' ';
    return *this;
  }
  void add_to(std::string& text) {
    at_[-1] = '\n';
    text.append(text_, at_);
  }

 private:
  char text_[128];
  char* at_ = text_;
};

}  // namespace

void TraceLines::begin() {
  ++lines_;
  const auto flops = static_cast<std::int64_t>(computed_s_ * flops_per_s_);
  if (flops < 1) return;
  computed_s_ -= static_cast<double>(flops) / flops_per_s_;  // what is left is not lost
  Line().word(rank_).word("compute").number(flops).add_to(end());
  ++lines_;
}

void TraceLines::write(std::string& into, const char* call, const Message& message) const {
  Line().word(rank_).word(call).number(message.peer).number(message.tag).number(message.bytes).add_to(into);
}

void TraceLines::message(const char* call, const Message& message) {
  begin();
  write(end(), call, message);
}

std::size_t TraceLines::receive(const char* call) {
  begin();
  receives_.push_back({call, State::open, {}, {}});
  return first_ + receives_.size() - 1;
}

void TraceLines::settle(std::size_t receive, const Message& message) {
  Receive& posted = receives_[receive - first_];
  posted.state = State::settled;
  posted.message = message;
  advance();
}

void TraceLines::drop(std::size_t receive) {
  receives_[receive - first_].state = State::dropped;
  --lines_;
  advance();
}

void TraceLines::advance() {
  for (; !receives_.empty() && receives_.front().state != State::open; receives_.pop_front(), ++first_) {
    const Receive& posted = receives_.front();
    if (posted.state == State::settled) write(ready_, posted.call, posted.message);
    ready_ += posted.after;
  }
}

void TraceLines::wait(int from, int to, int tag) {
  begin();
  Line().word(rank_).word("wait").number(from).number(to).number(tag).add_to(end());
}

void TraceLines::call(std::string_view text) {
  begin();
  end().append(rank_).append(" ").append(text) += '\n';
}

void TraceLines::mark(std::string_view text) {
  begin();
  end().append("#orrery ").append(rank_).append(" ").append(text) += '\n';
}

std::string TraceLines::take() { return std::exchange(ready_, {}); }

std::string ranks_text(const std::vector<int>& ranks) {
  const int stride = ranks.size() > 1 ? ranks[1] - ranks[0] : 1;
  bool even = stride > 0;
  for (std::size_t i = 1; i < ranks.size(); ++i) even = even && ranks[i] - ranks[i - 1] == stride;
  if (even) return std::to_string(ranks[0]) + ":" + std::to_string(stride) + ":" + std::to_string(ranks.size());
  std::string text;
  for (const int rank : ranks) text += (text.empty() ? "" : ",") + std::to_string(rank);
  return text;
}

}  // namespace orrery::record
