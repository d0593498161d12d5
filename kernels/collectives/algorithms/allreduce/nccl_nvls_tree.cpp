/// GPUs of several nodes: switches reduce and multicast inside the nodes, double binary trees connect the rails
/// (gpu_nvls.hpp).
#include "kernels/collectives/gpu_nvls.hpp"

namespace orrery::collectives::nccl_nvls_tree_allreduce {

namespace {

std::string_view instead(const Task& task) {
  if (!switches_can(task)) return "nccl_tree";
  return node_count(task) > 1 ? "" : "nccl_nvls";
}

const bool entered =
    enter({Operation::allreduce}, {.name = "nccl_nvls_tree",
                                   .summary = "GPUs: switches reduce and multicast in nodes, trees join the rails",
                                   .source = "NCCL 2.27 NVLSTree; one node: nccl_nvls, nodes with unlike numbers of "
                                             "GPUs: nccl_tree",
                                   .lanes = switch_lanes,
                                   .instead = instead,
                                   .protocol = GpuProtocol::simple,
                                   .launch = nccl_switch_launch});

}  // namespace

}  // namespace orrery::collectives::nccl_nvls_tree_allreduce
