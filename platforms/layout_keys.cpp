/// Keys of a layout file, and of the layout written in a scenario.
#include "platforms/field_types.hpp"
#include "platforms/keys.hpp"
#include "platforms/layout_fields.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace {

constexpr double row_ranks_max = 1 << 24, row_nodes_max = 1 << 22, row_cores_max = 4096;

const Mapping& nodes_keys() {
  static const Mapping mapping{
      .name = "rows.<row>.nodes",
      .about = "Whole nodes, divided by the file's 'mapping'.",
      .keys = {count({.name = "<type>", .example = "2", .about = "nodes of this type"}, 0, row_nodes_max)}};
  return mapping;
}

const Mapping& processes_keys() {
  static const Mapping mapping{
      .name = "rows.<row>.processes",
      .about = "What a row with 'nodes' must amount to; one that does not is refused.",
      .keys = {count({.name = "<c6 or gpu>", .example = "3", .about = "processes of 6 cores (c6), of a GPU (gpu)"}, 0,
                     row_ranks_max)}};
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
                      0, row_cores_max)}};
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

NodeOrder& placement_of(LayoutRow::Spread& spread) { return spread.nodes.order; }
std::string& type_to_spread_over(LayoutRow::Spread& spread) { return spread.nodes.type; }
std::uint64_t& seed_of(LayoutRow::Spread& spread) { return spread.nodes.seed; }

}  // namespace

const Fields<LayoutRow::Nodes>& place_fields() {
  using Nodes = LayoutRow::Nodes;
  static const Fields<Nodes> fields{
      {.name = "rows.<row>.place[]", .about = "Nodes of one type, all with the same processes."},
      {{&Nodes::type, {.name = "type", .example = "xeon12", .about = "a node type of the platform"}},
       {&Nodes::nodes,
        {.name = "nodes",
         .least = 1,
         .most = row_nodes_max,
         .fallback = "1",
         .example = "2",
         .about = "how many nodes"}},
       {&Nodes::processes,
        {.name = "processes",
         .least = 1,
         .most = row_cores_max,
         .absent = "none",
         .example = "[6, 5]",
         .about = "cores of each process of a node, in order of sockets; a process stays in one"}},
       {&Nodes::gpus,
        {.name = "gpus", .most = row_cores_max, .fallback = "0", .example = "1", .about = "GPU processes of a node"}}}};
  return fields;
}

// NOLINTNEXTLINE(readability-function-size): a table
const Fields<LayoutRow::Spread>& spread_fields() {
  using Spread = LayoutRow::Spread;
  static const Fields<Spread> fields{
      {.name = "rows.<row>",
       .about =
           "Spread over the nodes in their order (ranks, per-node, cores, gpus, sockets), node by node (setup, place), "
           "or whole nodes by the mapping (nodes). The same keys make the 'layout' of a scenario."},
      {{&Spread::ranks,
        {.name = "ranks",
         .most = row_ranks_max,
         .fallback = "0",
         .example = "16",
         .about = "ranks to spread, 0: all nodes full; of a setup the first so many, 0: all; with 'place' or 'nodes' "
                  "what they must amount to"}},
       {&Spread::per_node,
        {.name = "per-node",
         .most = row_ranks_max,
         .fallback = "0",
         .example = "4",
         .about = "ranks on the cores of a node; 0: as many as fit, none where there are ranks on GPUs"}},
       {&Spread::cores,
        {.name = "cores",
         .least = 1,
         .most = row_cores_max,
         .fallback = "1",
         .example = "2",
         .about = "cores of each rank, all of one socket"}},
       {&Spread::gpus,
        {.name = "gpus",
         .most = row_cores_max,
         .fallback = "0",
         .example = "2",
         .about = "ranks on GPUs of a node, one on each; a node with fewer runs as many as it has"}},
       {&Spread::per_gpu,
        {.name = "per-gpu",
         .least = 1,
         .most = row_cores_max,
         .fallback = "1",
         .example = "2",
         .about = "ranks on each of these GPUs, which share it: streams of a program"}},
       {&Spread::alternate,
        {{"fill", false}, {"alternate", true}},
        {.name = "sockets",
         .fallback = "fill",
         .example = "alternate",
         .about = "whether the ranks of a node fill a socket before the next, or go to them in turn"}},
       {&Spread::round_robin,
        {{"node-by-node", false}, {"round-robin", true}},
        {.name = "order",
         .fallback = "node-by-node",
         .example = "round-robin",
         .about = "whether consecutive ranks share a node, or go to the nodes in turn (as many as they would fill, or "
                  "all of a setup)"}},
       Key{.name = "setup",
           .absent = "spread",
           .example = "1x8:beowulf 2x1:lab",
           .about = "nodes x cores used of each : type of node, in the order in which they are filled; the type may be "
                    "left out where the platform has one"},
       {placement_of,
        {{"contiguous", NodeOrder::contiguous}, {"random", NodeOrder::random}, {"by-cell", NodeOrder::by_cell}},
        {.name = "placement",
         .fallback = "contiguous",
         .example = "random",
         .about =
             "which nodes the ranks are spread over, in this order: the first, drawn at random, or one of each cell "
             "in turn (group of a dragonfly, leaf of a fat tree)"}},
       {type_to_spread_over,
        {.name = "type",
         .absent = "nodes of all types, in the order of the platform's file",
         .example = "xeon8",
         .about = "spread over nodes of this type alone"}},
       {seed_of,
        {.name = "seed",
         .most = 1e9,
         .fallback = "1",
         .example = "7",
         .about = "of random placement; 'orrery run --repeat N' plays with N of them"}},
       Key{.name = "node-list",
           .shape = Shape::either,
           .absent = "by 'placement'",
           .example = "[0-7, 12]",
           .about =
               "nodes by number, in the order of the ranks: as many on each unless 'per-node' says how many fill one; "
               "or a CSV file beside this one, with a column 'node' of numbers, or of the names that the platform's "
               "nodes have ('xname' and 'allocation' are read as well); or a list of hosts as Slurm, "
               "Open MPI, MPICH, PBS or LSF have it, here ('nid[001-004,7]') or in a file, which puts rank i on the i-th of "
               "them ('slots=4' or ':4' after a name: four ranks) unless 'per-node', "
               "'order' or 'gpus' says otherwise"},
       sections({.name = "place",
                 .absent = "spread",
                 .example = "[{type: xeon12, nodes: 2, processes: [6, 5], gpus: 1}]",
                 .about = "node by node"},
                place_fields().mapping()),
       section({.name = "nodes", .absent = "spread", .example = "{xeon12: 2}", .about = "whole nodes, by the mapping"},
               nodes_keys()),
       section({.name = "processes",
                .absent = "not checked",
                .example = "{c6: 4}",
                .about = "with 'nodes': what they must amount to"},
               processes_keys()),
       Key{.name = "configuration",
           .absent = "one of the others",
           .example = "\"4,2,4,1,0,0\"",
           .about = "nodes and ranks to a core of each node type in turn; more ranks than cores take turns"}}};
  return fields;
}

const Mapping& layout_row_keys() { return spread_fields().mapping(); }

const Mapping& layout_keys() {
  static const Mapping mapping{
      .name = "",
      .about = "A layout file is a table of layouts: which ranks run where ('orrery new layout').",
      .keys = {{.name = "name", .example = "mine", .about = "what messages call it"},
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
