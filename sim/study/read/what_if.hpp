/// `what-if:` of a scenario: parts of the machine that are slower than its platform says, or dead.
///
///   what-if: {node: 17, slower: 20%}                              # all computation of its ranks takes 1.2 times as long
///   what-if: {gpu: {node: 3, index: 2}, slower: 30%}
///   what-if: {adapter: {node: 12, index: 3}, bandwidth: 50%}      # half of what the platform says, each direction
///   what-if: {rail: 3, latency: +1us}                             # the adapters of this number on all nodes
///   what-if: {link: [leaf-3, spine-2], down: true}                # all cables between the two; 'cable: 1' is one
///   what-if: {switch: spine-2, down: true}                        # all its cables, those to nodes too
///   what-if: [{nodes: random 5, seed: 1, slower: 10%}, {link: ...}]   # all at once
///   sweep: {what-if: [none, {node: 3, slower: 20%}]}              # one after another
///   what-if: {link: each of level 2, down: true}                  # a sweep: none, then each place (what_if_places.hpp)
///
/// What plans, divides or predicts does not know of it: a partition, the algorithms of collectives and the models of
/// phases are those of the machine as it should be; only played messages and computation meet the fault.
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
  std::string where;  ///< empty: none is named
};

/// One fault as the file says it.
struct WhatIf {
  std::string node, rail, from_switch;  ///< as written; empty: it is of something else
  std::vector<std::string> nodes, link;
  PartOfNode adapter, gpu;
  std::uint32_t cable = 0;  ///< of those between two switches, from 1; 0: all
  std::uint64_t seed = 1;
  std::optional<double> slower, bandwidth;
  std::optional<Seconds> latency;
  bool down = false;
  std::string text, where;  ///< "link=[leaf-3, spine-2] down=true"; "file:line:column"
};

/// None of 'none'.
std::vector<WhatIf> read_what_if(const config::Value& value);

/// What the faults of a point do to it.
struct Faulted {
  struct Effect {  ///< of one fault
    std::string text;
    std::vector<LinkId> links;
    std::vector<Rank> slower;
    bool down = false;
  };
  std::vector<Effect> effects;
  std::vector<double> factors;               ///< [ranks] of computation; empty: all are 1
  std::shared_ptr<const Platform> platform;  ///< with the faults of its network; null: no link has any
  const Network* network = nullptr;          ///< of this platform
};

/// Throws InputError for a place that the platform does not have.
Faulted faulted(const std::vector<WhatIf>& faults, const Platform& platform, const Network& network,
                const Layout& layout);

/// "17", "node-17" or as the platform calls it. Throws InputError.
NodeId node_called(const Platform& platform, const std::string& name, const std::string& where);

}  // namespace orrery
