#include "sim/cli/commands/many_nodes.hpp"

#include <fmt/format.h>

#include "sim/cli/folder_run.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/shell_words.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/shard/play_shard.hpp"
#include "sim/study/shard/simulations.hpp"
#include "sim/study/store/output_folder.hpp"

namespace orrery::cli {

namespace {

int play_one_shard(const ManyNodes& options, const RunRequest& request, const WhereAndHow& how) {
  const ShardNumber shard = shard_number(options.shard);
  const std::string folder = shard_folder(how.out, shard);
  ShardState state;
  try {
    state = play_shard(request, shard, folder, {jobs_of(how.jobs), how.resume});
  } catch (const Interrupted& stop) {
    throw Interrupted(stop.refusal().then(go_on_later(Refusal("What ended is kept in {}", folder))));
  }
  tell("shard {} is in {}: {} of {} points{}. Once all shards are there:\n  {}\n", shard.text(), folder, state.done,
       state.points, state.failed > 0 ? fmt::format(", {} failed", state.failed) : "",
       shell_line({"orrery", "merge", how.out, "--out", how.out}));
  if (state.failed > 0)
    throw ReplayError("{} of {} points of shard {} could not finish; the merge says why", state.failed, state.points,
                      shard.text());
  return 0;
}

int write_job(const ManyNodes& options, const RunRequest& request, const WhereAndHow& how) {
  SlurmOptions job_options = options.job;
  job_options.cpus = how.jobs == 0 ? 1 : how.jobs;
  Simulations all(request, 1);
  const SlurmJob job = slurm_job(request, all.scenario().name, how.out, all.costs(), job_options);
  require_writable(how.out);
  config::write_into(how.out, "slurm-array.sh", job.array);
  config::write_into(how.out, "slurm-merge.sh", job.merge);
  const std::string array = how.out + "/slurm-array.sh", merge = how.out + "/slurm-merge.sh";
  tell("{}: {} points in {} task{}; the longest is expected to take about {}\n", all.scenario().name, all.size(),
       job.tasks, job.tasks == 1 ? "" : "s",
       job.longest_s < 90 ? fmt::format("{:.0f} s", job.longest_s) : fmt::format("{:.0f} min", job.longest_s / 60));
  if (options.submit) {
    const Submitted jobs = submit(array, merge);
    say("array job {} and merge job {}; how far: {}\n", jobs.array, jobs.merge,
        shell_line({"orrery", "status", how.out}));
  } else {
    say("written: {0} and {1}. Submit them with:\n  sbatch --dependency=afterany:$(sbatch --parsable {0}) {1}\n",
        shell_word(array), shell_word(merge));
  }
  return 0;
}

}  // namespace

void many_nodes_options(CommandLine& line, ManyNodes& into) {
  line.option("--shard", into.shard,
              "K/N: run shard K of N of the points, into folder OUT-K-of-N ('orrery merge' combines the shards)");
  line.flag("--slurm", into.slurm,
            "write two Slurm scripts into OUT: a job array that runs shards, and a job that merges them");
  line.flag("--submit", into.submit, "with --slurm: submit both with sbatch");
  line.option("--tasks", into.job.tasks,
              "with --slurm: number of array tasks (0: tasks of about 10 minutes, at most 1000)");
  line.option("--nodes", into.job.nodes, "with --slurm: maximum tasks at a time (0: no limit)");
  line.option("--time", into.job.time, "with --slurm: time limit of a task, as in 30 (minutes) or 2:00:00");
  line.option("--partition", into.job.partition, "with --slurm: Slurm partition");
  line.option("--sbatch", into.job.others, "with --slurm: extra sbatch option, as in --sbatch=--account=physics");
}

bool many_nodes_asked(const ManyNodes& options) {
  if (options.slurm && !options.shard.empty())
    throw InputError("--slurm: '--shard {}' is given too (its tasks play all shards). Leave one out?", options.shard);
  const SlurmOptions& job = options.job;
  const char* without = options.submit           ? "--submit"
                        : job.tasks != 0         ? "--tasks"
                        : job.nodes != 0         ? "--nodes"
                        : !job.time.empty()      ? "--time"
                        : !job.partition.empty() ? "--partition"
                        : !job.others.empty()    ? "--sbatch"
                                                 : nullptr;
  if (!options.slurm && without != nullptr)
    throw InputError("{}: is an option of --slurm, which is not given. Add --slurm?", without);
  return options.slurm || !options.shard.empty();
}

int on_many_nodes(const ManyNodes& options, const RunRequest& request, const WhereAndHow& how) {
  return options.slurm ? write_job(options, request, how) : play_one_shard(options, request, how);
}

}  // namespace orrery::cli
