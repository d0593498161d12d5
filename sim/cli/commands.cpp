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
  line.option("--per-node", into.per_node, "CPU ranks per node (0: as many as fit, or none with --gpus)");
  line.option("--cores", into.cores, "cores per CPU rank");
  line.option("--gpus", into.gpus, "GPU ranks per node (one rank per GPU; at most the GPUs that a node has)");
  line.option("--type", into.type, "use only nodes of this type (default: all, in the platform's order)");
  line.option("--nodes", into.nodes,
              "number of nodes (0: as needed); ranks are spread evenly over them unless --per-node is given");
  line.path("--node-list", into.node_list, "use these nodes, as in 0-7,12 or nid[001-004], or a file that lists them");
  line.choice("--order", into.order, {"node-by-node", "round-robin"},
              "node-by-node: consecutive ranks share a node; round-robin: they go to different nodes in turn");
}

void trace_options(CommandLine& line, std::string& ranks, std::string& time) {
  line.option("--trace-ranks", ranks,
              "record full time lines of these ranks only: 0-15, 0,384,768, 0-1535/128 (every 128th), or stages (one "
              "rank per pipeline stage)");
  line.option("--trace-time", time, "record full time lines of this interval only, as in 10ms-12ms");
}

}  // namespace orrery::cli
