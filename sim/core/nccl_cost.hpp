/// NCCL's cost model of a collective between GPUs. NCCL chooses algorithm and protocol by it.
///
///   T = launch_p + hops + m / (b c_p)
///
///   ring       hops = (k - k') h_p + k' w_p                      b = n / k  min(B_r, A) / f_p
///   ring from or to a root: hops = (n - N) h_p + N w_p, on one node n h_p; b = min(B, A) / f_p
///   tree       hops = 2 ((s - 1) h_p + log2 N  w_p)              b = min(0.92 B / 2, A / out(N)) q_p
///   nvls       hops = 2 v                                        b = B_v s / (s + 1)
///   nvls tree  hops = 2 v + 2 log2 N  w_p                        b = min(B_v s / (s + 1), A / out(N))
///
///   m          Bytes           B    all that the call is about, as nccl-tests prints it
///   n, N, s    ranks           1    GPUs; nodes; GPUs of a node, n / N
///   k, k'      steps           1    of a ring: 2 (n - 1) (reduce-scatter, allgather: n - 1); those between nodes:
///                                   2 N, on one node 0 (N - 1)
///   B, B_v, A  BytesPerSecond  B/s  a GPU's link (without a switch its s - 1 links to the others together); the same
///                                   as the switch works; all adapters of a node (one node: inf)
///   B_r        BytesPerSecond  B/s  B; over several nodes B s / (s - 1), as one hop of s leaves the node
///   h_p, w_p   Seconds         s    hop within and between nodes, by protocol; all 1.4 times for rings that reduce
///                                   over nodes by Simple
///   v          Seconds         s    one operation of the switch
///   launch_p   Seconds         s    LL, LL128, Simple: ring 6.6, 14, 8.4 us; tree 6.8, 14, 8.4; switch 23
///   f_p        1               1    bytes with flags: 2, 128/120, 1
///              LL between nodes: at most the network's `ll-limit` of bus bandwidth (b k / n, 2 b, b), where it states
///              none 39 GB/s; between more than two at most 20.4 GB/s
///   q_p        1               1    tree: 1/3.8, 120/128 (one node 7/9), 1
///   c_p        1               1    tree: what chunks of messages of middling size leave (a table by log2 m)
///   out(N)     1               1    bytes that leave the busiest node for each of the vector: 1, 1.5 (N = 3), 2
///
/// Source   NCCL 2.27, src/graph/tuning.cc (ncclTopoTuneModel, ncclTopoGetAlgoTime and their constants)
/// Valid    nodes with equal numbers of GPUs that one switch joins
/// Differs  choosing, NCCL gives nvls tree at most 5/6 A / out(N), and so does nccl_choice from three nodes on
///          NCCL takes B and A from speeds that its search assumes for a channel, per generation of GPU, with caps for
///          each; here they are the platform's. It reckons all hops from and to a root as between nodes. Its factor 5/6
///          of NVLS is s / (s + 1) here: what the links carry
/// Checked  tests/unit/core/nccl_cost_test.cpp, validation/nccl
#pragma once

#include <optional>
#include <string_view>

#include "sim/core/collective_call.hpp"
#include "sim/core/gpu_parameters.hpp"

namespace orrery {

enum class NcclAlgorithm : std::uint8_t { ring, tree, nvls, nvls_tree };

struct NcclCall {
  Operation operation{};
  Bytes bytes;
  std::uint32_t ranks = 1, nodes = 1;
};

/// T = latency + bytes / bandwidth; a bandwidth of 0 means that the operation is not possible.
struct NcclCost {
  Seconds latency;
  BytesPerSecond bandwidth{0};

  bool possible() const { return bandwidth > BytesPerSecond{}; }
  Seconds time(Bytes bytes) const { return latency + bytes / bandwidth; }
};

NcclCost nccl_cost(const NcclCall& call, NcclAlgorithm algorithm, GpuProtocol protocol, const GpuParameters& gpus);

/// An algorithm of the catalogue with its protocol.
struct NcclChoice {
  std::string_view name;  ///< "nccl_tree_ll128"
  NcclAlgorithm algorithm{};
  GpuProtocol protocol{};
  NcclCost cost;
};

/// The least time of all possible algorithms, or of `only` (as NCCL_ALGO selects it), over the protocols, by the hop
/// latencies that NCCL assumes; empty for operations that NCCL has no model of. The cost returned uses the network's
/// hop latencies.
NcclChoice nccl_choice(const NcclCall& call, const GpuParameters& gpus,
                       std::optional<NcclAlgorithm> only = std::nullopt);
/// By name; empty if it is not one of these.
NcclChoice nccl_named(std::string_view name, const NcclCall& call, const GpuParameters& gpus);
bool nccl_models(Operation operation);

}  // namespace orrery
