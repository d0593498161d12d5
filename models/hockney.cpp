/// Hockney's straight line, with a separate latency and bandwidth for each pair of node types and each channel, or for
/// each pair of nodes or cores.
///
///   T_ij(m) = alpha_ij + beta_ij m        i, j  types of node, or rows and columns of the matrices alpha and beta
///   phase   single port: a rank sends one message at a time and receives one at a time, both at the same time
///
///   m      Bytes           B     message
///   alpha  Seconds         s     time of a message of 0 B
///   beta   SecondsPerByte  s/B   time per byte
///
/// Source   Hockney, Parallel Computing 20(3), 1994; heterogeneous form: Lastovetsky, Rychkov & O'Flynn, 2009
/// Valid    nothing else on the way: no shared link, no shared memory bandwidth
/// Differs  alpha and beta minimise the squares of the *relative* deviations from ping-pong, so that short messages
///          count as much as long ones. Where times are no line, alpha is not what a short message takes, and it moves
///          when the bandwidth does: predictions of short messages say by how much alpha is off
/// Checked  tests/unit/models/hockney_test.cpp
#include <algorithm>
#include <cmath>

#include "models/calibration_pairs.hpp"
#include "models/matrices.hpp"
#include "models/point_to_point.hpp"

namespace orrery::hockney_model {

namespace {

/// Of a calibration by nodes or cores: the sizes that it covered.
constexpr const char* range_table = "range";
/// What the shortest message took when the line was fitted; parameters written by hand may lack it.
constexpr const char* shortest_column = "shortest_s";
constexpr double miss_worth_saying = 0.03;

struct StraightLine {
  Seconds alpha;
  SecondsPerByte beta;
  double miss = 0.0;  ///< of the shortest message: the line less what it took, as a share of that
};

Seconds single_port_time(const Phase& phase, const std::function<StraightLine(const Message&)>& line_of,
                         std::vector<Explanation>* steps) {
  const auto cost = [&](const Message& message) -> TransmissionCost {
    const StraightLine line = line_of(message);
    const Seconds time = line.alpha + message.size * line.beta;
    return {time, time, time};
  };
  return compose(phase, cost, steps, [&](const Message& message) {
    const StraightLine line = line_of(message);
    return summands_text({{"alpha", line.alpha}, {"beta m", message.size * line.beta}});
  });
}

class Hockney final : public PhaseModel {
 public:
  Hockney(const ModelParameters& parameters, const Platform& platform) : lines_("hockney", platform) {
    for_each_pair(parameters, "pair", platform,
                  [&](ChannelKind channel, std::uint32_t from, std::uint32_t to, const ParameterTable& table) {
                    range_ = message_range(parameters, table);
                    StraightLine line{Seconds(value_of(parameters, table, "alpha_s")),
                                      SecondsPerByte(value_of(parameters, table, "beta_s_per_B"))};
                    if (std::ranges::find(table.columns, shortest_column) != table.columns.end())
                      if (const Seconds took(value_of(parameters, table, shortest_column)); took > Seconds{})
                        line.miss = (line.alpha + range_.least * line.beta) / took - 1.0;
                    lines_.set(channel, from, to, line);
                  });
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    return single_port_time(
        phase, [&](const Message& message) { return lines_.at(layout, message.from, message.to); }, steps);
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    auto notes = notes_on_sizes(input, range_);
    if (const double miss = worst_miss(input); std::abs(miss) > miss_worth_saying)
      notes.push_back(
          fmt::format("alpha of the line through {}..{} is {:.0f} % {} what the shortest message took: short "
                      "messages are predicted too {}, on another bandwidth by another share",
                      to_text(range_.least), to_text(range_.greatest), 100.0 * std::abs(miss),
                      miss > 0.0 ? "above" : "below", miss > 0.0 ? "slow" : "fast"));
    return notes;
  }

 private:
  /// Of messages whose time is mostly alpha.
  double worst_miss(const PredictionInput& input) const {
    double worst = 0.0;
    for (const Phase& phase : input.phases) {
      if (phase.name != input.compared_phase) continue;
      for (const Message& message : phase.messages) {
        const StraightLine& line = lines_.at(input.layout, message.from, message.to);
        const Bytes size = message.size / static_cast<double>(message.repeat);
        if (size * line.beta < line.alpha && std::abs(line.miss) > std::abs(worst)) worst = line.miss;
      }
    }
    return worst;
  }

  ByChannel<StraightLine> lines_;
  MessageRange range_;
};

/// The same with the lines of two matrices.
class HockneyByPlace final : public PhaseModel {
 public:
  HockneyByPlace(const ModelParameters& parameters, const Platform& platform, const ParameterMatrix& alpha,
                 const ParameterMatrix& beta)
      : platform_(platform), alpha_(alpha), beta_(beta) {
    for (const auto& table : parameters.tables)
      if (table.name == range_table) range_ = message_range(parameters, table);
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const auto rows = matrix_rows_of(platform_, layout, alpha_.rows);
    const auto line = [&](const Message& message) -> StraightLine {
      const auto from = rows[index(message.from)], to = rows[index(message.to)];
      return {Seconds(alpha_.values[from][to]), SecondsPerByte(beta_.values[from][to])};
    };
    return single_port_time(phase, line, steps);
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    return range_ ? notes_on_sizes(input, *range_) : std::vector<std::string>{};
  }

 private:
  const Platform& platform_;
  ParameterMatrix alpha_, beta_;
  std::optional<MessageRange> range_;
};

std::unique_ptr<PhaseModel> make(const ModelInput& input) {
  const auto* alpha = find_matrix(input.parameters, "alpha");
  const auto* beta = find_matrix(input.parameters, "beta");
  if (alpha == nullptr && beta == nullptr) return std::make_unique<Hockney>(input.parameters, input.platform);
  if (alpha == nullptr || beta == nullptr || alpha->rows != beta->rows)
    throw InputError(
        "{}: matrix '{}' stands alone (alpha and beta, both by nodes or both by cores). Add "
        "matrix '{}'?",
        (alpha == nullptr ? beta : alpha)->where, alpha == nullptr ? "beta" : "alpha",
        alpha == nullptr ? "alpha" : "beta");
  return std::make_unique<HockneyByPlace>(input.parameters, input.platform, *alpha, *beta);
}

ModelParameters fit_of_pairs(const Platform& platform, const Network& network, const CalibrationRange& range,
                             const Measurements& measured) {
  const MatrixRows rows = rows_of(range.pairs);
  ModelParameters parameters{.model = "hockney", .platform = platform.name, .network = network.name};
  parameters.tables.push_back({.name = range_table,
                               .labels = {},
                               .columns = {"message_min_B", "message_max_B"},
                               .rows = {{range.sizes.front().si(), range.sizes.back().si()}}});
  const auto matrix = [&](const char* name, const char* unit, double stats::Line::*number) {
    parameters.matrices.push_back({.name = name,
                                   .unit = unit,
                                   .rows = rows,
                                   .values = matrix_of(platform, rows, "pingpong", [&](const std::string& series) {
                                     return line_through(measured.series(series), range).*number;
                                   })});
  };
  matrix("alpha", "s", &stats::Line::intercept);
  matrix("beta", "s/B", &stats::Line::slope);
  return parameters;
}

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  require_two_sizes("hockney", range);
  const Measurements measured(measurements);
  if (range.pairs != CalibrationPairs::types) return fit_of_pairs(platform, network, range, measured);
  ModelParameters parameters{
      .model = "hockney", .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  for (const auto& pair : channel_pairs(platform, network)) {
    std::vector<stats::Point> points;
    for (const auto size : range.sizes)
      points.push_back({size.si(), measured.time(series_name("pingpong", platform, pair), size).si()});
    const stats::Line line = stats::fit_rising_line(points, stats::Deviations::relative);
    parameters.tables.push_back(
        {.name = "pair",
         .labels = pair_labels(platform, pair),
         .columns = {"alpha_s", "beta_s_per_B", "message_min_B", "message_max_B", shortest_column},
         .rows = {{line.intercept, line.slope, range.sizes.front().si(), range.sizes.back().si(), points.front().y}}});
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
             "  shortest_s     s    (optional) what the shortest message took: the line may miss it\n"
             "or, by pair of nodes or cores, matrices of the same ('orrery calibrate --pairs nodes')\n"
             "measured by ping-pong; the line has the least squares of relative deviations",
     .assumptions =
         {"one message at a time leaves a rank, and one at a time reaches it (single port)",
          "messages of different ranks do not slow each other down, whatever they share",
          "the time of a message is a straight line in its size, also beyond the calibrated sizes",
          "alpha and beta are of one line through all calibrated sizes: with twice the bandwidth alpha may grow, "
          "and short messages be predicted up to 15 % slower",
          "stages add; a set of transmissions costs what a sequence costs"},
     .matrices = {{"alpha", "s", {MatrixRows::nodes, MatrixRows::cores}, "time of a message of 0 B"},
                  {"beta", "s/B", {MatrixRows::nodes, MatrixRows::cores}, "time per byte"}},
     .plan =
         [](const Platform& platform, const Network& network, const CalibrationRange& range) {
           return range.pairs == CalibrationPairs::types ? pingpong_plan(platform, network, range)
                                                         : pingpong_plan_of_pairs(platform, network, range);
         },
     .fit = fit,
     .make = make});

}  // namespace

}  // namespace orrery::hockney_model
