/// Data for a picture of a network: its switches with their nodes and the cables between them, grouped if there are too
/// many to draw; and their loads.
///
/// Slots number the things with a load: 2 c + w is cable c from `from` to `to` (w = 0) or back (w = 1); after all
/// cables, 2 n + w is the outgoing (0) or incoming (1) NICs of cell n.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/core/words.hpp"

namespace orrery {

/// How a network is drawn: switches in levels above their nodes, on a circle, or on the grid of a torus.
enum class NetworkForm : std::uint8_t { levels, circle, torus };
inline constexpr Word<NetworkForm> network_form_words[] = {
    {"levels", NetworkForm::levels}, {"circle", NetworkForm::circle}, {"torus", NetworkForm::torus}};

struct NetworkOutline {
  /// A switch, or consecutive ones of a level.
  struct SwitchGroup {
    std::string label, words;  ///< "18", "leaf switch 18"; "36-39", "leaf switches 36 to 39"
    std::uint32_t switches = 1;
    std::uint32_t level = 0;  ///< of a circle: the group it belongs to
  };
  /// All cables between two places, or inside one (from == to). `bandwidth` is their sum, one way.
  struct Cables {
    std::uint32_t from = 0, to = 0, count = 0;
    BytesPerSecond bandwidth = {};
  };
  /// Nodes of one type at one place: all between the first and the last, unless `count` is less. A node with adapters
  /// at several places has a cell at each.
  struct Cell {
    std::uint32_t place = 0, first = 0, last = 0, count = 0, type = 0;
    std::uint32_t adapters = 0;  ///< of these nodes at this place
  };
  struct NodeKind {
    std::string name, words;  ///< "xeon12", "2 x 6 cores, 1 x Tesla M2090"
    std::uint32_t count = 0;
  };

  std::string title, words;  ///< "fermi, infiniband"; its shape and what its links are, in a sentence
  NetworkForm form = NetworkForm::levels;
  std::vector<std::string> levels;        ///< name of the switches of a level: "leaf switches"
  std::vector<std::uint32_t> dimensions;  ///< of a torus, in places; the first varies fastest
  BytesPerSecond nic;                     ///< of one adapter, each direction
  std::uint32_t rails = 0;                ///< adapters of a node where each has a leaf switch of its own; else 0
  std::uint32_t nodes = 0, switches = 0;
  std::vector<SwitchGroup> places;
  std::vector<Cables> cables;
  std::vector<Cell> cells;
  std::vector<NodeKind> kinds;

  std::size_t slots() const { return 2 * (cables.size() + cells.size()); }
};

/// Used fraction of the capacity, over the links of a slot.
struct LinkLoad {
  float mean = 0.0f, most = 0.0f;
};

/// For the whole run (`phase` is empty) or for one phase, over all its iterations.
struct NetworkLoads {
  std::string phase;
  Seconds time;  ///< duration of the phase
  std::vector<LinkLoad> slots;
  bool what_if = false;  ///< not loads, but the relative increase of the run's time with a fault there
};

}  // namespace orrery
