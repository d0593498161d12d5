/// HLogGP: LogGP with overheads and a gap for each process and a latency and a gap per byte for each pair.
///
///   T_ij(m) = o_s,i + L_ij + (m - 1) G_ij + o_r,j          two sends of rank i start max(g_i, T_ij) apart
///   phase     a rank's transmissions add up; a stage takes the maximum over ranks; stages add
///
///   m         Bytes           B     message, m >= 1 (0 counts as 1)
///   o_s, o_r  Seconds         s     overhead of the sending and of the receiving process
///   g         Seconds         s     gap between messages of a process
///   L         Seconds         s     latency of the pair
///   G         SecondsPerByte  s/B   gap per byte of the pair
///
/// Source   Bosque & Pastor, IEEE TPDS 17(12), 2006; composed as Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS
///          2016, ends of sections 4.1 and 4.2
/// Valid    nothing else on the way; sets of transmissions cost what sequences cost
/// Differs  parameters by type of node and of pair, not by process and pair: processes of a type are alike
/// Checked  tests/unit/models/hloggp_test.cpp
#include <algorithm>

#include "models/calibration_process.hpp"
#include "models/point_to_point.hpp"

namespace orrery::hloggp_model {

namespace {

class HLogGp final : public PhaseModel {
 public:
  HLogGp(const ModelParameters& parameters, const Platform& platform)
      : processes_("hloggp", platform), links_("hloggp", platform) {
    const auto value = [&](const ParameterTable& table, const char* column) {
      return value_of(parameters, table, column);
    };
    for_each_pair(parameters, "pair", platform,
                  [&](ChannelKind channel, std::uint32_t from, std::uint32_t to, const ParameterTable& table) {
                    links_.set(
                        channel, from, to,
                        {Seconds(value(table, "latency_s")), SecondsPerByte(value(table, "gap_per_byte_s_per_B"))});
                    range_ = message_range(parameters, table);
                  });
    // A process keeps its parameters whoever its peer is: filled for every pair it may be part of.
    const auto types = static_cast<std::uint32_t>(platform.node_types.size());
    for_each_pair(parameters, "process", platform,
                  [&](ChannelKind channel, std::uint32_t type, std::uint32_t same, const ParameterTable& table) {
                    if (type != same) return;
                    for (std::uint32_t peer = 0; peer < types; ++peer)
                      processes_.set(channel, type, peer,
                                     {Seconds(value(table, "overhead_send_s")),
                                      Seconds(value(table, "overhead_receive_s")), Seconds(value(table, "gap_s"))});
                  });
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const auto& sender = processes_.at(layout, message.from, message.to);
      const auto& receiver = processes_.at(layout, message.to, message.from);
      const auto& link = links_.at(layout, message.from, message.to);
      const Bytes beyond_first = std::max(Bytes(0.0), message.size - Bytes(1.0));
      const Seconds time =
          sender.overhead_send + link.latency + beyond_first * link.gap_per_byte + receiver.overhead_receive;
      return {time, std::max(sender.gap, time), Seconds(0.0)};
    };
    return compose(phase, cost, steps, [&](const Message& message) {
      const auto& link = links_.at(layout, message.from, message.to);
      return summands_text({{"o_s", processes_.at(layout, message.from, message.to).overhead_send},
                            {"(m - 1) G", std::max(Bytes(0.0), message.size - Bytes(1.0)) * link.gap_per_byte},
                            {"L", link.latency},
                            {"o_r", processes_.at(layout, message.to, message.from).overhead_receive}});
    });
  }

  std::vector<std::string> notes(const PredictionInput& input) const override { return notes_on_sizes(input, range_); }

 private:
  ByChannel<ProcessParameters> processes_;
  ByChannel<LinkParameters> links_;
  MessageRange range_;
};

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  require_two_sizes("hloggp", range);
  const Measurements measured(measurements);
  ModelParameters parameters{
      .model = "hloggp", .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  for (const auto& experiment : process_plan(platform, network)) {
    const auto type = platform.type_of(experiment.placement.front().node);
    const auto channel = experiment.placement.front().node == experiment.placement.back().node
                             ? ChannelKind::shared_memory
                             : ChannelKind::network;
    const auto process = process_fit(platform, channel, type, measured);
    parameters.tables.push_back(
        {.name = "process",
         .labels = pair_labels(platform, {channel, type, type}),
         .columns = {"overhead_send_s", "overhead_receive_s", "gap_s"},
         .rows = {{process.overhead_send.si(), process.overhead_receive.si(), process.gap.si()}}});
  }
  for (const auto& pair : channel_pairs(platform, network)) {
    const auto link = link_fit(platform, pair, range, measured);
    parameters.tables.push_back(
        {.name = "pair",
         .labels = pair_labels(platform, pair),
         .columns = {"latency_s", "gap_per_byte_s_per_B", "message_min_B", "message_max_B"},
         .rows = {{link.latency.si(), link.gap_per_byte.si(), range.sizes.front().si(), range.sizes.back().si()}}});
  }
  return parameters;
}

const bool entered = models().add(
    {.name = "hloggp",
     .summary = "LogGP for heterogeneous clusters: overheads per process, latency and gap per byte per pair",
     .source = "Bosque & Pastor, IEEE TPDS 17(12), 2006; composed as Rico-Gallego et al., IEEE TPDS 2016, section 4",
     .page = "T_ij(m) = o_s,i + L_ij + (m - 1) G_ij + o_r,j      two sends of i start max(g_i, T_ij) apart\n"
             "phase: a rank's transmissions add up; a stage takes the maximum over ranks; stages add\n\n"
             "Parameters, by channel and node type (table 'process')\n"
             "  overhead_send_s       s    o_s, time to send a short message\n"
             "  overhead_receive_s    s    o_r, time to receive one that is there\n"
             "  gap_s                 s    g, least time between two messages of a process\n"
             "and by channel and pair of node types (table 'pair')\n"
             "  latency_s             s    L, what a short message takes beyond the overheads\n"
             "  gap_per_byte_s_per_B  s/B  G, time per byte of long messages\n"
             "measured by the kernels overhead and pingpong",
     .assumptions = {"a rank's transmissions add up, whether they start one after another or together",
                     "messages of different ranks do not slow each other down, whatever they share",
                     "a stage takes as long as its slowest rank; stages add",
                     "overheads do not depend on the size; the time per byte is that of the longest messages",
                     "the line is continued beyond the calibrated sizes"},
     .plan = process_and_pingpong_plan,
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<HLogGp>(input.parameters, input.platform);
     }});

}  // namespace

}  // namespace orrery::hloggp_model
