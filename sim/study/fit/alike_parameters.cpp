// Which parameters of a fit its points do not tell apart.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/study/fit/fit_scenarios.hpp"

namespace orrery::study {

namespace {

constexpr double step = 1.1;

using PointsSay = std::vector<double>;  ///< [points] s(f, p)

/// By a tenth more, or less where more is not permitted.
PointsSay said_of(std::size_t f, const PlatformParameter& parameter, std::vector<double> values,
                  const TimesOf& times_of) {
  const auto times = times_of(values);
  const double by = values[f] * step <= parameter.most ? step : 1.0 / step;
  values[f] *= by;
  const auto changed = times_of(values);
  PointsSay all;
  for (std::size_t i = 0; i < times.size(); ++i) all.push_back(std::log(changed[i] / times[i]) / std::log(by));
  return all;
}

double product(const PointsSay& a, const PointsSay& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// |cosine|; 0 where a parameter changes nothing.
double how_alike(const PointsSay& a, const PointsSay& b) {
  const double lengths = std::sqrt(product(a, a) * product(b, b));
  return lengths > 0.0 ? std::min(1.0, std::abs(product(a, b)) / lengths) : 0.0;
}

}  // namespace

std::vector<AlikeParameters> alike_parameters(const std::vector<const PlatformParameter*>& parameters,
                                              const std::vector<double>& values, const MeasuredSimulator& simulator,
                                              const TimesOf& times_of) {
  std::vector<const PlatformParameter*> found;
  std::vector<PointsSay> said;
  for (std::size_t f = 0; f < parameters.size(); ++f) {
    if (!simulator.matters(f)) continue;
    found.push_back(parameters[f]);
    said.push_back(said_of(f, *parameters[f], values, times_of));
  }
  std::vector<AlikeParameters> alike;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = i + 1; j < found.size(); ++j)
      if (const double how = how_alike(said[i], said[j]); how >= alike_least)
        alike.push_back({found[i], found[j], how});
  std::ranges::stable_sort(alike, std::greater(), &AlikeParameters::alike);
  return alike;
}

}  // namespace orrery::study
