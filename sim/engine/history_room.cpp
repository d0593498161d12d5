// What is done when the log of the history is full. history.hpp says what stays.
//
// An event's cause stands before it in the log, always: so three walks along the log, one back and two forth, do.
#include "sim/engine/history.hpp"

namespace orrery::engine {

namespace {

constexpr std::size_t open_records_max = 4096;  // whose chains are kept until their last rank ends

constexpr std::size_t divisions = 64;  // of dates where stretches are divided about so many

}  // namespace

void History::make_room() {
  fold_if_many();
  find_dates();
  count_references();
  add_up(limit_ >= events_max_);
  close_gaps();
  if (4 * std::size_t{count_} > limit_) grow();
}

void History::grow() {
  const std::size_t twice = 2 * std::size_t{limit_};
  limit_ = static_cast<Index>(limit_ < events_max_ ? std::min(events_max_, twice) : twice);
  auto larger = std::make_unique_for_overwrite<Event[]>(limit_);
  std::copy_n(events_.get(), count_, larger.get());
  events_ = std::move(larger);
}

/// Of a program with more phases under way than that, part of a record's path may be that of a rank which was the
/// slowest only so far.
void History::fold_if_many() {
  while (first_open_ < records_.size() && records_[first_open_].ended == ranks_count_) ++first_open_;
  if (records_.size() - first_open_ <= open_records_max) return;
  for (std::size_t i = first_open_; i < records_.size(); ++i) fold(records_[i]);
}

/// Where a path of a phase may begin: no stretch goes over it. Of very many dates a choice, half of it every so many
/// dates and half at even distances: what a phase loses by it is told (`left_out`).
void History::find_dates() {
  dates_.clear();
  for (const double begin : begins_)
    if (begin < std::numeric_limits<double>::infinity()) dates_.push_back(begin);
  for (std::size_t i = first_open_; i < records_.size(); ++i)
    if (records_[i].event != none) dates_.push_back(records_[i].begin);
  std::ranges::sort(dates_);
  const auto same = [](double a, double b) { return !later(b, a); };
  // Not std::ranges::unique: a subrange is an error of clang 15 with libstdc++.
  dates_.erase(std::unique(dates_.begin(), dates_.end(), same), dates_.end());
  if (dates_.size() <= divisions) return;
  const double step = 2.0 * (dates_.back() - dates_.front()) / divisions;
  const std::size_t each = 2 * dates_.size() / divisions;
  double next = dates_.front();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < dates_.size(); ++i) {
    if (i % each != 0 && dates_[i] < next) continue;
    next = dates_[i] + step;
    dates_[kept++] = dates_[i];
  }
  dates_.resize(kept);
}

template <class Act>
void History::for_each_leaf(Act act) {
  const auto if_any = [&](Leaf& leaf) {
    if (leaf.event != none) act(leaf);
  };
  for (OfRank& rank : ranks_) if_any(rank);
  for (std::uint32_t i = 0; i < messages_.size(); ++i) if_any(messages_[MessageId{i}]);
  for (std::size_t i = first_open_; i < records_.size(); ++i) if_any(records_[i]);
  if_any(last_);
  for (OfJob& job : jobs_) if_any(job);
}

/// What nobody refers to is over.
void History::count_references() {
  for_each_leaf([this](const Leaf& leaf) { ++events_[leaf.event].referred; });
  for (Index n = count_; --n > 0;) {
    const Event& event = events_[n];
    if (event.referred > 0)
      ++events_[event.cause].referred;
    else if (event.summed)
      free_sum(event);
  }
}

/// An event that one other alone comes from ends where that one begins: it is added to the run where all share it, and
/// else joined with its own cause, if nobody else comes from that.
void History::add_up(bool all) {
  const bool trunk = jobs_.empty();  // jobs have nothing in common, and each is told whole
  const double trunk_end = dates_.empty() ? std::numeric_limits<double>::infinity() : dates_.front();
  for (Index n = 1; n < count_; ++n) {
    Event& event = events_[n];
    Event& cause = events_[event.cause];
    if (event.referred == 0 || event.cause == 0 || cause.referred != 1) continue;
    const Index before = cause.cause;
    if (before == 0) {
      if (!trunk || events_[0].referred != 1 || event.begin > trunk_end) continue;
      add_to_run(cause, event.begin);
      if (cause.summed) free_sum(cause);
    } else {
      if (!all || events_[before].referred != 1) continue;
      const auto date = std::ranges::upper_bound(dates_, events_[before].begin);
      if (date != dates_.end() && *date < event.begin) continue;
      join(events_[before], cause, event.begin);
    }
    cause.referred = 0;
    event.cause = before;
  }
}

/// `next` begins where `event` ends.
void History::join(Event& event, const Event& next, double end) {
  if (!event.summed) {
    const CauseTime own = cause_of(event, next.begin);
    if (free_sums_.empty()) {
      free_sums_.push_back(static_cast<std::uint32_t>(sums_.size()));
      sums_.emplace_back();
    }
    event.held = free_sums_.back();
    event.summed = true;
    free_sums_.pop_back();
    sums_[event.held].add(own);
  }
  if (next.summed) {
    sums_[event.held].add(sums_[next.held]);
    free_sum(next);
  } else {
    sums_[event.held].add(cause_of(next, end));
  }
}

void History::free_sum(const Event& event) {
  sums_[event.held].clear();
  free_sums_.push_back(event.held);
}

void History::close_gaps() {
  places_.resize(count_);
  places_[0] = 0;
  Index kept = 1;
  for (Index n = 1; n < count_; ++n) {
    if (events_[n].referred == 0) continue;
    places_[n] = kept;
    Event& event = events_[kept++] = events_[n];
    event.cause = places_[event.cause];
    event.referred = 0;
  }
  events_[0].referred = 0;
  count_ = kept;
  for_each_leaf([this](Leaf& leaf) { leaf.event = places_[leaf.event]; });
}

}  // namespace orrery::engine
