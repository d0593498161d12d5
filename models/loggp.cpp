/// LogGP: one latency, overhead, gap and gap per byte for the whole cluster.
///
///   T(m) = o + (m - 1) G + L + o
///   a rank's next message starts (m - 1) G + max(g, o) after the one before, so that two messages take
///   o + (m1 - 1) G + g + (m2 - 1) G + L + o; a stage takes the maximum over ranks; stages add
///
///   m     Bytes           B     message, m >= 1 (0 counts as 1)
///   o     Seconds         s     overhead at each end
///   L     Seconds         s     latency
///   g     Seconds         s     gap between messages
///   G     SecondsPerByte  s/B   gap per byte
///
/// Source   Alexandrov, Ionescu, Schauser & Scheiman, SPAA 1995
/// Valid    alike nodes on one network; receivers never wait for each other
/// Differs  on a cluster of unlike nodes and channels each parameter is its mean over two cores drawn at random
/// Checked  tests/unit/models/loggp_test.cpp
#include <algorithm>

#include "models/calibration_process.hpp"
#include "models/point_to_point.hpp"

namespace orrery::loggp_model {

namespace {

class LogGp final : public PhaseModel {
 public:
  explicit LogGp(const ModelParameters& parameters) {
    const auto found = std::ranges::find(parameters.tables, "cluster", &ParameterTable::name);
    if (found == parameters.tables.end())
      throw InputError("loggp: the parameters have no table 'cluster'. Calibrate it on this platform?");
    overhead_ = Seconds(value_of(parameters, *found, "overhead_s"));
    latency_ = Seconds(value_of(parameters, *found, "latency_s"));
    gap_ = Seconds(value_of(parameters, *found, "gap_s"));
    gap_per_byte_ = SecondsPerByte(value_of(parameters, *found, "gap_per_byte_s_per_B"));
    range_ = message_range(parameters, *found);
  }

  Seconds communication_time(const Phase& phase, const Layout&, std::vector<Explanation>* steps) const override {
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const Seconds bytes = std::max(Bytes(0.0), message.size - Bytes(1.0)) * gap_per_byte_;
      return {overhead_ + bytes + latency_ + overhead_, bytes + std::max(gap_, overhead_), Seconds(0.0)};
    };
    return compose(phase, cost, steps, [&](const Message& message) {
      return summands_text({{"o", overhead_},
                            {"(m - 1) G", std::max(Bytes(0.0), message.size - Bytes(1.0)) * gap_per_byte_},
                            {"L", latency_},
                            {"o", overhead_}});
    });
  }

  std::vector<std::string> notes(const PredictionInput& input) const override { return notes_on_sizes(input, range_); }

 private:
  Seconds overhead_, latency_, gap_;
  SecondsPerByte gap_per_byte_;
  MessageRange range_;
};

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  require_two_sizes("loggp", range);
  const Measurements measured(measurements);
  Seconds overhead, latency, gap;
  SecondsPerByte gap_per_byte;
  double total = 0.0;
  for (const auto& pair : channel_pairs(platform, network)) {
    const double weight = pairs_of_cores(platform, pair);
    const auto link = link_fit(platform, pair, range, measured);
    const auto a = process_fit(platform, pair.channel, pair.a, measured);
    const auto b = process_fit(platform, pair.channel, pair.b, measured);
    overhead += weight * (a.overhead_send + a.overhead_receive + b.overhead_send + b.overhead_receive) / 4.0;
    gap += weight * (a.gap + b.gap) / 2.0;
    latency += weight * link.latency;
    gap_per_byte += weight * link.gap_per_byte;
    total += weight;
  }
  if (total == 0.0) throw InputError("loggp: the platform has a single core, which has no one to talk to. Add a node?");
  ParameterTable table{
      .name = "cluster",
      .labels = {},
      .columns = {"overhead_s", "latency_s", "gap_s", "gap_per_byte_s_per_B", "message_min_B", "message_max_B"},
      .rows = {{overhead.si() / total, latency.si() / total, gap.si() / total, gap_per_byte.si() / total,
                range.sizes.front().si(), range.sizes.back().si()}}};
  return {.model = "loggp", .platform = platform.name, .network = network.name, .origin = {}, .tables = {table}};
}

const bool entered = models().add(
    {.name = "loggp",
     .summary = "one latency, overhead, gap and gap per byte for the whole cluster",
     .source = "Alexandrov, Ionescu, Schauser & Scheiman, SPAA 1995",
     .page = "T(m) = o + (m - 1) G + L + o\n"
             "phase: a rank's messages start (m - 1) G + max(g, o) apart; a stage takes the maximum over ranks; stages "
             "add\n\n"
             "Parameters of the whole cluster (table 'cluster'), each the mean over two cores drawn at random\n"
             "  overhead_s            s    o, at each end\n"
             "  latency_s             s    L\n"
             "  gap_s                 s    g, least time between two messages of a rank\n"
             "  gap_per_byte_s_per_B  s/B  G, time per byte of long messages\n"
             "measured by the kernels overhead and pingpong",
     .assumptions = {"all nodes and channels are alike: each parameter is the mean over two cores drawn at random",
                     "a rank sends one message after another, (m - 1) G + max(g, o) apart, also those of a set",
                     "receivers never wait for each other; messages of different ranks do not slow each other down",
                     "a stage takes as long as its slowest rank; stages add",
                     "the line is continued beyond the calibrated sizes"},
     .plan = process_and_pingpong_plan,
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<LogGp>(input.parameters);
     }});

}  // namespace

}  // namespace orrery::loggp_model
