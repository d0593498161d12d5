/// `orrery status`: how far the shards of a run are.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/shard/shard_state.hpp"

namespace orrery::cli::status_command {

namespace {

struct Options {
  std::vector<std::string> shards;
  std::string format = "table";
};

struct Sums {
  std::size_t points = 0, done = 0, failed = 0, begun = 0;

  void add(const ShardState& shard) {
    points = shard.all_points;
    done += shard.done;
    failed += shard.failed;
    ++begun;
  }
};

std::string age_of(const ShardState& shard) {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(shard.folder + "/" + shard_file, failed);
  if (failed) return "unknown";
  const auto age = std::filesystem::file_time_type::clock::now() - written;
  const auto s = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  return s < 120    ? fmt::format("{} s ago", s)
         : s < 7200 ? fmt::format("{} min ago", s / 60)
                    : fmt::format("{} h ago", s / 3600);
}

std::string state_word(const ShardState& shard) {
  return shard.ended ? "ended" : fmt::format("on its way, last heard of {}", age_of(shard));
}

/// One scenario's shards, in order; those that nobody has begun as a count and their numbers.
void print_table(const std::vector<ShardState>& shards) {
  Sums sums;
  std::map<std::uint32_t, const ShardState*> by_number;
  for (const auto& shard : shards)
    if (by_number.emplace(shard.shard.number, &shard).second) sums.add(shard);
  const ShardState& one = shards.front();
  say("{}: {} points in {} shards: {} done, {} left, {} failed\n", one.name, sums.points, one.shard.of, sums.done,
      sums.points - sums.done - sums.failed, sums.failed);
  say("{:>12}  {:>7} {:>7} {:>7} {:>7}  {}\n", "shard", "points", "done", "left", "failed", "state");
  for (std::uint32_t number = 1; number <= one.shard.of; ++number) {
    const auto found = by_number.find(number);
    const std::string name = ShardNumber{number, one.shard.of}.text();
    if (found == by_number.end()) {
      say("{:>12}  {:>7} {:>7} {:>7} {:>7}  not begun\n", name, "", "", "", "");
      continue;
    }
    const ShardState& shard = *found->second;
    say("{:>12}  {:>7} {:>7} {:>7} {:>7}  {}\n", name, shard.points, shard.done, shard.left(), shard.failed,
        state_word(shard));
  }
}

void print_csv(const std::vector<ShardState>& shards) {
  say("scenario,shard,of,points,done,left,failed,ended,folder\n");
  for (const auto& shard : shards)
    say("{},{},{},{},{},{},{},{},{}\n", shard.name, shard.shard.number, shard.shard.of, shard.points, shard.done,
        shard.left(), shard.failed, shard.ended ? 1 : 0, shard.folder);
}

int status(const Options& options) {
  const auto shards = shards_named(options.shards);
  if (options.format == "csv") {
    print_csv(shards);
    return 0;
  }
  std::map<std::pair<std::string, std::uint32_t>, std::vector<ShardState>> of_run;
  for (const auto& shard : shards) of_run[{shard.identity, shard.shard.of}].push_back(shard);
  for (const auto& [run, its] : of_run) print_table(its);
  return 0;
}

const bool entered = commands().add({
    .name = "status",
    .summary = "progress of the shards of a run: points done, remaining and failed",
    .example = "orrery status out",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.paths("SHARDS", options->shards, "folders that 'orrery run --shard K/N' writes, or its --out name");
          line.choice("--format", options->format, {"table", "csv"}, "output format");
          line.run([options] { return status(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::status_command
