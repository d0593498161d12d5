#include "sim/replay/activity_shares.hpp"

namespace orrery::replay {

void ActivityShares::double_width() {
  for (auto& seconds : seconds_) {
    for (std::size_t i = 0; i < bins / 2; ++i) seconds[i] = seconds[2 * i] + seconds[2 * i + 1];
    std::fill(seconds.begin() + bins / 2, seconds.end(), 0.0);
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
    for (std::size_t i = 0; i < bins; ++i) {
      if (seconds_[a][i] == 0.0) continue;
      const double begin = static_cast<double>(i) * width_, end = std::min(begin + width_, makespan);
      auto k = std::min<std::size_t>(asked - 1, static_cast<std::size_t>(begin / wide));
      for (; k < asked && static_cast<double>(k) * wide < end; ++k) {
        const double from = std::max(begin, static_cast<double>(k) * wide);
        const double to = std::min(end, static_cast<double>(k + 1) * wide);
        if (to > from) result[a][k] += seconds_[a][i] * (to - from) / (end - begin) / (wide * ranks);
      }
    }
    for (double& share : result[a]) share = std::min(share, 1.0);
  }
  return result;
}

}  // namespace orrery::replay
