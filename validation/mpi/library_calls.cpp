// Collectives that the MPI library performs by itself, on data of no meaning.
#include <algorithm>
#include <cmath>

#include "validation/mpi/mpi_player.hpp"

namespace orrery::mpi {

void MpiPlayer::call_library(const CollectiveCall& call) {
  const MPI_Comm members = groups_.at(call.group.fingerprint());
  const auto bytes_of_call = static_cast<std::size_t>(std::llround(call.bytes.si()));
  const auto bytes = static_cast<int>(bytes_of_call);
  const int share = bytes / static_cast<int>(call.group.size()), root = static_cast<int>(call.root);
  const auto doubles = static_cast<int>((bytes_of_call + 7) / 8), share_of_doubles = (share + 7) / 8;
  const std::size_t room = sizeof(double) * std::max(static_cast<std::size_t>(share_of_doubles) * call.group.size(),
                                                     static_cast<std::size_t>(doubles));
  if (source_.size() < room) source_.resize(room);
  if (sink_.size() < room) sink_.resize(room);
  void *from = source_.data(), *into = sink_.data();
  switch (call.operation) {
    case Operation::barrier:
      MPI_Barrier(members);
      break;
    case Operation::bcast:
      MPI_Bcast(into, bytes, MPI_BYTE, root, members);
      break;
    case Operation::reduce:
      MPI_Reduce(from, into, doubles, MPI_DOUBLE, MPI_SUM, root, members);
      break;
    case Operation::allreduce:
      MPI_Allreduce(from, into, doubles, MPI_DOUBLE, MPI_SUM, members);
      break;
    case Operation::scatter:
      MPI_Scatter(from, share, MPI_BYTE, into, share, MPI_BYTE, root, members);
      break;
    case Operation::gather:
      MPI_Gather(from, share, MPI_BYTE, into, share, MPI_BYTE, root, members);
      break;
    case Operation::allgather:
      MPI_Allgather(from, share, MPI_BYTE, into, share, MPI_BYTE, members);
      break;
    case Operation::alltoall:
      MPI_Alltoall(from, share, MPI_BYTE, into, share, MPI_BYTE, members);
      break;
    case Operation::reduce_scatter:
      MPI_Reduce_scatter_block(from, into, share_of_doubles, MPI_DOUBLE, MPI_SUM, members);
      break;
    case Operation::scan:
      MPI_Scan(from, into, doubles, MPI_DOUBLE, MPI_SUM, members);
      break;
    case Operation::exscan:
      MPI_Exscan(from, into, doubles, MPI_DOUBLE, MPI_SUM, members);
      break;
    case Operation::scatterv:
    case Operation::gatherv:
    case Operation::allgatherv:
    case Operation::alltoallv:
      break;  // uneven: played as ours
  }
}

}  // namespace orrery::mpi
