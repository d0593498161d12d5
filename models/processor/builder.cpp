#include "models/processor/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

struct Interval {
  double from, to;
  double off;  ///< how far the prediction of the measurement that made it was off; greatest first
};

class Builder {
 public:
  Builder(const std::function<Seconds(double)>& measure, const ModelWish& wish) : measure_(measure), wish_(wish) {}

  BuiltModel build() {
    const SpeedPoint first = point(wish_.from);
    model_ = BuiltModel{SpeedFunction({first}, wish_.interpolation), {first}, cost_};
    if (wish_.to > wish_.from) {
      add(point(wish_.to));
      open_.push_back({wish_.from, wish_.to, std::numeric_limits<double>::infinity()});
    }
    while (!open_.empty()) {
      if (model_->measured.size() >= wish_.points_max) return stop(BuiltModel::Stopped::points);
      if (model_->cost >= wish_.cost_max) return stop(BuiltModel::Stopped::cost);
      halve();
    }
    return stop(BuiltModel::Stopped::accurate);
  }

 private:
  void halve() {
    const auto worst = std::ranges::max_element(open_, {}, &Interval::off);
    const Interval interval = *worst;
    open_.erase(worst);
    const double middle = std::round((interval.from + interval.to) / 2.0 / wish_.resolution) * wish_.resolution;
    if (middle - interval.from < wish_.resolution || interval.to - middle < wish_.resolution) return;
    const double predicted = model_->function.speed(middle);
    const SpeedPoint measured = point(middle);
    const double off = std::abs(measured.speed - predicted) / measured.speed;
    add(measured);
    if (off <= wish_.accuracy) return;
    open_.push_back({interval.from, middle, off});
    open_.push_back({middle, interval.to, off});
  }

  SpeedPoint point(double size) {
    const Seconds time = measure_(size);
    if (!(time > Seconds{}) || !std::isfinite(time.si()))
      throw DomainError("speed function: measuring size {:g} took {:g} s (positive). Repeat the task more often?", size,
                        time.si());
    cost_ += time;
    return {size, size / time.si()};
  }

  void add(const SpeedPoint& measured) {
    model_->function.insert(measured);
    model_->measured.push_back(measured);
    model_->cost = cost_;
  }

  BuiltModel stop(BuiltModel::Stopped why) {
    model_->stopped = why;
    return std::move(*model_);
  }

  const std::function<Seconds(double)>& measure_;
  const ModelWish& wish_;
  Seconds cost_;
  std::optional<BuiltModel> model_;
  std::vector<Interval> open_;
};

}  // namespace

BuiltModel build_model(const std::function<Seconds(double)>& measure, const ModelWish& wish) {
  if (!(wish.from > 0.0) || !(wish.to >= wish.from) || !(wish.resolution > 0.0) || wish.points_max < 2)
    throw DomainError(
        "speed function: sizes {:g} to {:g} in steps of {:g} with at most {} points (positive, ascending, "
        "at least 2 points). Correct the range?",
        wish.from, wish.to, wish.resolution, wish.points_max);
  return Builder(measure, wish).build();
}

}  // namespace orrery
