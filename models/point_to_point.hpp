/// Models in which each transmission has a separate cost, independent of other messages (Hockney, LogGP, HLogGP), and
/// the composition of such costs into a phase.
///
///   declared stages   transmissions of a rank follow each other, in a sequence and in a set alike; a stage takes the
///                     maximum over ranks, stages add: with costs T_ij this is max over columns + max over the pivot
///                     column of SUMMA, and max_i sum_j T_ij of Wave2D
///   derived stages    the longest path over the messages' DAG, each rank's transmissions following each other
///   trains            each message costs what one does, and follows the one before
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, ends of sections 4.1 and 4.2
/// Differs  the paper composes two kernels by hand; the longest path says the same of any program
/// Checked  tests/unit/models/point_to_point_test.cpp
#pragma once

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration.hpp"
#include "models/model.hpp"
#include "sim/core/error.hpp"

namespace orrery {

/// The cost of one message: `transfer` from its start to its receipt; its sender may start another after `sender_busy`;
/// its receiver takes messages one at a time if `receiver_busy` is not zero.
struct TransmissionCost {
  Seconds transfer, sender_busy, receiver_busy;
};

using CostOfMessage = std::function<TransmissionCost(const Message&)>;
/// The summands of `transfer` of a message, in numbers: "alpha 2.17 us + beta m 18.3 us".
using SummandsOfMessage = std::function<std::string(const Message&)>;

/// "symbol 2.17 us + other 18.3 us" from some summands, without those that are 0.
std::string summands_text(std::initializer_list<std::pair<const char*, Seconds>> summands);

/// Time of the phase. `steps`, if given, receives one term per stage (declared) or per run of one sender on the longest
/// path (derived), with the summands of its messages if they are all equal.
Seconds compose(const Phase& phase, const CostOfMessage& cost, std::vector<Explanation>* steps,
                const SummandsOfMessage& summands = {});

/// Parameters by channel and by the node types of sender and receiver.
template <class T>
class ByChannel {
 public:
  ByChannel(std::string model, const Platform& platform) : model_(std::move(model)) {
    for (const auto& type : platform.node_types) types_.push_back(type.name);
    values_.resize(channel_kinds * types_.size() * types_.size());
  }
  void set(ChannelKind channel, std::uint32_t from, std::uint32_t to, T value) {
    values_[position(channel, from, to)] = std::move(value);
  }
  /// Throws InputError if no calibration covers these two.
  const T& at(const Layout& layout, Rank from, Rank to) const {
    const auto channel = layout.same_node(from, to) ? ChannelKind::shared_memory : ChannelKind::network;
    const auto a = layout.of(from).node_type, b = layout.of(to).node_type;
    if (const auto& value = values_[position(channel, a, b)]) return *value;
    throw InputError("{}: no parameters for channel '{}' between nodes '{}' and '{}'. Calibrate it on this platform?",
                     model_, channel_name(channel), types_[a], types_[b]);
  }

 private:
  std::size_t position(ChannelKind channel, std::uint32_t from, std::uint32_t to) const {
    return (static_cast<std::size_t>(channel) * types_.size() + from) * types_.size() + to;
  }
  std::string model_;
  std::vector<std::string> types_;
  std::vector<std::optional<T>> values_;
};

/// Sizes covered by a calibration; beyond them a straight line is continued, and the prediction's notes report it.
struct MessageRange {
  Bytes least, greatest;
  bool covers(Bytes m) const { return least <= m && m <= greatest; }
};

/// A note if messages of the compared phases lie outside the calibration, with the behaviour of the model there. In a
/// train each message counts separately.
std::vector<std::string> notes_on_sizes(const PredictionInput& input, const MessageRange& range,
                                        const char* then = "the line is continued");

/// Every pair of types with a table of that name, both directions: f(channel, from type, to type, table).
void for_each_pair(const ModelParameters& parameters, const std::string& table, const Platform& platform,
                   const std::function<void(ChannelKind, std::uint32_t, std::uint32_t, const ParameterTable&)>& f);

/// Range of a table with columns message_min_B and message_max_B.
MessageRange message_range(const ModelParameters& parameters, const ParameterTable& table);

/// Throws InputError if fewer than two sizes were measured: a line needs two points.
void require_two_sizes(const std::string& model, const CalibrationRange& range);

}  // namespace orrery
