#include "models/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

bool on_network(const Platform& platform, const Network& network, std::uint32_t type) {
  return platform.node_counts[type] > 0 && network.adapters.of_type(type) > 0;
}

std::vector<ChannelPair> channel_pairs(const Platform& platform, const Network& network) {
  std::vector<std::uint32_t> types;
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type)
    if (platform.node_counts[type] > 0) types.push_back(type);
  std::vector<ChannelPair> pairs;
  pairs.reserve(types.size() * (types.size() + 3) / 2);
  for (const auto type : types) pairs.push_back({ChannelKind::shared_memory, type, type});
  for (const auto a : types)
    for (const auto b : types)
      if (on_network(platform, network, a) && on_network(platform, network, b) &&
          (a < b || (a == b && platform.node_counts[a] > 1)))
        pairs.push_back({ChannelKind::network, a, b});
  return pairs;
}

double pairs_of_cores(const Platform& platform, const ChannelPair& pair) {
  const auto cores = [&](std::uint32_t type) { return double{1} * platform.node_types[type].cores(); };
  const auto nodes = [&](std::uint32_t type) { return double{1} * platform.node_counts[type]; };
  if (pair.channel == ChannelKind::shared_memory) return nodes(pair.a) * cores(pair.a) * (cores(pair.a) - 1.0);
  if (pair.a == pair.b) return nodes(pair.a) * (nodes(pair.a) - 1.0) * cores(pair.a) * cores(pair.a);
  return 2.0 * nodes(pair.a) * cores(pair.a) * nodes(pair.b) * cores(pair.b);
}

std::vector<NodeId> nodes_of(const Platform& platform, const ChannelPair& pair) {
  const NodeId first = platform.first_node_of(pair.a);
  if (pair.channel == ChannelKind::shared_memory) return {first};
  if (pair.a != pair.b) return {first, platform.first_node_of(pair.b)};
  return {first, NodeId{static_cast<std::uint32_t>(index(first)) + 1}};
}

std::vector<CorePlace> cores_in_order(const Platform& platform, const std::vector<NodeId>& nodes) {
  std::map<NodeId, std::uint32_t> taken;
  std::vector<CorePlace> places;
  places.reserve(nodes.size());
  for (const NodeId node : nodes)
    places.push_back({node, taken[node]++ % platform.node_types[platform.type_of(node)].cores()});
  return places;
}

const ChannelProperties& protocol_of(const Platform& platform, const Network& network, const ChannelPair& pair) {
  return pair.channel == ChannelKind::network ? network.protocol : platform.node_types[pair.a].shared_memory;
}

std::string types_label(const Platform& platform, const ChannelPair& pair) {
  const std::string& a = platform.node_types[pair.a].name;
  return pair.a == pair.b ? a : a + "," + platform.node_types[pair.b].name;
}

std::map<std::string, std::string> pair_labels(const Platform& platform, const ChannelPair& pair) {
  return {{"channel", channel_name(pair.channel)}, {"types", types_label(platform, pair)}};
}

std::string series_name(const std::string& kernel, const Platform& platform, const ChannelPair& pair) {
  std::string types = types_label(platform, pair);
  std::ranges::replace(types, ',', '+');
  return fmt::format("{}/{}/{}", kernel, channel_name(pair.channel), types);
}

std::string sizes_text(const std::vector<Bytes>& sizes) {
  std::string text;
  for (const auto size : sizes) text += fmt::format("{}{:.0f}B", text.empty() ? "" : ",", size.si());
  return text;
}

const std::vector<std::pair<Bytes, Seconds>>& Measurements::series(const std::string& name) const {
  const auto found = std::ranges::find(all_, name, &Measurement::id);
  if (found == all_.end()) {
    std::vector<std::string> known;
    for (const auto& measurement : all_) known.push_back(measurement.id);
    const auto nearest = nearest_name(name, known);
    throw InputError("calibration: series '{}' was not measured ({} others were). {}", name, known.size(),
                     nearest ? fmt::format("Is '{}' the one?", *nearest) : "Measure it too?");
  }
  return found->times;
}

bool Measurements::has(const std::string& series) const {
  return std::ranges::find(all_, series, &Measurement::id) != all_.end();
}

namespace {

/// A row whose name was mistyped is a series of its own, and the only one that is shorter.
[[noreturn]] void refuse_missing_time(const std::vector<Measurement>& all, const std::string& name, std::size_t sizes,
                                      Bytes message) {
  const auto has_time = [&](const Measurement& one) {
    return std::ranges::find(one.times, message, [](const auto& point) { return point.first; }) != one.times.end();
  };
  std::vector<std::string> shorter;
  for (const auto& other : all)
    if (other.times.size() < sizes && has_time(other)) shorter.push_back(other.id);
  if (const auto slip = nearest_name(name, shorter))
    throw InputError(
        "calibration: series '{}' has no time for {:.0f} B, and '{}', which has, has few others (a "
        "slip of the pen). Write '{}'?",
        name, message.si(), *slip, name);
  throw InputError("calibration: series '{}' has no time for {:.0f} B (it has {} sizes). Measure it too?", name,
                   message.si(), sizes);
}

}  // namespace

Seconds Measurements::time(const std::string& name, Bytes message) const {
  const auto& times = series(name);
  const auto found = std::ranges::find(times, message, [](const auto& point) { return point.first; });
  if (found == times.end()) refuse_missing_time(all_, name, times.size(), message);
  return found->second;
}

std::vector<Experiment> pingpong_plan(const Platform& platform, const Network& network, const CalibrationRange& range) {
  std::vector<Experiment> plan;
  for (const auto& pair : channel_pairs(platform, network)) {
    const auto nodes = nodes_of(platform, pair);
    plan.push_back({.id = series_name("pingpong", platform, pair),
                    .kernel = "pingpong",
                    .kernel_parameters = {{"sizes", sizes_text(range.sizes)}},
                    .placement = cores_in_order(platform, {nodes.front(), nodes.back()})});
  }
  return plan;
}

const ParameterTable* find_table(const ModelParameters& parameters, const std::string& name, const Platform& platform,
                                 const ChannelPair& pair) {
  ChannelPair ordered = pair;
  if (ordered.a > ordered.b) std::swap(ordered.a, ordered.b);
  const auto wanted = pair_labels(platform, ordered);
  const auto reversed =
      pair_labels(platform, {ordered.channel, ordered.b, ordered.a});  // a person may have written it so
  const auto fits = [&](const ParameterTable& table, const auto& labels) {
    return std::ranges::all_of(labels, [&](const auto& label) {
      const auto found = table.labels.find(label.first);
      return found != table.labels.end() && found->second == label.second;
    });
  };
  for (const auto& table : parameters.tables)
    if (table.name == name && (fits(table, wanted) || fits(table, reversed))) return &table;
  return nullptr;
}

double value_of(const ModelParameters& parameters, const ParameterTable& table, const std::string& column) {
  const auto found = std::ranges::find(table.columns, column);
  const auto position = static_cast<std::size_t>(found - table.columns.begin());
  if (found == table.columns.end())
    throw InputError("{}{}: table '{}' has no column '{}'{}", table.origin(), parameters.model, table.name, column,
                     present_names(column, table.columns));
  if (table.rows.empty() || table.rows.front().size() <= position)
    throw InputError("{}{}: table '{}' has no value in column '{}' (it has no rows). Calibrate again?", table.origin(),
                     parameters.model, table.name, column);
  return table.rows.front()[position];
}

stats::Line line_through(const std::vector<std::pair<Bytes, Seconds>>& times, const CalibrationRange& range) {
  std::vector<stats::Point> points;
  for (const auto& [size, time] : times)
    if (std::ranges::find(range.sizes, size) != range.sizes.end()) points.push_back({size.si(), time.si()});
  return stats::fit_rising_line(points, stats::Deviations::relative);
}

}  // namespace orrery
