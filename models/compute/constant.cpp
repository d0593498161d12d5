/// Every flop takes the same time, whatever the size of the work: time = flops / (efficiency * peak speed).
///
///   peak        FlopsPerSecond  flop/s  cores of the rank * core speed, or the speed of its GPU; of dgemm its
///                                       double-matrix-speed, where that is stated
///   efficiency  1               1       share of the peak that a kind of work reaches, for cores and for GPUs
///
/// Source   peak speeds come from the platform file; efficiencies are 1 unless given, an assumption
/// Valid    work large enough that its speed no longer depends on its size, and in cache or not in all ranks alike
/// Checked  tests/unit/models/compute/constant_test.cpp
#include <fmt/format.h>

#include <array>
#include <cassert>

#include "models/compute/catalogue.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::constant_compute_model {

namespace {

constexpr const char* page =
    R"(T = F / (e P): the flops F of a step at the share e of the peak P.

P is core-speed x the cores of the rank, or the speed of its GPU, from the platform file; of dgemm on a GPU its
double-matrix-speed, where that is stated. e is 1 unless a setting gives it for the kind of work, on cores or on GPUs: '--compute-param stencil-efficiency=0.15', or in the scenario
'compute: {model: constant, stencil-efficiency: 0.15, dgemm-efficiency-gpu: 0.6}'. Work without flops takes no time.)";

std::string efficiency_name(std::size_t kind, bool gpu) {
  return fmt::format("{}-efficiency{}", work_name(static_cast<Work>(kind)), gpu ? "-gpu" : "");
}

std::vector<Key> schema() {
  std::vector<Key> parameters;
  for (std::size_t kind = 0; kind < work_kinds; ++kind)
    for (const bool gpu : {false, true})
      parameters.push_back(number_key(efficiency_name(kind, gpu), 1,
                                      fmt::format("share of the peak speed that {} work reaches on {} (assumed)",
                                                  work_name(static_cast<Work>(kind)), gpu ? "a GPU" : "cores"),
                                      1e-9, 1.0));
  return parameters;
}

class Constant final : public ComputeModel {
 public:
  Constant(const Platform& platform, const Layout& layout, const Parameters& parameters)
      : peaks_(platform, layout) {
    for (const Placement& place : layout.placements) gpu_.push_back(place.gpu);
    for (std::size_t kind = 0; kind < work_kinds; ++kind)
      for (const bool gpu : {false, true}) efficiency_[kind][gpu] = parameters.number(efficiency_name(kind, gpu));
  }

  std::string description() const override {
    std::string reduced;
    for (std::size_t kind = 0; kind < work_kinds; ++kind)
      for (const bool gpu : {false, true})
        if (efficiency_[kind][gpu] != 1.0)
          reduced += fmt::format("{} {}", reduced.empty() ? ", times" : ",", efficiency_name(kind, gpu)) +
                     fmt::format(" {:g}", efficiency_[kind][gpu]);
    return fmt::format("constant: peak speed of the platform file{}",
                       reduced.empty() ? ", all efficiencies 1 (assumed)" : reduced);
  }

  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const double share = efficiency_[static_cast<std::size_t>(compute.work)][gpu_[index(rank)]];
    return compute.flops / (share * peaks_.of(rank, compute.work));
  }

 private:
  PeakSpeeds peaks_;
  std::vector<bool> gpu_;                                       ///< [ranks]
  std::array<std::array<double, 2>, work_kinds> efficiency_{};  ///< [kind][on a GPU]
};

const bool entered = compute_models().add({
    .name = "constant",
    .summary = "flops over peak speed, times an efficiency per kind of work",
    .source = "peak speeds of the platform file; efficiencies assumed 1 unless given",
    .page = page,
    .parameters = schema(),
    .make =
        [](const ComputeInput& input) {
          return std::make_unique<Constant>(input.platform, input.layout, input.parameters);
        },
});

}  // namespace

}  // namespace orrery::constant_compute_model
