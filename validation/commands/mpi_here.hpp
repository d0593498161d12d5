/// What the MPI of this machine has to be told before ranks can be started on it.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::cli {

/// Readies this process's environment for `mpirun -n RANKS`, and says what a reader of the times must know. Throws Skipped
/// where no mpirun is there, InputError where it would refuse because of who we are.
void prepare_mpi_here(std::uint32_t ranks);

/// That this process may run on.
std::uint32_t usable_cores();

struct MpiHere {
  std::string version;      ///< what `mpirun --version` prints; empty: there is none
  bool root = false;        ///< this is root
  bool allowed = false;     ///< root has said twice that it may
  std::uint32_t cores = 1;  ///< that this process may use
};

/// What is to be said before that many ranks are started: empty, or a sentence.
std::string said_before_mpi(const MpiHere& here, std::uint32_t ranks);

}  // namespace orrery::cli
