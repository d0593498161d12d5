/// Keys of a layout file, and of the layout written in a scenario.
#include "platforms/field_types.hpp"
#include "platforms/keys.hpp"
#include "platforms/layout_fields.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace {

constexpr double row_ranks_max = 1 << 24, row_nodes_max = 1 << 22, row_cores_max = 4096;

const Mapping& rows_keys() {
  static const Mapping mapping{
      .name = "rows",
      .about = "Layouts by name, for a sweep or as 'TABLE:ROW' of --layout.",
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
      {.name = "rows.<row>.place[]", .about = "Nodes of one type with identical processes."},
      {{&Nodes::type, {.name = "type", .example = "xeon12", .about = "a node type of the platform"}},
       {&Nodes::nodes,
        {.name = "nodes",
         .least = 1,
         .most = row_nodes_max,
         .fallback = "1",
         .example = "2",
         .about = "number of nodes"}},
       {&Nodes::processes,
        {.name = "processes",
         .least = 1,
         .most = row_cores_max,
         .absent = "none",
         .example = "[6, 5]",
         .about = "cores of each process of a node, in socket order; a process stays on one socket"}},
       {&Nodes::gpus,
        {.name = "gpus", .most = row_cores_max, .fallback = "0", .example = "1", .about = "GPU processes per node"}}}};
  return fields;
}

// NOLINTNEXTLINE(readability-function-size): a table
const Fields<LayoutRow::Spread>& spread_fields() {
  using Spread = LayoutRow::Spread;
  static const Fields<Spread> fields{
      {.name = "rows.<row>",
       .about =
           "Two forms: spread over the nodes in order (ranks, per-node, cores, gpus, sockets), or listed node by node "
           "(place). Papers have two more: setup and configuration. The 'layout' of a scenario has the same keys."},
      {{&Spread::ranks,
        {.name = "ranks",
         .most = row_ranks_max,
         .fallback = "0",
         .example = "16",
         .about = "number of ranks; 0: fill all nodes. With 'setup': its first n processes; 0: all. With 'place': "
                  "the expected number"}},
       {&Spread::per_node,
        {.name = "per-node",
         .most = row_ranks_max,
         .fallback = "0",
         .example = "4",
         .about = "CPU ranks per node; 0: as many as fit, or none if there are GPU ranks"}},
       {&Spread::cores,
        {.name = "cores",
         .least = 1,
         .most = row_cores_max,
         .fallback = "1",
         .example = "2",
         .about = "cores per rank, all in one socket"}},
       {&Spread::gpus,
        {.name = "gpus",
         .most = row_cores_max,
         .fallback = "0",
         .example = "2",
         .about = "GPU ranks per node, one per GPU; at most the GPUs that a node has"}},
       {&Spread::per_gpu,
        {.name = "per-gpu",
         .least = 1,
         .most = row_cores_max,
         .fallback = "1",
         .example = "2",
         .about = "ranks that share each of these GPUs, such as streams of a program"}},
       {&Spread::alternate,
        {{"fill", false}, {"alternate", true}},
        {.name = "sockets",
         .fallback = "fill",
         .example = "alternate",
         .about =
             "fill: the ranks of a node fill one socket before the next; alternate: they go to the sockets in turn"}},
       {&Spread::round_robin,
        {{"node-by-node", false}, {"round-robin", true}},
        {.name = "order",
         .fallback = "node-by-node",
         .example = "round-robin",
         .about = "node-by-node: consecutive ranks share a node; round-robin: they go in turn to the nodes that they "
                  "would fill, or to all nodes of a setup"}},
       Key{.name = "setup",
           .absent = "spread",
           .example = "1x8:beowulf 2x1:lab",
           .about = "nodes x cores per node : node type, in the order of filling; omit the type if the platform has "
                    "only one"},
       {placement_of,
        {{"contiguous", NodeOrder::contiguous}, {"random", NodeOrder::random}, {"by-cell", NodeOrder::by_cell}},
        {.name = "placement",
         .fallback = "contiguous",
         .example = "random",
         .about = "nodes, in this order: contiguous: the first; random: randomized; by-cell: one of each cell in turn "
                  "(group of a dragonfly, leaf of a fat tree)"}},
       {type_to_spread_over,
        {.name = "type",
         .absent = "nodes of all types, in the order of the platform's file",
         .example = "xeon8",
         .about = "use only nodes of this type"}},
       {seed_of,
        {.name = "seed",
         .most = 1e9,
         .fallback = "1",
         .example = "7",
         .about = "seed of random placement; 'orrery run --repeat N' runs N seeds"}},
       Key{.name = "node-list",
           .shape = Shape::either,
           .absent = "by 'placement'",
           .example = "[0-7, 12]",
           .about = "one of three forms. (1) Node numbers in rank order; ranks are spread evenly unless 'per-node' is "
                    "given. (2) A CSV file beside this one, with a column 'node' ('xname' or 'allocation' also work) "
                    "of numbers or names of nodes. (3) A host list of Slurm, Open MPI, MPICH, PBS or LSF, here "
                    "('nid[001-004,7]') or in a file: rank i is on host i ('slots=4' or ':4' after a name: four ranks) "
                    "unless 'per-node', 'order' or 'gpus' is given"},
       sections({.name = "place",
                 .absent = "spread",
                 .example = "[{type: xeon12, nodes: 2, processes: [6, 5], gpus: 1}]",
                 .about = "processes node by node"},
                place_fields().mapping()),
       Key{.name = "configuration",
           .absent = "not used",
           .example = "\"4,2,4,1,0,0\"",
           .about = "nodes and ranks per core for each node type in turn; ranks beyond the cores are time-shared"}}};
  return fields;
}

const Mapping& layout_row_keys() { return spread_fields().mapping(); }

const Mapping& layout_keys() {
  static const Mapping mapping{
      .name = "",
      .about = "A layout file is a table of layouts: which ranks run where ('orrery new layout').",
      .keys = {{.name = "name", .example = "mine", .about = "name in messages"},
               {.name = "source", .example = "\"my own choice\"", .about = "the paper with the table, or the author"},
               {.name = "platform",
                .absent = "not placed by 'orrery check'",
                .example = "fermi",
                .about = "platform on which 'orrery check' places the rows"},
               {.name = "rows",
                .kind = KeyKind::section,
                .inside = &rows_keys(),
                .example = "{A: {ranks: 16, per-node: 4}}",
                .about = "the layouts"}}};
  return mapping;
}

}  // namespace orrery
