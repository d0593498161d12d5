#include "sim/config/traces/goal_order.hpp"

#include <algorithm>
#include <set>

#include "sim/core/trace_streams.hpp"

namespace orrery::config {

namespace {

class Order {
 public:
  Order(const std::vector<GoalOperation>& operations, RankTrace& into, GoalNotes& notes)
      : operations_(operations),
        into_(into),
        writer_(into),
        notes_(notes),
        states_(operations.size()),
        signals_(InFile{&operations}),
        posts_(InFile{&operations}),
        calcs_(InFile{&operations}),
        waiting_(InFile{&operations}) {}

  std::int64_t write() {
    link();
    for (std::uint32_t i = 0; i < operations_.size(); ++i)
      if (states_[i].before == 0) ready(i);
    while (!signals_.empty() || !posts_.empty() || !calcs_.empty() || !waiting_.empty()) step();
    const auto stuck = std::ranges::find(states_, false, &State::written);
    flush();
    if (open_ > 0) writer_.wait_all();
    return stuck == states_.end() ? -1 : stuck - states_.begin();
  }

 private:
  /// A signal stands where the operation stands that it tells of.
  struct InFile {
    const std::vector<GoalOperation>* operations;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      const std::uint32_t first = (*operations)[a].line, second = (*operations)[b].line;
      return first != second ? first < second : a < b;
    }
  };
  using Some = std::set<std::uint32_t, InFile>;
  struct State {
    std::uint32_t before = 0;   ///< operations it comes after, not yet written
    std::uint32_t pending = 0;  ///< of those it requires, not yet completed
    bool written = false, completed = false;
    RequestId request{};
    std::vector<std::uint32_t> next, enables;  ///< that come after it; of these, that require it
  };

  void link() {
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      const GoalOperation& operation = operations_[i];
      states_[i].before = static_cast<std::uint32_t>(operation.after.size() + operation.started.size());
      states_[i].pending = static_cast<std::uint32_t>(operation.after.size());
      for (const auto other : operation.after) {
        states_[other].next.push_back(i);
        states_[other].enables.push_back(i);
      }
      for (const auto other : operation.started) {
        states_[other].next.push_back(i);
        if (operations_[other].kind == GoalOperation::Kind::calc) ++notes_.behind_computing;
      }
    }
  }
  bool is_calc(std::uint32_t i) const { return operations_[i].kind == GoalOperation::Kind::calc; }
  bool is_signal(std::uint32_t i) const { return operations_[i].kind == GoalOperation::Kind::signal; }
  void ready(std::uint32_t i) {
    if (states_[i].pending > 0)
      waiting_.insert(i);
    else
      (is_calc(i) ? calcs_ : is_signal(i) ? signals_ : posts_).insert(i);
  }

  void step() {
    if (!signals_.empty()) return perform(signals_);
    if (!posts_.empty()) return perform(posts_);
    if (!calcs_.empty()) return perform(calcs_);
    if (waiting_.size() > 1) ++notes_.orders;
    wait_for(*waiting_.begin());  // moves it, and whatever else is free now
  }

  void perform(Some& from) {
    const std::uint32_t i = *from.begin();
    from.erase(from.begin());
    flush();
    states_[i].written = true;
    if (is_calc(i)) {
      writer_.compute(operations_[i].amount);
      completed(i);
    } else if (is_signal(i)) {
      signal();
      writer_.send(operations_[i].peer, operations_[i].tag, Bytes{});
      completed(i);
    } else {
      states_[i].request = numbers_.take();
      posted_ = i;
      has_posted_ = true;
      ++open_;
    }
    for (const auto next : states_[i].next)
      if (--states_[next].before == 0) ready(next);
  }

  void signal() { into_.bytes.push_back(signal_prefix); }

  void completed(std::uint32_t i) {
    states_[i].completed = true;
    for (const auto enabled : states_[i].enables)
      if (--states_[enabled].pending == 0 && waiting_.erase(enabled) > 0) ready(enabled);
  }

  void wait_for(std::uint32_t i) {
    std::vector<std::uint32_t> wanted;
    for (const auto other : operations_[i].after)
      if (!states_[other].completed && std::ranges::find(wanted, other) == wanted.end()) wanted.push_back(other);
    std::ranges::sort(wanted);
    if (wanted.size() == 1 && has_posted_ && posted_ == wanted.front()) {
      write_blocking();
    } else if (wanted.size() == open_ && open_ > 1) {
      flush();
      writer_.wait_all();
      numbers_.give_back_all();
      open_ = 0;
    } else {
      flush();
      for (const auto other : wanted) {
        writer_.wait(states_[other].request);
        numbers_.give_back(states_[other].request);
        --open_;
      }
    }
    for (const auto other : wanted) completed(other);
  }

  /// The message posted last is held back for as long as it may turn out to be a blocking call.
  void flush() {
    if (!has_posted_) return;
    has_posted_ = false;
    const GoalOperation& message = operations_[posted_];
    if (message.kind == GoalOperation::Kind::await) signal();
    if (message.kind == GoalOperation::Kind::send)
      writer_.isend(message.peer, message.tag, Bytes(message.amount), states_[posted_].request);
    else
      writer_.irecv(message.peer, message.tag, Bytes(message.amount), states_[posted_].request);
  }
  void write_blocking() {
    has_posted_ = false;
    const GoalOperation& message = operations_[posted_];
    if (message.kind == GoalOperation::Kind::await) signal();
    if (message.kind == GoalOperation::Kind::send)
      writer_.send(message.peer, message.tag, Bytes(message.amount));
    else
      writer_.recv(message.peer, message.tag, Bytes(message.amount));
    numbers_.give_back(states_[posted_].request);
    --open_;
  }

  const std::vector<GoalOperation>& operations_;
  RankTrace& into_;
  TraceWriter writer_;
  GoalNotes& notes_;
  std::vector<State> states_;
  Some signals_, posts_, calcs_, waiting_;  ///< all they come after is written; those in waiting_ must wait
  RequestNumbers numbers_;
  std::uint32_t posted_ = 0, open_ = 0;
  bool has_posted_ = false;
};

}  // namespace

std::int64_t write_in_order(const std::vector<GoalOperation>& operations, RankTrace& into, GoalNotes& notes) {
  return Order(operations, into, notes).write();
}

}  // namespace orrery::config
