#include "models/channel/channel_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/calibration.hpp"
#include "models/channel/inside_fit.hpp"
#include "models/stats/line.hpp"
#include "models/stats/sample.hpp"
#include "platforms/frames.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr int burst_messages = 8;
const std::string overheads = "overhead-by-size";
constexpr double overhead_size_max = 48 * 1024.0, long_message = 8192.0;

double median_or_zero(const std::vector<double>& values) { return values.empty() ? 0.0 : stats::median(values); }

/// Between two nodes of each type that has two; or within a node that has two cores.
std::vector<ChannelPair> pairs_of(const Platform& platform, const Network& network,
                                  ChannelKind kind = ChannelKind::network) {
  std::vector<ChannelPair> pairs;
  for (const auto& pair : channel_pairs(platform, network))
    if (pair.channel == kind && pair.a == pair.b &&
        (kind == ChannelKind::network || platform.node_types[pair.a].cores() > 1))
      pairs.push_back(pair);
  return pairs;
}

/// The points of one type, as functions of the size.
class Series {
 public:
  Series(const ChannelProperties& protocol, const Platform& platform, const ChannelPair& pair,
         const Measurements& measured)
      : protocol_(protocol),
        pingpong_(measured.series(series_name("pingpong", platform, pair))),
        send_(measured.series(series_name(overheads, platform, pair) + "/send")),
        receive_(measured.series(series_name(overheads, platform, pair) + "/receive")),
        one_(measured.series(series_name(overheads, platform, pair) + "/burst=1")),
        many_(measured.series(fmt::format("{}/burst={}", series_name(overheads, platform, pair), burst_messages))),
        rate_(port_rate()) {
    const std::string ring = series_name("ring", platform, pair) + "/tau=2";
    if (measured.has(ring)) ring_ = measured.series(ring);  // not of nodes with one core
  }

  using SeriesTimes = std::vector<std::pair<Bytes, Seconds>>;
  const SeriesTimes& pingpong() const { return pingpong_; }
  const SeriesTimes& send() const { return send_; }
  const SeriesTimes& receive() const { return receive_; }
  double rate() const { return rate_; }

  double on_wire(double m) const { return bytes_on_wire(protocol_, Bytes(m)).si(); }
  /// What the ports take of one message alone.
  double ports(double m) const { return (on_wire(m) + bytes_stored(protocol_, Bytes(m)).si()) / rate_; }
  /// Ping-pong without overheads and ports: the latency, and whatever else.
  std::vector<stats::Point> latencies() const {
    std::vector<stats::Point> points;
    for (const auto& [m, time] : pingpong_)
      points.push_back(
          {m.si(), time.si() - interpolated(send_, m.si()) - interpolated(receive_, m.si()) - ports(m.si())});
    return points;
  }
  std::vector<double> acknowledgements(double eager) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < ring_.size(); ++i)
      for (std::size_t j = i + 1; j < ring_.size(); ++j) {
        const double small = ring_[i].first.si(), large = ring_[j].first.si();
        if (small < long_message || (eager > 0.0 && small < eager && large >= eager)) continue;
        const double carried = (ring_[j].second - ring_[i].second).si() * rate_ / 2.0;
        found.push_back((carried - (on_wire(large) - on_wire(small))) / (large - small));
      }
    return found;
  }

  static double interpolated(const SeriesTimes& times, double m) {
    const auto after = std::ranges::find_if(times, [&](const auto& point) { return point.first.si() >= m; });
    if (after == times.end()) return times.back().second.si();
    if (after == times.begin()) return after->second.si();
    const auto before = std::prev(after);
    const double share = (m - before->first.si()) / (after->first - before->first).si();
    return before->second.si() + share * (after->second - before->second).si();
  }

 private:
  double port_rate() const {
    std::vector<double> rates;
    for (std::size_t i = 0; i < many_.size(); ++i) {
      const double m = many_[i].first.si(), gap = (many_[i].second.si() - one_[i].second.si()) / (burst_messages - 1.0);
      if (m >= long_message && gap > 0.0) rates.push_back(on_wire(m) / gap);
    }
    if (rates.empty())
      throw InputError("calibrate: no burst of 8 KiB messages or longer was measured. Measure it too?");
    return stats::median(rates);
  }

  const ChannelProperties& protocol_;
  const SeriesTimes &pingpong_, &send_, &receive_, &one_, &many_;
  SeriesTimes ring_;
  double rate_;
};

/// Between messages of a long burst of single bytes.
double gap_of(const std::string& series, const Measurements& measured) {
  const Bytes one(1.0);
  return (measured.time(series + "/burst=64", one) - measured.time(series + "/burst=1", one)).si() / 63.0;
}

/// What the port that paces a burst of single bytes carries beyond bytes and frames; the least of all types, as
/// whatever else holds a burst up adds to it. That of the platform where the processors pace bursts: their gap is what
/// it is inside a node.
Bytes message_header_of(const Platform& platform, const Network& network, const Measurements& measured) {
  const ChannelProperties& protocol = network.protocol;
  if (protocol.discipline != Discipline::fifo) return {};
  constexpr double clearly = 2.0;
  ChannelProperties without = protocol;
  without.message_header = {};
  double of_processors = 0.0;
  for (const auto& pair : pairs_of(platform, network, ChannelKind::shared_memory))
    if (const std::string name = series_name("overhead", platform, pair); measured.has(name + "/burst=64"))
      of_processors = std::max(of_processors, gap_of(name, measured));
  std::vector<double> found;
  for (const auto& pair : pairs_of(platform, network)) {
    const std::string name = series_name("overhead", platform, pair);
    const Bytes one(1.0);
    if (!measured.has(name + "/burst=64")) continue;
    const double gap = gap_of(name, measured), busy = std::max(measured.time(name + "/send", one).si(), of_processors);
    const double carried = gap * Series(without, platform, pair, measured).rate();
    if (gap > clearly * busy) found.push_back(std::max(0.0, carried - bytes_on_wire(without, one).si()));
  }
  return found.empty() ? protocol.message_header : Bytes(std::round(std::ranges::min(found)));
}

Seconds latency_of(const Series& series) {
  std::vector<double> least;
  for (const auto& [m, time] : series.latencies())
    if (m <= 1024.0) least.push_back(time);
  return Seconds(std::max(median_or_zero(least), 0.0));
}

/// The size from which on the ping-pong has jumped, and by how much; nothing: it never does.
std::optional<std::pair<double, double>> jump_of(const ChannelFit::OfType& type) {
  std::optional<std::pair<double, double>> found;
  for (std::size_t s = 1; s < type.lines.segments.size(); ++s) {
    const stats::Segment &before = type.lines.segments[s - 1], &after = type.lines.segments[s];
    const double x = type.pingpong[after.first].x, jump = after(x) - before(x);
    if (jump > 0.5 * type.latency.si() && (!found || jump > found->second)) found = {x, jump};
  }
  return found;
}

/// A power of two above the last size before and up to the first after; else that one.
double threshold(const ChannelFit::OfType& type, double first_after) {
  double before = 0.0;
  for (const auto& point : type.pingpong)
    if (point.x < first_after) before = point.x;
  const double power = std::ldexp(1.0, std::ilogb(first_after));
  return power > before ? power : first_after;
}

/// Where two lines meet of which the second rises half as fast: switches store and forward frames of so much.
double frame_of(const ChannelFit::OfType& type) {
  for (std::size_t s = 1; s < type.lines.segments.size(); ++s) {
    const stats::Segment &before = type.lines.segments[s - 1], &after = type.lines.segments[s];
    if (before.line.slope < 1.5 * after.line.slope || before.line.slope > 2.6 * after.line.slope) continue;
    const double x = (after.line.intercept - before.line.intercept) / (before.line.slope - after.line.slope);
    if (x > 64.0 && x < 65536.0) return std::round(x);
  }
  return 0.0;
}

using SeriesTimes = std::vector<std::pair<Bytes, Seconds>>;

SeriesTimes mean_over(const std::vector<const SeriesTimes*>& series) {
  SeriesTimes mean = *series.front();
  for (auto& [m, time] : mean) {
    time = {};
    for (const auto* one : series)
      time += Seconds(Series::interpolated(*one, m.si()) / static_cast<double>(series.size()));
  }
  return mean;
}

ChannelFit::SharedMemory shared_memory_of(const Platform& platform, const ChannelPair& pair,
                                          const std::vector<Measurement>& all) {
  const Measurements measured(all);
  const std::string name = series_name(overheads, platform, pair);
  const Bytes one(1.0);
  const Seconds send = measured.time(name + "/send", one), receive = measured.time(name + "/receive", one);
  std::vector<stats::Point> points;
  for (const auto& [m, time] : measured.series(series_name("pingpong", platform, pair)))
    points.push_back({m.si(), time.si()});
  const stats::Line line = stats::fit_rising_line(points, stats::Deviations::relative);
  ChannelFit::SharedMemory node{.type = platform.node_types[pair.a].name,
                                .latency = std::max(Seconds{}, Seconds(line.intercept) - send - receive),
                                .send_overhead = send,
                                .receive_overhead = receive,
                                .copy_bandwidth = BytesPerSecond(1.0 / std::max(line.slope, 1e-14)),
                                .memory_bandwidth = {}};
  find_contention(node, series_name("ring", platform, pair), platform.node_types[pair.a], all);
  return node;
}

/// Of a measurement that is one time; 0: not measured.
Seconds time_of(const char* id, const std::vector<Measurement>& all) {
  const auto found = std::ranges::find(all, id, &Measurement::id);
  return found == all.end() ? Seconds{} : found->times.front().second;
}

}  // namespace

std::vector<Experiment> channel_plan(const Platform& platform, const Network& network,
                                     const std::vector<Bytes>& sizes) {
  std::vector<Bytes> small;
  for (const Bytes size : sizes)
    if (size.si() <= overhead_size_max) small.push_back(size);
  std::vector<Experiment> plan;
  for (const auto& pair : pairs_of(platform, network)) {
    const auto nodes = nodes_of(platform, pair);
    const auto two = cores_in_order(platform, {nodes.front(), nodes.back()});
    plan.push_back({series_name("pingpong", platform, pair), "pingpong", {{"sizes", sizes_text(sizes)}}, two});
    plan.push_back({series_name(overheads, platform, pair),
                    "overhead",
                    {{"sizes", sizes_text(small)}, {"messages", std::to_string(burst_messages)}},
                    two});
    if (platform.node_types[pair.a].cores() < 2) continue;
    plan.push_back({series_name("ring", platform, pair),
                    "ring",
                    {{"sizes", sizes_text(sizes)}, {"concurrency", "2"}, {"directions", "2"}},
                    cores_in_order(platform, {nodes.front(), nodes.back(), nodes.front(), nodes.back()})});
  }
  for (const auto& pair : pairs_of(platform, network, ChannelKind::shared_memory)) {
    const auto node = nodes_of(platform, pair).front();
    const auto two = cores_in_order(platform, {node, node});
    plan.push_back({series_name("pingpong", platform, pair), "pingpong", {{"sizes", sizes_text(sizes)}}, two});
    plan.push_back({series_name(overheads, platform, pair),
                    "overhead",
                    {{"sizes", "1B"}, {"messages", std::to_string(burst_messages)}},
                    two});
  }
  return plan;
}

ChannelFit fit_channel(const Platform& platform, const Network& network, const std::vector<Measurement>& all) {
  const Measurements measured(all);
  ChannelFit fit;
  std::vector<Series> series;
  std::vector<const SeriesTimes*> send, receive;
  ChannelProperties protocol = network.protocol;
  protocol.message_header = fit.message_header = message_header_of(platform, network, measured);
  for (const auto& pair : pairs_of(platform, network)) series.emplace_back(protocol, platform, pair, measured);
  if (series.empty())
    throw InputError("calibrate: no two nodes of one type are on network '{}' of platform '{}'. Add a node?",
                     network.name, platform.name);
  for (std::size_t t = 0; t < series.size(); ++t) {
    ChannelFit::OfType type{.type = platform.node_types[pairs_of(platform, network)[t].a].name,
                            .bandwidth = BytesPerSecond(series[t].rate()),
                            .latency = latency_of(series[t]),
                            .pingpong = {},
                            .lines = {},
                            .held_out = {}};
    for (const auto& [m, time] : series[t].pingpong()) type.pingpong.push_back({m.si(), time.si()});
    type.lines = stats::fit_segments(type.pingpong);
    type.held_out = stats::held_out(type.pingpong);
    fit.types.push_back(std::move(type));
    send.push_back(&series[t].send());
    receive.push_back(&series[t].receive());
  }
  fit.send_overhead = mean_over(send);
  fit.receive_overhead = mean_over(receive);
  const auto& first = fit.types.front();
  fit.frame = Bytes(frame_of(first));
  if (const auto jump = jump_of(first)) {
    const double turn = first.latency.si() + 2.0 * series.front().on_wire(0.0) / first.bandwidth.si();
    fit.eager = Bytes(threshold(first, jump->first));
    fit.handshake = static_cast<std::uint32_t>(std::clamp(std::round(jump->second / turn), 0.0, 8.0));
  }
  for (std::size_t i = 0; i < first.pingpong.size(); ++i) {
    std::vector<double> factors;
    const double m = first.pingpong[i].x;
    for (std::size_t t = 0; t < series.size(); ++t) {
      const auto points = series[t].latencies();
      const auto at = std::ranges::find(points, m, &stats::Point::x);
      if (at == points.end() || fit.types[t].latency.si() <= 0.0) continue;
      const double turn = fit.types[t].latency.si() + 2.0 * series[t].on_wire(0.0) / series[t].rate();
      const bool rendezvous = fit.eager.si() > 0.0 && m >= fit.eager.si();
      factors.push_back((at->y - (rendezvous ? fit.handshake * turn : 0.0)) / fit.types[t].latency.si());
    }
    // A step between two sizes, half way on a logarithmic scale; the threshold is a step of its own.
    const double before = i == 0 ? 0.0 : first.pingpong[i - 1].x;
    const double middle = i == 0 ? 0.0 : std::round(std::sqrt(before * m));
    const bool over = fit.eager.si() > before && fit.eager.si() <= m;
    fit.latency_factor.emplace_back(Bytes(over ? fit.eager.si() : middle), std::max(0.05, median_or_zero(factors)));
  }
  for (const auto& pair : pairs_of(platform, network, ChannelKind::shared_memory))
    fit.shared_memory.push_back(shared_memory_of(platform, pair, all));
  fit.forwarding = time_of("forwarding", all);
  fit.forwarding_next = std::min(time_of("forwarding/burst=64", all), fit.forwarding);
  fit.start_skew = time_of("start-skew", all);
  std::vector<double> acknowledgements;
  for (const auto& one : series)
    for (const double share : one.acknowledgements(fit.eager.si())) acknowledgements.push_back(share);
  fit.acknowledgement = std::clamp(median_or_zero(acknowledgements), 0.0, 1.0);
  return fit;
}

}  // namespace orrery
