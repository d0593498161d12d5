/// Keys of a layout file, and of the layout written in a scenario.
#include "platforms/key_kinds.hpp"
#include "platforms/keys.hpp"

namespace orrery {

using namespace platform_keys_detail;

namespace {

constexpr double ranks_max = 1 << 24, nodes_max = 1 << 22, cores_max = 4096;

const Mapping& place_keys() {
  static const Mapping mapping{
      .name = "rows.<row>.place[]",
      .about = "Nodes of one type, all with the same processes.",
      .keys = {
          {.name = "type", .example = "xeon12", .about = "a node type of the platform"},
          count({.name = "nodes", .fallback = "1", .example = "2", .about = "how many nodes"}, 1, nodes_max),
          counts({.name = "processes",
                  .absent = "none",
                  .example = "[6, 5]",
                  .about = "cores of each process of a node, in order of sockets; a process stays in one"},
                 1, cores_max),
          count({.name = "gpus", .fallback = "0", .example = "1", .about = "GPU processes of a node"}, 0, cores_max)}};
  return mapping;
}

const Mapping& nodes_keys() {
  static const Mapping mapping{
      .name = "rows.<row>.nodes",
      .about = "Whole nodes, divided by the file's 'mapping'.",
      .keys = {count({.name = "<type>", .example = "2", .about = "nodes of this type"}, 0, nodes_max)}};
  return mapping;
}

const Mapping& processes_keys() {
  static const Mapping mapping{
      .name = "rows.<row>.processes",
      .about = "What a row with 'nodes' must amount to; one that does not is refused.",
      .keys = {count({.name = "<c6 or gpu>", .example = "3", .about = "processes of 6 cores (c6), of a GPU (gpu)"}, 0,
                     ranks_max)}};
  return mapping;
}

const Mapping& mapping_keys() {
  static const Mapping mapping{
      .name = "mapping",
      .about = "How rows with 'nodes' divide a node.",
      .keys = {{.name = "cpu",
                .kind = KeyKind::word,
                .choices = {"one-process-per-socket"},
                .example = "one-process-per-socket",
                .about = "each has the cores of its socket that GPU processes leave"},
               counts({.name = "gpus-of-node",
                       .absent = "[0]",
                       .example = "[0, 1, 2]",
                       .about = "GPU processes of the first, second ... node of a type, in turn"},
                      0, cores_max)}};
  return mapping;
}

const Mapping& rows_keys() {
  static const Mapping mapping{
      .name = "rows",
      .about = "Layouts by name: points of a sweep, or 'TABLE:ROW' of --layout.",
      .keys = {
          {.name = "<row>", .kind = KeyKind::section, .inside = &layout_row_keys(), .example = "", .about = "a name"}}};
  return mapping;
}

}  // namespace

const Mapping& layout_row_keys() {
  static const Mapping mapping{
      .name = "rows.<row>",
      .about =
          "Spread over the nodes in their order (ranks, per-node, cores, gpus, sockets), node by node (setup, place), "
          "or whole nodes by the mapping (nodes). The same keys make the 'layout' of a scenario.",
      .keys = {
          count({.name = "ranks",
                 .fallback = "0",
                 .example = "16",
                 .about = "ranks to spread, 0: all nodes full; of a setup the first so many, 0: all; with 'place' or "
                          "'nodes' what they must amount to"},
                0, ranks_max),
          count({.name = "per-node",
                 .fallback = "0",
                 .example = "4",
                 .about = "ranks on the cores of a node; 0: as many as fit, none where there are ranks on GPUs"},
                0, ranks_max),
          count({.name = "cores", .fallback = "1", .example = "2", .about = "cores of each rank, all of one socket"}, 1,
                cores_max),
          count({.name = "gpus",
                 .fallback = "0",
                 .example = "2",
                 .about = "ranks on GPUs of a node, one on each; a node with fewer runs as many as it has"},
                0, cores_max),
          count({.name = "per-gpu",
                 .fallback = "1",
                 .example = "2",
                 .about = "ranks on each of these GPUs, which share it: streams of a program"},
                1, cores_max),
          {.name = "sockets",
           .kind = KeyKind::word,
           .choices = {"fill", "alternate"},
           .fallback = "fill",
           .example = "alternate",
           .about = "whether the ranks of a node fill a socket before the next, or go to them in turn"},
          {.name = "order",
           .kind = KeyKind::word,
           .choices = {"node-by-node", "round-robin"},
           .fallback = "node-by-node",
           .example = "round-robin",
           .about = "whether consecutive ranks share a node, or go to the nodes in turn (as many as they would fill, "
                    "or all of a setup)"},
          {.name = "setup",
           .absent = "spread",
           .example = "1x8:beowulf 2x1:lab",
           .about = "nodes x cores used of each : type of node, in the order in which they are filled; the type may be "
                    "left out where the platform has one"},
          {.name = "placement",
           .kind = KeyKind::word,
           .choices = {"contiguous", "random", "by-cell"},
           .fallback = "contiguous",
           .example = "random",
           .about =
               "which nodes the ranks are spread over: the first, drawn at random, or as many from each cell (group "
               "of a dragonfly, leaf of a fat tree)"},
          count({.name = "seed",
                 .fallback = "1",
                 .example = "7",
                 .about = "of random placement; 'orrery run --repeat N' plays with N of them"},
                0, 1e9),
          {.name = "node-list",
           .shape = Shape::either,
           .absent = "by 'placement'",
           .example = "[0-7, 12]",
           .about =
               "nodes by number, in the order ranks fill them; or a CSV file beside this one, with a column 'node' of "
               "numbers, or of the names that the platform's nodes have ('xname' and 'allocation' are read as well); "
               "or a host file, a name or number in each line, which puts rank i on the node of line i ('slots=4' "
               "after a name: four ranks) unless 'ranks', 'per-node', 'order' or 'gpus' says otherwise"},
          {.name = "place",
           .kind = KeyKind::section,
           .shape = Shape::list,
           .absent = "spread",
           .inside = &place_keys(),
           .example = "[{type: xeon12, nodes: 2, processes: [6, 5], gpus: 1}]",
           .about = "node by node"},
          {.name = "nodes",
           .kind = KeyKind::section,
           .absent = "spread",
           .inside = &nodes_keys(),
           .example = "{xeon12: 2}",
           .about = "whole nodes, by the mapping"},
          {.name = "processes",
           .kind = KeyKind::section,
           .absent = "not checked",
           .inside = &processes_keys(),
           .example = "{c6: 4}",
           .about = "with 'nodes': what they must amount to"},
          {.name = "configuration",
           .absent = "one of the others",
           .example = "\"4,2,4,1,0,0\"",
           .about = "nodes and ranks to a core of each node type in turn; more ranks than cores take turns"}}};
  return mapping;
}

const Mapping& layout_keys() {
  static const Mapping mapping{
      .name = "",
      .about = "A layout file is a table of layouts: which ranks run where ('orrery new layout').",
      .keys = {{.name = "name", .example = "mine", .about = "the file is called the same"},
               {.name = "source",
                .example = "\"my own choice\"",
                .about = "the paper that prints the table, or who chose it"},
               {.name = "platform",
                .absent = "not placed by 'orrery check'",
                .example = "fermi",
                .about = "where 'orrery check' places the rows"},
               {.name = "mapping",
                .kind = KeyKind::section,
                .absent = "one process per socket, none on GPUs",
                .inside = &mapping_keys(),
                .example = "{cpu: one-process-per-socket, gpus-of-node: [0, 1]}",
                .about = "for rows with 'nodes'"},
               {.name = "rows",
                .kind = KeyKind::section,
                .inside = &rows_keys(),
                .example = "{A: {ranks: 16, per-node: 4}}",
                .about = "the layouts"}}};
  return mapping;
}

}  // namespace orrery
