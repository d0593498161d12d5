#include "sim/study/fit/fitted_platform.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/config/yaml_text.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/chart.hpp"

namespace orrery::study {

namespace paper = show::paper;

namespace {

using config::Document;

constexpr const char* writer = "calibrate";

std::string figure(const std::string& value, const std::string& origin) {
  return fmt::format("{{value: {}, source: \"{}\"}}", value, origin);
}

std::string seconds_text(Seconds t) { return fmt::format("{:.6g}us", t.si() * 1e6); }
std::string bandwidth_text(BytesPerSecond b) { return fmt::format("{:.0f}B/s", b.si()); }

std::string overhead_text(const std::vector<std::pair<Bytes, Seconds>>& points) {
  std::string text;
  for (const auto& [m, time] : points)
    text += fmt::format("{}{{from: {:.0f}B, time: {}}}", text.empty() ? "" : ", ", text.empty() ? 0.0 : m.si(),
                        seconds_text(time));
  return "[" + text + "]";
}

std::string factor_text(const std::vector<std::pair<Bytes, double>>& steps) {
  std::string text;
  for (const auto& [m, factor] : steps)
    text += fmt::format("{}{{from: {:.0f}B, factor: {:.5g}}}", text.empty() ? "" : ", ", m.si(), factor);
  return "[" + text + "]";
}

/// The network's figures and those of adapters that differ.
Document with_rates(Document document, const Network& network, const ChannelFit& fit, const std::string& origin) {
  const std::string path = "networks." + network.name + ".";
  const auto& first = fit.types.front();
  document = document.with(path + "bandwidth", figure(bandwidth_text(first.bandwidth), origin), writer)
                 .with(path + "latency", figure(seconds_text(first.latency), origin), writer);
  if (fit.types.size() == 1) return document;
  for (const auto& type : fit.types)
    document = document.with(path + "nic." + type.type,
                             fmt::format("{{bandwidth: {}, latency: {}, source: \"{}\"}}",
                                         bandwidth_text(type.bandwidth), seconds_text(type.latency), origin),
                             writer);
  return document;
}

Document with_protocol(Document document, const Network& network, const ChannelFit& fit, const std::string& origin) {
  const std::string path = "networks." + network.name + ".protocol.";
  const auto set = [&](const char* key, const std::string& value) {
    document = document.with(path + key, figure(value, origin), writer);
  };
  set("send-overhead", overhead_text(fit.send_overhead));
  set("isend-overhead", overhead_text(fit.send_overhead));
  set("receive-overhead", overhead_text(fit.receive_overhead));
  set("latency-factor", factor_text(fit.latency_factor));
  set("wire-efficiency", "1");
  set("copies", "[0, 0]");
  if (fit.eager.si() > 0.0) {
    set("eager", fmt::format("{:.0f}B", fit.eager.si()));
    set("handshake", std::to_string(fit.handshake));
    if (network.protocol.handshake_request > fit.handshake) set("handshake-request", std::to_string(fit.handshake));
  }
  if (network.protocol.discipline != Discipline::fifo) return document;
  set("message-header", fmt::format("{:.0f}B", fit.message_header.si()));
  set("acknowledgement", fmt::format("{:.4g}%", 100.0 * fit.acknowledgement));
  if (network.protocol.frame.si() <= 0.0 && fit.frame.si() > 0.0) set("frame", fmt::format("{:.0f}B", fit.frame.si()));
  return document;
}

Document with_shared_memory(Document document, const Platform& platform, const ChannelFit& fit,
                            const std::string& origin) {
  for (const auto& node : fit.shared_memory) {
    const std::string path = "node-types." + node.type + ".";
    const auto set = [&](const std::string& key, const std::string& value) {
      document = document.with(path + key, figure(value, origin), writer);
    };
    set("shared-memory.latency", seconds_text(node.latency));
    set("shared-memory.send-overhead", seconds_text(node.send_overhead));
    set("shared-memory.receive-overhead", seconds_text(node.receive_overhead));
    set("shared-memory.copies", "[1, 0]");
    set("copy-bandwidth", bandwidth_text(node.copy_bandwidth));
    if (node.memory_bandwidth.si() > 0.0) {
      set("memory-bandwidth", bandwidth_text(node.memory_bandwidth));
      continue;
    }
    for (const auto& type : platform.node_types)  // no copy waited for another: nor may it here
      if (type.name == node.type && type.memory_bandwidth < node.concurrency * node.copy_bandwidth)
        set("memory-bandwidth", bandwidth_text(type.cores() * node.copy_bandwidth));
  }
  return document;
}

/// What is left of the points relative to the lines.
paper::ChartSeries residuals(const ChannelFit::OfType& type) {
  paper::ChartSeries left{.name = type.type};
  for (const auto& [x, y] : type.pingpong) left.points.push_back({x, 100.0 * (y / type.lines(x) - 1.0)});
  return left;
}

paper::ChartSeries curve(const std::string& name, const std::vector<std::pair<Bytes, Seconds>>& points) {
  paper::ChartSeries series{.name = name};
  for (const auto& [m, time] : points) series.points.push_back({m.si(), time.si()});
  return series;
}

paper::Chart pingpong_chart(const ChannelFit& fit) {
  std::vector<paper::ChartSeries> series;
  for (const auto& type : fit.types) {
    paper::ChartSeries points{.name = type.type + " measured", .line = false};
    for (const auto& [x, y] : type.pingpong) points.points.push_back({x, y});
    series.push_back(std::move(points));
    for (const auto& segment : type.lines.segments) {
      paper::ChartSeries drawn{.name = type.type + " line", .markers = false};
      for (std::size_t i = segment.first; i <= segment.last; ++i)
        drawn.points.push_back({type.pingpong[i].x, segment(type.pingpong[i].x)});
      series.push_back(std::move(drawn));
    }
  }
  return paper::curves("ping-pong and the lines through it", std::move(series), "message (B)", "T(m) (s)", true);
}

}  // namespace

std::string fitted_platform(const Platform& platform, const Network& network, const ChannelFit& fit,
                            const std::string& origin, unsigned processors) {
  Document document = config::read_yaml(platform.file);
  if (platform.processors > 0 && processors > 0)
    document = document.with("processors", std::to_string(processors), writer);
  document = with_rates(std::move(document), network, fit, origin);
  document = with_protocol(std::move(document), network, fit, origin);
  if (fit.forwarding > Seconds{} && platform.processors > 0)
    document = document.with("forwarding", seconds_text(fit.forwarding), writer)
                   .with("forwarding-next", seconds_text(fit.forwarding_next), writer);
  if (fit.start_skew > Seconds{}) document = document.with("start-skew", seconds_text(fit.start_skew), writer);
  document = with_shared_memory(std::move(document), platform, fit, origin);
  return fmt::format("# {}, its network {} fitted to {}.\n{}", platform.name, network.name, origin,
                     config::yaml_text(document));
}

std::string fit_text(const Network& network, const ChannelFit& fit) {
  std::string text;
  for (const auto& type : fit.types) {
    text += fmt::format("{} {}: {} a port, latency {}\n", network.name, type.type, to_text(type.bandwidth),
                        to_text(type.latency));
    for (const auto& segment : type.lines.segments) {
      const double first = type.pingpong[segment.first].x, last = type.pingpong[segment.last].x;
      text += fmt::format("  {} .. {}: {} (+- {}) + {:.4g} ns/B (+- {:.2g})\n", to_text(Bytes(first)),
                          to_text(Bytes(last)), to_text(Seconds(segment.line.intercept)),
                          std::isfinite(segment.intercept_within) ? to_text(Seconds(segment.intercept_within)) : "?",
                          segment.line.slope * 1e9, segment.slope_within * 1e9);
    }
    text += fmt::format("  {} points held out: {:.2g} % in the median, {:.2g} % at most\n", type.held_out.points,
                        100.0 * type.held_out.median, 100.0 * type.held_out.greatest);
  }
  text += fit.eager.si() > 0.0 ? fmt::format("eager below {}, handshake of {}\n", to_text(fit.eager), fit.handshake)
                               : "no threshold among the sizes: eager and handshake stay as they were\n";
  if (fit.frame.si() > 0.0) text += fmt::format("switches store and forward frames of {}\n", to_text(fit.frame));
  if (fit.message_header.si() > 0.0)
    text += fmt::format("each message is sent with {} of its own header\n", to_text(fit.message_header));
  text += fmt::format("acknowledgements: {:.2g} % of what comes goes back\n", 100.0 * fit.acknowledgement);
  if (fit.forwarding > Seconds{})
    text += fmt::format("the switch works {} on a message, {} on the next of many\n", to_text(fit.forwarding),
                        to_text(fit.forwarding_next));
  if (fit.start_skew > Seconds{}) text += fmt::format("ranks start within {}\n", to_text(fit.start_skew));
  for (const auto& node : fit.shared_memory)
    text += fmt::format("inside {}: overheads {} and {}, latency {}, {}", node.type, to_text(node.send_overhead),
                        to_text(node.receive_overhead), to_text(node.latency), to_text(node.copy_bandwidth)) +
            (node.memory_bandwidth.si() > 0.0
                 ? fmt::format("; {} copies at once: {} together\n", node.concurrency, to_text(node.memory_bandwidth))
                 : "\n");
  return text;
}

std::string fit_svg(const ChannelFit& fit, const std::string& title) {
  std::vector<paper::ChartSeries> left;
  for (const auto& type : fit.types) left.push_back(residuals(type));
  return paper::stacked_svg(
      {pingpong_chart(fit), paper::curves("what the lines leave", std::move(left), "message (B)", "%", false),
       paper::curves("overheads", {curve("send", fit.send_overhead), curve("receive", fit.receive_overhead)},
                     "message (B)", "s", false)},
      title);
}

}  // namespace orrery::study
