#include "models/taulop/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/calibration.hpp"

namespace orrery {

namespace {

constexpr Bytes least_message{1.0};

/// To a tenth of a picosecond: below lies what subtracting times of a long simulation leaves, and tables would break
/// L(m, 1) <= L(m, 2) by it.
double rounded(double seconds) { return std::round(seconds * 1e13) / 1e13; }

/// Ranks that may transmit at once through the pair: one core each.
std::uint32_t concurrency_of(const Platform& platform, const ChannelPair& pair, const CalibrationRange& range) {
  const auto cores = std::min(platform.node_types[pair.a].cores(), platform.node_types[pair.b].cores());
  return std::max(1u, std::min(range.concurrency, cores));
}

/// Below a threshold the message goes at once; the step there is what a rendezvous adds.
bool has_eager_step(const ChannelProperties& protocol, const CalibrationRange& range) {
  return protocol.eager > least_message && !range.sizes.empty() && protocol.eager <= range.sizes.back();
}

std::vector<Bytes> sizes_to_measure(const ChannelProperties& protocol, const CalibrationRange& range) {
  std::vector<Bytes> sizes = range.sizes;
  sizes.push_back(Bytes(0.0));
  if (has_eager_step(protocol, range)) {
    sizes.push_back(protocol.eager - least_message);
    sizes.push_back(protocol.eager);
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string series_of(const Platform& platform, const ChannelPair& pair, std::uint32_t tau) {
  return fmt::format("{}/tau={}", series_name("ring", platform, pair), tau);
}

/// Transfer times of one pair.  times [sizes of the range][tau - 1]  s
using Transfers = std::vector<std::vector<double>>;

/// Continues each row to `columns` values, as the header says.
void extrapolate(Transfers& transfers, std::uint32_t columns) {
  for (auto& row : transfers) {
    const double last = row.back();
    const auto measured = static_cast<double>(row.size());
    const double rise =
        row.size() < 2 ? last : std::clamp(last - row[row.size() - 2], 0.0, std::max(0.0, last / measured));
    while (row.size() < columns) row.push_back(row.back() + rise);
  }
}

struct PairFit {
  std::vector<double> overheads;  ///< [sizes]  s
  Transfers transfers;
  std::uint32_t measured = 1;  ///< greatest tau
};

std::vector<double> overheads(const Platform& platform, const ChannelPair& pair, const ChannelProperties& protocol,
                              const CalibrationRange& range, const Measurements& measured) {
  const std::string alone = series_of(platform, pair, 1);
  const Seconds eager = measured.time(alone, Bytes(0.0));
  Seconds step;
  if (has_eager_step(protocol, range)) {
    const Bytes below = protocol.eager - least_message;
    const Seconds before = measured.time(alone, below);
    const SecondsPerByte per_byte = (before - eager) / below;  // the step is one byte wide
    step = std::max(Seconds(0.0), measured.time(alone, protocol.eager) - before - least_message * per_byte);
  }
  std::vector<double> result;
  for (const auto size : range.sizes) result.push_back((size < protocol.eager ? eager : eager + step).si());
  return result;
}

ParameterTable table_of(const Platform& platform, const ChannelPair& pair, const CalibrationRange& range,
                        const PairFit& fit) {
  ParameterTable table{
      .name = "channel", .labels = pair_labels(platform, pair), .columns = {"message_B", "overhead_s"}, .rows = {}};
  table.labels["tau_measured"] = std::to_string(fit.measured);
  for (std::uint32_t tau = 1; tau <= std::max(range.concurrency, fit.measured); ++tau)
    table.columns.push_back(fmt::format("L{}_s", tau));
  for (std::size_t i = 0; i < range.sizes.size(); ++i) {
    std::vector<double> row{range.sizes[i].si(), fit.overheads[i]};
    row.insert(row.end(), fit.transfers[i].begin(), fit.transfers[i].end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

CalibrationNeeds taulop_needs(const PredictionInput& input) {
  std::size_t greatest = 1;
  for (const auto& phase : input.phases) {
    if (phase.name != input.compared_phase) continue;
    // In a sequence a rank has one transmission under way at a time, in a set all of them.
    std::map<std::pair<std::uint32_t, bool>, std::multiset<std::size_t>> senders;
    for (const auto& message : phase.messages)
      senders[{message.stage, input.layout.same_node(message.from, message.to)}].insert(index(message.from));
    for (const auto& [key, ranks] : senders) {
      const bool sequence = phase.stages[key.first].composition == Composition::sequence;
      const std::set<std::size_t> distinct(ranks.begin(), ranks.end());
      greatest = std::max(greatest, sequence ? distinct.size() : ranks.size());
    }
  }
  return {.concurrency = static_cast<std::uint32_t>(greatest)};
}

std::vector<Experiment> taulop_plan(const Platform& platform, const Network& network, const CalibrationRange& range) {
  std::vector<Experiment> plan;
  for (const auto& pair : channel_pairs(platform, network)) {
    const auto greatest = concurrency_of(platform, pair, range);
    const std::uint32_t directions = pair.channel == ChannelKind::network ? 2 : 1;
    const auto nodes = nodes_of(platform, pair);
    Experiment experiment{
        .id = series_name("ring", platform, pair), .kernel = "ring", .kernel_parameters = {}, .placement = {}};
    std::string taus;
    for (std::uint32_t tau = 1; tau <= greatest; ++tau) taus += (tau == 1 ? "" : ",") + std::to_string(tau);
    experiment.kernel_parameters = {
        {"sizes", sizes_text(sizes_to_measure(protocol_of(platform, network, pair), range))},
        {"concurrency", taus},
        {"directions", std::to_string(directions)}};
    std::vector<NodeId> in_turn;
    for (std::uint32_t rank = 0; rank < std::max(2u, greatest * directions); ++rank)
      in_turn.push_back(nodes[rank % nodes.size()]);
    experiment.placement = cores_in_order(platform, in_turn);
    plan.push_back(std::move(experiment));
  }
  return plan;
}

ModelParameters taulop_fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                           const std::vector<Measurement>& measurements) {
  const Measurements measured(measurements);
  ModelParameters parameters{
      .model = "taulop", .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  std::map<std::uint32_t, Transfers> memory;  // L0 by type, needed by networks that copy
  for (const auto& pair : channel_pairs(platform, network)) {
    const auto& protocol = protocol_of(platform, network, pair);
    const bool through_memory = pair.channel == ChannelKind::shared_memory;
    const bool copies = !through_memory && protocol.copies[0] + protocol.copies[1] > 0;
    PairFit fit{overheads(platform, pair, protocol, range, measured), Transfers(range.sizes.size()),
                concurrency_of(platform, pair, range)};
    for (std::uint32_t tau = 1; tau <= fit.measured; ++tau)
      for (std::size_t i = 0; i < range.sizes.size(); ++i) {
        double transfer = measured.time(series_of(platform, pair, tau), range.sizes[i]).si() - fit.overheads[i];
        if (through_memory) transfer /= 2.0;
        if (copies) transfer -= memory.at(pair.a)[i][tau - 1] + memory.at(pair.b)[i][tau - 1];
        fit.transfers[i].push_back(rounded(transfer));
      }
    extrapolate(fit.transfers, std::max(range.concurrency, fit.measured));
    if (through_memory) memory[pair.a] = fit.transfers;
    parameters.tables.push_back(table_of(platform, pair, range, fit));
  }
  return parameters;
}

}  // namespace orrery
