#include "models/stats/total_estimates.hpp"

#include <utility>

namespace orrery {

namespace {

double sum_of(const std::vector<Seconds>& times) {
  Seconds sum{};
  for (const Seconds time : times) sum += time;
  return sum.si();
}

}  // namespace

TotalEstimates::TotalEstimates(const std::vector<std::vector<std::size_t>>& totals, Simulate simulate,
                               const std::vector<double>& values)
    : simulate_(std::move(simulate)) {
  for (const auto& points : totals) {
    Total total{.points = points, .drawn = {}};
    if (points.size() > drawn_most) total.drawn = drawn(points, simulate_(points, values));
    totals_.push_back(std::move(total));
  }
  begin_at(values);
}

std::vector<TotalEstimates::Drawn> TotalEstimates::drawn(const std::vector<std::size_t>& points,
                                                         const std::vector<Seconds>& times) {
  std::vector<Drawn> drawn;
  const double step = sum_of(times) / static_cast<double>(drawn_most);
  double next = step / 2.0, sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += times[i].si();
    double often = 0.0;
    for (; next < sum; next += step) often += 1.0;
    if (often > 0.0) drawn.push_back({points[i], often / times[i].si()});
  }
  return drawn;
}

void TotalEstimates::begin_at(const std::vector<double>& values) {
  for (Total& total : totals_) total.exact = total.of_drawn = 0.0;  // sums of drawn runs as they are
  const auto of_drawn = times(values);
  for (std::size_t t = 0; t < totals_.size(); ++t) {
    if (totals_[t].drawn.empty()) continue;
    totals_[t].of_drawn = of_drawn[t].si();
    totals_[t].exact = sum_of(simulate_(totals_[t].points, values));
  }
}

std::vector<Seconds> TotalEstimates::times(const std::vector<double>& values) {
  std::vector<std::size_t> points;
  for (const Total& total : totals_)
    if (total.drawn.empty())
      points.insert(points.end(), total.points.begin(), total.points.end());
    else
      for (const Drawn& one : total.drawn) points.push_back(one.point);
  const auto simulated = simulate_(points, values);
  std::vector<Seconds> times;
  std::size_t next = 0;
  for (const Total& total : totals_) {
    double sum = 0.0;
    if (total.drawn.empty())
      for (std::size_t i = 0; i < total.points.size(); ++i) sum += simulated[next++].si();
    for (const Drawn& one : total.drawn) sum += one.weight * simulated[next++].si();
    times.emplace_back(total.of_drawn > 0.0 ? total.exact * sum / total.of_drawn : sum);
  }
  return times;
}

}  // namespace orrery
