#include "models/pair_costs.hpp"

#include <algorithm>

#include "models/calibration_pairs.hpp"
#include "models/calibration_process.hpp"
#include "models/matrices.hpp"

namespace orrery {

namespace {

constexpr const char* pair_table = "pair";
constexpr const char* range_table = "range";

std::optional<ParameterMatrix> matrix_named(const ModelParameters& parameters, const char* name) {
  const auto* found = find_matrix(parameters, name);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

/// O of nodes or cores from that of their types.
std::vector<std::vector<double>> overheads_by_place(const Platform& platform, MatrixRows rows,
                                                    const Measurements& measured) {
  std::vector<std::uint32_t> node_of;
  for (std::uint32_t node = 0; node < platform.nodes(); ++node)
    node_of.insert(node_of.end(),
                   rows == MatrixRows::nodes ? 1 : platform.node_types[platform.type_of(NodeId{node})].cores(), node);
  std::vector<std::vector<double>> matrix(node_of.size(), std::vector<double>(node_of.size(), 0.0));
  for (std::size_t from = 0; from < node_of.size(); ++from)
    for (std::size_t to = 0; to < node_of.size(); ++to) {
      const bool memory = node_of[from] == node_of[to];
      const std::uint32_t type = platform.type_of(NodeId{node_of[from]});
      if (from == to && rows == MatrixRows::cores) continue;
      if (memory && platform.node_types[type].cores() < 2) continue;
      matrix[from][to] =
          process_fit(platform, memory ? ChannelKind::shared_memory : ChannelKind::network, type, measured).gap.si();
    }
  return matrix;
}

ModelParameters fit_by_place(ModelParameters parameters, const Platform& platform, const CalibrationRange& range,
                             const Measurements& measured) {
  const MatrixRows rows = rows_of(range.pairs);
  parameters.tables.push_back({.name = range_table,
                               .labels = {},
                               .columns = {"message_min_B", "message_max_B"},
                               .rows = {{range.sizes.front().si(), range.sizes.back().si()}}});
  const auto of_line = [&](double stats::Line::*number) {
    return matrix_of(platform, rows, "pingpong",
                     [&](const std::string& series) { return line_through(measured.series(series), range).*number; });
  };
  parameters.matrices = {
      {.name = "L", .unit = "s", .rows = rows, .values = of_line(&stats::Line::intercept)},
      {.name = "O", .unit = "s", .rows = rows, .values = overheads_by_place(platform, rows, measured)},
      {.name = "beta", .unit = "s/B", .rows = rows, .values = of_line(&stats::Line::slope)}};
  return parameters;
}

}  // namespace

PairCosts::PairCosts(const std::string& model, const ModelParameters& parameters, const Platform& platform)
    : platform_(platform),
      by_types_(model, platform),
      latency_(matrix_named(parameters, "L")),
      overhead_(matrix_named(parameters, "O")),
      beta_(matrix_named(parameters, "beta")) {
  for (const auto& table : parameters.tables)
    if (table.name == range_table) range_ = message_range(parameters, table);
  if (latency_ || overhead_ || beta_) {
    const ParameterMatrix& any = latency_ ? *latency_ : beta_ ? *beta_ : *overhead_;
    const bool alike = latency_ && beta_ && beta_->rows == any.rows && (!overhead_ || overhead_->rows == any.rows);
    if (!alike)
      throw InputError(
          "{}: matrix '{}' lacks its others (L and beta, both by nodes or both by cores, O too "
          "where given). Add them?",
          any.where.empty() ? model : any.where, any.name);
    return;
  }
  for_each_pair(parameters, pair_table, platform,
                [&](ChannelKind channel, std::uint32_t from, std::uint32_t to, const ParameterTable& table) {
                  by_types_.set(channel, from, to,
                                {Seconds(value_of(parameters, table, "latency_s")),
                                 Seconds(value_of(parameters, table, "overhead_s")),
                                 SecondsPerByte(value_of(parameters, table, "beta_s_per_B"))});
                  range_ = message_range(parameters, table);
                });
}

std::function<PairCost(Rank, Rank)> PairCosts::between(const Layout& layout) const {
  if (!latency_) return [this, &layout](Rank from, Rank to) { return by_types_.at(layout, from, to); };
  return [this, rows = matrix_rows_of(platform_, layout, latency_->rows)](Rank from, Rank to) -> PairCost {
    const auto i = rows[index(from)], j = rows[index(to)];
    return {Seconds(latency_->values[i][j]), Seconds(overhead_ ? overhead_->values[i][j] : 0.0),
            SecondsPerByte(beta_->values[i][j])};
  };
}

std::vector<Experiment> pair_cost_plan(const Platform& platform, const Network& network,
                                       const CalibrationRange& range) {
  auto experiments = range.pairs == CalibrationPairs::types ? pingpong_plan(platform, network, range)
                                                            : pingpong_plan_of_pairs(platform, network, range);
  std::ranges::move(process_plan(platform, network), std::back_inserter(experiments));
  return experiments;
}

ModelParameters fit_pair_costs(const std::string& model, const Platform& platform, const Network& network,
                               const CalibrationRange& range, const std::vector<Measurement>& measurements) {
  require_two_sizes(model, range);
  const Measurements measured(measurements);
  ModelParameters parameters{.model = model, .platform = platform.name, .network = network.name};
  if (range.pairs != CalibrationPairs::types) return fit_by_place(std::move(parameters), platform, range, measured);
  for (const auto& pair : channel_pairs(platform, network)) {
    const stats::Line line = line_through(measured.series(series_name("pingpong", platform, pair)), range);
    const Seconds overhead = (process_fit(platform, pair.channel, pair.a, measured).gap +
                              process_fit(platform, pair.channel, pair.b, measured).gap) /
                             2.0;
    parameters.tables.push_back(
        {.name = pair_table,
         .labels = pair_labels(platform, pair),
         .columns = {"latency_s", "overhead_s", "beta_s_per_B", "message_min_B", "message_max_B"},
         .rows = {{line.intercept, overhead.si(), line.slope, range.sizes.front().si(), range.sizes.back().si()}}});
  }
  return parameters;
}

}  // namespace orrery
