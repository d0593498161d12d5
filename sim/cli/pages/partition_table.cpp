#include "sim/cli/pages/partition_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

PartitionTable partition_table(const std::string& title, const Partition& partition, const Layout& layout,
                               std::span<const double> speeds, const std::vector<std::string>& node_names) {
  PartitionTable table{title, partition.columns, partition.rows, {}, 0, 0.0, 0.0};
  const double blocks = static_cast<double>(partition.columns) * partition.rows;
  const double total = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  for (std::uint32_t r = 0; r < partition.ranks(); ++r) {
    const Placement& place = layout.of(Rank{r});
    const Rectangle& mine = partition.rectangles[r];
    PartitionRow row{.rank = r,
                     .node = node_names[index(place.node)],
                     .host = fmt::format("{} {}", place.gpu ? "GPU" : "socket", place.socket_of_node),
                     .cores = place.cores,
                     .speed = FlopsPerSecond(speeds[r]),
                     .rectangle = mine,
                     .share = static_cast<double>(mine.area()) / blocks,
                     .ideal = speeds[r] / total};
    if (mine.area() > 0) {
      table.half_perimeters += mine.width + mine.height;
      table.half_perimeters_least += 2.0 * std::sqrt(static_cast<double>(mine.area()));
      table.imbalance = std::max(table.imbalance, row.share / row.ideal - 1.0);
    }
    table.ranks.push_back(std::move(row));
  }
  return table;
}

std::string partition_text(const PartitionTable& table, std::size_t width, bool color) {
  using show::Column;
  std::vector<Column> columns{{"", "rank", true, {}},   {"", "node", false, {}}, {"", "host", false, {}},
                              {"", "cores", true, {}},  {"", "speed", true, {}}, {"", "x", true, {}},
                              {"", "y", true, {}},      {"", "width", true, {}}, {"", "height", true, {}},
                              {"", "blocks", true, {}}, {"", "share", true, {}}, {"", "ideal", true, {}},
                              {"", "ratio", true, {}}};
  for (const PartitionRow& row : table.ranks) {
    const Rectangle& mine = row.rectangle;
    const std::vector<std::string> cells{std::to_string(row.rank),
                                         row.node,
                                         row.host,
                                         std::to_string(row.cores),
                                         to_text(row.speed),
                                         std::to_string(mine.x),
                                         std::to_string(mine.y),
                                         std::to_string(mine.width),
                                         std::to_string(mine.height),
                                         std::to_string(mine.area()),
                                         fmt::format("{:.2f} %", 100.0 * row.share),
                                         fmt::format("{:.2f} %", 100.0 * row.ideal),
                                         row.ideal > 0.0 ? fmt::format("{:.3f}", row.share / row.ideal) : "-"};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back({cells[c]});
  }
  return show::bold(table.title, color) + "\n\n" + show::render(columns, 1, width, color) +
         fmt::format(
             "\n{} x {} blocks. Half-perimeters add up to {} (at least {:.0f} for any rectangles of these areas).\n"
             "The slowest rank takes {:.2f} % longer than a perfect split by these speeds.\n",
             table.columns, table.rows, table.half_perimeters, table.half_perimeters_least, 100.0 * table.imbalance) +
         (table.slowest_to_fastest
              ? fmt::format(
                    "By their speeds at these sizes the slowest rank takes {:.3g} times as long as the fastest.\n",
                    *table.slowest_to_fastest)
              : "");
}

std::string partition_json(const PartitionTable& table) {
  nlohmann::ordered_json json{{"title", table.title},
                              {"columns_blocks", table.columns},
                              {"rows_blocks", table.rows},
                              {"half_perimeters_blocks", table.half_perimeters},
                              {"half_perimeters_least_blocks", table.half_perimeters_least},
                              {"imbalance", table.imbalance},
                              {"ranks", nlohmann::ordered_json::array()}};
  if (table.slowest_to_fastest) json["slowest_to_fastest"] = *table.slowest_to_fastest;
  for (const PartitionRow& row : table.ranks) {
    const Rectangle& mine = row.rectangle;
    json["ranks"].push_back({{"rank", row.rank},
                             {"node", row.node},
                             {"host", row.host},
                             {"cores", row.cores},
                             {"speed_flop_per_s", row.speed.si()},
                             {"x", mine.x},
                             {"y", mine.y},
                             {"width", mine.width},
                             {"height", mine.height},
                             {"share", row.share},
                             {"ideal", row.ideal}});
  }
  return json.dump(2) + "\n";
}

}  // namespace orrery::cli
