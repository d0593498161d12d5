#include "models/stats/failures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "sim/core/mixed.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::stats {

namespace {

constexpr std::uint64_t failures_max = 20'000;

/// When nodes fail, one failure after another.
class Failures {
 public:
  Failures(const FailingRun& run, std::uint64_t seed, std::uint64_t draw)
      : shape_(run.shape),
        scale_(run.mtbf.si() / portable::gamma(1.0 + 1.0 / run.shape)),
        state_(mixed(mixed(seed) ^ draw)) {
    if (shape_ == 1.0) {  // those of all nodes together are exponential, too
      scale_ = run.between_failures().si();
      next_ = life();
      return;
    }
    std::vector<double> first(run.nodes);
    for (double& at : first) at = life();
    ends_ = decltype(ends_)(std::greater<>(), std::move(first));
    next_ = ends_.top();
  }

  double next() const { return next_; }
  /// The node is new.
  void pass() {
    if (shape_ == 1.0) {
      next_ += life();
      return;
    }
    ends_.pop();
    ends_.push(next_ + life());
    next_ = ends_.top();
  }

 private:
  double life() {
    const double uniform = unit_number(mixed(state_++));
    return scale_ * portable::pow(-portable::log(uniform), 1.0 / shape_);
  }

  double shape_, scale_;
  std::uint64_t state_;
  double next_ = 0.0;
  std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
};

DrawnTime drawn(const FailingRun& run, double interval, std::uint64_t seed, std::uint64_t draw) {
  Failures failures(run, seed, draw);
  const double part = interval + run.checkpoint.si(), restart = run.restart.si();
  const double parts = std::ceil(run.work.si() / interval) - 1.0;  // that end with a checkpoint
  const double last = run.work.si() - parts * interval;
  double now = 0.0, done = 0.0;
  DrawnTime drawn;
  for (;; ++drawn.failures) {
    const double finished = std::min(parts - done, std::floor((failures.next() - now) / part));
    done += finished;
    now += finished * part;
    if (done == parts && now + last <= failures.next()) break;
    now = failures.next();
    failures.pass();
    for (; now + restart > failures.next(); ++drawn.failures) {
      if (drawn.failures >= failures_max) break;
      now = failures.next();
      failures.pass();
    }
    now += restart;
    if (drawn.failures >= failures_max) return {Seconds(std::numeric_limits<double>::infinity()), drawn.failures};
  }
  drawn.time = Seconds(now + last);
  return drawn;
}

}  // namespace

Seconds young_interval(const FailingRun& run) {
  return Seconds(std::sqrt(2.0 * run.checkpoint.si() * run.between_failures().si()));
}

Seconds daly_interval(const FailingRun& run) {
  const Seconds c = run.checkpoint, m = run.between_failures();
  if (c >= 2.0 * m) return m;
  const double share = c / (2.0 * m);
  return (1.0 + std::sqrt(share) / 3.0 + share / 9.0) * young_interval(run) - c;
}

std::vector<DrawnTime> drawn_times(const FailingRun& run, Seconds interval, std::uint32_t draws, std::uint64_t seed) {
  std::vector<DrawnTime> times;
  times.reserve(draws);
  for (std::uint32_t draw = 0; draw < draws; ++draw) times.push_back(drawn(run, interval.si(), seed, draw));
  return times;
}

Seconds mean_time(const std::vector<DrawnTime>& times) {
  Seconds sum;
  for (const DrawnTime& one : times) sum += one.time;
  return sum / static_cast<double>(times.size());
}

/// Nine intervals between the bounds, then between the neighbours of the best, and so on.
Seconds best_interval(const FailingRun& run, std::uint32_t draws, std::uint64_t seed) {
  constexpr int steps = 8, rounds = 5;
  const double guess = std::max(young_interval(run).si(), 1e-9);
  double least = portable::log(std::min(guess, run.work.si()) / 8.0),
         most = portable::log(std::min(guess * 8.0, run.work.si()));
  double best = least;
  for (int round = 0; round < rounds; ++round) {
    const double step = (most - least) / steps;
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= steps; ++i) {
      const double at = least + i * step;
      const double mean = mean_time(drawn_times(run, Seconds(portable::exp(at)), draws, seed)).si();
      if (mean >= shortest) continue;
      shortest = mean;
      best = at;
    }
    if (!std::isfinite(shortest)) break;
    most = std::min(best + step, most);
    least = std::max(best - step, least);
  }
  return Seconds(portable::exp(best));
}

Checkpointing checkpointing(const FailingRun& run, std::optional<Seconds> stated, std::uint32_t draws,
                            std::uint64_t seed) {
  constexpr std::uint32_t search_draws_max = 200;
  const auto tried = [&](Seconds interval) {
    TriedInterval one{std::min(interval, run.work), {}, {}};
    one.times = drawn_times(run, one.interval, draws, seed);
    one.mean = mean_time(one.times);
    return one;
  };
  Checkpointing made{tried(young_interval(run)), tried(daly_interval(run)), {}};
  made.used = tried(stated ? *stated : best_interval(run, std::min(draws, search_draws_max), seed));
  if (!stated)
    for (const TriedInterval& other : {made.young, made.daly})
      if (other.mean < made.used.mean) made.used = other;
  return made;
}

}  // namespace orrery::stats
