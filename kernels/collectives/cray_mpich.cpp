/// Cray MPICH's choice of algorithms, with the differences from MPICH.
///
///   allgather   shares of up to 1 KiB (4 KiB beyond 512 ranks): gather and broadcast; longer ones: ring
///   alltoall    blocks of up to 512 B (256 B beyond 1,024 ranks), from 8 ranks on: Bruck's, which stores and forwards
///   bcast       trees alone
///
/// Source   Cray MPICH 7.7 and 8.0, intro_mpi(3): MPICH_ALLGATHER_VSHORT_MSG, MPICH_ALLTOALL_SHORT_MSG,
///          MPICH_BCAST_ONLY_TREE, not confirmed; measured times change their kind at these sizes (validation/imb)
/// Valid    7.7 and 8.0; 8.1 prints other cutoffs (MPICH_ENV_DISPLAY), of allgathers 8 to 16 KiB
/// Differs  trees are binomial (Cray's have radix 4), longer all-to-alls are MPICH's (Cray's limit how many messages
///          are under way); what Cray's library does through shared memory is messages here
/// Checked  tests/unit/kernels/collectives/selector_test.cpp
#include "kernels/collectives/selector.hpp"

namespace orrery::collectives::cray_mpich_collective {

namespace {

Selection choose(const Decision& call) {
  const bool v = call.operation == Operation::allgatherv;
  switch (call.operation) {
    case Operation::allgather:
    case Operation::allgatherv:
      if (call.size <= (call.ranks <= 512 ? 1_KiB : 4_KiB)) return {"gather_bcast"};
      return {v ? "mpich_ring" : "NTSLR"};
    case Operation::alltoall:
      if (call.size <= (call.ranks <= 1024 ? 512_B : 256_B) && call.ranks >= 8) return {"bruck"};
      break;
    case Operation::bcast:
      return {call.shared_nodes ? "SMP_binomial" : "binomial_tree"};
    default:
      break;
  }
  return selectors().at("mpich", "cray-mpich").choose(call);
}

const bool entered =
    selectors().add({.name = "cray-mpich",
                     .summary = "Cray MPICH 7.7 and 8.0: MPICH but for allgathers, short all-to-alls and broadcasts",
                     .source = "Cray MPICH, intro_mpi(3), not confirmed",
                     .choose = choose});

}  // namespace

}  // namespace orrery::collectives::cray_mpich_collective
