#include "sim/cli/pages/calibration_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/calibration.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/chart.hpp"

namespace orrery::cli {

using namespace study;

namespace paper = show::paper;

namespace {

std::string label(const ParameterTable& table, const std::string& name) {
  const auto found = table.labels.find(name);
  return found == table.labels.end() ? std::string() : found->second;
}

std::string text_table(const ParameterTable& table, const std::string& origin) {
  const std::size_t concurrency = table.columns.size() - 2;
  std::string text = fmt::format(
      "#m\t{}\n#tau\t{}\n#{} {}, seconds, measured by {}; tau beyond {} extrapolated\n#m\to(m)", table.rows.size(),
      concurrency, label(table, "channel"), label(table, "types"), origin, label(table, "tau_measured"));
  for (std::size_t tau = 1; tau <= concurrency; ++tau) text += fmt::format("\tL(m,{})", tau);
  text += "\n";
  for (const auto& row : table.rows) text += fmt::format("{}\n", fmt::join(row, "\t"));
  return text;
}

/// A few of the columns L1_s ... LK_s, doubling, K itself included: more curves than eight cannot be told apart.
std::vector<std::size_t> shown_concurrency(std::size_t greatest) {
  std::vector<std::size_t> shown;
  for (std::size_t tau = 1; tau < greatest && shown.size() < 7; tau *= 2) shown.push_back(tau);
  shown.push_back(greatest);
  return shown;
}

paper::Chart transfer_chart(const ParameterTable& table) {
  std::vector<paper::ChartSeries> series;
  for (const auto tau : shown_concurrency(table.columns.size() - 2)) {
    const bool extrapolated = tau > std::stoul(label(table, "tau_measured"));
    paper::ChartSeries curve{.name = fmt::format("tau = {}{}", tau, extrapolated ? " extrapolated" : "")};
    for (const auto& row : table.rows) curve.points.push_back({row[0], row[tau + 1]});
    series.push_back(std::move(curve));
  }
  return paper::curves(
      fmt::format("tau-Lop: transfer time L(m, tau), {} {}", label(table, "channel"), label(table, "types")),
      std::move(series), "message (B)", "L(m, tau) (s)", true);
}

/// Time of one message alone between the two nodes of the pair, as the model has it.
paper::ChartSeries predicted_curve(const PhaseModel& model, const Platform& platform, const ChannelPair& pair,
                                   const CalibrationRange& range) {
  const auto nodes = nodes_of(platform, pair);
  const Layout layout = layout_of(cores_in_order(platform, {nodes.front(), nodes.back()}), platform);
  paper::ChartSeries curve{.name = fmt::format("{} {}", channel_name(pair.channel), types_label(platform, pair)),
                           .markers = false};
  for (const auto size : range.sizes) {
    Phase phase;
    phase.ranks = 2;
    phase.stages = {Stage{}};
    phase.messages = {{.from = Rank{0}, .to = Rank{1}, .size = size}};
    curve.points.push_back({size.si(), model.communication_time(phase, layout).si()});
  }
  return curve;
}

paper::Chart message_chart(const ModelEntry& entry, const ModelParameters& parameters, const Platform& platform,
                           const CalibrationRange& range, const Measured& measured) {
  const auto model =
      make_phase_model(entry, {platform, platform.network(parameters.network, entry.name), "", parameters});
  std::vector<paper::ChartSeries> series;
  paper::ChartSeries points{.name = "measured", .line = false};
  for (const auto& pair : channel_pairs(platform, platform.network(parameters.network, entry.name))) {
    series.push_back(predicted_curve(*model, platform, pair, range));
    const auto found = std::ranges::find(measured.series, series_name("pingpong", platform, pair), &Measurement::id);
    if (found == measured.series.end()) continue;
    for (const auto& [message, time] : found->times) points.points.push_back({message.si(), time.si()});
  }
  series.push_back(std::move(points));
  return paper::curves(entry.name + ": one message alone", std::move(series), "message (B)", "T(m) (s)", true);
}

}  // namespace

std::vector<std::string> parameter_comment(const std::vector<ModelParameters>& sets, const CalibrationRange& range) {
  std::vector<std::string> models;
  models.reserve(sets.size());
  for (const auto& set : sets) models.push_back(set.model);
  return {fmt::format("Parameters of {} on platform {} and network {}.", fmt::join(models, ", "), sets.front().platform,
                      sets.front().network),
          fmt::format("Measured by {} with micro-benchmarks of {} sizes, {} to {}, up to {} transmissions at once.",
                      sets.front().origin, range.sizes.size(), to_text(range.sizes.front()),
                      to_text(range.sizes.back()), range.concurrency),
          "Columns end in their unit: _s seconds, _B bytes, _s_per_B seconds per byte.",
          "'orrery show model NAME' says what each means. Edit freely within 0..1000 s, 0..1 s/B: a model uses what it "
          "finds here."};
}

std::vector<std::pair<std::string, std::string>> taulop_text_tables(const ModelParameters& parameters,
                                                                    const Platform& platform, const Network& network) {
  const bool several = std::ranges::count_if(platform.node_counts, [](std::uint32_t count) { return count > 0; }) > 1;
  const bool rdma = network.protocol.copies[0] + network.protocol.copies[1] == 0;
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& pair : channel_pairs(platform, network)) {
    const auto* table = pair.a == pair.b ? find_table(parameters, "channel", platform, pair) : nullptr;
    if (table == nullptr) continue;
    const std::string folder = several ? platform.node_types[pair.a].name + "/" : "";
    const char* file = pair.channel == ChannelKind::shared_memory ? "SHM.txt" : rdma ? "IB.txt" : "TCP.txt";
    files.emplace_back(folder + file, text_table(*table, parameters.origin));
  }
  return files;
}

std::vector<std::string> calibration_notes(const std::vector<ModelParameters>& sets) {
  std::vector<std::string> notes;
  for (const auto& set : sets)
    for (const auto& table : set.tables) {
      const std::string what = fmt::format("{}: {} {}", set.model, label(table, "channel"), label(table, "types"));
      const std::string measured = label(table, "tau_measured");
      if (!measured.empty() && std::stoul(measured) + 2 < table.columns.size())
        notes.push_back(
            fmt::format("{}: measured up to {} transmissions at once (one core each); {} to {} are extrapolated", what,
                        measured, std::stoul(measured) + 1, table.columns.size() - 2));
      std::size_t negative = 0;
      for (const auto& row : table.rows)
        negative += static_cast<std::size_t>(std::ranges::count_if(row, [](double v) { return v < 0; }));
      if (negative > 0)
        notes.push_back(
            fmt::format("{}: {} value{} below 0: the copies at the ends alone take longer than the whole "
                        "transmission, so they overlap with it; the model's T is still what was measured",
                        what, negative, negative == 1 ? "" : "s"));
    }
  return notes;
}

std::string calibration_svg(const std::vector<const ModelEntry*>& entries, const std::vector<ModelParameters>& sets,
                            const Platform& platform, const CalibrationRange& range, const Measured& measured) {
  std::vector<paper::Chart> charts;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (sets[i].model == "taulop")
      for (const auto& table : sets[i].tables) charts.push_back(transfer_chart(table));
    else
      charts.push_back(message_chart(*entries[i], sets[i], platform, range, measured));
  return paper::stacked_svg(charts, "Calibration of " + platform.name + ", " + sets.front().network);
}

}  // namespace orrery::cli
