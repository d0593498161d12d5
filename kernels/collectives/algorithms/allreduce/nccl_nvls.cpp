/// GPUs of one node whose switch reduces and multicasts (gpu_nvls.hpp): each link carries (1 + 1 / p) m each way.
#include "kernels/collectives/gpu_nvls.hpp"

namespace orrery::collectives::nccl_nvls_allreduce {

namespace {

std::string_view instead(const Task& task) {
  if (!switches_can(task)) return "nccl_ring";
  return node_count(task) > 1 ? "nccl_nvls_tree" : "";
}

const bool entered = enter({Operation::allreduce}, {.name = "nccl_nvls",
                                                    .summary = "GPUs of a node: their switch reduces and multicasts",
                                                    .source = "NCCL 2.27 NVLS; several nodes: nccl_nvls_tree, a GPU "
                                                              "by itself on its node: nccl_ring",
                                                    .lanes = switch_lanes,
                                                    .instead = instead,
                                                    .protocol = GpuProtocol::simple,
                                                    .launch = nccl_switch_launch});

}  // namespace

}  // namespace orrery::collectives::nccl_nvls_allreduce
