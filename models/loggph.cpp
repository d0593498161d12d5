/// LogGPH: LogGP with parameters for each level of communication; here two, shared memory and network.
///
///   T_h(m) = o_h + L_h + (m - 1) G_h + o_h      two sends of a rank start max(g_h, T_h) apart
///   phase    a rank's transmissions add up; a stage takes the maximum over ranks; stages add
///
///   h     level           shared memory (ranks of one node) or network
///   m     Bytes           B     message, m >= 1 (0 counts as 1)
///   o     Seconds         s     overhead at each end
///   L     Seconds         s     latency
///   g     Seconds         s     gap between messages
///   G     SecondsPerByte  s/B   gap per byte
///
/// Source   Yuan, Zhang, Tang, Rao & Sun, CSE 2010; as Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, section
///          5.5 puts it: HLogGP where nodes are identical and only channels differ
/// Valid    alike nodes; nothing else on the way
/// Differs  composed as HLogGP, so that on alike nodes the two agree. On a cluster of unlike nodes each parameter
///          is its mean over two cores drawn at random among those that talk through the channel
/// Checked  tests/unit/models/loggph_test.cpp
#include <algorithm>

#include "models/calibration_process.hpp"
#include "models/channel_means.hpp"
#include "models/point_to_point.hpp"

namespace orrery::loggph_model {

namespace {

struct Level {
  Seconds overhead, latency, gap;
  SecondsPerByte gap_per_byte;
};

Level level_of(const ModelParameters& parameters, ChannelKind channel) {
  const auto& table = channel_table(parameters, "level", channel);
  const auto value = [&](const char* column) { return value_of(parameters, table, column); };
  return {Seconds(value("overhead_s")), Seconds(value("latency_s")), Seconds(value("gap_s")),
          SecondsPerByte(value("gap_per_byte_s_per_B"))};
}

class LogGpH final : public PhaseModel {
 public:
  explicit LogGpH(ModelParameters parameters) : parameters_(std::move(parameters)) {
    if (parameters_.tables.empty())
      throw InputError("loggph: the parameters have no table. Calibrate it on this platform?");
    range_ = message_range(parameters_, parameters_.tables.front());
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    std::optional<Level> levels[channel_kinds];  // a platform of one node has no network: asked for when needed
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const auto channel =
          layout.same_node(message.from, message.to) ? ChannelKind::shared_memory : ChannelKind::network;
      auto& level = levels[static_cast<std::size_t>(channel)];
      if (!level) level = level_of(parameters_, channel);
      const Bytes beyond_first = std::max(Bytes(0.0), message.size - Bytes(1.0));
      const Seconds time = level->overhead + level->latency + beyond_first * level->gap_per_byte + level->overhead;
      return {time, std::max(level->gap, time), Seconds(0.0)};
    };
    return compose(phase, cost, steps, [&](const Message& message) {
      const auto channel =
          layout.same_node(message.from, message.to) ? ChannelKind::shared_memory : ChannelKind::network;
      const Level level = level_of(parameters_, channel);
      return summands_text({{"o", level.overhead},
                            {"(m - 1) G", std::max(Bytes(0.0), message.size - Bytes(1.0)) * level.gap_per_byte},
                            {"L", level.latency},
                            {"o", level.overhead}});
    });
  }

  std::vector<std::string> notes(const PredictionInput& input) const override { return notes_on_sizes(input, range_); }

 private:
  ModelParameters parameters_;
  MessageRange range_;
};

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  require_two_sizes("loggph", range);
  const Measurements measured(measurements);
  ModelParameters parameters{
      .model = "loggph", .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  for_each_channel(platform, network, [&](ChannelKind channel, const auto& pairs, const auto& weights) {
    Level mean;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto link = link_fit(platform, pairs[i], range, measured);
      const auto a = process_fit(platform, channel, pairs[i].a, measured);
      const auto b = process_fit(platform, channel, pairs[i].b, measured);
      mean.overhead += weights[i] * (a.overhead_send + a.overhead_receive + b.overhead_send + b.overhead_receive) / 4.0;
      mean.gap += weights[i] * (a.gap + b.gap) / 2.0;
      mean.latency += weights[i] * link.latency;
      mean.gap_per_byte += weights[i] * link.gap_per_byte;
    }
    parameters.tables.push_back(
        {.name = "level",
         .labels = {{channel_label, channel_name(channel)}},
         .columns = {"overhead_s", "latency_s", "gap_s", "gap_per_byte_s_per_B", "message_min_B", "message_max_B"},
         .rows = {{mean.overhead.si(), mean.latency.si(), mean.gap.si(), mean.gap_per_byte.si(),
                   range.sizes.front().si(), range.sizes.back().si()}}});
  });
  return parameters;
}

const bool entered = models().add(
    {.name = "loggph",
     .summary = "LogGP for alike nodes with one set of parameters for shared memory and one for the network",
     .source = "Yuan, Zhang, Tang, Rao & Sun, CSE 2010; composed as HLogGP, of which Rico-Gallego et al., IEEE TPDS "
               "2016, section 5.5 call it the case of identical nodes",
     .page = "T_h(m) = o_h + L_h + (m - 1) G_h + o_h      two sends of a rank start max(g_h, T_h) apart\n"
             "phase: a rank's transmissions add up; a stage takes the maximum over ranks; stages add\n\n"
             "Parameters by channel h (table 'level'), each the mean over two cores drawn at random that use it\n"
             "  overhead_s            s    o, at each end\n"
             "  latency_s             s    L, what a short message takes beyond the overheads\n"
             "  gap_s                 s    g, least time between two messages of a rank\n"
             "  gap_per_byte_s_per_B  s/B  G, time per byte of long messages\n"
             "measured by the kernels overhead and pingpong",
     .assumptions = {"all nodes are alike; shared memory and network differ",
                     "a rank's transmissions add up, whether they start one after another or together",
                     "messages of different ranks do not slow each other down, whatever they share",
                     "a stage takes as long as its slowest rank; stages add",
                     "the line is continued beyond the calibrated sizes"},
     .plan = process_and_pingpong_plan,
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<LogGpH>(input.parameters);
     }});

}  // namespace

}  // namespace orrery::loggph_model
