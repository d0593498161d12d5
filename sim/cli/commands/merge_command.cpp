/// `orrery merge`: the shards of a run, put together to what one run of them all would have given.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "sim/cli/command_line.hpp"
#include "sim/cli/folder_run.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/shard/merge_shards.hpp"
#include "sim/study/store/output_folder.hpp"

namespace orrery::cli::merge_command {

namespace {

struct Options {
  std::vector<std::string> shards;
  std::string out, format = "table";
  int jobs = 0;
  bool check = false;
};

int merge(const Options& options) {
  const unsigned jobs = jobs_of(options.jobs);
  const auto shards = shards_named(options.shards);
  for (const ShardState& shard : shards)
    if (std::error_code ignored; std::filesystem::equivalent(shard.folder, options.out, ignored))
      throw InputError("--out: '{}' is one of the shards, whose points it holds. Choose another folder?", options.out);
  const Merge merge = merge_of(shards, jobs);
  require_writable(options.out);
  finish_swap(options.out);
  tell("merging {} shards of {}\n", merge.shards.size(), merge.scenario.name);
  ResultStore store(ResultStore::file_in(options.out));
  take_results(merge, store);
  try {
    const ScenarioResult result = run_into(options.out, merge.scenario, merge.options, options.format, store);
    Verdict verdict;
    verdict.see(result);
    verdict.conclude(options.check);
  } catch (const PointsMissing& missing) {
    throw InputError(Refusal::sentence(missing_sentence(merge, missing, jobs)));
  }
  return 0;
}

const bool entered = commands().add({
    .name = "merge",
    .summary = "merge the shards of a run: the result is that of one run",
    .example = "orrery merge out-* --out all",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.paths("SHARDS", options->shards, "folders that 'orrery run --shard K/N' wrote, or its --out name");
          line.path("-o,--out", options->out, "output folder, as of 'orrery run'", true);
          line.option("--jobs", options->jobs, "parallel predictions (0: one per core)");
          line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
          line.flag("--check", options->check, "exit with code 5 if a tolerance of the scenario is violated");
          line.run([options] { return merge(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::merge_command
