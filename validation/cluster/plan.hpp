/// What an emulated cluster is made of, from an ordinary platform file: the same file is simulated.
///
///   nodes      all of the platform, named as it names them ("slow-1"), two bytes of an address each
///   bandwidth  of the network's adapter: the rate of each port
///   latency    of the network, end to end: of each port
///   slots      cores of the node: how many ranks mpirun starts there
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "validation/cluster/switch.hpp"

namespace orrery::cluster {

struct PlannedNode {
  std::string name;
  Port port;
  std::uint32_t slots = 1;
};

struct Plan {
  std::string name;  ///< of the cluster
  std::vector<PlannedNode> nodes;
};

/// Addresses of node i (from 0): 10.111.0.0/16 and a locally administered MAC. Namespaces see each other and nothing
/// else, so clusters beside each other, and the host, may use the same.
std::string address_of(std::size_t node);
inline constexpr const char* subnet = "10.111.0.0/16";
inline constexpr const char* adapter_name = "eth0";
inline constexpr std::size_t nodes_max = 250;

/// Throws InputError for what cannot be emulated: more than 250 nodes, another topology than a star, rates above what
/// the processors of one machine keep up with.
Plan plan_of(const Platform& platform, const Network& network);

}  // namespace orrery::cluster
