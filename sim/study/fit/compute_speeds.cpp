#include "sim/study/fit/compute_speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/study/read/compute.hpp"

namespace orrery::study {

namespace {

constexpr std::string_view speed_column = "speed_flop_per_s", no_work = "other";

std::string type_of_row(const DataTable& table, const DataTable::Row& row) {
  return table.text(row, "type").value_or("");
}
std::string work_of_row(const DataTable& table, const DataTable::Row& row) {
  return table.text(row, "work").value_or(std::string(no_work));
}

/// Names of the speeds that are about a row.
std::vector<std::string> speeds_about(const DataTable& table, const DataTable::Row& row) {
  const std::string type = type_of_row(table, row), work = work_of_row(table, row), prefix(speed_prefix);
  if (type.empty()) return {prefix + work};
  return {prefix + type, prefix + work, prefix + type + "." + work};
}

bool is_about(const std::string& parameter, const DataTable& table, const DataTable::Row& row) {
  const auto names = speeds_about(table, row);
  return std::ranges::find(names, parameter) != names.end();
}

/// Null: the platform times work by no table of speeds.
std::shared_ptr<const DataTable> speed_table(const Platform& platform) {
  auto table = compute_rows(platform);
  return table && table->has(speed_column) ? table : nullptr;
}

std::optional<double> first_speed(const Platform& platform, const std::string& parameter) {
  const auto table = speed_table(platform);
  if (!table) return {};
  for (const auto& row : table->rows)
    if (is_about(parameter, *table, row)) return table->required(row, speed_column, 1.0, 1e21);
  return {};
}

/// Whether ranks on this type do this work as the row says, as far as type and work tell.
bool fits_work(const DataTable& table, const DataTable::Row& row, const std::string& type, Work work) {
  const auto its_type = table.text(row, "type"), its_work = table.text(row, "work");
  return (!its_type || *its_type == type) && (!its_work || *its_work == work_name(work));
}

/// Rows with other selectors are about some of the ranks only: those behind them may be about the others.
bool selects_further(const DataTable& table, const DataTable::Row& row) {
  return std::ranges::any_of(std::vector<std::string>{"node", "cpu", "gpu", "cores", "rank"},
                             [&](const auto& column) { return table.text(row, column).has_value(); });
}

/// {type: xeon, work: dgemm, speed_flop_per_s: 1.21e9}
std::string row_yaml(const DataTable& table, const DataTable::Row& row, double speed) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string cell = table.columns[c] == speed_column ? fmt::format("{:.4g}", speed) : row.cells[c];
    if (!cell.empty() && cell != "*") text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", table.columns[c], cell);
  }
  return "{" + text + "}";
}

}  // namespace

const PlatformParameter& speed_parameter(const std::string& name) {
  static std::map<std::string, PlatformParameter> made;
  const auto [parameter, is_new] = made.try_emplace(name);
  if (is_new)
    parameter->second = {
        .name = name,
        .about = "of the compute table's first such row; the others keep their ratio to it",
        .dimension = Dimension::speed,
        .least = 1e5,
        .most = 1e16,
        .example = "1Gflop/s",
        .seen_in = "a program that does mostly this work on one type of node",
        .unasked = false,
        .matters = [name](const ParameterUses& uses, const FittedMachine&) { return uses.speeds.contains(name); },
        .stated = [name](const FittedMachine& machine) { return first_speed(*machine.platform, name); }};
  return parameter->second;
}

std::vector<std::string> speeds_known(const Platform& platform) {
  std::vector<std::string> known;
  if (const auto table = speed_table(platform))
    for (std::size_t part = 0; part < 3; ++part)
      for (const auto& row : table->rows)
        if (const auto names = speeds_about(*table, row); part < names.size())
          if (std::ranges::find(known, names[part]) == known.end()) known.push_back(names[part]);
  return known;
}

std::set<std::string, std::less<>> speeds_used(const std::vector<Phase>& phases, const Layout& layout,
                                               const Platform& platform) {
  std::set<std::string, std::less<>> used;
  const auto table = speed_table(platform);
  if (!table) return used;
  std::set<std::pair<std::uint32_t, Work>> seen;
  for (const Phase& phase : phases)
    for (const ComputeItem& item : phase.computes) {
      const std::uint32_t type = layout.placements[index(item.rank)].node_type;
      if (!seen.insert({type, item.compute.work}).second) continue;
      for (const auto& row : table->rows) {
        if (!fits_work(*table, row, platform.node_types[type].name, item.compute.work)) continue;
        for (auto& name : speeds_about(*table, row)) used.insert(std::move(name));
        if (!selects_further(*table, row)) break;
      }
    }
  return used;
}

config::Document with_speeds(config::Document document, const FittedMachine& machine,
                             const std::map<std::string, double>& values, const std::string& origin) {
  std::map<std::string, double> times;  // by parameter
  for (const auto& [name, value] : values)
    if (is_speed(name)) times[name] = value / first_speed(*machine.platform, name).value();
  if (times.empty()) return document;
  const auto table = speed_table(*machine.platform);
  std::string rows, settings;
  for (const auto& row : table->rows) {
    double speed = table->required(row, speed_column, 1.0, 1e21);
    for (const auto& [name, by] : times)
      if (is_about(name, *table, row)) speed *= by;
    rows += (rows.empty() ? "" : ", ") + row_yaml(*table, row, speed);
  }
  const ComputeChoice& choice = machine.platform->compute;
  for (const auto& setting : choice.settings)
    if (setting.name != "parameters" && setting.name != "figures")
      settings += fmt::format(", {}: {}", setting.name, setting.value);
  return document.with("compute", fmt::format("{{model: {}{}, {}, rows: [{}]}}", choice.model, settings, origin, rows),
                       "fit");
}

}  // namespace orrery::study
