// Twice the bandwidth everywhere: no model may then predict that a program takes longer, but for what it says itself.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "models/model.hpp"
#include "sim/config/files.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

/// Times of a message that are far from a line: copies, a threshold, overheads that grow and a rate of messages.
std::string platform_with(double times) {
  return fmt::format(
      "name: bent\nsource: made up\nnode-types:\n  x:\n    count: 16\n    sockets: 2\n    cores-per-socket: 4\n"
      "    core-speed: 10Gflop/s\n    memory: 64GiB\n    memory-bandwidth: {0}GB/s\n    copy-bandwidth: {1}GB/s\n"
      "    shared-memory: {{latency: 0.4us, send-overhead: 0.2us, receive-overhead: 0s, eager: 64KiB, detach: 1KiB, "
      "handshake: 2, copies: [1, 2], copy-mode: pipelined}}\n"
      "networks:\n  net:\n    bandwidth: {1}GB/s\n    latency: 1us\n    topology: {{kind: star}}\n"
      "    message-rate: 100k/s\n"
      "    protocol: {{send-overhead: [{{from: 0B, time: 0.2us}}, {{from: 8KiB, time: 1us, then-per-byte: 0.1ns/B}}], "
      "receive-overhead: 0s, eager: 4KiB, detach: 4KiB, handshake: 2, copies: [1, 2], copy-mode: sequential, "
      "isend-overhead: 0.1us}}\n",
      20.0 * times, 1.0 * times);
}

/// [kernel] what each model predicts.
std::map<std::string, double> predicted(const std::string& kernel, double times) {
  const auto file = (std::filesystem::temp_directory_path() / fmt::format("orrery-bent-{}.yaml", times)).string();
  config::write_file(file, platform_with(times));
  std::string names;
  for (const auto& [name, entry] : models().entries())
    if (!entry.fitted_to_runs()) names += (names.empty() ? "" : ", ") + name;
  const std::string text = "source: test\nengine: flow\nplatform: " + file +
                           "\nnetwork: net\nlayout: {ranks: 16, per-node: 2}\nkernel: {" + kernel + "}\nmodels: [" +
                           names + "]\n";
  const auto run = study::run_scenario(parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {}),
                                       {.jobs = 1, .progress = false, .simulate = false});
  std::map<std::string, double> times_of;
  for (const Prediction& prediction : run.result.points.front().predictions)
    times_of[prediction.model] = prediction.time.si();
  return times_of;
}

/// Their parameters are of lines of least squares, and their assumptions say what that does.
constexpr const char* of_lines[] = {"hockney", "bsp", "bsp-matrix", "barrier-matrix", "multi-bsp"};

/// The tables of taulop are rounded and interpolated.
double tolerance_of(const std::string& model) {
  if (std::ranges::find(of_lines, model) != std::end(of_lines)) return 0.15;
  return model == "taulop" ? 0.01 : 0.001;
}

}  // namespace

TEST_SUITE("contract/faster network") {
  TEST_CASE("Twice the bandwidth makes no prediction slower but by what its model states") {
    for (const std::string kernel :
         {"name: barrier, algorithm: linear", "name: collective, operation: bcast, message: 64B",
          "name: collective, operation: allreduce, message: 1MiB", "name: wave2d, points: 256"}) {
      const auto slow = predicted(kernel, 1.0), fast = predicted(kernel, 2.0);
      CHECK(slow.size() >= 8);
      for (const auto& [model, time] : slow) {
        INFO(kernel << ", " << model << ": " << time << " s, with twice the bandwidth " << fast.at(model) << " s");
        CHECK(fast.at(model) <= time * (1.0 + tolerance_of(model)));
      }
    }
  }

  TEST_CASE("A model whose alpha moves with the bandwidth states by how much") {
    for (const char* name : of_lines) {
      INFO(name);
      bool stated = false;
      for (const std::string& assumption : models().at(name, "test").assumptions)
        stated = stated || assumption.find("up to 15 % slower") != std::string::npos;
      CHECK(stated);
    }
  }
}
