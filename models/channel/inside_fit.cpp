#include "models/channel/inside_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/calibration.hpp"
#include "models/stats/line.hpp"
#include "models/stats/sample.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

using TimesBySize = std::vector<std::pair<Bytes, Seconds>>;

constexpr double start_up_to = 1024.0, ring_from = 8192.0, copy_from = 65536.0;
const std::string overheads_inside = "overhead-by-size";

/// Seconds for each byte more, of messages from so many bytes on; 0: fewer than two of them.
double slope_beyond(const TimesBySize& times, double least) {
  std::vector<stats::Point> points;
  for (const auto& [m, time] : times)
    if (m.si() >= least) points.push_back({m.si(), time.si()});
  return points.size() < 2 ? 0.0 : stats::fit_rising_line(points, stats::Deviations::relative).slope;
}

ChannelPair inside_pair(const Platform& platform, const Network& network) {
  const auto pairs = channel_pairs(platform, network);
  if (platform.node_types.size() != 1 || platform.node_types.front().cores() < 2 || pairs.empty())
    throw InputError(
        "calibrate: platform '{}' is not of one type of node with two cores or more, whose "
        "inside is fitted alone. Leave one type?",
        platform.name);
  return pairs.front();
}

/// A step between two sizes, half way on a logarithmic scale.
std::vector<std::pair<Bytes, double>> inside_factor(const TimesBySize& pingpong, const ChannelFit::SharedMemory& node) {
  std::vector<std::pair<Bytes, double>> factor;
  double before = 0.0;
  for (const auto& [m, time] : pingpong) {
    const Seconds left = time - node.send_overhead - node.receive_overhead - m / node.copy_bandwidth;
    factor.emplace_back(Bytes(std::round(std::sqrt(before * m.si()))), std::max(0.05, left / node.latency));
    before = m.si();
  }
  return factor;
}

}  // namespace

std::vector<Experiment> inside_plan(const Platform& platform, const Network& network, const std::vector<Bytes>& sizes) {
  const ChannelPair pair = inside_pair(platform, network);
  const NodeId node = nodes_of(platform, pair).front();
  const auto two = cores_in_order(platform, {node, node});
  const std::uint32_t cores = platform.node_types.front().cores();
  std::string at_once;
  std::uint32_t most = 2;
  for (std::uint32_t tau = 2; tau <= cores; most = tau, tau *= 2)
    at_once += fmt::format("{}{}", at_once.empty() ? "" : ",", tau);
  return {{series_name("pingpong", platform, pair), "pingpong", {{"sizes", sizes_text(sizes)}}, two},
          {series_name(overheads_inside, platform, pair), "overhead", {{"sizes", "1B"}, {"messages", "8"}}, two},
          {series_name("ring", platform, pair),
           "ring",
           {{"sizes", sizes_text(sizes)}, {"concurrency", at_once}, {"directions", "1"}},
           cores_in_order(platform, std::vector<NodeId>(most, node))}};
}

InsideFit fit_inside(const Platform& platform, const Network& network, const std::vector<Measurement>& all) {
  const Measurements measured(all);
  const ChannelPair pair = inside_pair(platform, network);
  const TimesBySize& pingpong = measured.series(series_name("pingpong", platform, pair));
  const std::string name = series_name(overheads_inside, platform, pair);
  const Bytes one(1.0);
  InsideFit fit;
  ChannelFit::SharedMemory& node = fit.node;
  node.type = platform.node_types.front().name;
  const double slope = slope_beyond(pingpong, copy_from);
  if (!(slope > 0.0))
    throw InputError(
        "calibrate: '{}' does not rise from 64 KiB on, so that no copy shows in it. Measure "
        "longer messages?",
        series_name("pingpong", platform, pair));
  node.copy_bandwidth = BytesPerSecond(1.0 / slope);
  std::vector<double> starts;
  for (const auto& [m, time] : pingpong)
    if (m.si() <= start_up_to) starts.push_back((time - m / node.copy_bandwidth).si());
  if (starts.empty()) throw InputError("calibrate: no message of 1 KiB or less was measured. Measure it too?");
  const Seconds start(std::max(stats::median(starts), 1e-9));
  node.latency =
      std::max(start - measured.time(name + "/send", one) - measured.time(name + "/receive", one), 0.1 * start);
  node.send_overhead = std::min(measured.time(name + "/send", one), 0.5 * (start - node.latency));
  node.receive_overhead = std::min(measured.time(name + "/receive", one), start - node.latency - node.send_overhead);
  fit.overheads_cut = node.receive_overhead < measured.time(name + "/receive", one);
  fit.latency_factor = inside_factor(pingpong, node);
  find_contention(node, series_name("ring", platform, pair), platform.node_types.front(), all);
  return fit;
}

void find_contention(ChannelFit::SharedMemory& node, const std::string& ring, const NodeType& type,
                     const std::vector<Measurement>& all) {
  const Measurements measured(all);
  for (std::uint32_t tau = 2; tau <= type.cores(); ++tau)
    if (measured.has(fmt::format("{}/tau={}", ring, tau))) node.concurrency = tau;
  if (node.concurrency == 1) return;
  const double slope = slope_beyond(measured.series(fmt::format("{}/tau={}", ring, node.concurrency)), ring_from);
  if (slope * node.copy_bandwidth.si() <= 1.1) return;
  const std::uint32_t in_first = std::min(node.concurrency, type.domain_cores());  // cores are taken in order
  node.memory_bandwidth = BytesPerSecond(type.numa_domains() * in_first / slope);
}

}  // namespace orrery
