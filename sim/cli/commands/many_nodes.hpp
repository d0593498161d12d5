/// Options --shard and --slurm of `orrery run`.
#pragma once

#include <string>

#include "sim/cli/command_line.hpp"
#include "sim/study/shard/run_request.hpp"
#include "sim/study/shard/slurm_job.hpp"

namespace orrery::cli {

struct ManyNodes {
  std::string shard;
  bool slurm = false, submit = false;
  SlurmOptions job;
};

void many_nodes_options(CommandLine& line, ManyNodes& into);

/// Throws InputError if options of Slurm are given without --slurm.
bool many_nodes_asked(const ManyNodes& options);

struct WhereAndHow {
  std::string out;
  int jobs = 0;
  bool resume = false;
};

/// Runs the shard, or writes the job; returns the exit code.
int on_many_nodes(const ManyNodes& options, const RunRequest& request, const WhereAndHow& how);

}  // namespace orrery::cli
