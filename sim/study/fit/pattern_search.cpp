#include "sim/study/fit/pattern_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace orrery::study {

namespace {

constexpr double improvement = 1e-4, stale = 0.99, some = 1.1, much = 2.0;

/// To four significant digits.
double rounded(double value) {
  if (value == 0.0) return value;
  const double digit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3.0);
  const double places = std::round(value / digit);
  return digit < 1.0 ? places / std::round(1.0 / digit) : places * digit;
}

double scaled(const SearchedFigure& figure, double value, double by) {
  return rounded(std::clamp(figure.origin + (value - figure.origin) * by, figure.least, figure.most));
}

std::vector<double> with(std::vector<double> values, std::size_t i, double value) {
  values[i] = value;
  return values;
}

class Search {
 public:
  Search(const std::vector<SearchedFigure>& figures, const SearchError& error, const SearchOptions& options,
         const SearchTell& tell)
      : figures_(figures), ask_(error), options_(options), tell_(tell), back_(figures.size(), false) {
    for (const auto& figure : figures_) values_.push_back(rounded(figure.start));
    start_ = values_;
    before_ = best_ = error_at(values_);
  }

  /// All figures that are not back where they started.
  void descend(double step) {
    std::vector<double> helped(figures_.size(), 1.0);
    for (step_ = step; step_ > options_.last_step && !spent();) {
      const double before = best_;
      const std::vector<double> base = values_;
      for (std::size_t i = 0; i < figures_.size(); ++i)
        for (const double direction : {helped[i], -helped[i]})
          if (!back_[i] && try_out(i, std::exp(direction * step_))) {
            helped[i] = direction;
            break;
          }
      while (best_ < before && !spent() && moved_on(base)) {
      }
      if (best_ > stale * before) step_ /= 2.0;
    }
  }

  void go_back() {
    std::vector<bool> needed(figures_.size(), false);
    while (const auto next = spent() ? std::nullopt : cheapest_to_go_back(needed)) {
      const std::vector<double> values = values_;
      const double limit = limit_of(best_), best = best_;
      best_ = asked(*next, start_[*next]);
      values_[*next] = start_[*next];
      back_[*next] = true;
      descend(options_.again_step);
      if (best_ <= limit) continue;
      values_ = values;
      best_ = best;
      back_[*next] = false;
      needed[*next] = true;
    }
  }

  /// By a part of the way back, where the error hardly asked for the last of it.
  void shorten() {
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      const double origin = figures_[i].origin, found = values_[i];
      const double way = (start_[i] - origin) / (found - origin);
      const bool open = asked(i, scaled(figures_[i], found, way > 1.0 ? much : 1.0 / much)) <= limit_of(best_);
      if (back_[i] || !open) continue;
      const double limit = limit_of(best_, 0.25);
      for (const double part : {0.75, 0.5, 0.25}) {
        const double value = scaled(figures_[i], found, std::pow(way, part));
        const double error = asked(i, value);
        if (error > limit) continue;
        values_[i] = value;
        best_ = error;
        break;
      }
    }
  }

  Found found() {
    Found found{.error_before = before_, .error = best_, .complete = !spent(), .figures = {}};
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      const auto& figure = figures_[i];
      const auto at = [&](double by) { return asked(i, scaled(figure, values_[i], by)); };
      const bool greatest = values_[i] >= rounded(figure.most), least = values_[i] <= rounded(figure.least);
      const double from_origin = values_[i] - figure.origin;
      found.figures.push_back(
          {.value = values_[i],
           .larger = at(some),
           .smaller = at(1.0 / some),
           .determined = !back_[i],
           .open_above = (figure.most - figure.origin) / from_origin > some && at(much) <= limit_of(best_),
           .open_below = from_origin / (figure.least - figure.origin) > some && at(1.0 / much) <= limit_of(best_),
           .at_most = greatest,
           .at_least = least});
    }
    // What lies where it started may be there because the error wants it there.
    for (auto& figure : found.figures)
      figure.determined = figure.determined || !(figure.open_above || figure.open_below);
    return found;
  }

 private:
  bool spent() const { return tries_ >= options_.tries_max; }

  /// Worse than any other where it is no number: steps are halved and the search ends.
  double error_at(const std::vector<double>& values) {
    ++tries_;
    const double error = ask_(values);
    return std::isfinite(error) ? error : std::numeric_limits<double>::max();
  }

  double limit_of(double error, double figures = 1.0) const {
    const double more = error * std::exp(figures / static_cast<double>(options_.points));
    return std::max(more, error + options_.slack_least);
  }

  std::optional<std::size_t> cheapest_to_go_back(const std::vector<bool>& needed) {
    std::optional<std::size_t> cheapest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      if (back_[i] || needed[i]) continue;
      const double cost = asked(i, start_[i]);
      if (cost >= least) continue;
      least = cost;
      cheapest = i;
    }
    return cheapest;
  }

  double asked(std::size_t i, double value) {
    if (tell_) tell_(step_, best_, figures_[i].name);
    return value == values_[i] ? best_ : error_at(with(values_, i, value));
  }

  /// All figures once more as far as from `base` to where they are.
  bool moved_on(const std::vector<double>& base) {
    std::vector<double> on = values_;
    for (std::size_t i = 0; i < on.size(); ++i)
      if (on[i] != base[i])
        on[i] = scaled(figures_[i], on[i], (on[i] - figures_[i].origin) / (base[i] - figures_[i].origin));
    if (tell_) tell_(step_, best_, "all at once");
    const double error = error_at(on);
    if (error >= best_ - improvement) return false;
    values_ = on;
    best_ = error;
    return true;
  }

  bool try_out(std::size_t i, double by) {
    const double value = scaled(figures_[i], values_[i], by);
    const double error = asked(i, value);
    if (error >= best_ - improvement) return false;
    values_[i] = value;
    best_ = error;
    return true;
  }

  const std::vector<SearchedFigure>& figures_;
  const SearchError& ask_;
  const SearchOptions& options_;
  const SearchTell& tell_;
  std::vector<double> values_, start_;
  std::vector<bool> back_;  ///< [figures] it is where it started, for good
  double step_ = 0.0, before_ = 0.0, best_ = 0.0;
  std::size_t tries_ = 0;
};

}  // namespace

std::vector<double> Found::values() const {
  std::vector<double> all;
  for (const auto& figure : figures) all.push_back(figure.value);
  return all;
}

Found pattern_search(const std::vector<SearchedFigure>& figures, const SearchError& error, const SearchOptions& options,
                     const SearchTell& tell) {
  Search search(figures, error, options, tell);
  search.descend(options.first_step);
  search.go_back();
  search.shorten();
  return search.found();
}

}  // namespace orrery::study
