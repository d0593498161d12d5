/// What the calibrations of all models share: which pairs of nodes to measure, how tables and series are labelled,
/// and how to find them again.
///
/// A series of times is called <kernel>/<channel>/<types>[/<variant>]: "ring/network/xeon12+xeon8/tau=3",
/// "pingpong/shared-memory/xeon12", "overhead/network/xeon8/send". CSV files of real measurements use the same names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/model.hpp"
#include "models/stats/line.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery {

/// A channel between two types of node; a == b for shared memory. `a` <= `b` in the order of the platform.
struct ChannelPair {
  ChannelKind channel = ChannelKind::network;
  std::uint32_t a = 0, b = 0;
};

/// Whether nodes of the type are there and have an adapter on the network.
bool on_network(const Platform& platform, const Network& network, std::uint32_t type);

/// Shared memory of each type, then the network between each unordered pair of types that are on it, both ends alike
/// included. Types without nodes are left out, and so is the network between two nodes of a type that has only one.
std::vector<ChannelPair> channel_pairs(const Platform& platform, const Network& network);

/// Ordered pairs of distinct cores of the platform that talk through this pair: its weight in a mean over two cores
/// drawn at random.
double pairs_of_cores(const Platform& platform, const ChannelPair& pair);

/// Two nodes (or one, for shared memory) on which to measure the pair.
std::vector<NodeId> nodes_of(const Platform& platform, const ChannelPair& pair);

/// A core for each rank, given the node of each: the first that no rank before has taken. Ranks beyond the cores of a
/// node start again at its first, which they then share.
std::vector<CorePlace> cores_in_order(const Platform& platform, const std::vector<NodeId>& nodes);

const ChannelProperties& protocol_of(const Platform& platform, const Network& network, const ChannelPair& pair);

/// "xeon12" or "xeon12,xeon8": the label `types` of a table.
std::string types_label(const Platform& platform, const ChannelPair& pair);

/// The labels {channel, types} of a table of this pair.
std::map<std::string, std::string> pair_labels(const Platform& platform, const ChannelPair& pair);

/// "ring/network/xeon12+xeon8"
std::string series_name(const std::string& kernel, const Platform& platform, const ChannelPair& pair);

/// "1B,64B,128B": how a kernel's parameter `sizes` is written.
std::string sizes_text(const std::vector<Bytes>& sizes);

/// Measured times by series.
class Measurements {
 public:
  explicit Measurements(const std::vector<Measurement>& all) : all_(all) {}
  /// Throws InputError when the series or the size was not measured.
  Seconds time(const std::string& series, Bytes message) const;
  const std::vector<std::pair<Bytes, Seconds>>& series(const std::string& name) const;
  bool has(const std::string& series) const;

 private:
  const std::vector<Measurement>& all_;
};

/// Ping-pong on each pair, for models that want the time of one message alone: "pingpong/<channel>/<types>".
std::vector<Experiment> pingpong_plan(const Platform& platform, const Network& network, const CalibrationRange& range);

/// The table of that name for a channel and two types, in either order; nullptr when there is none.
const ParameterTable* find_table(const ModelParameters& parameters, const std::string& name, const Platform& platform,
                                 const ChannelPair& pair);

/// Number in the only row of a table. Throws InputError when the table lacks the column or has no row.
double value_of(const ModelParameters& parameters, const ParameterTable& table, const std::string& column);

/// Through those of the sizes of the range, by relative deviations; neither intercept nor slope below 0.
stats::Line line_through(const std::vector<std::pair<Bytes, Seconds>>& times, const CalibrationRange& range);

}  // namespace orrery
