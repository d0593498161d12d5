/// Energy of a run in joules, by part of the platform and by phase of the program; both have the same sum.
///
/// It covers the nodes that the run has ranks on, from its beginning to its end; of the switches, their share by nodes.
/// Checked  tests/replay/energy_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

enum class EnergyPart : std::uint8_t { idle, cores, gpus, adapters, switches };
inline constexpr std::size_t energy_parts = 5;
inline const char* energy_part_name(EnergyPart part) {
  constexpr const char* names[energy_parts] = {"idle", "cores", "gpus", "adapters", "switches"};
  return names[static_cast<std::size_t>(part)];
}

/// Energy of ranks in the phase of this name, with their share of the idle energy of their nodes. Two more rows: nodes
/// whose ranks have ended, and the network.
struct PhaseEnergy {
  std::string phase;
  double energy_j = 0.0;
};
inline constexpr const char* energy_after_ranks = "(ranks that have ended)";
inline constexpr const char* energy_of_network = "(network)";

struct Energy {
  /// J; idle: of nodes and GPUs without work; cores, gpus: added by work; adapters: idle and busy
  std::array<double, energy_parts> parts{};
  std::vector<PhaseEnergy> phases;
  std::vector<double> power_w = {};  ///< mean of the total in equal bins over the run
  std::uint32_t nodes = 0;           ///< that the run has ranks on

  bool stated() const { return nodes > 0; }
  double total_j() const {
    double sum = 0.0;
    for (const double part : parts) sum += part;
    return sum;
  }
};

}  // namespace orrery
