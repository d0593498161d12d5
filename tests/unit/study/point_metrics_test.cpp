// What stands beside a kernel's own metrics.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

std::vector<Metric> metrics_of(const std::string& machine, const std::string& more = "") {
  const std::string text =
      "source: a test\n" + machine +
      "engine: flow\n"
      "kernel: {name: training-step, layers: 4, hidden: 64, heads: 4, vocabulary: 128, sequence: 32, "
      "batch: 16" +
      more + "}\n";
  const auto scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
  return study::run_scenario(scenario, {.progress = false}).result.points.front().metrics;
}

std::optional<double> value_of(const std::vector<Metric>& metrics, const std::string& name) {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

TEST_SUITE("study/metrics") {
  TEST_CASE("Beside the flops of a training step on GPUs stand those of one and the share of the stated peak") {
    const auto on_h100 = metrics_of("platform: dgx-h100\nnetwork: infiniband\nlayout: {gpus: 8, ranks: 8}\n");
    const auto sum = value_of(on_h100, "model Tflop/s");
    REQUIRE(sum);
    CHECK(*value_of(on_h100, "model Tflop/s a GPU") == near(*sum / 8));
    CHECK(*value_of(on_h100, "share of peak") == near(100 * *sum / (8 * 989)));
    // A second rank that sums gradients makes no second GPU.
    const auto streams =
        metrics_of("platform: dgx-h100\nnetwork: infiniband\nlayout: {gpus: 8, per-gpu: 2, ranks: 16}\n",
                   ", gradient-stream: true");
    CHECK(*value_of(streams, "model Tflop/s a GPU") == near(*value_of(streams, "model Tflop/s") / 8));
    CHECK(*value_of(streams, "share of peak") == near(100 * *value_of(streams, "model Tflop/s") / (8 * 989)));
    // Nothing is said of matrix products there, and double precision is not what training computes in.
    const auto on_a100 = metrics_of("platform: ampere40\nnetwork: infiniband\nlayout: {gpus: 4, ranks: 4}\n");
    CHECK(value_of(on_a100, "model Tflop/s a GPU"));
    CHECK_FALSE(value_of(on_a100, "share of peak"));
    const auto on_cores = metrics_of("platform: dahu\nnetwork: omnipath\nlayout: {ranks: 4}\n");
    CHECK(value_of(on_cores, "model Tflop/s"));
    CHECK_FALSE(value_of(on_cores, "model Tflop/s a GPU"));
  }

  TEST_CASE("HPL on GPUs runs at their peak of matrix products in double precision and tells its share of that") {
    const auto hpl = [](const std::string& peak) {
      const std::string text =
          "source: a test\nplatform: dgx-h100\nnetwork: infiniband\nengine: flow\nlayout: {gpus: 8, ranks: 8}\n"
          "kernel: {name: hpl, order: 16000, block: 1024, p: 4, q: 2}\n";
      const auto scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
      const auto metrics = study::run_scenario(scenario, {.progress = false}).result.points.front().metrics;
      return *value_of(metrics, peak);
    };
    const double share = hpl("share of peak"), rate = hpl("Gflop/s a GPU");
    CHECK(share == near(100.0 * rate / 67e3));
    CHECK(share < 100.0);
  }
}
