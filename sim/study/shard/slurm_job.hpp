/// A sweep as a job array of Slurm: a script whose tasks run a shard each, and a script that merges them afterwards. A
/// task that is requeued (a lost node, preemption, `scontrol requeue`) continues from its store.
///
///   N = points, or total cost / 10 min, whichever is less; 1 to 1,000; as many as nodes if these are given
///
/// Source   sbatch(1) of Slurm 22.05: --array, --requeue, --signal, --dependency=afterany
/// Checked  tests/unit/study/slurm_job_test.cpp, tests/cli/slurm.sh (a real one)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/study/shard/run_request.hpp"

namespace orrery::study {

struct SlurmOptions {
  int tasks = 0;          ///< 0: by the predicted costs
  int nodes = 0;          ///< tasks at a time; 0: decided by Slurm
  int cpus = 1;           ///< of each task
  std::string time = {};  ///< "30" minutes, "1:00:00"; empty: from the costs
  std::string partition = {};
  std::vector<std::string> others = {};  ///< further options of sbatch, as in "--account=physics"
};

constexpr std::uint32_t tasks_max = 1000;

struct SlurmJob {
  std::uint32_t tasks = 1;
  double longest_s = 0.0;    ///< of a task, predicted
  std::string array, merge;  ///< the scripts
};

/// The number of tasks.  costs  [points]  us
std::uint32_t tasks_of(std::span<const std::uint64_t> costs, const SlurmOptions& options);

/// The scripts, for the folder `out` in this directory. Throws InputError for options that Slurm would reject.
SlurmJob slurm_job(const RunRequest& request, const std::string& name, const std::string& out,
                   std::span<const std::uint64_t> costs, const SlurmOptions& options);

/// Submits both with sbatch and returns their job numbers. Throws InputError if sbatch refuses, or is not there.
struct Submitted {
  std::string array, merge;
};
Submitted submit(const std::string& array_script, const std::string& merge_script);

}  // namespace orrery::study
