/// Power law: the time of whole runs as a constant and a power of one parameter, fitted to simulated runs.
///
///   T(x) = a + b x^c        a, b >= 0,  -4 <= c <= 4
///
///   x  1, B, s what is varied: the ranks, or a number of the kernel (points, blocks, message)
///   a  s       what does not change with x
///   b  s       time of x = 1 beyond a
///   c  1       exponent: -1 perfect strong scaling, 2 a plane and 3 a volume of points
///
/// a, b and c minimise the squares of relative deviations over the fitted runs. Runs that differ in anything except x
/// have separate curves. Beyond the fitted values of x it answers only if extrapolation is set.
///
/// Source   the performance model normal form of Calotoiu, Hoefler, Poke & Wolf, SC 2013, with one term, no logarithm
/// Valid    between the least and the greatest fitted x, as long as one term dominates
/// Differs  the exponent is any number, found by search, not one of a list
/// Checked  tests/unit/models/power_law_test.cpp
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/calibration.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::power_law_model {

namespace {

constexpr const char* ranks_word = "ranks";
constexpr std::size_t coefficients = 3;

using Group = std::map<std::string, std::string>;  ///< everything that runs of one curve share

struct Choice {
  std::string over;
  bool of_run = true, extrapolate = false;

  explicit Choice(const std::string& variant) {
    const auto options = parts_of(models().at("power-law", "power-law"), variant).options;
    over = options.at("over");
    of_run = options.at("of") == "run";
    extrapolate = options.at("extrapolate") == "true";
  }
};

/// The value of what is varied. Throws InputError when the run has no such number.
double x_of(const PredictionInput& run, const std::string& over) {
  if (over == ranks_word) return run.layout.ranks();
  std::vector<std::string> known{ranks_word};
  for (const auto& [name, text] : run.parameters.rendered()) {
    const auto number = run.parameters.parameter(name);
    if (number && over == "kernel." + name) return *number;
    if (number) known.push_back("kernel." + name);
  }
  throw InputError("power-law: 'over' is '{}'{}", over, known_names(over, known));
}

Group group_of(const PredictionInput& run, const std::string& over) {
  Group group = run.settings;
  group["platform"] = run.platform.name;
  group["network"] = run.network.name;
  group["kernel.name"] = run.kernel;
  for (const auto& [name, text] : run.parameters.rendered()) group["kernel." + name] = text;
  group.erase(over);
  if (over == ranks_word) std::erase_if(group, [](const auto& pair) { return pair.first.starts_with("layout."); });
  return group;
}

struct Curve {
  double a = 0.0, b = 0.0, c = 0.0;  ///< s, s, 1
  double deviation = 0.0;            ///< greatest relative one
  double least = 0.0, greatest = 0.0;
  std::size_t runs = 0;

  double operator()(double x) const { return a + b * portable::pow(x, c); }
  bool covers(double x) const { return least <= x && x <= greatest; }
};

using Points = std::vector<stats::Point>;  ///< x, time in s

/// The best constant and factor for an exponent, and the sum of squares of relative deviations.
std::pair<stats::Line, double> with_exponent(const Points& points, double c) {
  Points powers;
  for (const auto& [x, t] : points) powers.push_back({portable::pow(x, c), t});
  const stats::Line line = stats::fit_rising_line(powers, stats::Deviations::relative);
  double squares = 0.0;
  for (const auto& [power, t] : powers) {
    const double deviation = line(power) / t - 1.0;
    squares += deviation * deviation;
  }
  return {line, squares};
}

/// The exponent with the least squares: the best of a grid, then between its neighbours by the golden section.
double best_exponent(const Points& points) {
  constexpr double limit = 4.0, step = 0.0625;
  double best = -limit;
  for (double c = -limit; c <= limit; c += step)
    if (with_exponent(points, c).second < with_exponent(points, best).second) best = c;
  const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
  double low = std::max(-limit, best - step), high = std::min(limit, best + step);
  while (high - low > 1e-9) {
    const double left = high - ratio * (high - low), right = low + ratio * (high - low);
    if (with_exponent(points, left).second <= with_exponent(points, right).second)
      high = right;
    else
      low = left;
  }
  return (low + high) / 2.0;
}

Curve curve_through(const Points& points) {
  Curve curve{.c = best_exponent(points), .runs = points.size()};
  const stats::Line line = with_exponent(points, curve.c).first;
  curve.a = line.intercept;
  curve.b = line.slope;
  const auto [least, greatest] = std::ranges::minmax_element(points, {}, &stats::Point::x);
  curve.least = least->x;
  curve.greatest = greatest->x;
  for (const auto& [x, t] : points) curve.deviation = std::max(curve.deviation, std::abs(curve(x) / t - 1.0));
  return curve;
}

/// "network 'ethernet' (fitted: infiniband)": where a run differs from the fitted group that is nearest to it.
std::string difference(const Group& asked, const std::vector<Group>& fitted) {
  const auto value_in = [](const Group& group, const std::string& key) {
    const auto found = group.find(key);
    return found == group.end() ? std::string("none") : found->second;
  };
  std::string first;
  std::size_t fewest = static_cast<std::size_t>(-1);
  for (const auto& group : fitted) {
    std::vector<std::string> differing;
    for (const auto& [key, value] : asked)
      if (value_in(group, key) != value) differing.push_back(key);
    if (differing.empty() || differing.size() >= fewest) continue;
    fewest = differing.size();
    first = differing.front();
  }
  if (first.empty()) return "the same settings";
  std::set<std::string> values;
  for (const auto& group : fitted) values.insert(value_in(group, first));
  return fmt::format("{} '{}' (fitted: {})", first, value_in(asked, first), fmt::join(values, ", "));
}

void require_inside(const Choice& choice, double x, double least, double greatest) {
  if (choice.extrapolate || (least <= x && x <= greatest)) return;
  throw DomainError(
      "power-law: {} {:g} lies outside the fitted range {:g}..{:g} (no extrapolation). Fit to it too, or set "
      "'extrapolate: true'?",
      choice.over, x, least, greatest);
}

/// Values of x by group.
std::map<Group, std::vector<double>> fitted_values(const Choice& choice, std::span<const PredictionInput> runs) {
  std::map<Group, std::vector<double>> values;
  for (const auto& run : runs) values[group_of(run, choice.over)].push_back(x_of(run, choice.over));
  return values;
}

/// Throws InputError unless every group has values enough for a curve, DomainError where one has no power.
void require_curve(const Choice& choice, const std::map<Group, std::vector<double>>& values) {
  std::size_t fewest = values.empty() ? 0 : coefficients;
  for (const auto& [group, xs] : values) {
    fewest = std::min(fewest, std::set<double>(xs.begin(), xs.end()).size());
    if (const double least = std::ranges::min(xs); least <= 0.0)
      throw DomainError("power-law: {} {:g} has no power (greater than 0). Fit to other runs?", choice.over, least);
  }
  if (fewest < coefficients)
    throw InputError(
        "power-law: {} value{} of {} cannot fit a curve ({} or more). Name more runs in "
        "'fit-on'?",
        fewest, fewest == 1 ? "" : "s", choice.over, coefficients);
}

void check(const std::string& variant, std::span<const PredictionInput> fitted,
           std::span<const PredictionInput> asked) {
  const Choice choice(variant);
  const auto values = fitted_values(choice, fitted);
  std::vector<Group> groups;
  require_curve(choice, values);
  groups.reserve(values.size());
  for (const auto& [group, xs] : values) groups.push_back(group);
  for (const auto& run : asked) {
    const Group group = group_of(run, choice.over);
    const auto found = values.find(group);
    if (found == values.end())
      throw DomainError("power-law: no fitted run has {}. Name one with it in 'fit-on'?", difference(group, groups));
    const auto [least, greatest] = std::ranges::minmax(found->second);
    require_inside(choice, x_of(run, choice.over), least, greatest);
  }
}

class PowerLaw final : public RunModel {
 public:
  PowerLaw(const std::string& variant, std::span<const TimedRun> runs) : choice_(variant) {
    std::map<Group, Points> points;
    for (const auto& run : runs) {
      const Seconds time = choice_.of_run ? run.makespan : run.compared;
      points[group_of(run.input, choice_.over)].push_back({x_of(run.input, choice_.over), time.si()});
    }
    for (const auto& [group, of_group] : points) curves_.emplace(group, curve_through(of_group));
  }

  Seconds time(const PredictionInput& run, std::vector<Explanation>* steps) const override {
    const Curve& curve = curve_of(run);
    const double x = x_of(run, choice_.over);
    require_inside(choice_, x, curve.least, curve.greatest);
    if (steps != nullptr) {
      steps->push_back({"whatever " + choice_.over, Seconds(curve.a)});
      steps->push_back({fmt::format("{:.4g} s * {:g}^{:.4g}, {} {:g}", curve.b, x, curve.c, choice_.over, x),
                        Seconds(curve(x) - curve.a)});
    }
    return Seconds(curve(x));
  }

  std::vector<std::string> notes(const PredictionInput& run) const override {
    const Curve& curve = curve_of(run);
    std::vector<std::string> notes;
    if (!curve.covers(x_of(run, choice_.over)))
      notes.push_back(fmt::format("extrapolated: fitted to {} {:g}..{:g}", choice_.over, curve.least, curve.greatest));
    notes.push_back(
        curve.runs > coefficients
            ? fmt::format("T = {:.4g} s + {:.4g} s * x^{:.4g} through {} runs, within {:.1f} % of each", curve.a,
                          curve.b, curve.c, curve.runs, std::max(0.1, 100 * curve.deviation))
            : fmt::format("T = {:.4g} s + {:.4g} s * x^{:.4g} through {} runs, which fix its three numbers: "
                          "none is left to judge it by",
                          curve.a, curve.b, curve.c, curve.runs));
    return notes;
  }

  bool predicts_run() const override { return choice_.of_run; }

 private:
  const Curve& curve_of(const PredictionInput& run) const {
    const Group group = group_of(run, choice_.over);
    if (const auto found = curves_.find(group); found != curves_.end()) return found->second;
    std::vector<Group> groups;
    for (const auto& [fitted, curve] : curves_) groups.push_back(fitted);
    throw DomainError("power-law: no fitted run has {}. Name one with it in 'fit-on'?", difference(group, groups));
  }

  Choice choice_;
  std::map<Group, Curve> curves_;
};

const bool entered = models().add(
    {.name = "power-law",
     .summary = "Whole runs as a constant and a power of one parameter, fitted to some of them: T = a + b x^c",
     .source = "Calotoiu, Hoefler, Poke & Wolf, SC 2013: the performance model normal form, one term without logarithm",
     .page = "T(x) = a + b x^c,  a, b >= 0,  -4 <= c <= 4\n"
             "fitted to the runs that 'fit-on' names, by least squares of relative deviations; runs that differ in "
             "anything\nbut x have curves of their own\n\n"
             "models:\n"
             "  - {name: power-law, over: kernel.points, fit-on: {kernel.points: [256, 512, 1024, 4096]}}\n\n"
             "  a  s  what does not change with x\n"
             "  b  s  time of x = 1 beyond a\n"
             "  c  1  -1: perfect strong scaling; 2 and 3: a plane and a volume of points",
     .assumptions = {"one term dominates over the whole range, and nothing changes its behaviour inside it",
                     "a fitted run is an observation, not a prediction: it enters no average and no tolerance"},
     .options = {word_key("over", ranks_word, "what x is: ranks, or a number of the kernel such as kernel.points"),
                 word_key("of", "run", "the makespan or the compared phase", {"run", "phase"}),
                 word_key("extrapolate", "false", "whether to answer beyond the fitted values of x",
                          {"false", "true"})},
     .check_runs = check,
     .fit_runs = [](const std::string& variant, std::span<const TimedRun> runs) -> std::unique_ptr<RunModel> {
       return std::make_unique<PowerLaw>(variant, runs);
     }});

}  // namespace

}  // namespace orrery::power_law_model
