/// A platform as text: its description, the cost of a message for each kind of pair, and the sources of its parameters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platforms/built_network.hpp"
#include "platforms/graph.hpp"
#include "platforms/point_to_point.hpp"

namespace orrery::cli {

/// Cost of a message between two ranks of some kind: one row of the point-to-point table.
struct PairFacts {
  std::string pair;                ///< "xeon12, one node", "xeon12 - xeon8", "dgx-h100, GPUs of one node"
  std::string channel;             ///< "shared memory", "GPU links" or the network's name
  PointToPoint nearest, farthest;  ///< by latency, among up to 32 x 32 pairs of nodes
};

struct NetworkFacts {
  std::string name;
  Diameter diameter;
  std::optional<Bisection> bisection;
  std::uint32_t switches = 0;
};

std::vector<PairFacts> pair_facts(const Platform& platform);
std::vector<PairFacts> pair_facts(const Platform& platform, const Network& network);  ///< between its nodes
NetworkFacts network_facts(const Platform& platform, const Network& network);
std::string topology_name(const Network& network);

/// Cables of one kind, speed and latency between the same kinds of places of a node.
struct FabricRow {
  ResourceKind kind{};
  std::uint32_t cables = 0;
  std::string between;  ///< "sockets - cx-0..7"
  BytesPerSecond bandwidth;
  Seconds latency;
};
std::vector<FabricRow> fabric_rows(const NodeType& type);
/// Places of the adapters of a node type: "cx-0..7", "4 at socket-0"; empty if not given.
std::string adapter_places(const NodeType& type, const std::vector<std::uint32_t>& at);
/// A row for the switches of each kind of each network, with their cables to others, counted from the routes.
std::string built_table(std::span<const Network> networks, const Platform& platform, std::size_t terminal_width);
/// A row for each network: technology, topology, diameter, bisection; and for each kind of pair, the cost of messages.
std::string network_table(std::span<const Network> networks, const Platform& platform, std::size_t terminal_width);
std::string pair_table(const std::vector<PairFacts>& pairs, std::size_t terminal_width);
/// The meaning of the columns of these tables.
inline constexpr const char* words_of_pairs =
    "Columns headed by a size give the time of a single message of that size, from the start of a blocking send to the "
    "end "
    "of a receive posted earlier. Ranges span the nearest and the farthest pair.";
inline constexpr const char* words_of_networks =
    "Diameter: most links between two nodes, NICs included. Bisection: least one-way bandwidth between two halves of "
    "the "
    "nodes. Oversubscription: what a switch has towards nodes over what its cables away from them carry together; of "
    "global links, over all adapters of a group.";
/// Further settings of one network: adapters, nodes that are not on it, rails, routing.
std::string network_words(const Platform& platform, const Network& network);
/// "each rail has switches of its own: 2 of each of rails 0 to 7"; empty if they have none.
std::string rails_text(const BuiltNetwork& network);
/// A table of the inside of nodes, and a paragraph for each node type and network with further settings: adapters,
/// rails, routing, local work... Empty if there are none.
std::string stated_text(const Platform& platform, std::size_t terminal_width);

/// `all_sources` lists every parameter; otherwise each source once with the number of its parameters. Tables are at
/// most `terminal_width` wide.
std::string platform_page(const Platform& platform, bool all_sources, std::size_t terminal_width);
/// Networks of the platform as built, and the cost of messages over them.
std::string network_page(const Platform& platform, std::span<const Network> networks, std::size_t terminal_width);
/// The facts of `platform_page` as JSON, units in the keys.
std::string platform_json(const Platform& platform);

}  // namespace orrery::cli
