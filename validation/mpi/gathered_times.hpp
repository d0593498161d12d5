/// Phase times over all ranks of a real run.
#pragma once

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

#include "validation/mpi/phase_times.hpp"

namespace orrery::mpi {

/// Seconds of each phase over all ranks and iterations, on every rank. Collective.
std::map<std::string, double> phase_times(const std::vector<PhaseSpan>& spans, MPI_Comm ranks);

}  // namespace orrery::mpi
