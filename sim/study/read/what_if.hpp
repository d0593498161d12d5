/// `what-if:` of a scenario: parts of the cluster that are slower than in the platform file, or dead.
///
///   what-if: {node: 17, slower: 20%}                              # all computation of its ranks takes 1.2 times as long
///   what-if: {gpu: {node: 3, index: 2}, slower: 30%}
///   what-if: {adapter: {node: 12, index: 3}, bandwidth: 50%}      # half of the platform's value, each direction
///   what-if: {rail: 3, latency: +1us}                             # the adapters of this number on all nodes
///   what-if: {link: [leaf-3, spine-2], down: true}                # all cables between the two; 'cable: 1' is one
///   what-if: {switch: spine-2, down: true}                        # all its cables, those to nodes too
///   what-if: [{nodes: random 5, seed: 1, slower: 10%}, {link: ...}]   # all at once
///   sweep: {what-if: [none, {node: 3, slower: 20%}]}              # one after another
///   what-if: {link: each of level 2, down: true}                  # a sweep: none, then each place (what_if_places.hpp)
///
/// Planning, partitioning and prediction ignore faults: the partition, the algorithms of collectives and the models of
/// phases use the healthy cluster. Only simulated messages and computation meet the fault.
///
/// Checked  tests/unit/study/what_if_test.cpp, tests/replay/faults_test.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "platforms/routes.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/layout.hpp"

namespace orrery {

/// An adapter or a GPU.
struct PartOfNode {
  std::string node, number;  ///< as written
  bool each = false;
  std::string where;  ///< empty: none is given
};

/// One fault as written in the file.
struct WhatIf {
  std::string node, rail, from_switch;  ///< as written; empty: the fault is elsewhere
  std::vector<std::string> nodes, link;
  PartOfNode adapter, gpu;
  std::uint32_t cable = 0;  ///< number among those between two switches, from 1; 0: all
  std::uint64_t seed = 1;
  std::optional<double> slower, bandwidth;
  std::optional<Seconds> latency;
  bool down = false;
  std::string text, where;  ///< "link=[leaf-3, spine-2] down=true"; "file:line:column"
};

/// Empty for 'none'.
std::vector<WhatIf> read_what_if(const config::Value& value);

/// The effects of a point's faults.
struct Faulted {
  struct Effect {  ///< of one fault
    std::string text;
    std::vector<LinkId> links;
    std::vector<Rank> slower;
    bool down = false;
  };
  std::vector<Effect> effects;
  std::vector<double> factors;               ///< [ranks] of computation; empty: all are 1
  std::shared_ptr<const Platform> platform;  ///< with the faults of its network; null: no link has one
  const Network* network = nullptr;          ///< of this platform
};

/// Throws InputError for a place that is not in the platform.
Faulted faulted(const std::vector<WhatIf>& faults, const Platform& platform, const Network& network,
                const Layout& layout);

/// "17", "node-17" or the name in the platform. Throws InputError.
NodeId node_called(const Platform& platform, const std::string& name, const std::string& where);

}  // namespace orrery
