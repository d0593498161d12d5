/// NCCL's cost model: each whole collective by algorithm and protocol; a single message by a hop and its bytes.
///
///   T(collective) = launch_p + hops + m / (b c_p)       sim/core/nccl_cost.hpp: its symbols, units and source
///   T(message)    = w + m / A_1  between nodes          A_1  B/s  one adapter
///                   h + m / B    within                 B    B/s  a GPU's link, or what a core copies
///   phase: collectives of a rank follow each other, those of disjoint groups go on at once; other messages of the
///          phase follow, each rank's in sequence
///
/// Source   NCCL 2.27, src/graph/tuning.cc (ncclTopoTuneModel, ncclTopoGetAlgoTime)
/// Valid    groups that are alike on all their nodes; nothing else on the links
/// Differs  the parameters are the platform's (platforms/gpu_parameters.hpp); of ranks on cores, those of memory and network
/// Checked  tests/unit/models/nccl_test.cpp, validation/nccl
#include <algorithm>
#include <map>
#include <set>

#include "models/point_to_point.hpp"
#include "platforms/gpu_parameters.hpp"
#include "platforms/sharing.hpp"
#include "sim/core/nccl_cost.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::nccl_model {

namespace {

/// Of ranks on cores: no protocol, no switch.
GpuParameters parameters_of_cores(const NodeType& type, const Network& network) {
  const auto all = [](Seconds latency) { return HopLatency{latency, latency, latency}; };
  return {.link = type.copy_bandwidth,
          .adapters = bandwidth_both_full(network),
          .hop = all(type.shared_memory_latency),
          .network_hop = all(network.latency)};
}

std::uint32_t nodes_of(const Group& group, const Layout& layout) {
  std::set<std::uint32_t> nodes;
  for (Member m = 0; m < group.size(); ++m) nodes.insert(layout.domain(group.rank(m)));
  return static_cast<std::uint32_t>(nodes.size());
}

class Nccl final : public PhaseModel {
 public:
  Nccl(const Platform& platform, const Network& network) : platform_(platform), network_(network) {}

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const GpuParameters parameters = parameters_for(layout);
    const Seconds collectives = time_of_collectives(phase, layout, parameters, steps);
    const Phase rest = without_collectives(phase);
    if (rest.messages.empty()) return collectives;
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const bool within = layout.domain(message.from) == layout.domain(message.to);
      const Seconds hop = of(within ? parameters.hop : parameters.network_hop, GpuProtocol::simple);
      const Seconds time = hop + message.size / (within ? parameters.link : network_.bandwidth);
      return {time, time, time};
    };
    return collectives + compose(rest, cost, steps);
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    std::set<std::string> others;
    for (const Phase& phase : input.phases)
      for (const auto& one : phase.collectives) {
        const NcclCall call = call_of(one.call, input.layout);
        if (!nccl_models(one.call.operation))
          others.insert(std::string(operation_name(one.call.operation)) + " message by message");
        else if (nccl_named(one.call.algorithm, call, parameters_for(input.layout)).name.empty())
          others.insert(std::string(one.call.algorithm) + " as NCCL would choose");
      }
    std::vector<std::string> notes;
    if (!input.layout.gpus) notes.push_back("ranks are not on GPUs that are alike: parameters of memory and network");
    for (const auto& other : others) notes.push_back("costs " + other);
    return notes;
  }

 private:
  GpuParameters parameters_for(const Layout& layout) const {
    if (layout.gpus) return *layout.gpus;
    if (const auto found = gpu_parameters(platform_, network_, layout)) return *found;
    const std::uint32_t type = layout.placements.empty() ? 0 : layout.placements.front().node_type;
    return parameters_of_cores(platform_.node_types[type], network_);
  }
  static NcclCall call_of(const CollectiveCall& call, const Layout& layout) {
    return {call.operation, call.bytes, call.group.size(), nodes_of(call.group, layout)};
  }

  /// The rank whose collectives take longest.
  static Seconds time_of_collectives(const Phase& phase, const Layout& layout, const GpuParameters& parameters,
                                     std::vector<Explanation>* steps) {
    std::map<Rank, Seconds> of_rank;
    std::map<Rank, std::vector<Explanation>> terms;
    for (const auto& one : phase.collectives) {
      if (!nccl_models(one.call.operation) || one.call.group.size() < 2) continue;
      const NcclCall call = call_of(one.call, layout);
      NcclChoice choice = nccl_named(one.call.algorithm, call, parameters);
      if (!choice.cost.possible()) choice = nccl_choice(call, parameters);
      const Seconds time = choice.cost.time(call.bytes);
      for (Member m = 0; m < one.call.group.size(); ++m) {
        const Rank rank = one.call.group.rank(m);
        of_rank[rank] += time;
        if (steps != nullptr)
          terms[rank].push_back(
              {fmt::format("{} of {} by {} on {} ranks of {} {}", operation_name(call.operation), to_text(call.bytes),
                           choice.name, call.ranks, call.nodes, call.nodes == 1 ? "node" : "nodes"),
               time});
      }
    }
    const auto longest =
        std::ranges::max_element(of_rank, [](const auto& a, const auto& b) { return a.second < b.second; });
    if (longest == of_rank.end()) return {};
    if (steps != nullptr) steps->insert(steps->end(), terms[longest->first].begin(), terms[longest->first].end());
    return longest->second;
  }

  /// Messages of no collective that the model takes whole.
  static Phase without_collectives(const Phase& phase) {
    constexpr std::uint32_t left_out = 0xffffffffu;
    Phase rest = phase;
    rest.messages.clear();
    rest.collectives.clear();
    std::vector<std::uint32_t> number(phase.messages.size(), left_out);
    for (std::uint32_t i = 0; i < phase.messages.size(); ++i) {
      const Message& message = phase.messages[i];
      if (message.collective != no_collective && nccl_models(phase.collectives[message.collective].call.operation))
        continue;
      number[i] = static_cast<std::uint32_t>(rest.messages.size());
      Message kept = message;
      kept.collective = no_collective;
      kept.after.clear();
      for (const std::uint32_t before : message.after)
        if (number[before] != left_out) kept.after.push_back(number[before]);
      rest.messages.push_back(std::move(kept));
    }
    return rest;
  }

  const Platform& platform_;
  const Network& network_;
};

const bool entered = models().add(
    {.name = "nccl",
     .summary = "NCCL's own cost model: a collective is latency + bytes / bandwidth by algorithm and protocol",
     .source = "NCCL 2.27, src/graph/tuning.cc",
     .page = "T(collective) = launch + hops + m / (b c)       T(message) = hop + m / bandwidth\n\n"
             "  ring       hops = (k - k') h + k' w                  b = n / k min(B', A) / f\n"
             "             from or to a root: (n - N) h + N w        b = min(B, A) / f\n"
             "  tree       hops = 2 ((s - 1) h + log2 N w)           b = min(0.92 B / 2, A / out(N)) q\n"
             "  nvls       hops = 2 v                                b = Bv s / (s + 1)\n"
             "  nvls tree  hops = 2 v + 2 log2 N w                   b = min(Bv s / (s + 1), A / out(N))\n\n"
             "  k     steps of a ring, 2 (n - 1) or n - 1; k' of them between nodes\n"
             "  h, w  s    hop within and between nodes, by protocol (hop-latency of the platform)\n"
             "  v     s    one operation of the switch (multicast)\n"
             "  B     B/s  a GPU's link: bandwidth * wire-efficiency; Bv: * efficiency of multicast\n"
             "             B' = B; over several nodes B s / (s - 1), as one hop of s leaves the node\n"
             "  A     B/s  all adapters of a node: bandwidth * wire-efficiency; no limit on one node\n"
             "  f, q  1    by protocol: 2, 128/120, 1; of trees 3.8, 128/120 (one node 9/7), 1\n"
             "  c     1    of trees, by size: NCCL's table\n"
             "  out   1    1 for two nodes, 1.5 for three, 2 for more\n\n"
             "Nothing is measured: all parameters are the platform's",
     .assumptions = {"a collective has its links to itself", "groups have as many members on each of their nodes",
                     "collectives of a rank follow each other"},
     .make = [](const ModelInput& input) { return std::make_unique<Nccl>(input.platform, input.network); }});

}  // namespace

}  // namespace orrery::nccl_model
