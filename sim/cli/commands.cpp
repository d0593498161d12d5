/// The catalogue of commands, and options that several have: what needs no parser of arguments.
#include "sim/cli/command_line.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::cli {

Catalogue<Command>& commands() {
  static Catalogue<Command> catalogue("command");
  return catalogue;
}

void layout_options(CommandLine& line, LayoutFlags& into) {
  line.path("--layout", into.layout, "TABLE:ROW, where TABLE is a layout name or file and ROW one of its rows");
  line.option("--ranks", into.ranks, "number of ranks, instead of --layout (0: as many as fit)");
  line.option("--per-node", into.per_node, "ranks on the cores of a node (0: as many as fit, or none with --gpus)");
  line.option("--cores", into.cores, "cores of each rank on cores");
  line.option("--gpus", into.gpus, "ranks on GPUs of a node, one on each (a node with fewer runs as many as it has)");
  line.option("--type", into.type, "place ranks on nodes of this type alone (default: all, in the platform's order)");
  line.option("--nodes", into.nodes, "place ranks on so many nodes (with --ranks alone: as many on each)");
  line.path("--node-list", into.node_list, "place ranks on these nodes, as in 0-7,12 or nid[001-004], or on those that a file lists");
  line.choice("--order", into.order, {"node-by-node", "round-robin"},
              "whether consecutive ranks share a node or go to the nodes in turn");
}

void trace_options(CommandLine& line, std::string& ranks, std::string& time) {
  line.option("--trace-ranks", ranks,
              "record full time lines for these ranks only, as in 0-15 or 0,384,768 or 0-1535/128 or, one of each "
              "pipeline stage, stages");
  line.option("--trace-time", time, "record full time lines for this period only, as in 10ms-12ms");
}

}  // namespace orrery::cli
