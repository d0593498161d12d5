#include "models/compute/variability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/core/mixed.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery {

namespace {

constexpr std::uint64_t keyed(std::uint64_t key, std::uint64_t number) { return mixed(key ^ mixed(number)); }

/// Standard normal number `number` of the stream `key`.
double normal(std::uint64_t key, std::uint64_t number) {
  return portable::normal(unit_number(keyed(key, 2 * number)), unit_number(keyed(key, 2 * number + 1)));
}

double cut_normal(std::uint64_t key) { return std::clamp(normal(key, 0), -3.0, 3.0); }

// What a stream is for; part of its key.
constexpr std::uint64_t of_hosts = 1, of_days = 2, of_steps = 3;

const double half_normal_mean = std::sqrt(2.0 / std::numbers::pi);
const double half_normal_deviation = std::sqrt(1.0 - 2.0 / std::numbers::pi);

class Variability final : public ComputeModel {
 public:
  Variability(std::unique_ptr<ComputeModel> model, const Layout& layout, const Parameters& parameters)
      : model_(std::move(model)), day_spread_(parameters.number("day-spread")), noise_(parameters.number("noise")) {
    const auto* measured = dynamic_cast<const MeasuredSpread*>(model_.get());
    if (measured != nullptr && measured->has_spread() && parameters.boolean("measured-spread")) measured_ = measured;
    text_ = text(parameters);
    const double host_spread = parameters.number("host-spread");
    const auto seed = mixed(static_cast<std::uint64_t>(parameters.integer("seed")));
    const auto day = static_cast<std::uint64_t>(parameters.integer("day"));
    for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank) {
      const std::uint64_t host = index(layout.of(Rank{rank}).host);
      ranks_.push_back({.host = 1.0 + host_spread * cut_normal(keyed(keyed(seed, of_hosts), host)),
                        .day = cut_normal(keyed(keyed(keyed(seed, of_days), host), day)),
                        .steps = keyed(keyed(keyed(seed, of_steps), day), rank)});
    }
  }

  std::string description() const override { return model_->description() + text_; }

  Seconds compute_time(const Compute& compute, Rank rank) const override {
    return factor(compute, rank) * model_->compute_time(compute, rank);
  }

  Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t step) const override {
    const double factor = this->factor(compute, rank);
    const Seconds mean = factor * model_->compute_time(compute, rank);
    Seconds sigma = measured_ != nullptr ? factor * measured_->deviation(compute, rank) : Seconds{};
    if (sigma == Seconds{}) sigma = noise_ * mean;
    if (sigma == Seconds{}) return mean;
    const double z = std::abs(normal(ranks_[index(rank)].steps, step));
    return std::max(mean + (z - half_normal_mean) / half_normal_deviation * sigma, Seconds{});
  }

 private:
  struct OfRank {
    double host;          ///< 1 + c_h z_h
    double day;           ///< z_d
    std::uint64_t steps;  ///< key of the stream of its steps
  };

  double factor(const Compute& compute, Rank rank) const {
    const OfRank& mine = ranks_[index(rank)];
    double spread = measured_ != nullptr ? measured_->day_spread(compute, rank) : 0.0;
    if (spread == 0.0) spread = day_spread_;
    return mine.host * (1.0 + spread * mine.day);
  }

  std::string text(const Parameters& parameters) const {
    std::string varies = measured_ != nullptr ? "spread as measured, " : "";
    for (const char* name : {"host-spread", "day-spread", "noise"})
      if (parameters.number(name) > 0.0) varies += fmt::format("{} {:g}, ", name, parameters.number(name));
    return fmt::format("; varies: {}seed {}, day {}", varies, parameters.integer("seed"), parameters.integer("day"));
  }

  std::unique_ptr<ComputeModel> model_;
  const MeasuredSpread* measured_ = nullptr;  ///< model_, when its spread is known and wanted
  double day_spread_, noise_;
  std::string text_;
  std::vector<OfRank> ranks_;
};

}  // namespace

std::vector<Key> variability_parameters() {
  return {number_key("host-spread", 0, "coefficient of variation of times between hosts", 0, 0.3),
          number_key("day-spread", 0, "the same between days, unless the parameters give it", 0, 0.3),
          number_key("noise", 0, "the same between steps (half-normal), unless the parameters give it", 0, 0.7),
          flag_key("measured-spread", true, "true: use the spread in the parameters"),
          count_key("seed", 1, "seed of all variation", 0, 9e15),
          count_key("day", 0, "number of the day: other days of the same hosts", 0, 9e15)};
}

bool varies(const ComputeModel& model) { return dynamic_cast<const Variability*>(&model) != nullptr; }

std::unique_ptr<ComputeModel> with_variability(std::unique_ptr<ComputeModel> model, const Layout& layout,
                                               const Parameters& parameters) {
  const auto* measured = dynamic_cast<const MeasuredSpread*>(model.get());
  const bool varies = parameters.number("host-spread") > 0.0 || parameters.number("day-spread") > 0.0 ||
                      parameters.number("noise") > 0.0 ||
                      (measured != nullptr && measured->has_spread() && parameters.boolean("measured-spread"));
  if (!varies) return model;
  return std::make_unique<Variability>(std::move(model), layout, parameters);
}

}  // namespace orrery
