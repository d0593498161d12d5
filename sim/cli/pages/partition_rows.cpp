#include "sim/cli/pages/partition_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/version.hpp"

namespace orrery::cli {

ScenarioResult partition_rows(const study::PartitionAnswer& answer) {
  ScenarioResult result{.name = "partition", .title = answer.title, .file = "command-line", .version = version};
  const Partition& partition = answer.partition;
  const double blocks = static_cast<double>(partition.columns) * partition.rows;
  const double total = std::accumulate(answer.speeds.begin(), answer.speeds.end(), 0.0);
  double half_perimeters = 0.0, least = 0.0, imbalance = 0.0;
  for (std::uint32_t r = 0; r < partition.ranks(); ++r) {
    const Placement& place = answer.layout.of(Rank{r});
    const Rectangle& mine = partition.rectangles[r];
    const auto area = static_cast<double>(mine.area());
    const double width = mine.width, height = mine.height, share = area / blocks, ideal = answer.speeds[r] / total;
    PointResult& row = result.points.emplace_back();
    row.settings = {{"rank", fmt::format("{}", r)},
                    {"node", answer.node_names[index(place.node)]},
                    {"host", fmt::format("{} {}", place.gpu ? "GPU" : "socket", place.socket_of_node)}};
    row.kernel = answer.kernel;
    row.platform = answer.platform;
    row.layout_name = answer.layout.name;
    row.metrics = {{"cores", static_cast<double>(place.cores), ""},
                   {"Gflop/s", answer.speeds[r] / 1e9, "Gflop/s"},
                   {"x", static_cast<double>(mine.x), ""},
                   {"y", static_cast<double>(mine.y), ""},
                   {"width", width, ""},
                   {"height", height, ""},
                   {"blocks", area, ""},
                   {"share", 100.0 * share, "%"},
                   {"ideal", 100.0 * ideal, "%"}};
    if (ideal > 0.0) row.metrics.push_back({"ratio", 100.0 * share / ideal, "%"});
    if (mine.area() == 0) continue;
    half_perimeters += width + height;
    least += 2.0 * std::sqrt(area);
    imbalance = std::max(imbalance, share / ideal - 1.0);
  }
  result.notes = {
      fmt::format("{} x {} blocks; half-perimeters add up to {} (at least {:.0f} for any rectangles of these areas)",
                  partition.columns, partition.rows, half_perimeters, least),
      fmt::format("the slowest rank takes {:.2f} % longer than a perfect split by these speeds", 100.0 * imbalance)};
  result.notes.insert(result.notes.end(), answer.notes.begin(), answer.notes.end());
  return result;
}

}  // namespace orrery::cli
