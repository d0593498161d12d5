/// A calibration's micro-benchmarks with real MPI: the same kernels that an engine plays, timed iteration by iteration.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "models/stats/sample.hpp"
#include "validation/mpi/common_clock.hpp"
#include "validation/mpi/experiments.hpp"

namespace orrery::mpi {

struct BenchmarkTime {
  std::string id;
  double message_B = 0.0;
  stats::Median time_s;  ///< of one transmission
  int repetitions = 0;
};

/// Processor time that the switch of an emulated cluster spends on a message of one byte: "forwarding", from ping-pongs
/// of the first rank and the first one elsewhere, and "forwarding/burst=64", of one of a burst; nothing where there is
/// no such switch (ORRERY_CLUSTER_SWITCH, its process) or one node only. Collective over `world`.
std::vector<BenchmarkTime> measure_forwarding(int repeat, const std::vector<std::string>& hosts, MPI_Comm world);

/// How late ranks leave a common start, the last of all of them: "start-skew". All ranks of `world`.
BenchmarkTime measure_start_skew(int repeat, CommonClock& clock, MPI_Comm world);

/// Plays them one after another, each on the ranks that lie where it says; experiments whose places nobody has are left
/// out. All times on every rank of `world`. Collective.
std::vector<BenchmarkTime> run_benchmarks(const std::vector<Experiment>& plan, const std::vector<std::string>& hosts,
                                          int repeat, int warm_up, CommonClock& clock, MPI_Comm world);

}  // namespace orrery::mpi
