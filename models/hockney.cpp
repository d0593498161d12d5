/// Hockney's straight line, with a latency and a bandwidth of its own for each pair of node types and each channel.
///
///   T_ij(m) = alpha_ij + beta_ij m
///   phase   single port: a rank sends one message at a time and receives one at a time, both at once
///
///   m      Bytes           B     message
///   alpha  Seconds         s     time of a message of 0 B
///   beta   SecondsPerByte  s/B   time per byte
///
/// Source   Hockney, Parallel Computing 20(3), 1994; heterogeneous form: Lastovetsky, Rychkov & O'Flynn, 2009
/// Valid    nothing else on the way: no shared link, no shared memory bandwidth
/// Differs  alpha and beta minimise the squares of the *relative* deviations from ping-pong, so that short messages
///          count as much as long ones
/// Checked  tests/unit/models/hockney_test.cpp
#include <algorithm>

#include "models/point_to_point.hpp"

namespace orrery {

namespace {

struct StraightLine {
  Seconds alpha;
  SecondsPerByte beta;
};

class Hockney final : public PhaseModel {
 public:
  Hockney(const ModelParameters& parameters, const Platform& platform) : lines_("hockney", platform) {
    for_each_pair(parameters, "pair", platform,
                  [&](ChannelKind channel, std::uint32_t from, std::uint32_t to, const ParameterTable& table) {
                    lines_.set(channel, from, to,
                               {Seconds(value_of(parameters, table, "alpha_s")),
                                SecondsPerByte(value_of(parameters, table, "beta_s_per_B"))});
                    range_ = message_range(parameters, table);
                  });
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const auto& line = lines_.at(layout, message.from, message.to);
      const Seconds time = line.alpha + message.size * line.beta;
      return {time, time, time};
    };
    return compose(phase, cost, steps);
  }

  std::vector<std::string> notes(const PredictionInput& input) const override { return notes_on_sizes(input, range_); }

 private:
  ByChannel<StraightLine> lines_;
  MessageRange range_;
};

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  require_two_sizes("hockney", range);
  const Measurements measured(measurements);
  ModelParameters parameters{
      .model = "hockney", .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  for (const auto& pair : channel_pairs(platform)) {
    std::vector<std::pair<double, double>> points;
    for (const auto size : range.sizes)
      points.emplace_back(size.si(), measured.time(series_name("pingpong", platform, pair), size).si());
    const Line line = fit_line(points);
    parameters.tables.push_back(
        {.name = "pair",
         .labels = pair_labels(platform, pair),
         .columns = {"alpha_s", "beta_s_per_B", "message_min_B", "message_max_B"},
         .rows = {{line.intercept, line.slope, range.sizes.front().si(), range.sizes.back().si()}}});
  }
  return parameters;
}

const bool entered = models().add(
    {.name = "hockney",
     .summary = "latency and time per byte for each pair of node types: T = alpha + beta m",
     .source = "Hockney, Parallel Computing 20(3), 1994, 389-398; heterogeneous: Lastovetsky, Rychkov & O'Flynn, 2009",
     .page = "T_ij(m) = alpha_ij + beta_ij m\n"
             "phase: a rank sends one message at a time and receives one at a time; stages add\n\n"
             "Parameters, by channel and pair of node types (table 'pair')\n"
             "  alpha_s        s    time of a message of 0 B\n"
             "  beta_s_per_B   s/B  time per byte\n"
             "measured by ping-pong; the line has the least squares of relative deviations",
     .assumptions = {"one message at a time leaves a rank, and one at a time reaches it (single port)",
                     "messages of different ranks do not slow each other down, whatever they share",
                     "the time of a message is a straight line in its size, also beyond the calibrated sizes",
                     "stages add; a set of transmissions costs what a sequence costs"},
     .plan = [](const Platform& platform, const Network&,
                const CalibrationRange& range) { return pingpong_plan(platform, range); },
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<Hockney>(input.parameters, input.platform);
     }});

}  // namespace

}  // namespace orrery
