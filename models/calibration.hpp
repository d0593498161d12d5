/// Code shared by the calibrations of all models: the pairs of nodes to measure, the labels of tables and series, and
/// their lookup.
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

/// Whether the type has nodes and these have an adapter on the network.
bool on_network(const Platform& platform, const Network& network, std::uint32_t type);

/// Shared memory of each type, then the network between each unordered pair of types on it, including a type with
/// itself. Types without nodes are left out, and so is the network between two nodes of a type that has only one.
std::vector<ChannelPair> channel_pairs(const Platform& platform, const Network& network);

/// Ordered pairs of distinct cores of the platform that communicate through this pair: its weight in a mean over two
/// random cores.
double pairs_of_cores(const Platform& platform, const ChannelPair& pair);

/// Two nodes (or one, for shared memory) on which to measure the pair.
std::vector<NodeId> nodes_of(const Platform& platform, const ChannelPair& pair);

/// A core for each rank, given the node of each: the first that no earlier rank has taken. When a node has more ranks
/// than cores, the next ranks start again at its first core, which they share.
std::vector<CorePlace> cores_in_order(const Platform& platform, const std::vector<NodeId>& nodes);

const ChannelProperties& protocol_of(const Platform& platform, const Network& network, const ChannelPair& pair);

/// "xeon12" or "xeon12,xeon8": the label `types` of a table.
std::string types_label(const Platform& platform, const ChannelPair& pair);

/// The labels {channel, types} of a table of this pair.
std::map<std::string, std::string> pair_labels(const Platform& platform, const ChannelPair& pair);

/// "ring/network/xeon12+xeon8"
std::string series_name(const std::string& kernel, const Platform& platform, const ChannelPair& pair);

/// "1B,64B,128B": the format of a kernel's parameter `sizes`.
std::string sizes_text(const std::vector<Bytes>& sizes);

/// Measured times by series.
class Measurements {
 public:
  explicit Measurements(const std::vector<Measurement>& all) : all_(all) {}
  /// Throws InputError if the series or the size was not measured.
  Seconds time(const std::string& series, Bytes message) const;
  const std::vector<std::pair<Bytes, Seconds>>& series(const std::string& name) const;
  bool has(const std::string& series) const;

 private:
  const std::vector<Measurement>& all_;
};

/// Ping-pong on each pair, for models that need the time of a single message: "pingpong/<channel>/<types>".
std::vector<Experiment> pingpong_plan(const Platform& platform, const Network& network, const CalibrationRange& range);

/// The table of that name for a channel and two types, in either order; nullptr if there is none.
const ParameterTable* find_table(const ModelParameters& parameters, const std::string& name, const Platform& platform,
                                 const ChannelPair& pair);

/// The number in the only row of a table. Throws InputError if the table lacks the column or has no row.
double value_of(const ModelParameters& parameters, const ParameterTable& table, const std::string& column);

/// A line through the times at the sizes of the range, by relative deviations; intercept and slope are at least 0.
stats::Line line_through(const std::vector<std::pair<Bytes, Seconds>>& times, const CalibrationRange& range);

}  // namespace orrery
