/// An error that some ranks meet ends all of them, and is said once.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <optional>
#include <string>

#include "sim/core/error.hpp"

namespace orrery::mpi {

/// What is left to a rank when one of them has said what is wrong.
struct Refused {};

/// Runs `part`, which must not communicate. Collective: when it throws an InputError on any rank, the first of these
/// says it on standard error, and all throw Refused.
template <class Part>
void agreed(MPI_Comm ranks, Part&& part) {
  int me = 0, size = 1;
  MPI_Comm_rank(ranks, &me);
  MPI_Comm_size(ranks, &size);
  std::optional<std::string> problem;
  try {
    part();
  } catch (const InputError& error) {
    problem = error.what();
  }
  const int own = problem ? me : size;
  int first = size;
  MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, ranks);
  if (first == size) return;
  if (first == me) fmt::print(stderr, "orrery-mpi: {}\n", *problem);
  throw Refused();
}

}  // namespace orrery::mpi
