// Totals of many runs told from some of them.
#include "models/stats/total_estimates.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "platforms/loader.hpp"
#include "sim/config/files.hpp"
#include "sim/study/fit/fit_scenarios.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using test::near;

namespace {

namespace fs = std::filesystem;

constexpr const char* node_text = R"(    assumed: "a test"
    count: 2
    sockets: 1
    cores-per-socket: 1
    core-speed: 5 Gflop/s
    memory: 4GiB
    memory-bandwidth: 50GB/s
    copy-bandwidth: 4GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 64KiB, handshake: 1, copies: [1, 1]}
)";

/// 8 configurations of two types of node at 13 sizes: 104 runs, 52 of them on one type.
std::string platform_text() {
  return fmt::format(R"(name: two
source: "a test"
node-types:
  fast:
{0}  slow:
{0}networks:
  wire:
    bandwidth: 1Gbps
    latency: 20us
    topology: {{kind: star}}
    protocol: {{assumed: "a test", send-overhead: 5us, receive-overhead: 5us, eager: 64KiB, handshake: 2, copies: [0, 0]}}
compute:
  model: regimes
  source: "a test"
  rows:
    - {{type: fast, speed_flop_per_s: 2e9}}
    - {{type: slow, speed_flop_per_s: 1e9}}
)",
                     node_text);
}

constexpr const char* scenario_text = R"(source: "a test"
platform: two.yaml
network: wire
engine: flow
layout: {configuration: "1,1,0,0"}
kernel: {name: hpl, block: 32, p: 1, bcast: 1ring}
sweep:
  kernel.order: SIZES
  layout.configuration: {each: "2,1,2,1"}
models:
  - {name: np-t, mode: n-t, fit: nnls, extrapolate: true, fit-on: {kernel.order: SIZES}}
choose:
  average:
    - {model: np-t, mode: n-t, runs: ALL}
    - {model: np-t, mode: n-t, runs: ONE, runs-on: one-type}
)";

class Files {
 public:
  Files() {
    fs::create_directories(path_);
    config::write_file(file("two.yaml"), platform_text());
    totals(1.0, 1.0);
  }
  ~Files() { fs::remove_all(path_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  void totals(double all, double one_type) const {
    std::string text = scenario_text, sizes;
    for (int size = 64; size <= 448; size += 32) sizes += fmt::format("{}{}", sizes.empty() ? "[" : ", ", size);
    for (auto at = text.find("SIZES"); at != std::string::npos; at = text.find("SIZES"))
      text.replace(at, 5, sizes + "]");
    text.replace(text.find("ALL"), 3, fmt::format("{:.12g}s", all));
    text.replace(text.find("ONE"), 3, fmt::format("{:.12g}s", one_type));
    config::write_file(file("s.yaml"), text);
  }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("orrery-total-estimates-{}", ::getpid());
};

}  // namespace

TEST_SUITE("app/fit scenarios") {
  TEST_CASE("A total is told from some of its runs: exactly where it begins and nearly elsewhere") {
    const Files files;
    MeasuredScenarios measured = read_measured({files.file("s.yaml")}, "", "");
    const auto document = config::parse_yaml(platform_text(), "two.yaml");
    const Platform platform = load_platform(document, "two.yaml");
    const FittedMachine machine = see_points(measured, platform, platform.networks[0]);
    const std::vector<const PlatformParameter*> parameters{&platform_parameter("speed.fast", "--parameters"),
                                                           &platform_parameter("speed.slow", "--parameters")};
    MeasuredSimulator simulator(measured, document, machine, parameters, 1);
    const std::vector<std::size_t> both{0, 1};
    const std::vector<double> first{2e9, 1e9}, other{4e9, 1.2e9};
    TotalEstimates estimates(
        {measured.times[0].points, measured.times[1].points},
        [&](const auto& runs, const auto& values) { return simulator.of_points(runs, values); }, first);
    REQUIRE(measured.times[0].points.size() == 104);
    REQUIRE(measured.times[1].points.size() == 52);

    const auto before = simulator.simulations();
    const auto estimated = estimates.times(other);
    CHECK(simulator.simulations() - before < 104);
    const auto exact = simulator.times(both, other), at_first = simulator.times(both, first);
    CHECK(estimates.times(first)[0].si() == near(at_first[0].si(), 1e-12));
    CHECK(estimated[0].si() == near(exact[0].si(), 0.02));  // it may not be exact: half of the work is twice as fast
    CHECK(std::abs(exact[0] / at_first[0] - 1.0) > 0.1);    // and that is no small step
    CHECK(estimated[1] == exact[1]);                        // has fewer runs than are drawn
    estimates.begin_at(other);
    CHECK(estimates.times(other)[0].si() == near(exact[0].si(), 1e-12));
  }
  TEST_CASE("A fit by estimated totals ends at what all of their runs take") {
    const Files files;
    const auto fit_from = [&](const std::string& fast, const std::string& slow) {
      return fit_scenarios({.scenarios = {files.file("s.yaml")},
                            .parameters = {"speed.fast=" + fast, "speed.slow=" + slow},
                            .platform = {},
                            .network = {},
                            .hold_out = {}});
    };
    const PlatformFit really = fit_from("3Gflop/s", "0.8Gflop/s");
    files.totals(really.points[0].before->si(), really.points[1].before->si());
    const PlatformFit fit = fit_from("2Gflop/s", "1Gflop/s");
    REQUIRE(fit.notes.size() == 1);
    CHECK(fit.notes[0].ends_with("drawn by their part of it; what was found is of all runs"));
    REQUIRE(fit.search);
    double error = 0.0;
    for (const auto& point : fit.points) error += std::abs(std::log(point.fitted / point.measured)) / 2.0;
    CHECK(fit.search->error == near(error, 1e-12));
    CHECK(fit.search->error < 0.02);
    CHECK(fit.search->error_before > 0.05);
  }
}
