#include "sim/study/play/peak_assumed.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "models/compute/catalogue.hpp"
#include "models/compute/local_work.hpp"
#include "sim/core/elapsed.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t ranks_max = 8;

std::unique_ptr<ComputeModel> roofline_of(const LoadedPoint& point) {
  const auto& entry = compute_models().at("roofline", "compute");
  auto model = entry.make({*point.platform, point.layout, Parameters(entry.parameters)});
  return with_elapsed(with_local_work(std::move(model), *point.platform, point.layout));
}

/// Of one program.
double factor_of(const LoadedPoint& point, std::uint64_t steps_max) {
  if (!point.compute_assumed) return 1.0;
  const auto roofline = roofline_of(point);
  const std::uint32_t ranks = point.program->ranks(), looked_at = std::min(ranks, ranks_max);
  double worst = 1.0;
  for (std::uint32_t i = 0; i < looked_at; ++i) {
    const Rank rank{static_cast<std::uint32_t>(std::uint64_t{i} * ranks / looked_at)};
    Seconds peak, memory;
    const auto add = [&](const Compute& compute) {
      peak += point.compute->compute_time(compute, rank);
      memory += roofline->compute_time(compute, rank);
    };
    auto steps = point.program->steps(rank);
    std::uint64_t left = steps_max / looked_at;
    for (const Step* step = steps.next(); step != nullptr && left > 0; step = steps.next(), --left) {
      if (const auto* compute = std::get_if<Compute>(step)) add(*compute);
      if (const auto* until = std::get_if<ComputeUntil>(step)) add(until->compute);
    }
    if (memory > peak)
      worst = std::max(worst, peak > Seconds{} ? memory / peak : std::numeric_limits<double>::infinity());
  }
  return worst;
}

}  // namespace

PeakAssumed memory_over_peak(const LoadedPoint& point, std::uint64_t steps_max) {
  if (point.of_jobs.empty()) return {.factor = factor_of(point, steps_max)};
  PeakAssumed worst;
  for (std::size_t j = 0; j < point.of_jobs.size(); ++j)
    if (const double factor = factor_of(*point.of_jobs[j], steps_max / point.of_jobs.size()); factor > worst.factor)
      worst = {factor, point.jobs[j].name};
  return worst;
}

}  // namespace orrery::study
