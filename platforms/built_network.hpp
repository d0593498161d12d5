/// Statistics of a network's routes, counted switch by switch and link by link: no key of the platform's file is read.
///
/// Switches with the same name in routes ("leaf switch 7") are of one kind; kinds are in the order of their distance
/// from adapters. The oversubscription of a switch is the bandwidth of its adapters and its cables to nearer kinds over
/// the bandwidth of its cables to a farther kind. For global links (dragonflies) it is the bandwidth of all adapters of
/// the group or cell over that of its links to others.
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
    BytesPerSecond bandwidth;  ///< sum of all, each way; for wires to media that of the media
    /// Over the switches, or groups, with adapters below them; empty inside a kind, except for global links.
    std::optional<double> least, most;
  };
  std::uint32_t nodes = 0, joined = 0, adapters = 0;  ///< joined: nodes with an adapter
  std::vector<Kind> kinds;
  std::vector<Cables> cables;
  std::vector<std::uint32_t> leaves_of_rail;  ///< [rails] switches with k-th adapters; empty if one has two
};

/// Number of the adapter within its node, from 0.
std::uint32_t number_of(const Routes& routes, AdapterId adapter);

/// [switches] number, within their nodes, of the adapters on a switch, or `no_rail` without adapters; empty if a switch
/// has two numbers, or if no node has two adapters.
std::vector<std::uint32_t> rails_of(const Routes& routes);
inline constexpr std::uint32_t no_rail = 0xffffffffu;

BuiltNetwork built(const Routes& routes);

}  // namespace orrery
