/// NCCL's choice of algorithm and protocol: the least time by its cost model.
///
/// Source   NCCL 2.27, src/graph/tuning.cc; sim/core/nccl_cost.hpp
/// Differs  operations that NCCL does not have, or makes of sends and receives, are Open MPI's, but for all-to-alls
///          over several nodes, which go by rails; so are reductions that do not commute
/// Checked  tests/unit/kernels/collectives/gpu_test.cpp
#include <fmt/format.h>

#include "kernels/collectives/selector.hpp"
#include "sim/core/error.hpp"
#include "sim/core/nccl_cost.hpp"

namespace orrery::collectives::nccl_collective {

namespace {

Selection choose(const Decision& call) {
  if (call.gpus == nullptr)
    throw InputError(
        "nccl: the ranks of a collective are not on GPUs that are alike and that a fabric joins (whose costs it "
        "compares). Place them with 'gpus' in the layout, or choose 'openmpi'?");
  const bool of_shares = call.operation == Operation::allgather || call.operation == Operation::allgatherv;
  const Bytes bytes = of_shares ? static_cast<double>(call.ranks) * call.size : call.size;
  const bool in_order = reduces(call.operation) && !call.commutative;
  if (nccl_models(call.operation) && !in_order)
    return {nccl_choice({call.operation, bytes, call.ranks, call.nodes}, *call.gpus).name};
  if ((call.operation == Operation::alltoall || call.operation == Operation::alltoallv) && call.nodes > 1)
    return {"nccl_pxn"};
  return selectors().at("openmpi", "nccl").choose(call);
}

const bool entered = selectors().add({.name = "nccl",
                                      .summary = "NCCL 2.27: ring, tree or switch, and LL, LL128 or Simple, by least "
                                                 "time of its cost model; for ranks on GPUs",
                                      .source = "NCCL 2.27, src/graph/tuning.cc",
                                      .choose = choose});

}  // namespace

}  // namespace orrery::collectives::nccl_collective
