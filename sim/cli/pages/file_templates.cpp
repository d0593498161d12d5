#include "sim/cli/pages/file_templates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"

namespace orrery::app {

namespace {

constexpr const char* scenario_text =
    R"(# A scenario asks a question: a program on a platform, the settings to compare, models beside the simulation.
#
#   orrery check {name}.yaml                        finds errors in it
#   orrery run {name}.yaml                          a table here, the report in out/report.html
#   orrery run {name}.yaml --set kernel.blocks=64   another value, without editing
#
# 'orrery show reference scenario' explains every key, with its range and default.
title: "How many ranks to a node?"
source: "my own question"                  # or the paper whose table this is

platform: {platform}                       # of 'orrery list platforms', or a file beside this one
network: {network}                         # one of the platform's
layout: {{ranks: {ranks}, per-node: 2}}        # who runs where. Or:
# layout: {{gpus: 2}}                        # a rank on each of two GPUs of every node
# layout: {{table: layouts.yaml, row: A}}    # a row of a table: 'orrery new layout layouts.yaml'

kernel: {{name: summa, blocks: 32}}          # 'orrery list kernels'; 'orrery show kernel summa' explains the parameters
partition: {{algorithm: beaumont-columns}}   # who gets what, for kernels on a grid: 'orrery list partitioners'

models: [taulop, hockney]                  # predictions beside the simulated time: 'orrery list models'
# models: [{{name: taulop, overhead: per-slice}}]   # with options: 'orrery show model taulop'
calibrate: {{sizes: [1B, 1KiB, 64KiB, 1MiB], concurrency: 8}}   # how parameters of models are measured; default: 30 sizes
# calibrate: {{files: [parameters.yaml]}}    # or taken from a file: 'orrery calibrate -o parameters.yaml'

sweep:                                     # every combination is a point; the last axis changes fastest
  layout.per-node: [2, 4]
  kernel.blocks: [16, 32]

# engine: flow                             # default: simgrid; flow is for many ranks, both compares them
# compute: {{model: roofline}}               # default: the platform's, else peak speeds; 'orrery list compute-models'
# gpu-staging: messages                    # messages of GPU ranks cross PCI Express; default: compute times contain that
# average-over: kernel.blocks              # averages of mu over an axis of the sweep

# What a paper or a real run says of points: beside the simulated time in table and report.
# published:
#   - {{model: measured, kernel.blocks: 32, layout.per-node: 2, time: 1.5ms, spread: [1.4ms, 1.7ms]}}

# What must hold: 'orrery run {name}.yaml --check' ends with exit code 5 when it does not.
# tolerance:
#   - {{of: prediction, model: taulop, mu: 3}}                      # max/min of predicted and simulated time
#   - {{of: simulated, against: published, within: 10%}}
)";

constexpr const char* layout_head =
    R"(# A table of layouts: which ranks run where. 'orrery check {name}.yaml' places every row on the platform.
#
#   a scenario           layout: {{table: {name}.yaml, row: spread}}      swept: layout.row: [spread, placed]
#   the command line     --layout {name}.yaml:spread
#
# Ranks are numbered node by node; in a node those on cores by socket, then those on GPUs. A GPU rank holds a core, too.
# 'orrery show reference layout' explains every key, with its range and default.
name: {name}
source: "my own choice"                    # or the paper that prints this table
platform: {platform}                       # where 'orrery check' places the rows

# For rows with 'nodes': one rank per socket on the cores that GPU ranks leave; the first, second ... node of a type runs
# so many GPU ranks, in turn.
mapping: {{cpu: one-process-per-socket, gpus-of-node: [{gpus_in_turn}]}}

rows:
)";

constexpr const char* layout_rows =
    R"(  # Spread over the nodes in their order. 'ranks' default: all nodes full; 'per-node': as many as the cores allow.
  spread: {{ranks: {ranks}, per-node: 2, cores: 1}}
  alternating: {{ranks: {ranks}, per-node: 2, sockets: alternate}}      # to the sockets in turn; default: fill one first
  {gpu}gpus: {{gpus: {gpus}}}                                       # a rank on each of so many GPUs of every node
  {gpu}both: {{gpus: {gpus}, per-node: 2}}                          # beside two on cores

  # Node by node: ranks of so many cores each, in order of the sockets, and GPU ranks.
  placed: {{place: [{{type: {type}, nodes: {nodes}, processes: [{cores}, 1]{place_gpus}}}]}}

  # Whole nodes, by the mapping above. 'ranks' and 'processes' may state what it must amount to.
  mapped: {{nodes: {{{type}: {nodes}}}}}
)";

/// Two to a node on up to eight nodes.
std::uint32_t usual_ranks(const Platform& platform) { return 2 * std::min(platform.nodes(), 8u); }

}  // namespace

std::string scenario_template(const std::string& name, const Platform& platform, const std::string& named) {
  return fmt::format(scenario_text, fmt::arg("name", name), fmt::arg("platform", named),
                     fmt::arg("network", platform.networks.front().name), fmt::arg("ranks", usual_ranks(platform)));
}

std::string layout_template(const std::string& name, const Platform& platform, const std::string& named) {
  const NodeType& type = platform.node_types.front();
  const auto gpus = type.gpus.size();
  const std::uint32_t cores = std::max(1u, type.cores_per_socket / 2);
  return fmt::format(layout_head, fmt::arg("name", name), fmt::arg("platform", named),
                     fmt::arg("gpus_in_turn", gpus > 0 ? "0, 1" : "0")) +
         fmt::format(layout_rows, fmt::arg("ranks", usual_ranks(platform)), fmt::arg("gpu", gpus > 0 ? "" : "# "),
                     fmt::arg("gpus", std::max<std::size_t>(gpus, 1)), fmt::arg("type", type.name),
                     fmt::arg("nodes", std::min(platform.node_counts.front(), 2u)), fmt::arg("cores", cores),
                     fmt::arg("place_gpus", gpus > 0 ? ", gpus: 1" : ""));
}

NewFile new_file(const std::string& wanted, const std::string& command) {
  std::filesystem::path file(wanted);
  if (file.extension() != ".yaml") file += ".yaml";
  const std::string name = file.stem().string();
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, plain))
    throw InputError(
        fmt::format("{}: name '{}' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?", command, name));
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    throw InputError(fmt::format("{}: already exists (never overwritten). Choose another name?", file.string()));
  return {file.string(), name};
}

int write_new(const NewFile& target, const std::string& text, const std::string& next) {
  config::write_file(target.file, text);
  fmt::print("wrote {0}\nnext: edit it, then 'orrery check {0}' and '{1}'\n", target.file, next);
  return 0;
}

}  // namespace orrery::app
