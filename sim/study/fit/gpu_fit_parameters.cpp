#include "sim/study/fit/gpu_fit_parameters.hpp"

#include <string_view>

#include "sim/study/fit/parameter_parts.hpp"

namespace orrery::study {

using namespace parameter_parts;
using Of = const FittedMachine&;

void add_gpu_parameters(std::vector<PlatformParameter>& all) {
  using U = ParameterUses;
  const auto add = [&](const char* name, const char* about, Dimension dimension, double least, double most,
                       const char* example, bool ParameterUses::*use, const char* key, bool of_gpus,
                       std::function<double(Of)> value) {
    PlatformParameter parameter{.name = name,
                                .about = about,
                                .dimension = dimension,
                                .least = least,
                                .most = most,
                                .example = example,
                                .of_gpus = of_gpus,
                                .matters = when(use),
                                .stated = {}};
    parameter.path = [key, of_gpus](Of of) {
      return of_gpus ? "node-types." + of.gpus->name + ".gpu-messages." + key : protocol_path(of) + key;
    };
    parameter.stated = [path = parameter.path, of_gpus, value](Of of) -> std::optional<double> {
      if (of_gpus && (of.gpus == nullptr || !of.gpus->gpu_messages)) return std::nullopt;
      return states(*of.platform, path(of)) ? positive(value(of)) : std::nullopt;
    };
    all.push_back(std::move(parameter));
  };
  const auto hop = [](GpuProtocol protocol) {
    return [protocol](Of of) { return orrery::of(of.gpus->gpu_messages->protocol.hop_latency, protocol).si(); };
  };
  const auto in_switch = [](auto member) {
    return [member](Of of) {
      const auto& switches = of.gpus->gpu_messages->multicast;
      return switches ? GpuMessages::Multicast(*switches).*member : decltype(GpuMessages::Multicast{}.*member){};
    };
  };
  const auto seconds = [](auto get) { return [get](Of of) { return get(of).si(); }; };
  add("gpu-wire-efficiency", "payload of what links between GPUs carry", Dimension::scalar, 0.05, 1.0, "0.81",
      &U::gpu_links, "wire-efficiency", true,
      [](Of of) { return of.gpus->gpu_messages->protocol.wire_efficiency(Bytes{}); });
  add("gpu-hop-ll", "from one GPU of a node to the next by LL", Dimension::time, 1e-8, 1e-3, "0.6us", &U::gpu_kernels,
      "hop-latency.ll", true, hop(GpuProtocol::ll));
  add("gpu-hop-ll128", "the same by LL128", Dimension::time, 1e-8, 1e-3, "1.9us", &U::gpu_kernels, "hop-latency.ll128",
      true, hop(GpuProtocol::ll128));
  add("gpu-hop-simple", "the same by Simple", Dimension::time, 1e-8, 1e-3, "3.4us", &U::gpu_kernels,
      "hop-latency.simple", true, hop(GpuProtocol::simple));
  add("multicast-efficiency", "payload of what links carry while the switch reduces", Dimension::scalar, 0.05, 1.0,
      "0.68", &U::gpu_kernels, "multicast.efficiency", true, in_switch(&GpuMessages::Multicast::efficiency));
  add("multicast-latency", "of one operation of the switch", Dimension::time, 1e-8, 1e-3, "1us", &U::gpu_kernels,
      "multicast.latency", true, seconds(in_switch(&GpuMessages::Multicast::latency)));
  add("multicast-staging", "of a GPU copying to and from buffers that the switch reaches", Dimension::bandwidth, GB,
      10'000.0 * GB, "870GB/s", &U::gpu_kernels, "multicast.staging", true,
      seconds(in_switch(&GpuMessages::Multicast::staging)));
  add("hop-rendezvous", "more, of GPUs' messages between nodes from 'eager' on", Dimension::time, 1e-8, 1e-3, "30us",
      &U::gpu_wires, "hop-latency.rendezvous", false, [](Of of) { return of.network->protocol.hop_rendezvous.si(); });
  add("hop-gap", "a GPU's message between nodes keeps its adapter so long beside its bytes", Dimension::time, 1e-8,
      1e-3, "8us", &U::gpu_wires, "hop-latency.gap", false, [](Of of) { return of.network->protocol.hop_gap.si(); });
}

bool gpu_use(const Message& message, const Phase& phase, const Layout& layout, const ChannelProperties& protocol,
             ParameterUses& uses) {
  if (!layout.gpus) return false;
  const bool inside = layout.domain(message.from) == layout.domain(message.to);
  const bool kernels = message.collective != no_collective &&
                       std::string_view(phase.collectives[message.collective].call.algorithm).starts_with("nccl");
  uses.gpu_links = uses.gpu_links || inside || kernels;
  uses.gpu_kernels = uses.gpu_kernels || kernels;
  if (inside) return true;
  if (!kernels) return false;
  uses.gpu_wires = uses.on_wires = true;
  return protocol.hop_latency != HopLatency{};  // else its hops take the network's latency
}

}  // namespace orrery::study
