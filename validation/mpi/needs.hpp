/// What one rank of a program asks of MPI, known before anything is sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "sim/core/group.hpp"
#include "sim/core/program.hpp"

namespace orrery::mpi {

struct Needs {
  std::uint64_t sends = 0;
  std::size_t largest = 0;                  ///< bytes of a message or of a collective's vector
  std::uint32_t greatest_communicator = 0;  ///< that messages name
  std::map<std::uint64_t, Group> groups;    ///< that call collectives, by fingerprint
};

/// Reads all steps of the rank. Throws InputError for what MPI cannot do: a rank that is not there, a tag above
/// `tag_max`, a message of more bytes than an int counts, a train of messages that one receive takes.
Needs needs_of(const Program& program, Rank me, std::uint32_t tag_max);

}  // namespace orrery::mpi
