#include "models/partition/balanced_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

using Rows = std::vector<std::uint32_t>;

class Balance {
 public:
  Balance(std::uint32_t n, const std::vector<bool>& takes_part,
          const std::function<double(std::size_t, std::uint32_t)>& time, const std::string& partitioner)
      : n_(n), takes_part_(takes_part), time_(time), partitioner_(partitioner) {}

  Rows rows() const {
    double low = 0.0, high = enough();
    Rows sure(takes_part_.size(), 0), most = within(high, sure, whole());
    for (double middle = high / 2.0; low < middle && middle < high && high - low > 1e-15 * high;
         middle = low + (high - low) / 2.0) {
      Rows fit = within(middle, sure, most);
      if (covers(fit)) {
        high = middle;
        most = std::move(fit);
      } else {
        low = middle;
        sure = std::move(fit);
      }
    }
    auto over = sum(most) - n_;  // the rows between are those that end at T itself
    for (std::size_t i = most.size(); over > 0 && i-- > 0;)
      for (; over > 0 && most[i] > sure[i]; --over) --most[i];
    return most;
  }

 private:
  Rows whole() const { return Rows(takes_part_.size(), n_); }

  /// Greatest rows that end within a time, known to lie from `least` to `most`.
  Rows within(double time_max, const Rows& least, const Rows& most) const {
    Rows rows = least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!takes_part_[i]) continue;
      std::uint32_t above = most[i];  // rows[i] fit, above + 1 is not asked
      while (rows[i] < above) {
        const std::uint32_t middle = above - (above - rows[i]) / 2;
        if (time_(i, middle) <= time_max)
          rows[i] = middle;
        else
          above = middle - 1;
      }
    }
    return rows;
  }

  static std::uint64_t sum(const Rows& rows) { return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}); }
  bool covers(const Rows& rows) const { return sum(rows) >= n_; }

  /// A time within which they cover n.
  double enough() const {
    double time = 0.0;
    for (std::size_t i = 0; i < takes_part_.size(); ++i)
      if (takes_part_[i])
        if (const double one = time_(i, 1); std::isfinite(one) && one > 0.0)
          time = time == 0.0 ? one : std::min(time, one);
    Rows sure(takes_part_.size(), 0);
    for (; time > 0.0 && std::isfinite(time); time *= 2.0) {
      sure = within(time, sure, whole());
      if (covers(sure)) return time;
    }
    throw DomainError(
        "{}: the speeds leave rows of {} to nobody (a finite time for some slices that cover the grid). "
        "Check the compute model?",
        partitioner_, n_);
  }

  std::uint32_t n_;
  const std::vector<bool>& takes_part_;
  const std::function<double(std::size_t, std::uint32_t)>& time_;
  const std::string& partitioner_;
};

}  // namespace

std::vector<std::uint32_t> balanced_rows(std::uint32_t n, const std::vector<bool>& takes_part,
                                         const std::function<double(std::size_t, std::uint32_t)>& time,
                                         const std::string& partitioner) {
  return Balance(n, takes_part, time, partitioner).rows();
}

}  // namespace orrery
