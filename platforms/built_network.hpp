/// What a network's routes amount to, counted switch by switch and link by link: no key of the platform's file is read.
///
/// Switches that routes call alike ("leaf switch 7") are of one kind, kinds in the order of their distance from
/// adapters. A switch's oversubscription: what its adapters and its cables to nearer kinds carry over what its cables
/// to a farther kind do. Of global links (dragonflies): what all adapters of the group or cell carry over its links to
/// others.
///
/// Checked  tests/contract/built_networks_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/routes.hpp"

namespace orrery {

struct BuiltNetwork {
  struct Kind {
    std::string name;  ///< "leaf switch"
    std::uint32_t switches = 0, with_adapters = 0, adapters = 0;
  };
  /// All cables of one sort between two kinds, or inside one; a cable is a link each way.
  struct Cables {
    std::uint32_t from = 0, to = 0;  ///< kinds, the nearer to adapters first
    ResourceKind sort{};
    std::uint32_t count = 0;
    BytesPerSecond bandwidth;  ///< of all, each way; of wires to media that of the media
    /// Over the switches, or groups, with adapters below them; none inside a kind but for global links.
    std::optional<double> least, most;
  };
  std::uint32_t nodes = 0, joined = 0, adapters = 0;  ///< joined: nodes with an adapter
  std::vector<Kind> kinds;
  std::vector<Cables> cables;
  std::vector<std::uint32_t> leaves_of_rail;  ///< [rails] switches with k-th adapters, where none has those of two
};

/// Which adapter of its node, from 0.
std::uint32_t number_of(const Routes& routes, AdapterId adapter);

/// [switches] which adapter of their nodes a switch has, `no_rail` where it has none; empty where one has two of them,
/// or no node has two.
std::vector<std::uint32_t> rails_of(const Routes& routes);
inline constexpr std::uint32_t no_rail = 0xffffffffu;

BuiltNetwork built(const Routes& routes);

}  // namespace orrery
