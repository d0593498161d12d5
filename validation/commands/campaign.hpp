/// A campaign: what was measured of a scenario with real MPI, in a folder that says how to do it again.
///
///   README.md         what, when, where, and the commands
///   scenario.yaml     the points
///   experiments.txt   micro-benchmarks to calibrate from (validation/mpi/experiments.hpp)
///   benchmarks.csv    their times
///   points.csv        times of the points
///   compare.yaml      the scenario with points.csv as its measured times: 'orrery run compare.yaml'
///   job.sh            for a batch system, where it is asked for
#pragma once

#include <string>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::cli {

enum class MeasureOn : unsigned char { cluster, here, slurm };

struct MeasureRequest {
  std::string scenario;  ///< file
  std::string folder;
  MeasureOn on = MeasureOn::cluster;
  std::vector<Bytes> sizes;  ///< of the micro-benchmarks
  int repeat = 21, warm_up = 3;
  bool points = true;            ///< false: the micro-benchmarks alone
  std::string compute = "spin";  ///< of the points, as orrery-mpi has it
};

/// Writes the folder and measures, but for slurm, whose job is left to be sent. 77 where no cluster can be made here.
int measure_campaign(const MeasureRequest& request);

/// Whether what the commands of the folder write is all there; names what is not.
std::string missing_of(const std::string& folder, bool points);

/// compare.yaml and the README, once the times are there.
void complete_campaign(const MeasureRequest& request);

/// Sizes of the micro-benchmarks unless the user names others: 1 B to 256 KiB, denser around a frame and a threshold.
std::vector<Bytes> benchmark_sizes();

}  // namespace orrery::cli
