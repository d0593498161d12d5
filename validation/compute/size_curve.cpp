#include "validation/compute/size_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/processor/speed_function.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::rates {

namespace {
constexpr std::size_t least_sizes = 3;  // of a regime
}

std::vector<std::uint64_t> sizes_of(const RateKernel& kernel, const CurveWish& wish) {
  std::vector<std::uint64_t> sizes;
  const double octaves = std::log2(wish.to / wish.from);
  const auto steps = static_cast<unsigned>(std::lround(octaves * wish.per_octave));
  for (unsigned k = 0; k <= steps; ++k) {
    const double part = steps == 0 ? 0.0 : static_cast<double>(k) / steps;
    const std::uint64_t n = kernel.size(wish.from * std::exp2(octaves * part));
    if (sizes.empty() || n > sizes.back()) sizes.push_back(n);
  }
  return sizes;
}

SizedRate rate_at(const RateKernel& kernel, std::uint64_t n, const CurveWish& wish) {
  const auto prepared = kernel.make(n);
  prepared->run(1);  // pages are there, caches are warm
  std::uint64_t iterations = 1;
  for (double seconds = seconds_of(*prepared, 1); seconds < wish.batch_s && iterations < (std::uint64_t{1} << 40);
       seconds = seconds_of(*prepared, iterations))
    iterations *= 2;
  const Sample sample =
      sampled([&] { return seconds_of(*prepared, iterations) / static_cast<double>(iterations); }, wish.sampling);
  const stats::SampleMean mean = stats::mean_of(sample.values, wish.sampling.confidence);
  return {n, kernel.flops(n), kernel.bytes(n), mean.mean, mean.half_width, sample.again, sample.settled};
}

stats::SegmentedFit regimes_of_curve(const std::vector<SizedRate>& curve, double noise) {
  std::vector<stats::Point> points;
  points.reserve(curve.size());
  for (const SizedRate& rate : curve) points.push_back({rate.flops, rate.seconds});
  return stats::fit_segments(points, {.segments_max = 6, .precision = noise, .points_min = least_sizes});
}

std::vector<HeldOut> held_out(const std::vector<SizedRate>& curve, double noise) {
  std::vector<SizedRate> kept;
  for (std::size_t i = 0; i < curve.size(); ++i)
    if (i % 2 == 0 || i + 1 == curve.size()) kept.push_back(curve[i]);
  if (kept.size() < least_sizes) return {};
  std::vector<SpeedPoint> points;
  points.reserve(kept.size());
  for (const SizedRate& rate : kept) points.push_back({rate.flops, rate.speed()});
  const SpeedFunction table(points);
  const stats::SegmentedFit regimes = regimes_of_curve(kept, noise);
  std::vector<HeldOut> found;
  for (std::size_t i = 1; i + 1 < curve.size(); i += 2) {
    const double flops = curve[i].flops;
    // A size between two regimes belongs to the nearer one, by the ratio of sizes.
    const auto distance = [&](const stats::Segment& regime) {
      const double from = kept[regime.first].flops, to = kept[regime.last].flops;
      return flops < from ? from / flops : flops > to ? flops / to : 1.0;
    };
    const stats::Segment& regime = *std::ranges::min_element(regimes.segments, {}, distance);
    found.push_back({curve[i].n, curve[i].seconds, flops / table.speed(flops), regime(flops)});
  }
  return found;
}

std::string table_csv(const RateKernel& kernel, const std::vector<SizedRate>& curve, const stats::SegmentedFit& regimes,
                      const std::vector<std::string>& remarks) {
  std::string text =
      fmt::format("# Rate of {}: {}. Compute model 'table' reads this file.\n", kernel.name, kernel.summary);
  for (const std::string& remark : remarks) text += fmt::format("# {}\n", remark);
  for (const stats::Segment& regime : regimes.segments)
    text += fmt::format("# regime of {} to {} of data: {:.4g} s + flops / {:.4g} flop/s, {} sizes, {:.2g} % off\n",
                        to_text(Bytes(curve[regime.first].bytes)), to_text(Bytes(curve[regime.last].bytes)),
                        regime.line.intercept, 1.0 / regime.line.slope, regime.last - regime.first + 1,
                        100.0 * regime.deviation);
  for (const SizedRate& rate : curve)
    text += fmt::format("# n = {}: {:.5g} s +- {:.2g} %, {} measured again{}\n", rate.n, rate.seconds,
                        100.0 * rate.half_width / rate.seconds, rate.again, rate.settled ? "" : ", and still outliers");
  text += "work,size_flop,speed_flop_per_s\n";
  for (const SizedRate& rate : curve) text += fmt::format("{},{},{:.6g}\n", kernel.work, rate.flops, rate.speed());
  return text;
}

}  // namespace orrery::rates
