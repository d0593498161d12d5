/// `orrery show platform NAME`: what a cluster is and what a message costs on it; its networks as pictures.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/network_picture.hpp"
#include "sim/cli/pages/node_picture.hpp"
#include "sim/cli/pages/platform_page.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::show_platform_command {

namespace {

struct Options {
  std::string name, network, node, out;
  bool svg = false, json = false, sources = false;
};

std::uint32_t type_named(const Platform& platform, const std::string& name) {
  std::vector<std::string> names;
  for (const NodeType& type : platform.node_types) names.push_back(type.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw InputError("--node: platform '{}' has no node type '{}'{}", platform.name, name, known_names(name, names));
  return static_cast<std::uint32_t>(found - names.begin());
}

int show_platform(const Options& options) {
  const Platform platform = load_platform_named(options.name, "show platform");
  const Network& network =
      options.network.empty() ? platform.networks.front() : platform.network(options.network, "--network");
  std::string text;
  if (!options.node.empty())
    text = node_svg(platform, type_named(platform, options.node), network);
  else if (options.svg)
    text = network_svg(platform, network);
  else
    text = options.json ? platform_json(platform)
                        : platform_page(platform, options.sources,
                                        options.out.empty() ? terminal_width() : show::unlimited_width);
  if (options.out.empty())
    say("{}", text);
  else
    config::write_file(options.out, text);
  return 0;
}

const bool entered = commands().add({
    .name = "show platform",
    .summary = "a cluster: its nodes and networks, cost of messages, sources of its parameters",
    .example = "orrery show platform fermi\n  orrery show platform fermi --svg -o fermi.svg\n  orrery show platform "
               "dgx-h100 --node dgx-h100 -o node.svg",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("NAME", options->name, "a platform's name ('orrery list platforms' shows them) or file");
          line.flag("--sources", options->sources, "list every parameter with its source");
          line.flag("--json", options->json, "print JSON");
          line.flag("--svg", options->svg, "print the network as an SVG picture");
          line.option("--node", options->node, "print the inside of a node of this type as an SVG picture");
          line.option("--network", options->network, "network to draw with --svg (default: the first)");
          line.output("-o,--out", options->out, "write to this file instead of the terminal");
          line.run([options] { return show_platform(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::show_platform_command
