#include "sim/study/fit/fit_campaign.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "models/channel/channel_fit.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/study/fit/parameter_parts.hpp"

namespace orrery::study {

namespace paper = show::paper;

namespace {

using config::Document;
using parameter_parts::StepsText;

constexpr const char* writer = "fit";

std::string seconds_yaml(Seconds t) { return fmt::format("{:.6g}us", t.si() * 1e6); }
std::string bandwidth_yaml(BytesPerSecond b) { return fmt::format("{:.0f}B/s", b.si()); }

/// The platform's file as parameter after parameter is set, and the table of them.
class CampaignTable {
 public:
  CampaignTable(const Platform& platform, const Network& network, const ChannelFit& fit, const std::string& origin)
      : platform_(platform),
        network_(network),
        fit_(fit),
        source_("source: \"" + origin + "\""),
        document_(config::read_yaml(platform.file)),
        stated_(document_.scalars()) {
    set_rates();
    set_protocol();
    set_switch();
    set_shared_memory();
  }

  void set_processors(unsigned processors) {
    if (platform_.processors > 0 && processors > 0)
      document_ = document_.with("processors", std::to_string(processors), writer);
  }

  std::vector<FittedParameter> rows;
  const Document& document() const { return document_; }

 private:
  /// What the file states: a curve by how many sizes it has.
  std::string stated(const std::string& path) const {
    for (const auto& key : {path, path + ".value"}) {
      if (const auto found = stated_.find(key); found != stated_.end()) return found->second;
      std::string list;
      for (std::size_t i = 1; stated_.contains(fmt::format("{}[{}]", key, i)); ++i)
        list += (i > 1 ? ", " : "") + stated_.at(fmt::format("{}[{}]", key, i));
      if (!list.empty()) return "[" + list + "]";
      std::size_t sizes = 0;
      while (stated_.contains(fmt::format("{}[{}].from", key, sizes + 1))) ++sizes;
      if (sizes > 0) return sizes_text(sizes);
    }
    return "";
  }
  static std::string sizes_text(std::size_t sizes) { return fmt::format("{} size{}", sizes, sizes == 1 ? "" : "s"); }

  FittedParameter& row(const std::string& path, const std::string& fitted) {
    rows.push_back({.name = path, .before = stated(path), .fitted = fitted});
    for (const auto& prefix : {"networks." + network_.name + ".", std::string("node-types.")})
      if (rows.back().name.starts_with(prefix)) rows.back().name.erase(0, prefix.size());
    return rows.back();
  }
  /// A number, before and after in the same words.
  template <class Quantity>
  void row(const std::string& path, Quantity fitted, const char* unit, Dimension dimension) {
    FittedParameter& made = row(path, to_text(fitted));
    made.unit = unit;
    made.fitted_si = fitted.si();
    made.before_si = parse_quantity(made.before, dimension).si;
    if (made.before_si) made.before = to_text(Quantity(*made.before_si));
  }
  void row(const std::string& path, Seconds t) { row(path, t, "s", Dimension::time); }
  void row(const std::string& path, BytesPerSecond b) { row(path, b, "B/s", Dimension::bandwidth); }

  void write(const std::string& path, const std::string& yaml) {
    document_ = document_.with(path, parameter_parts::with_source(yaml, source_), writer);
  }
  void set(const std::string& path, Seconds t) {
    row(path, t);
    write(path, seconds_yaml(t));
  }
  void set(const std::string& path, BytesPerSecond b) {
    row(path, b);
    write(path, bandwidth_yaml(b));
  }
  void set(const std::string& path, Bytes m) {
    row(path, m, "B", Dimension::data);
    write(path, fmt::format("{:.0f}B", m.si()));
  }
  void set(const std::string& path, const StepsText& steps) {
    row(path, sizes_text(steps.size()));
    write(path, steps.text());
  }
  void set(const std::string& path, const std::string& yaml) {
    row(path, yaml);
    write(path, yaml);
  }

  /// The network's, and those of adapters that differ.
  void set_rates() {
    const std::string path = "networks." + network_.name + ".";
    set(path + "bandwidth", fit_.types.front().bandwidth);
    set(path + "latency", fit_.types.front().latency);
    if (fit_.types.size() == 1) return;
    for (const auto& type : fit_.types) {
      const std::string nic = path + "nic." + type.type;
      row(nic + ".bandwidth", type.bandwidth);
      row(nic + ".latency", type.latency);
      document_ = document_.with(nic,
                                 fmt::format("{{bandwidth: {}, latency: {}, {}}}", bandwidth_yaml(type.bandwidth),
                                             seconds_yaml(type.latency), source_),
                                 writer);
    }
  }

  static StepsText steps_of(const std::vector<std::pair<Bytes, Seconds>>& overhead) {
    StepsText steps;
    for (const auto& [m, time] : overhead) steps.add(steps.size() == 0 ? 0.0 : m.si(), "time", seconds_yaml(time));
    return steps;
  }

  void set_protocol() {
    const std::string path = "networks." + network_.name + ".protocol.";
    set(path + "send-overhead", steps_of(fit_.send_overhead));
    set(path + "isend-overhead", steps_of(fit_.send_overhead));
    set(path + "receive-overhead", steps_of(fit_.receive_overhead));
    StepsText factor;
    for (const auto& [m, by] : fit_.latency_factor) factor.add(m.si(), "factor", fmt::format("{:.5g}", by));
    set(path + "latency-factor", factor);
    set(path + "wire-efficiency", std::string("1"));
    set(path + "copies", std::string("[0, 0]"));
    if (fit_.eager.si() > 0.0) {
      set(path + "eager", fit_.eager);
      set(path + "handshake", std::to_string(fit_.handshake));
      if (network_.protocol.handshake_request > fit_.handshake)
        set(path + "handshake-request", std::to_string(fit_.handshake));
    }
    if (network_.protocol.discipline != Discipline::fifo) return;
    set(path + "message-header", fit_.message_header);
    set(path + "acknowledgement", fmt::format("{:.4g}%", 100.0 * fit_.acknowledgement));
    if (network_.protocol.frame.si() <= 0.0 && fit_.frame.si() > 0.0) set(path + "frame", fit_.frame);
  }

  /// Of an emulated cluster: keys that have no source.
  void set_switch() {
    const auto plain = [&](const char* key, Seconds t) {
      row(key, t);
      document_ = document_.with(key, seconds_yaml(t), writer);
    };
    if (fit_.forwarding > Seconds{} && platform_.processors > 0) {
      plain("forwarding", fit_.forwarding);
      plain("forwarding-next", fit_.forwarding_next);
    }
    if (fit_.start_skew > Seconds{}) plain("start-skew", fit_.start_skew);
  }

  void set_shared_memory() {
    for (const auto& node : fit_.shared_memory) {
      const std::string path = "node-types." + node.type + ".";
      set(path + "shared-memory.latency", node.latency);
      set(path + "shared-memory.send-overhead", node.send_overhead);
      set(path + "shared-memory.receive-overhead", node.receive_overhead);
      set(path + "shared-memory.copies", std::string("[1, 0]"));
      set(path + "copy-bandwidth", node.copy_bandwidth);
      if (node.memory_bandwidth.si() > 0.0) {
        set(path + "memory-bandwidth", node.memory_bandwidth);
        rows.back().note = fmt::format("{} copies at once", node.concurrency);
        continue;
      }
      for (const auto& type : platform_.node_types)  // no copy waited for another: nor may it here
        if (type.name == node.type &&
            type.domain_bandwidth() < std::min(node.concurrency, type.domain_cores()) * node.copy_bandwidth)
          set(path + "memory-bandwidth", type.cores() * node.copy_bandwidth);
    }
  }

  const Platform& platform_;
  const Network& network_;
  const ChannelFit& fit_;
  std::string source_;
  Document document_;
  std::map<std::string, std::string> stated_;
};

/// The lines through the ping-pong of a type of node with how sure they are, and how far points held out lie from them.
void add_lines(std::vector<std::string>& notes, const ChannelFit::OfType& type) {
  for (const auto& segment : type.lines.segments) {
    const double first = type.pingpong[segment.first].x, last = type.pingpong[segment.last].x;
    notes.push_back(
        fmt::format("{}, {} .. {}: {} (+- {}) + {:.4g} ns/B (+- {:.2g})", type.type, to_text(Bytes(first)),
                    to_text(Bytes(last)), to_text(Seconds(segment.line.intercept)),
                    std::isfinite(segment.intercept_within) ? to_text(Seconds(segment.intercept_within)) : "?",
                    segment.line.slope * 1e9, segment.slope_within * 1e9));
  }
  notes.push_back(
      fmt::format("{}: {} points held out, one at a time, lie {:.2g} % from the lines in the median, {:.2g} % at most",
                  type.type, type.held_out.points, 100.0 * type.held_out.median, 100.0 * type.held_out.greatest));
}

std::vector<std::string> notes_of(const ChannelFit& fit, const Network& network) {
  std::vector<std::string> notes;
  for (const auto& type : fit.types) add_lines(notes, type);
  if (fit.eager.si() <= 0.0) notes.emplace_back("no threshold among the sizes: eager and handshake stay as they were");
  if (fit.frame.si() > 0.0)
    notes.push_back(fmt::format("switches store and forward frames of {}{}", to_text(fit.frame),
                                network.protocol.frame.si() > 0.0 ? ", and the platform names its own" : ""));
  return notes;
}

std::vector<FittedPoint> points_of(const ChannelFit& fit) {
  std::vector<FittedPoint> points;
  for (const auto& type : fit.types)
    for (const auto& [x, y] : type.pingpong)
      points.push_back({.label = fmt::format("{}, {}", type.type, to_text(Bytes(x))),
                        .measured = Seconds(y),
                        .before = {},
                        .fitted = Seconds(type.lines(x))});
  return points;
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

PlatformFit fit_campaign(const Platform& platform, const Network& network, const std::vector<Measurement>& measured,
                         const std::string& origin, unsigned processors) {
  const ChannelFit fit = fit_channel(platform, network, measured);
  CampaignTable table(platform, network, fit, origin);
  table.set_processors(processors);
  return {
      .platform = platform.name,
      .network = network.name,
      .origin = origin,
      .parameters = std::move(table.rows),
      .points = points_of(fit),
      .notes = notes_of(fit, network),
      .charts = {pingpong_chart(fit),
                 paper::curves("overheads", {curve("send", fit.send_overhead), curve("receive", fit.receive_overhead)},
                               "message (B)", "s", false)},
      .file_text = fmt::format("# {}, its network {} fitted to {}.\n{}", platform.name, network.name, origin,
                               config::yaml_text(table.document()))};
}

}  // namespace orrery::study
