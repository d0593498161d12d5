/// `orrery show network PLATFORM [NETWORK]`: a network as built: switches, cables, oversubscription, what messages cost.
#include <fmt/format.h>

#include <memory>
#include <span>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/network_picture.hpp"
#include "sim/cli/pages/platform_page.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::show_network_command {

namespace {

struct Options {
  std::string platform, network, out;
  bool svg = false;
};

int show_network(const Options& options) {
  const Platform platform = load_platform_named(options.platform, "show network");
  std::span<const Network> networks(platform.networks);
  if (!options.network.empty()) networks = {&platform.network(options.network, "show network"), 1};
  std::string text;
  if (options.svg)
    text = network_svg(platform, networks.front());
  else
    text = network_page(platform, networks, options.out.empty() ? terminal_width() : show::unlimited_width);
  if (options.out.empty())
    say("{}", text);
  else
    config::write_file(options.out, text);
  return 0;
}

const bool entered = commands().add({
    .name = "show network",
    .summary = "a network as built: switches, cables, oversubscription, cost of messages",
    .example = "orrery show network fermi infiniband\n  orrery show network jupiter --svg -o jupiter.svg",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("PLATFORM", options->platform, "a platform's name ('orrery list platforms') or file");
          line.positional("NETWORK", options->network, "one of its networks (default: all; with --svg the first)",
                          false);
          line.flag("--svg", options->svg, "print an SVG picture");
          line.output("-o,--out", options->out, "write to this file instead of the terminal");
          line.run([options] { return show_network(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::show_network_command
