#include "sim/engine/activity_shares.hpp"

namespace orrery::engine {

/// What fills the first of two bins is taken to fill both, and the difference of the second goes to the seconds.
void ActivityShares::double_width() {
  for (std::size_t a = 0; a < activities; ++a) {
    auto& seconds = seconds_[a];
    auto& begun = whole_begun_[a];
    std::int32_t in_second_before = 0;
    for (std::size_t i = 0; i < bins / 2; ++i) {
      seconds[i] = seconds[2 * i] + seconds[2 * i + 1] + begun[2 * i + 1] * width_;
      const std::int32_t in_second = begun[2 * i + 1];
      begun[i] = begun[2 * i] + in_second_before;
      in_second_before = in_second;
    }
    std::fill(seconds.begin() + bins / 2, seconds.end(), 0.0);
    std::fill(begun.begin() + bins / 2, begun.end(), 0);
    begun[bins / 2] = in_second_before;
  }
  width_ *= 2.0;
  per_second_ *= 0.5;
}

std::vector<std::vector<double>> ActivityShares::shares(std::uint32_t ranks, double makespan,
                                                        std::uint32_t asked) const {
  std::vector<std::vector<double>> result(activities, std::vector<double>(asked, 0.0));
  if (asked == 0 || !(makespan > 0.0)) return result;
  const double wide = makespan / asked;
  for (std::size_t a = 0; a < activities; ++a) {
    std::int64_t whole = 0;
    for (std::size_t i = 0; i < bins; ++i) {
      whole += whole_begun_[a][i];
      const double seconds = seconds_[a][i] + static_cast<double>(whole) * width_;
      if (seconds == 0.0) continue;
      const double begin = static_cast<double>(i) * width_, end = std::min(begin + width_, makespan);
      auto k = std::min<std::size_t>(asked - 1, static_cast<std::size_t>(begin / wide));
      for (; k < asked && static_cast<double>(k) * wide < end; ++k) {
        const double from = std::max(begin, static_cast<double>(k) * wide);
        const double to = std::min(end, static_cast<double>(k + 1) * wide);
        if (to > from) result[a][k] += seconds * (to - from) / (end - begin) / (wide * ranks);
      }
    }
    for (double& share : result[a]) share = std::min(share, 1.0);
  }
  return result;
}

}  // namespace orrery::engine
