#include "models/barrier/cost_parameters.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "models/calibration_pairs.hpp"
#include "models/matrices.hpp"
#include "models/point_to_point.hpp"

namespace orrery {

namespace {

constexpr const char* model_name = "barrier-matrix";
constexpr const char* signals = "barrier-stage";
constexpr const char* latencies = "pingpong";
constexpr const char* invocation_table = "invocation";
constexpr std::array signal_counts{0, 1, 2, 4, 8, 16};
const Bytes signal_size{1.0};

struct TablePair {
  Seconds invocation, overhead, latency;
};

SignalCosts by_types(const ModelParameters& parameters, const Platform& platform, const Layout& layout) {
  auto pairs = std::make_shared<ByChannel<TablePair>>(model_name, platform);
  std::vector<Seconds> invocation(platform.node_types.size());
  for_each_pair(parameters, "pair", platform,
                [&](ChannelKind channel, std::uint32_t from, std::uint32_t to, const ParameterTable& table) {
                  const auto value = [&](const char* column) { return Seconds(value_of(parameters, table, column)); };
                  pairs->set(channel, from, to, {value("invocation_s"), value("overhead_s"), value("latency_s")});
                  if (from == to) invocation[from] = value("invocation_s");
                });
  const auto rank = [](std::uint32_t i) { return Rank{i}; };
  return {
      .ranks = layout.ranks(),
      .invocation = [=, &layout](std::uint32_t i) { return invocation[layout.of(rank(i)).node_type]; },
      .overhead = [=, &layout](std::uint32_t i,
                               std::uint32_t j) { return pairs->at(layout, rank(i), rank(j)).overhead; },
      .latency = [=, &layout](std::uint32_t i, std::uint32_t j) { return pairs->at(layout, rank(i), rank(j)).latency; },
      .place = [=, &layout](std::uint32_t i) { return static_cast<std::uint32_t>(layout.of(rank(i)).node); }};
}

/// "costs.yaml:12:11: matrix 'L', node 0 to node 3"; empty where no file is behind it.
std::string where_of(const ParameterMatrix& matrix, std::uint32_t from, std::uint32_t to) {
  if (matrix.row_where.size() <= from) return {};
  return fmt::format("{}: matrix '{}', {} to {}", matrix.row_where[from], matrix.name,
                     matrix_row_name(matrix.rows, from), matrix_row_name(matrix.rows, to));
}

SignalCosts by_matrices(const ModelParameters& parameters, const ParameterMatrix& overhead,
                        const ParameterMatrix& latency, const Platform& platform, const Layout& layout) {
  auto rows = std::make_shared<const std::vector<std::uint32_t>>(matrix_rows_of(platform, layout, overhead.rows));
  Seconds of_node;  // O_ii where the matrices count nodes
  for (const auto& table : parameters.tables)
    if (table.name == invocation_table) of_node = Seconds(value_of(parameters, table, "invocation_s"));
  const bool cores = overhead.rows == MatrixRows::cores;
  const auto at = [rows](const ParameterMatrix& matrix, std::uint32_t i, std::uint32_t j) {
    return Seconds(matrix.values[(*rows)[i]][(*rows)[j]]);
  };
  return {.ranks = layout.ranks(),
          .invocation = [=, &overhead](std::uint32_t i) { return cores ? at(overhead, i, i) : of_node; },
          .overhead = [=, &overhead](std::uint32_t i, std::uint32_t j) { return at(overhead, i, j); },
          .latency = [=, &latency](std::uint32_t i, std::uint32_t j) { return at(latency, i, j); },
          .place = [rows](std::uint32_t i) { return (*rows)[i]; },
          .where = [rows, &latency](std::uint32_t i,
                                    std::uint32_t j) { return where_of(latency, (*rows)[i], (*rows)[j]); }};
}

std::string signal_counts_text() {
  std::string text;
  for (const int n : signal_counts)
    if (n > 0) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

std::vector<std::pair<std::string, std::string>> signal_parameters() {
  return {{"sizes", sizes_text({signal_size})}, {"signals", signal_counts_text()}};
}

std::string of_count(const std::string& series, int count) { return fmt::format("{}/signals={}", series, count); }

Seconds invocation_of(const Measurements& measured, const std::string& series) {
  return measured.time(of_count(series, 0), signal_size);
}

/// Slope of the time over the number of signals.
double overhead_of(const Measurements& measured, const std::string& series) {
  std::vector<stats::Point> points;
  for (const int n : signal_counts)
    if (n > 0) points.push_back({1.0 * n, measured.time(of_count(series, n), signal_size).si()});
  return stats::fit_rising_line(points, stats::Deviations::relative).slope;
}

double intercept_of(const std::vector<std::pair<Bytes, Seconds>>& times) {
  std::vector<stats::Point> points;
  points.reserve(times.size());
  for (const auto& [size, time] : times) points.push_back({size.si(), time.si()});
  return stats::fit_rising_line(points, stats::Deviations::relative).intercept;
}

ModelParameters fit_of_pairs(const Platform& platform, const Network& network, const CalibrationRange& range,
                             const Measurements& measured) {
  const MatrixRows rows = rows_of(range.pairs);
  ModelParameters parameters{.model = model_name, .platform = platform.name, .network = network.name};
  auto overheads =
      matrix_of(platform, rows, signals, [&](const std::string& series) { return overhead_of(measured, series); });
  const auto latency = matrix_of(platform, rows, latencies,
                                 [&](const std::string& series) { return intercept_of(measured.series(series)); });
  std::vector<double> invocations(overheads.size(), 0.0);
  for_each_measured_pair(platform, rows, [&](std::uint32_t from, std::uint32_t to) {
    const double time = invocation_of(measured, series_name(signals, rows, from, to)).si();
    invocations[from] = std::max(invocations[from], time);
    if (invocations[to] == 0.0) invocations[to] = time;
  });
  if (rows == MatrixRows::cores)
    for (std::size_t i = 0; i < overheads.size(); ++i) overheads[i][i] = invocations[i];
  else
    parameters.tables.push_back({.name = invocation_table,
                                 .labels = {},
                                 .columns = {"invocation_s"},
                                 .rows = {{std::ranges::max(invocations)}}});
  parameters.matrices.push_back({.name = "O", .unit = "s", .rows = rows, .values = std::move(overheads)});
  parameters.matrices.push_back({.name = "L", .unit = "s", .rows = rows, .values = latency});
  return parameters;
}

}  // namespace

SignalCosts signal_costs(const ModelParameters& parameters, const Platform& platform, const Layout& layout) {
  const auto* overhead = find_matrix(parameters, "O");
  const auto* latency = find_matrix(parameters, "L");
  if (overhead == nullptr && latency == nullptr) return by_types(parameters, platform, layout);
  if (overhead == nullptr || latency == nullptr || overhead->rows != latency->rows)
    throw InputError(
        "{}: matrix '{}' stands alone (O and L, both by nodes or both by cores). Add matrix "
        "'{}'?",
        (overhead == nullptr ? latency : overhead)->where, overhead == nullptr ? "L" : "O",
        overhead == nullptr ? "O" : "L");
  return by_matrices(parameters, *overhead, *latency, platform, layout);
}

std::vector<Experiment> barrier_cost_plan(const Platform& platform, const Network& network,
                                          const CalibrationRange& range) {
  const bool types = range.pairs == CalibrationPairs::types;
  auto plan = types ? pingpong_plan(platform, network, range) : pingpong_plan_of_pairs(platform, network, range);
  const std::size_t pairs = plan.size();
  for (std::size_t i = 0; i < pairs; ++i) {
    Experiment stage = plan[i];
    stage.id.replace(0, std::string_view(latencies).size(), signals);
    stage.kernel = signals;
    stage.kernel_parameters = signal_parameters();
    plan.push_back(std::move(stage));
  }
  return plan;
}

ModelParameters fit_barrier_costs(const Platform& platform, const Network& network, const CalibrationRange& range,
                                  const std::vector<Measurement>& measurements) {
  require_two_sizes(model_name, range);
  const Measurements measured(measurements);
  if (range.pairs != CalibrationPairs::types) return fit_of_pairs(platform, network, range, measured);
  ModelParameters parameters{.model = model_name, .platform = platform.name, .network = network.name};
  for (const auto& pair : channel_pairs(platform, network)) {
    const std::string stage = series_name(signals, platform, pair);
    parameters.tables.push_back({.name = "pair",
                                 .labels = pair_labels(platform, pair),
                                 .columns = {"invocation_s", "overhead_s", "latency_s"},
                                 .rows = {{invocation_of(measured, stage).si(), overhead_of(measured, stage),
                                           intercept_of(measured.series(series_name(latencies, platform, pair)))}}});
  }
  return parameters;
}

}  // namespace orrery
