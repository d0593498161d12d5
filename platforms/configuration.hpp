/// A configuration of a heterogeneous cluster: the number of nodes of each type, and of processes on each of their
/// processors, (P_1, M_1, ..., P_G, M_G) of Ichikawa, Takahashi & Kawai.
///
///   "4,2,4,1,0,0"     four nodes of the first type with two ranks on each core, four of the second with one
///
///   P_i  1  nodes of type i, in the order of the platform's file; 0 to all
///   M_i  1  ranks on each core of those nodes; 0 if and only if P_i is 0
///   P    1  ranks: sum of P_i M_i times the cores of a node
///
/// The paper's processing elements are nodes of one core. Ranks are numbered type by type and node by node; the nodes
/// of a type are taken in their order. Ranks beyond the number of cores time-share them (sim/engine: time sharing).
///
/// Source   Ichikawa, Takahashi & Kawai, section 4.1
/// Checked  tests/unit/platforms/configuration_test.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"

namespace orrery {

struct Configuration {
  struct Part {
    std::uint32_t nodes = 0, per_core = 0;
    bool operator==(const Part&) const = default;
    auto operator<=>(const Part&) const = default;
  };
  std::vector<Part> parts;  ///< [node types]

  std::string text() const;  ///< "4,2,4,1,0,0"
  /// Number of ranks on a platform, with its numbers of cores by type.
  std::uint64_t ranks(const Platform& platform) const;
  std::uint32_t nodes() const;
  std::uint32_t types() const;  ///< types with nodes in it
  bool operator==(const Configuration&) const = default;
};

/// Throws InputError that begins with `where` unless the text is a configuration of that platform.
Configuration parse_configuration(const std::string& text, const Platform& platform, const std::string& where);

/// The ranks of a configuration with their places.
Layout layout_of(const Configuration& configuration, const Platform& platform);

/// The configuration of a layout, whatever the order of its ranks; empty if ranks are on GPUs or hold several cores, or
/// if nodes of a type differ in their number of ranks or ranks per core.
std::optional<Configuration> configuration_of(const Layout& layout, const Platform& platform);

}  // namespace orrery
