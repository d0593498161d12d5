// What is done when the log of the history is full. history.hpp says what stays.
#include "sim/engine/history.hpp"

namespace orrery::replay {

namespace {

constexpr double no_horizon = -1.0;

}  // namespace

void History::make_room() {
  while (first_open_ < records_.size() && records_[first_open_].ended == ranks_count_) ++first_open_;
  for (std::size_t i = first_open_; i < records_.size(); ++i) fold(records_[i]);
  tidy(no_horizon);
  add_up_trunk();
  if (4 * std::size_t{count_} > limit_) tidy(no_horizon);  // without the trunk
  if (4 * std::size_t{count_} <= limit_) return;
  if (limit_ < events_max_)
    grow();
  else if (2 * std::size_t{count_} > limit_)
    cut();
}

void History::grow() {
  limit_ = static_cast<Index>(std::min(events_max_, 2 * std::size_t{limit_}));
  kept_ = std::make_unique_for_overwrite<Event[]>(limit_);
  std::copy_n(events_.get(), count_, kept_.get());
  std::swap(events_, kept_);
  kept_.reset();
}

template <class Act>
void History::for_each_leaf(Act act) {
  const auto if_any = [&](Leaf& leaf) {
    if (leaf.event != none) act(leaf);
  };
  for (OfRank& rank : ranks_) if_any(rank);
  for (std::uint32_t i = 0; i < messages_.size(); ++i) if_any(messages_[MessageId{i}]);
  if_any(last_);
  for (OfJob& job : jobs_) if_any(job);
}

/// Copies what the leaves lead to together, so that it takes as long as what is kept. Before the horizon nothing is:
/// who came from there comes from the start.
void History::tidy(double horizon) {
  if (kept_ == nullptr) kept_ = std::make_unique_for_overwrite<Event[]>(limit_);
  count_ = 0;
  kept_[count_++] = start_at(std::max(horizon, 0.0));
  for_each_leaf([&](Leaf& leaf) {
    leaf.until = std::max(leaf.until, horizon);
    double until = leaf.until;
    for (Index* at = &leaf.event;;) {
      Event& old = events_[*at];
      const bool from_start = until <= horizon || (!old.moved && old.cause == none);
      if (from_start || old.moved) {
        *at = from_start ? 0 : old.cause;
        ++kept_[*at].referred;
        break;
      }
      Event& event = kept_[count_] = old;
      event.referred = 1;
      event.begin = std::max(event.begin, horizon);
      until = event.begin;
      *at = old.cause = count_++;
      old.moved = true;
      at = &event.cause;
    }
  });
  std::swap(events_, kept_);
}

/// What all leaves have in common, right after it was counted who refers to what. Its last event becomes the start.
void History::add_up_trunk() {
  if (!jobs_.empty()) return;  // they have nothing in common, and each is told whole
  const auto some = std::ranges::find_if(ranks_, [](const Leaf& leaf) { return leaf.event != none; });
  const double until = *std::ranges::min_element(begins_);
  chain_.clear();
  for (Index n = some != ranks_.end() ? some->event : last_.event; n != none; n = events_[n].cause) chain_.push_back(n);
  for (; chain_.size() > 2 && events_[chain_.back()].referred == 1; chain_.pop_back()) {
    Event& next = events_[chain_[chain_.size() - 2]];
    const double end = events_[chain_[chain_.size() - 3]].begin;
    if (next.referred != 1 || end > until) break;
    add_to_run(next, end);
    next.cause = none;
  }
}

/// The older half of the history goes.
void History::cut() {
  std::vector<double> begins;
  for (Index n = 0; n < count_; ++n) begins.push_back(events_[n].begin);
  const auto middle = begins.begin() + static_cast<std::ptrdiff_t>(begins.size() / 2);
  std::ranges::nth_element(begins, middle);
  const double horizon = std::max(*middle, run_.time);
  tidy(horizon);
  for (OfRank& rank : ranks_)
    if (rank.event == 0) rank.sort = no_sort;  // it goes on from the start with an event of its own
  run_.left_out += horizon - run_.time;
  run_.time = horizon;
}

}  // namespace orrery::replay
