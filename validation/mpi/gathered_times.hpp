/// Phase times over all ranks of a real run.
#pragma once

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

#include "validation/mpi/phase_times.hpp"

namespace orrery::mpi {

/// The longest span of each phase over all ranks, on every rank. Collective.
LongestSpans longest_spans(const std::vector<PhaseSpan>& spans, MPI_Comm ranks);

}  // namespace orrery::mpi
