/// `orrery show shards`: which points each of N shards has, and how long it is expected to take.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/shard/shards.hpp"
#include "sim/study/shard/simulations.hpp"

namespace orrery::cli::show_shards_command {

namespace {

struct Options {
  RunRequest request;
  int of = 0;
};

void print_shards(const std::vector<std::vector<std::size_t>>& shards, const std::vector<std::uint64_t>& costs) {
  std::string text = fmt::format("{:>12}  {:>7}  {:>12}\n", "shard", "points", "expected");
  for (std::size_t k = 0; k < shards.size(); ++k) {
    double sum_s = 0.0;
    for (const std::size_t point : shards[k]) sum_s += static_cast<double>(costs[point]) / 1e6;
    text +=
        fmt::format("{:>12}  {:>7}  {:>10.4g} s\n",
                    ShardNumber{static_cast<std::uint32_t>(k + 1), static_cast<std::uint32_t>(shards.size())}.text(),
                    shards[k].size(), sum_s);
  }
  say("{}", text);
}

/// A row a point, in the order in which shards play them.
int show(const Options& options) {
  if (options.of == 0) throw InputError("--of: is missing, or 0 (how many shards, 1..{}). Write '--of 4'?", shards_max);
  if (options.of < 1 || options.of > static_cast<int>(shards_max))
    throw InputError("--of: {} lies outside 1..{} (how many shards). Choose one inside?", options.of, shards_max);
  RunRequest request = options.request;
  request.scenario = data_path("scenarios", request.scenario, "yaml", "orrery show shards");
  Simulations all(request, 1);
  const auto costs = all.costs();
  const auto shards = packed(costs, static_cast<std::uint32_t>(options.of));
  print_shards(shards, costs);
  return 0;
}

const bool entered = commands().add({
    .name = "show shards",
    .summary = "how a sweep is divided among N shards, and the expected time of each",
    .example = "orrery show shards allreduce-algorithms --of 4",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("SCENARIO", options->request.scenario, "scenario file or name");
          line.option("--of", options->of, "number of shards N");
          line.option("--set", options->request.overrides, "override a value of the scenario, as 'orrery run' does");
          line.option("--repeat", options->request.repeat, "number of seeds, as in 'orrery run --repeat'");
          line.run([options] { return show(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::show_shards_command
