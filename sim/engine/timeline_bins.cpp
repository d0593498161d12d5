#include "sim/engine/timeline_bins.hpp"

#include <algorithm>
#include <numeric>

namespace orrery::engine {

namespace {

constexpr std::size_t bins_most = 2048, bins_least = 8, bins_in_all = std::size_t{1} << 20;  // 24 B each

}  // namespace

TimelineBins::TimelineBins(std::size_t rows) : rows_(rows), bins_(bins_most) {
  while (bins_ > bins_least && rows_ * bins_ > bins_in_all) bins_ /= 2;
  all_.resize(rows_ * bins_);
}

void TimelineBins::fill(std::size_t row, std::size_t activity, double begin, double end, std::uint32_t phase) {
  Bin* const of = &all_[row * bins_];
  const double per_second = 1.0 / width_;
  const auto first = static_cast<std::size_t>(begin * per_second);
  const auto last = std::min(bins_ - 1, static_cast<std::size_t>(end * per_second));
  for (std::size_t i = first; i <= last; ++i) {
    const double from = std::max(begin, static_cast<double>(i) * width_);
    const double to = std::min(end, static_cast<double>(i + 1) * width_);
    if (!(to > from)) continue;
    of[i].seconds[activity] += static_cast<float>(to - from);
    of[i].phase = phase;
  }
}

void TimelineBins::coarsen() {
  for (std::size_t row = 0; row < rows_; ++row) {
    Bin* const of = &all_[row * bins_];
    for (std::size_t i = 0; i < bins_ / 2; ++i) {
      const Bin &a = of[2 * i], &b = of[2 * i + 1];
      Bin both;
      for (std::size_t k = 0; k < activities; ++k) both.seconds[k] = a.seconds[k] + b.seconds[k];
      both.phase = std::max(a.phase, b.phase);
      of[i] = both;
    }
    std::fill(of + bins_ / 2, of + bins_, Bin());
  }
  width_ *= 2.0;
}

std::vector<Interval> TimelineBins::timeline(std::size_t row, double makespan) const {
  std::vector<Interval> intervals;
  const Bin* const of = &all_[row * bins_];
  for (std::size_t i = 0; i < bins_; ++i) {
    const double begin = static_cast<double>(i) * width_, end = std::min(begin + width_, makespan);
    if (!(end > begin)) break;
    const auto& seconds = of[i].seconds;
    const auto most = std::ranges::max_element(seconds);
    const double idle = end - begin - std::accumulate(seconds.begin(), seconds.end(), 0.0);
    if (!(*most > 0.0F) || idle > static_cast<double>(*most)) continue;
    const auto activity = static_cast<Activity>(most - seconds.begin());
    if (!intervals.empty() && intervals.back().end == Seconds{begin} && intervals.back().activity == activity &&
        intervals.back().phase == of[i].phase)
      intervals.back().end = Seconds{end};
    else
      intervals.push_back({activity, Seconds{begin}, Seconds{end}, any_rank, Bytes{}, of[i].phase});
  }
  return intervals;
}

std::vector<std::vector<Interval>> TimelineBins::timelines(double makespan, std::size_t intervals_max) {
  std::vector<std::vector<Interval>> all(rows_);
  for (;; coarsen()) {
    std::size_t intervals = 0;
    for (std::size_t row = 0; row < rows_; ++row) intervals += (all[row] = timeline(row, makespan)).size();
    if (intervals <= std::max(intervals_max, rows_) || width_ >= makespan) return all;
  }
}

}  // namespace orrery::engine
