/// Parameters for planning and predicting collectives between GPUs: a job's GPUs, their switch and adapters.
///
/// NCCL transfers a message by one of three protocols, which differ in cost:
///
///   LL       8 bytes and 8 of flags in each store of 16: twice the bytes, least latency
///   LL128    120 bytes and 8 of flags in each line of 128
///   Simple   bytes alone, with a fence and a flag after each chunk: most latency
///
/// An NVSwitch that multicasts reads the same address of several GPUs and passes on the sum (multimem.ld_reduce), or
/// writes what one GPU stores to all of them (multimem.st).
///
/// Source   Hu et al., Demystifying NCCL, arXiv 2507.04786, 2025, section on protocols; NVIDIA PTX ISA 8.1, multimem
/// Checked  tests/unit/kernels/collectives/gpu_test.cpp, tests/replay/gpu_messages_test.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sim/core/gpu_mesh.hpp"
#include "sim/core/units.hpp"

namespace orrery {

enum class GpuProtocol : std::uint8_t { none, ll, ll128, simple };
inline constexpr std::size_t gpu_protocols = 3;
inline constexpr std::array gpu_protocol_names = {"ll", "ll128", "simple"};

/// Bytes that a message of one byte takes with the protocol's flags.
constexpr double flagged(GpuProtocol protocol) {
  if (protocol == GpuProtocol::ll) return 2.0;
  return protocol == GpuProtocol::ll128 ? 128.0 / 120.0 : 1.0;
}

enum class InSwitch : std::uint8_t { nothing, reduce, multicast };

/// By protocol: LL, LL128, Simple. Zero: not given.
using HopLatency = std::array<Seconds, gpu_protocols>;
constexpr Seconds of(const HopLatency& latency, GpuProtocol protocol) {
  return protocol == GpuProtocol::none ? Seconds{} : latency[static_cast<std::size_t>(protocol) - 1];
}

struct GpuParameters {
  BytesPerSecond link;          ///< of one GPU to its switch, or to each other GPU: payload, each direction
  BytesPerSecond adapters;      ///< of all adapters of a node, or of those that share a switch: payload, each way
  HopLatency hop, network_hop;  ///< of a message within a node, and between two
  HopLatency reckoned_hop{};    ///< between two nodes, as NCCL assumes when it chooses; 0: `network_hop`
  BytesPerSecond in_switch{0};  ///< as `link`, for data that the switch reduces or multicasts; 0: it does neither
  Seconds in_switch_latency;    ///< of one such operation
  BytesPerSecond staging{0};    ///< of a GPU that copies to and from the buffers that the switch reaches
  std::array<bool, gpu_protocols> carried{true, true, true};  ///< LL, LL128, Simple: which of them the network permits
  BytesPerSecond ll_limit{0};                                 ///< bus bandwidth of LL between nodes; 0: the default
  std::uint32_t rails = 0;                                    ///< GPUs of a node with an adapter of their own; 0: all
  std::uint32_t span = 1, first_node = 0;     ///< `span` consecutive nodes from `first_node` on share a switch
  bool pairwise = false;                      ///< no switch: each pair of GPUs of a node has its own link
  std::shared_ptr<const GpuLinks> mesh = {};  ///< no switch: only some pairs have links; null if `pairwise`
  std::string detour = {};  ///< "GPU 1 to GPU 2": two neighbours in every ring without a link; empty: all have one
};

}  // namespace orrery
