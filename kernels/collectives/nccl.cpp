/// NCCL's choice of algorithm and protocol: the least time by its cost model; or the choice of the protocol only.
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

void require_gpus(const Decision& call, std::string_view name) {
  if (call.gpus == nullptr)
    throw without_gpus(name, call.gpus_missing.empty() ? "some ranks are on cores" : call.gpus_missing);
}

/// An operator that does not commute: NCCL's all do.
bool keeps_order(const Decision& call) { return reduces(call.operation) && !call.commutative; }

NcclCall nccl_call(const Decision& call) {
  const bool of_shares = call.operation == Operation::allgather || call.operation == Operation::allgatherv;
  const Bytes bytes = of_shares ? static_cast<double>(call.ranks) * call.size : call.size;
  return {call.operation, bytes, call.ranks, call.nodes};
}

Selection choose(const Decision& call) {
  require_gpus(call, "nccl");
  if (nccl_models(call.operation) && !keeps_order(call)) return {nccl_choice(nccl_call(call), *call.gpus).name};
  if ((call.operation == Operation::alltoall || call.operation == Operation::alltoallv) && call.nodes > 1)
    return {"nccl_pxn"};
  return selectors().at("openmpi", "nccl").choose(call);
}

constexpr std::string_view ring_alone = "nccl_algo_ring", tree_alone = "nccl_algo_tree";

/// NCCL_ALGO: what the named algorithm cannot do is refused, as NCCL ends there.
Selection choose_protocol(const Decision& call, NcclAlgorithm algorithm, std::string_view name) {
  require_gpus(call, name);
  if (keeps_order(call))
    throw InputError("{}: NCCL has no {} that keeps the order of ranks. Choose 'nccl'?", name,
                     operation_name(call.operation));
  const NcclChoice choice = nccl_choice(nccl_call(call), *call.gpus, algorithm);
  if (choice.name.empty())
    throw InputError(
        "{}: NCCL has no {} by this algorithm (ring: allreduce, allgather, reduce_scatter, "
        "bcast, reduce; tree: allreduce). Choose 'nccl'?",
        name, operation_name(call.operation));
  return {choice.name};
}
Selection choose_ring(const Decision& call) { return choose_protocol(call, NcclAlgorithm::ring, ring_alone); }
Selection choose_tree(const Decision& call) { return choose_protocol(call, NcclAlgorithm::tree, tree_alone); }

const bool entered_alone =
    selectors().add({.name = std::string(ring_alone),
                     .summary = "NCCL 2.27 with NCCL_ALGO=Ring: LL, LL128 or Simple by least time of its cost model",
                     .source = "NCCL 2.27, src/graph/tuning.cc",
                     .choose = choose_ring}) &&
    selectors().add({.name = std::string(tree_alone),
                     .summary = "NCCL 2.27 with NCCL_ALGO=Tree: LL, LL128 or Simple by least time of its cost model",
                     .source = "NCCL 2.27, src/graph/tuning.cc",
                     .choose = choose_tree});

const bool entered = selectors().add({.name = "nccl",
                                      .summary = "NCCL 2.27: ring, tree or switch, and LL, LL128 or Simple, by least "
                                                 "time of its cost model; for ranks on GPUs",
                                      .source = "NCCL 2.27, src/graph/tuning.cc",
                                      .choose = choose});

}  // namespace

}  // namespace orrery::collectives::nccl_collective
