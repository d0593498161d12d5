#include "sim/cli/pages/platform_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

namespace {

using show::Column;

Column column(std::string header, bool right, std::vector<std::string> texts) {
  Column result{"", std::move(header), right, {}};
  for (auto& text : texts) result.cells.push_back({std::move(text)});
  return result;
}

std::string gpus_text(const NodeType& type) {
  if (type.gpus.empty()) return "-";
  return fmt::format("{} x {} ({})", type.gpus.size(), type.gpus[0].model, to_text(type.gpus[0].speed));
}

std::string node_table(const Platform& platform, std::size_t width) {
  std::vector<std::string> cells[8];
  for (std::size_t i = 0; i < platform.node_types.size(); ++i) {
    const NodeType& type = platform.node_types[i];
    const std::string row[] = {type.name,
                               std::to_string(platform.node_counts[i]),
                               fmt::format("{} x {}", type.sockets, type.cores_per_socket),
                               to_text(type.core_speed),
                               decimal_text(type.memory),
                               to_text(type.memory_bandwidth),
                               to_text(type.copy_bandwidth),
                               gpus_text(type)};
    for (std::size_t c = 0; c < 8; ++c) cells[c].push_back(row[c]);
  }
  constexpr const char* headers[] = {"node type", "nodes",       "cores",       "core speed",
                                     "memory",    "node copies", "core copies", "GPUs"};
  std::vector<Column> columns;
  for (std::size_t c = 0; c < 8; ++c) columns.push_back(column(headers[c], c > 0 && c < 7, std::move(cells[c])));
  return show::render(columns, 1, width, false);
}

std::string sources_text(const Platform& platform, bool all, std::size_t width) {
  std::string text;
  if (all) {
    for (const auto& entry : platform.provenance)
      text += show::wrapped(fmt::format("  {} = {}: {}", entry.parameter, entry.value, entry.source), width, "      ");
    return text;
  }
  std::map<std::string, std::size_t> parameters;
  std::size_t assumed = 0;
  for (const auto& entry : platform.provenance) {
    if (entry.source.starts_with("assumed"))
      ++assumed;
    else
      ++parameters[entry.source];
  }
  for (const auto& [source, count] : parameters)
    text += show::wrapped(fmt::format("  {:>3}  {}", count, source), width, "       ");
  return text + fmt::format("  {:>3}  assumed\n", assumed);
}

}  // namespace

std::string platform_page(const Platform& platform, bool all_sources, std::size_t terminal_width) {
  const std::size_t width = std::min(terminal_width, show::prose_width_max);
  std::uint64_t cores = 0, gpus = 0;
  FlopsPerSecond peak;
  for (std::size_t i = 0; i < platform.node_types.size(); ++i) {
    const NodeType& type = platform.node_types[i];
    const double count = platform.node_counts[i];
    cores += std::uint64_t{platform.node_counts[i]} * type.cores();
    gpus += std::uint64_t{platform.node_counts[i]} * type.gpus.size();
    peak += count * type.cores() * type.core_speed;
    for (const auto& gpu : type.gpus) peak += count * gpu.speed;
  }
  std::string page = fmt::format("{}: {} nodes, {} cores, {} GPUs, {} in total\n", platform.name, platform.nodes(),
                                 cores, gpus, to_text(peak));
  page += show::wrapped(platform.source, width) + platform.file + "\n\n";
  page +=
      node_table(platform, terminal_width) + "\n" + network_table(platform.networks, platform, terminal_width) + "\n";
  page += built_table(platform.networks, platform, terminal_width) + "\n";
  page += stated_text(platform, terminal_width);
  page += pair_table(pair_facts(platform), terminal_width) + "\n";
  page += show::wrapped(std::string(words_of_pairs) + " " + words_of_networks, width) + "\n\n";
  page += all_sources ? "Parameters and their sources\n"
                      : "Sources, with the number of parameters from each (--sources lists them all)\n";
  return page + sources_text(platform, all_sources, width);
}

}  // namespace orrery::cli
