// Speeds of a platform's compute table as parameters of a fit, and totals of many runs as what is fitted to.
#include "sim/study/fit/compute_speeds.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "platforms/loader.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/fit/fit_scenarios.hpp"
#include "sim/study/read/compute.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using test::near;

namespace {

namespace fs = std::filesystem;

constexpr const char* platform_text = R"(name: two
source: "a test"
node-types:
  fast:
    assumed: "a test"
    count: 2
    sockets: 1
    cores-per-socket: 1
    core-speed: 4Gflop/s
    memory: 4GiB
    memory-bandwidth: 50GB/s
    copy-bandwidth: 4GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 64KiB, handshake: 1, copies: [1, 1]}
  slow:
    assumed: "a test"
    count: 2
    sockets: 1
    cores-per-socket: 1
    core-speed: 1Gflop/s
    memory: 4GiB
    memory-bandwidth: 50GB/s
    copy-bandwidth: 4GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 64KiB, handshake: 1, copies: [1, 1]}
networks:
  wire:
    bandwidth: 10GB/s
    latency: 2us
    protocol: {assumed: "a test", send-overhead: 0.5us, receive-overhead: 0.5us, eager: 8KiB, handshake: 2, copies: [0, 0]}
    topology: {kind: star}
compute:
  model: regimes
  rows:
    - {type: fast, work: dgemm, speed_flop_per_s: 4e9}
    - {type: fast, speed_flop_per_s: 2e9}
    - {type: slow, work: dgemm, speed_flop_per_s: 1e9}
    - {type: slow, speed_flop_per_s: 5e8}
)";

constexpr const char* scenario_text = R"(source: "a test"
platform: two.yaml
network: wire
engine: flow
layout: {configuration: "1,1,0,0"}
kernel: {name: hpl, order: 256, block: 64, p: 1}
sweep:
  kernel.order: [256, 512]
  layout.configuration: {each: "2,1,2,1"}
models:
  - {name: np-t, mode: n-t, fit: nnls, extrapolate: true, fit-on: {kernel.order: [256, 512]}}
  - {name: np-t, mode: p-t, fit: nnls, extrapolate: true, fit-on: {kernel.order: [256, 512]}}
choose:
  average:
    - {model: np-t, mode: n-t, runs: ALL}
    - {model: np-t, mode: p-t, runs: ONE, runs-on: one-type}
)";

class Files {
 public:
  Files() {
    fs::create_directories(path_);
    config::write_file(file("two.yaml"), platform_text);
  }
  ~Files() { fs::remove_all(path_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  void totals(double all, double one_type) const {
    std::string text = scenario_text;
    text.replace(text.find("ALL"), 3, fmt::format("{:.12g}s", all));
    text.replace(text.find("ONE"), 3, fmt::format("{:.12g}s", one_type));
    config::write_file(file("s.yaml"), text);
  }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("orrery-compute-speeds-{}", ::getpid());
};

Platform platform() { return load_platform(config::parse_yaml(platform_text, "two.yaml"), "two.yaml"); }

}  // namespace

TEST_SUITE("app/fit scenarios") {
  TEST_CASE("A compute table has a speed for each type and each kind of work and each pair of them") {
    const Platform two = platform();
    CHECK(speeds_known(two) == std::vector<std::string>{"speed.fast", "speed.slow", "speed.dgemm", "speed.other",
                                                        "speed.fast.dgemm", "speed.fast.other", "speed.slow.dgemm",
                                                        "speed.slow.other"});
    const FittedMachine machine{&two, &two.networks[0], nullptr};
    CHECK(speed_parameter("speed.slow").stated(machine) == 1e9);
    CHECK(speed_parameter("speed.other").stated(machine) == 2e9);
    CHECK_FALSE(speed_parameter("speed.fft").stated(machine).has_value());
    CHECK(parameter_text(speed_parameter("speed.slow"), 1e9) == "1 Gflop/s");
  }
  TEST_CASE("Rows that a speed is about keep their ratio and those of two speeds change by both") {
    const Platform two = platform();
    const FittedMachine machine{&two, &two.networks[0], nullptr};
    const auto changed =
        load_platform(with_parameters(config::parse_yaml(platform_text, "two.yaml"), machine,
                                      {{"speed.slow", 2e9}, {"speed.dgemm", 6e9}}, "source: \"a fit\""),
                      "two.yaml");
    const auto rows = compute_rows(changed);
    std::vector<double> speeds;
    for (const auto& row : rows->rows) speeds.push_back(rows->required(row, "speed_flop_per_s", 1.0, 1e21));
    CHECK(speeds == std::vector<double>{6e9, 2e9, 3e9, 1e9});
    CHECK(changed.compute.model == "regimes");
  }
  TEST_CASE("Speeds are found again in totals of many runs that were played with them") {
    const Files files;
    files.totals(1.0, 1.0);
    const auto fit_with = [&](const std::string& dgemm) {
      return fit_scenarios({.scenarios = {files.file("s.yaml")},
                            .parameters = {"speed.dgemm=" + dgemm},
                            .platform = {},
                            .network = {},
                            .hold_out = {}});
    };
    const PlatformFit really = fit_with("6Gflop/s");  // 'before' is what this takes
    REQUIRE(really.points.size() == 2);
    CHECK(really.points[0].label == "s, 16 runs");
    CHECK(really.points[1].label == "s, 8 runs on one type of node");
    CHECK(*really.points[0].before > *really.points[1].before);
    files.totals(really.points[0].before->si(), really.points[1].before->si());
    const PlatformFit fit = fit_with("3Gflop/s");
    CHECK(fit.search->error_before > 0.2);
    CHECK(fit.search->error < 0.02);  // the search ends at steps of 4 %
    CHECK(*fit.parameters[0].fitted_si == near(6e9, 0.03));
    CHECK(fit.file_text.find("speed_flop_per_s") != std::string::npos);
  }
  TEST_CASE("A speed that no row is about is refused with those that are") {
    const Files files;
    files.totals(1.0, 1.0);
    const ScenarioFitRequest request{.scenarios = {files.file("s.yaml")},
                                     .parameters = {"speed.slo"},
                                     .platform = {},
                                     .network = {},
                                     .hold_out = {}};
    try {
      fit_scenarios(request);
      FAIL("accepted");
    } catch (const InputError& error) {
      CHECK(
          std::string(error.what()).starts_with("--parameters: 'speed.slo' is no speed of the compute table of 'two'"));
      CHECK(std::string(error.what()).find("speed.slow") != std::string::npos);
    }
  }
}
