#include "sim/study/fit/subplex_search.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>

namespace orrery::study {

namespace {

constexpr double improvement = 1e-4, stale = 0.99, some = 1.1, much = 2.0;
constexpr double shortest_part = 1.0 / 16.0;
constexpr std::size_t tries_to_go_back = 20;  // a parameter

using Optimizer = std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)>;

/// To four significant digits.
double rounded(double value) {
  if (value == 0.0) return value;
  const double digit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3.0);
  const double places = std::round(value / digit);
  return digit < 1.0 ? places / std::round(1.0 / digit) : places * digit;
}

double scaled(const SearchedParameter& parameter, double value, double by) {
  return rounded(std::clamp(parameter.origin + (value - parameter.origin) * by, parameter.least, parameter.most));
}

std::vector<double> with(std::vector<double> values, std::size_t i, double value) {
  values[i] = value;
  return values;
}

class Search {
 public:
  Search(const std::vector<SearchedParameter>& parameters, const SearchError& error, const SearchOptions& options,
         const SearchTell& tell)
      : parameters_(parameters), ask_(error), options_(options), tell_(tell), back_(parameters.size(), false) {
    for (const auto& parameter : parameters_) values_.push_back(rounded(parameter.start));
    start_ = values_;
    before_ = best_ = error_at(values_);
  }

  /// All parameters that are not back where they started.
  void descend(double step) {
    const std::vector<std::size_t> free = free_parameters();
    for (double before = std::numeric_limits<double>::infinity(); !free.empty() && !spent() && best_ < stale * before;
         step = std::min(step, options_.again_step)) {
      before = best_;
      Subplex(*this, free).run(step, options_.tries_max);
    }
  }

  void go_back() {
    std::vector<bool> needed(parameters_.size(), false);
    while (const auto next = spent() ? std::nullopt : cheapest_to_go_back(needed)) {
      const std::vector<double> values = values_;
      const double limit = limit_of(best_), best = best_;
      best_ = asked(*next, start_[*next]);
      values_[*next] = start_[*next];
      back_[*next] = true;
      if (const auto free = free_parameters(); best_ > limit && !free.empty() && !spent())
        Subplex(*this, free).run(options_.again_step, tries_to_go_back * free.size());
      if (best_ <= limit) continue;
      values_ = values;
      best_ = best;
      back_[*next] = false;
      needed[*next] = true;
    }
    if (std::ranges::find(back_, true) != back_.end()) descend(options_.again_step);
  }

  /// By a part of the way back, where the error hardly asked for the last of it.
  void shorten() {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const double origin = parameters_[i].origin, found = values_[i];
      const double way = (start_[i] - origin) / (found - origin);
      const bool open = asked(i, scaled(parameters_[i], found, way > 1.0 ? much : 1.0 / much)) <= limit_of(best_);
      if (back_[i] || !open) continue;
      const double limit = limit_of(best_, 0.25);
      for (double part = 0.0, step = 0.5; step >= shortest_part; step /= 2.0) {
        const double value = scaled(parameters_[i], found, std::pow(way, part + step));
        const double error = asked(i, value);
        if (error > limit) continue;
        values_[i] = value;
        best_ = error;
        part += step;
      }
    }
  }

  Found found() {
    Found found{.error_before = before_, .error = best_, .complete = !spent(), .parameters = {}};
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const auto& parameter = parameters_[i];
      const auto at = [&](double by) { return asked(i, scaled(parameter, values_[i], by)); };
      const bool greatest = values_[i] >= rounded(parameter.most), least = values_[i] <= rounded(parameter.least);
      const double from_origin = values_[i] - parameter.origin;
      found.parameters.push_back(
          {.value = values_[i],
           .larger = at(some),
           .smaller = at(1.0 / some),
           .determined = !back_[i],
           .open_above = (parameter.most - parameter.origin) / from_origin > some && at(much) <= limit_of(best_),
           .open_below = from_origin / (parameter.least - parameter.origin) > some && at(1.0 / much) <= limit_of(best_),
           .at_most = greatest,
           .at_least = least});
    }
    // What lies where it started may be there because the error wants it there.
    for (auto& parameter : found.parameters)
      parameter.determined = parameter.determined || !(parameter.open_above || parameter.open_below);
    return found;
  }

 private:
  /// One run of NLopt over some of the parameters, which leaves the best that it saw.
  class Subplex {
   public:
    Subplex(Search& search, const std::vector<std::size_t>& free) : search_(search), free_(free) {}

    void run(double step, std::size_t tries) {
      const auto n = static_cast<unsigned>(free_.size());
      std::vector<double> x, least, most;
      for (const std::size_t i : free_) {
        const auto& parameter = search_.parameters_[i];
        least.push_back(std::log(parameter.least - parameter.origin));
        most.push_back(std::log(parameter.most - parameter.origin));
        x.push_back(std::clamp(std::log(search_.values_[i] - parameter.origin), least.back(), most.back()));
      }
      const Optimizer optimizer(nlopt_create(NLOPT_LN_SBPLX, n), &nlopt_destroy);
      if (!optimizer) throw std::bad_alloc();
      optimizer_ = optimizer.get();
      nlopt_set_min_objective(optimizer_, &asked_by_nlopt, this);
      nlopt_set_lower_bounds(optimizer_, least.data());
      nlopt_set_upper_bounds(optimizer_, most.data());
      nlopt_set_initial_step1(optimizer_, step);
      nlopt_set_xtol_abs1(optimizer_, search_.options_.last_step);
      nlopt_set_ftol_abs(optimizer_, improvement);
      nlopt_set_maxeval(optimizer_, static_cast<int>(std::min(tries, search_.options_.tries_max - search_.tries_)));
      double error = 0.0;
      [[maybe_unused]] const nlopt_result ended = nlopt_optimize(optimizer_, x.data(), &error);
      assert(ended != NLOPT_INVALID_ARGS);
      if (thrown_) std::rethrow_exception(thrown_);
      search_.values_ = best_values_;
    }

   private:
    /// NLopt is C: what is thrown waits until it has returned.
    static double asked_by_nlopt(unsigned, const double* x, double*, void* self) {
      auto& subplex = *static_cast<Subplex*>(self);
      try {
        return subplex.error(x);
      } catch (...) {
        subplex.thrown_ = std::current_exception();
        nlopt_force_stop(subplex.optimizer_);
        return std::numeric_limits<double>::max();
      }
    }

    double error(const double* x) {
      std::vector<double> values = search_.values_;
      for (std::size_t f = 0; f < free_.size(); ++f) {
        const auto& parameter = search_.parameters_[free_[f]];
        values[free_[f]] = rounded(std::clamp(parameter.origin + std::exp(x[f]), parameter.least, parameter.most));
      }
      search_.say();
      const double error = search_.error_at(values);
      if (error < search_.best_) {
        search_.best_ = error;
        best_values_ = std::move(values);
      }
      return error;
    }

    Search& search_;
    const std::vector<std::size_t>& free_;
    std::vector<double> best_values_ = search_.values_;
    nlopt_opt optimizer_ = nullptr;
    std::exception_ptr thrown_;
  };

  bool spent() const { return tries_ >= options_.tries_max; }

  /// Worse than any other where it is no number: steps are halved and the search ends.
  double error_at(const std::vector<double>& values) {
    ++tries_;
    const double error = ask_(values);
    return std::isfinite(error) ? error : std::numeric_limits<double>::max();
  }

  double limit_of(double error, double parameters = 1.0) const {
    const double more = error * std::exp(parameters / static_cast<double>(options_.points));
    return std::max(more, error + options_.slack_least);
  }

  std::optional<std::size_t> cheapest_to_go_back(const std::vector<bool>& needed) {
    std::optional<std::size_t> cheapest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (back_[i] || needed[i]) continue;
      const double cost = asked(i, start_[i]);
      if (cost >= least) continue;
      least = cost;
      cheapest = i;
    }
    return cheapest;
  }

  std::vector<std::size_t> free_parameters() const {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (!back_[i]) free.push_back(i);
    return free;
  }

  double asked(std::size_t i, double value) {
    say();
    return value == values_[i] ? best_ : error_at(with(values_, i, value));
  }

  void say() const {
    if (tell_) tell_(best_, tries_);
  }

  const std::vector<SearchedParameter>& parameters_;
  const SearchError& ask_;
  const SearchOptions& options_;
  const SearchTell& tell_;
  std::vector<double> values_, start_;
  std::vector<bool> back_;  ///< [parameters] it is where it started, for good
  double before_ = 0.0, best_ = 0.0;
  std::size_t tries_ = 0;
};

}  // namespace

std::vector<double> Found::values() const {
  std::vector<double> all;
  for (const auto& parameter : parameters) all.push_back(parameter.value);
  return all;
}

Found subplex_search(const std::vector<SearchedParameter>& parameters, const SearchError& error,
                     const SearchOptions& options, const SearchTell& tell) {
  Search search(parameters, error, options, tell);
  search.descend(options.first_step);
  search.go_back();
  search.shorten();
  return search.found();
}

}  // namespace orrery::study
