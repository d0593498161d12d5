#include "models/calibration_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace orrery {

namespace {

constexpr Bytes one_byte{1.0};
constexpr std::uint32_t burst = 64;

/// The measured node and its partner; nothing when the network has no second node.
std::optional<std::vector<NodeId>> measured_and_partner(const Platform& platform, const Network& network,
                                                        ChannelKind channel, std::uint32_t type) {
  const NodeId node = platform.first_node_of(type);
  if (channel == ChannelKind::shared_memory) return std::vector{node, node};
  if (!on_network(platform, network, type)) return std::nullopt;
  if (platform.node_counts[type] > 1) return std::vector{node, NodeId{static_cast<std::uint32_t>(index(node)) + 1}};
  for (std::uint32_t other = 0; other < platform.node_types.size(); ++other)
    if (other != type && on_network(platform, network, other)) return std::vector{node, platform.first_node_of(other)};
  return std::nullopt;
}

}  // namespace

std::vector<Experiment> process_plan(const Platform& platform, const Network& network) {
  std::vector<Experiment> plan;
  for (const auto channel : {ChannelKind::shared_memory, ChannelKind::network})
    for (std::uint32_t type = 0; type < platform.node_types.size(); ++type) {
      if (platform.node_counts[type] == 0) continue;
      const auto nodes = measured_and_partner(platform, network, channel, type);
      if (!nodes) continue;
      const ChannelPair pair{channel, type, type};
      // A blocking send that is not detached would wait for its receive: time a non-blocking one there.
      const bool blocking = protocol_of(platform, network, pair).detach > one_byte;
      plan.push_back({.id = series_name("overhead", platform, pair),
                      .kernel = "overhead",
                      .kernel_parameters = {{"sizes", "1B"},
                                            {"messages", std::to_string(burst)},
                                            {"blocking", blocking ? "true" : "false"}},
                      .placement = cores_in_order(platform, *nodes)});
    }
  return plan;
}

std::vector<Experiment> process_and_pingpong_plan(const Platform& platform, const Network& network,
                                                  const CalibrationRange& range) {
  auto experiments = pingpong_plan(platform, network, range);
  std::ranges::move(process_plan(platform, network), std::back_inserter(experiments));
  return experiments;
}

ProcessParameters process_fit(const Platform& platform, ChannelKind channel, std::uint32_t type,
                              const Measurements& measured) {
  const std::string series = series_name("overhead", platform, {channel, type, type});
  const Seconds many = measured.time(fmt::format("{}/burst={}", series, burst), one_byte);
  const Seconds one = measured.time(series + "/burst=1", one_byte);
  return {.overhead_send = measured.time(series + "/send", one_byte),
          .overhead_receive = measured.time(series + "/receive", one_byte),
          .gap = std::max(Seconds(0.0), (many - one) / (burst - 1.0))};
}

LinkParameters link_fit(const Platform& platform, const ChannelPair& pair, const CalibrationRange& range,
                        const Measurements& measured) {
  const std::string series = series_name("pingpong", platform, pair);
  const Bytes least = range.sizes.front();
  const Seconds first = measured.time(series, least);
  std::vector<stats::Point> beyond;
  for (const auto size : range.sizes)
    beyond.push_back({(size - least).si(), (measured.time(series, size) - first).si()});
  const SecondsPerByte gap_per_byte(
      std::max(0.0, stats::fit_line_through_origin(beyond, stats::Deviations::absolute).slope));
  const auto a = process_fit(platform, pair.channel, pair.a, measured);
  const auto b = process_fit(platform, pair.channel, pair.b, measured);
  const Seconds overheads = (a.overhead_send + a.overhead_receive + b.overhead_send + b.overhead_receive) / 2.0;
  const Bytes beyond_first = std::max(Bytes(0.0), least - one_byte);
  return {std::max(Seconds(0.0), first - overheads - beyond_first * gap_per_byte), gap_per_byte};
}

}  // namespace orrery
