/// Layouts: the node, socket and cores (or GPU) of each rank. From a layout file, a row of one, or a rule.
///
///   rows:                                            # scenarios/layouts/*.yaml
///     A: {place: [{type: xeon12, nodes: 2, processes: [6, 5], gpus: 1}]}                      # node by node
///     B: {ranks: 64, per-node: 16, cores: 1}         # spread over all nodes
///     C: {per-node: 32, sockets: alternate}          # rank 0 on socket 0, 1 on 1, 2 on 0 ... (default: fill)
///     D: {ranks: 60, per-node: 8, order: round-robin} # rank r on node r mod 8 (default: node-by-node)
///     E: {ranks: 64, placement: random, seed: 2}     # on random nodes, in random order; by-cell: in turn
///     F: {per-node: 4, node-list: [0-7, 12]}         # on these, in this order; or a CSV file: 'node', 'xname'
///     G: {ranks: 18, node-list: [0-7, 12]}           # as many on each: platforms/layout_shares.hpp
///     H: {node-list: hostfile.txt}                   # rank i on the node of line i; with 'per-node' as F
///     I: {gpus: 4}                                   # a rank on each of 4 GPUs of every node
///     J: {gpus: 4, per-node: 8, ranks: 96}           # together with 8 ranks on cores
///     K: {gpus: 8, per-gpu: 2}                       # ranks 0 and 1 on the first GPU, 2 and 3 on the second ...
///     L: {configuration: "4,2,4,1,0,0"}              # nodes and ranks to a core by type: platforms/configuration.hpp
///     M: {setup: "2x4:lxpara 4x1:lab", ranks: 12}    # 4 cores of 2 nodes, then 1 of 4; its first 12 processes
///     N: {setup: "2x4:lxpara 4x1:lab", order: round-robin}   # first cores of all six nodes, then second ones ...
///
/// A row with 'place' may state 'ranks': the expected number. A row that differs from it is refused.
///
/// Ranks are numbered node by node unless `order` says otherwise; in a node, CPU processes by socket, then GPU
/// processes. A GPU process holds a core.
///
/// Checked  tests/unit/platforms/layouts_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "platforms/node_choice.hpp"
#include "sim/core/layout.hpp"

namespace orrery {

namespace config {
class Document;
class Section;
}  // namespace config

/// One row of a layout file, or the `layout:` section of a scenario.
struct LayoutRow {
  struct Nodes {
    std::string type, where;
    std::uint32_t nodes = 1;
    std::vector<std::uint32_t> processes;  ///< cores of each CPU process of a node, in order of sockets
    std::uint32_t gpus = 0;                ///< GPU processes of a node
  };
  struct Taken {
    std::uint32_t ranks = 0;   ///< only this number, the first ones; 0: all
    bool round_robin = false;  ///< one process of each node after the other, then a second of each ...
  };
  struct Spread {
    std::uint32_t ranks = 0;     ///< 0: all nodes full
    std::uint32_t per_node = 0;  ///< on cores; 0: as many as the cores allow, but none if there are GPU ranks
    std::uint32_t cores = 1;     ///< of each rank on cores, all of one socket
    std::uint32_t gpus = 0;      ///< GPU ranks per node; capped at the GPUs that a node has
    bool alternate = false;      ///< ranks of a node go to its sockets in turn, in place of filling one first
    bool round_robin = false;    ///< rank 0 on the first node, 1 on the second ... as many nodes as they would fill
    std::uint32_t per_gpu = 1;   ///< ranks on each of these GPUs, which they share
    NodeChoice nodes = {};       ///< nodes that it is spread over

    std::string name() const;  ///< "64 ranks", "all cores", "4 GPU ranks to a node"
  };

  std::string name, where;
  std::vector<Nodes> place;    ///< node by node, or of a setup
  std::optional<Taken> taken;  ///< of a setup: its running processes, and their order
  std::optional<Spread> spread;
  std::string configuration;  ///< nodes and ranks per core, by type; empty: not in this form
  std::optional<std::uint32_t> expected_ranks;
};

struct LayoutTable {
  std::string name, source, platform;
  std::vector<LayoutRow> rows;

  /// Throws InputError with the known names.
  const LayoutRow& row(const std::string& name, const std::string& where) const;
};

LayoutTable load_layouts(const std::string& path);
LayoutTable load_layouts(const config::Document& document);
/// A row from a section of another file ("layout: {ranks: 64, per-node: 1}"); calls `finish` on it.
LayoutRow load_layout_row(const config::Section& section, const std::string& name);

/// Places the ranks of a row. Throws InputError if the platform lacks the nodes, cores or GPUs, or if the row does not
/// have the number of processes that it gives.
Layout build_layout(const Platform& platform, const LayoutRow& row);

/// Ranks node by node, in order of nodes; in a node those on cores, then those on GPUs. Ranks beyond the cores share
/// the least loaded socket. Nodes without GPUs are skipped if all ranks are on GPUs. With round robin, the nodes that
/// would be filled get the ranks in turn, and full ones are skipped. Selected nodes are all used:
/// platforms/layout_shares.hpp.
Layout spread_layout(const Platform& platform, const LayoutRow::Spread& stated, const std::string& where);

/// Hosts are numbered node by node: a node's sockets, then its GPUs.
HostId host_of(const Platform& platform, NodeId node, bool gpu, std::uint32_t number);

}  // namespace orrery
