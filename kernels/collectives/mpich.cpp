/// MPICH's choice of algorithms by message size and number of ranks.
///
/// Source   Thakur, Rabenseifner & Gropp, IJHPCA 19(1), 2005, sections 4.1 to 4.6, with the default thresholds of MPICH
///          3 (MPIR_CVAR_*_SHORT_MSG_SIZE and the like) as SimGrid's selector 'mpich' states them
/// Differs  for reductions that do not commute, reduce-scatter takes the butterfly whatever p is (MPICH: p = 2^k only).
///          SMPI's selector passes every all-to-all of an even number of ranks to the ring and of an odd number to the
///          pairwise exchange, and cuts broadcasts by p even or odd; here both rules ask for a power of two, as MPICH's
///          do
/// Checked  tests/unit/kernels/collectives/selector_test.cpp
#include "kernels/collectives/selector.hpp"

namespace orrery::collectives::mpich_collective {

namespace {

Selection bcast(const Decision& call) {
  if (call.size < 12_KiB || call.ranks < 8) return {call.shared_nodes ? "SMP_binomial" : "binomial_tree"};
  if (call.size < 512_KiB && power_of_two(call.ranks)) return {"scatter_rdb_allgather"};
  return {"scatter_LR_allgather"};
}

Selection reduce(const Decision& call) {
  if (call.commutative && call.shared_nodes) return {"two_level"};
  const bool cut = call.commutative && call.size > 2_KiB && call.elements >= power_below(call.ranks);
  return {cut ? "scatter_gather" : "binomial"};
}

Selection allreduce(const Decision& call) {
  if (call.commutative && call.shared_nodes) return {"two_level"};
  const bool cut = call.commutative && call.size > 2_KiB && call.elements >= power_below(call.ranks);
  return {cut ? "rab_rdb" : "rdb"};
}

Selection allgather(const Decision& call) {
  const Bytes total = static_cast<double>(call.ranks) * call.size;
  const bool v = call.operation == Operation::allgatherv;
  if (total < 512_KiB && power_of_two(call.ranks)) return {v ? "mpich_rdb" : "rdb"};
  if (total < 80_KiB) return {v ? "ompi_bruck" : "bruck"};
  return {v ? "mpich_ring" : "NTSLR"};
}

Selection alltoall(const Decision& call) {
  if (call.size <= 256_B && call.ranks >= 8) return {"bruck"};
  if (call.size <= 32_KiB) return {"mvapich2_scatter_dest"};
  return {power_of_two(call.ranks) ? "pair" : "ring"};
}

Selection choose(const Decision& call) {
  switch (call.operation) {
    case Operation::barrier:
      return {call.shared_nodes ? "mpich_smp" : "ompi_bruck"};
    case Operation::bcast:
      return bcast(call);
    case Operation::reduce:
      return reduce(call);
    case Operation::allreduce:
      return allreduce(call);
    case Operation::scatter:
    case Operation::gather:
      return {"ompi_binomial"};
    case Operation::scatterv:
    case Operation::gatherv:
      return {"default"};
    case Operation::allgather:
    case Operation::allgatherv:
      return allgather(call);
    case Operation::alltoall:
      return alltoall(call);
    case Operation::alltoallv:
      return {"bruck"};
    case Operation::reduce_scatter:
      if (!call.commutative) return {"ompi_butterfly"};
      return {call.size <= 512_KiB ? "ompi_basic_recursivehalving" : "mpich_pair"};
    case Operation::scan:
    case Operation::exscan:
      break;  // no algorithms
  }
  return {};
}

const bool entered =
    selectors().add({.name = "mpich",
                     .summary = "MPICH 3: thresholds of Thakur et al. 2005, node-aware where members share nodes",
                     .source = "Thakur, Rabenseifner & Gropp, IJHPCA 19(1), 2005; MPICH 3 defaults",
                     .choose = choose});

}  // namespace

}  // namespace orrery::collectives::mpich_collective
