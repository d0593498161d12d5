#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/stats/sample.hpp"
#include "sim/cli/pages/platform_template.hpp"
#include "sim/core/quantity_text.hpp"
#include "validation/commands/measured_platform.hpp"

namespace orrery::cli {

namespace {

std::string in_us(Seconds time) { return fmt::format("{:.4g}us", time.si() * 1e6); }
std::string in_GB_per_s(BytesPerSecond rate) { return fmt::format("{:.4g}GB/s", rate.si() * 1e-9); }

double error_of(const PlayedSeries& series, std::size_t i) {
  return series.simulated[i].second / series.measured[i].second - 1.0;
}

/// "ping-pong: 0.3 % off in the median, 4.1 % at most", and the sizes that say so.
std::string residuals(const PlayedSeries& series) {
  std::vector<double> off;
  for (std::size_t i = 0; i < series.measured.size(); ++i) off.push_back(std::abs(error_of(series, i)));
  std::string text = fmt::format("#   {}: {:.2g} % off in the median, {:.2g} % at most\n", series.name,
                                 100.0 * stats::median(off), 100.0 * std::ranges::max(off));
  for (std::size_t i = 0; i < series.measured.size(); ++i)
    text += fmt::format("#     {:>8}  {:>10} measured {:>10} simulated {:>+6.1f} %\n",
                        to_text(series.measured[i].first), to_text(series.measured[i].second),
                        to_text(series.simulated[i].second), 100.0 * error_of(series, i));
  return text;
}

std::string head(const MeasuredParameters& parameters) {
  std::string text;
  for (const auto& remark : parameters.remarks) text += "# " + remark + "\n";
  if (parameters.fit.overheads_cut)
    text +=
        "# A rank was longer in its receive than a message takes, as it is where ranks wait for a processor: overheads "
        "are\n# cut so that the ping-pong is met.\n";
  if (parameters.played.empty()) return text;
  text += "# The same benchmarks played on this file by the engine 'flow':\n";
  for (const auto& series : parameters.played) text += residuals(series);
  return text;
}

std::string latency_factor(const InsideFit& fit) {
  std::string text;
  for (const auto& [from, factor] : fit.latency_factor)
    text += fmt::format("{}{{from: {:.0f}B, factor: {:.4g}}}", text.empty() ? "" : ", ", from.si(), factor);
  return "[" + text + "]";
}

std::string core_speed(const MeasuredParameters& parameters) {
  if (parameters.core_speed > 0.0)
    return fmt::format("{{value: {:.4g}Gflop/s, source: \"{}\"}}", parameters.core_speed * 1e-9,
                       parameters.core_speed_source);
  return fmt::format("{{value: 40Gflop/s, assumed: \"{}\"}}", parameters.core_speed_source);
}

std::string memory_bandwidth(const MeasuredParameters& parameters) {
  const auto& node = parameters.fit.node;
  if (node.memory_bandwidth.si() > 0.0)
    return fmt::format("{}   # {} copies at once have so much together", in_GB_per_s(node.memory_bandwidth),
                       node.concurrency);
  return fmt::format("{{value: {}, assumed: \"no copy of {} at once waited for another: as many as there are cores\"}}",
                     in_GB_per_s(parameters.machine.cores() * node.copy_bandwidth), node.concurrency);
}

/// That of the file to fill in, as nothing of it was measured.
std::string assumed_network() {
  std::string text = platform_template("any");
  text.erase(0, text.find("networks:"));
  const std::string name = "  fabric:\n";
  text.insert(text.find(name) + name.size(),
              "    assumed: \"nothing of a network was measured on one node: write what yours has, or measure it "
              "('orrery measure')\"\n");
  return text;
}

}  // namespace

std::string measured_platform_text(const std::string& name, const MeasuredParameters& parameters) {
  const auto& node = parameters.fit.node;
  const auto& machine = parameters.machine;
  return head(parameters) +
         fmt::format(R"(name: {}
source: "{}"

node-types:
  node:
    count: 1                       # more: a cluster of such nodes, whose network is assumed
    sockets: {}
    cores-per-socket: {}
    core-speed: {}
    memory: {:.0f}MiB
    memory-bandwidth: {}
    copy-bandwidth: {}            # one copy alone
    shared-memory:
      latency: {}
      send-overhead: {}
      receive-overhead: {}
      # What the ping-pong takes beyond one copy and the overheads, by size: thresholds of the MPI library are in it.
      latency-factor: {}
      eager: {{value: 4KiB, assumed: "Open MPI's between processes of one node; from here on the sender waits for the receiver"}}
      handshake: 0                 # what a rendezvous takes is in the factor
      copies: [1, 0]

)",
                     name, parameters.source, machine.sockets, machine.cores_per_socket, core_speed(parameters),
                     std::floor(machine.memory_B / (1 << 20)), memory_bandwidth(parameters),
                     in_GB_per_s(node.copy_bandwidth), in_us(node.latency), in_us(node.send_overhead),
                     in_us(node.receive_overhead), latency_factor(parameters.fit)) +
         assumed_network();
}

}  // namespace orrery::cli
