#include "sim/cli/pages/file_templates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli {

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

constexpr const char* lab_text =
    R"(# A lab: students predict, then the engine answers, each on a machine of their own. What they read is in {name}.md.
#
#   orrery check {name}.yaml                        finds errors in both
#   orrery lab show {name}.yaml --solution          the answers, played
#   orrery page --lab {name}.yaml -o {name}.html    the page for students; --teacher with the solution
#
# 'orrery show reference lab' explains every key.
title: "When is a message long?"
source: "my own question"
draw:                                    # of each list one, by the student's name; $(machine.platform) elsewhere
  machine:
    - {{name: "{platform}", platform: {platform}, network: {network}}}
    - {{name: "Leonardo", platform: leonardo, network: infiniband}}
other: [machine]                         # drawn anew for the transfer question
scenario: |                              # as 'orrery run' takes it; the sweep is the chart
  source: "lab {name}"
  platform: $(machine.platform)
  network: $(machine.network)
  engine: flow
  layout: {{ranks: 2, per-node: 1}}
  kernel: {{name: pingpong}}
  sweep: {{kernel.sizes: [8B, 256B, 4KiB, 16KiB, 64KiB, 256KiB, 1MiB, 16MiB]}}
curve: {{x: kernel.sizes, y: T(m), x-text: "size of the message", y-text: "time of one message"}}
predict:
  text: "Which size gets half of the bandwidth of long messages?"
  answer: {{what: half-bandwidth}}         # the engine works it out; nothing is typed in
  unit: data
  axis: [16B, 16MiB]
  full-within: 1.5                       # all points within this factor, none beyond the other
  none-beyond: 30
  points: 4
  mistakes:
    - {{times: 2, text: "Twice as much: that size gets two thirds of it."}}
choose:
  text: "How many times as long as 64 KiB does 1 MiB take?"
  answer: {{what: ratio, of: {{kernel.sizes: 1MiB}}, to: {{kernel.sizes: 64KiB}}}}
  options: [{{text: "less than 12 times", to: 12}}, {{text: "12 times or more", from: 12}}]
  points: 2
transfer:
  text: "And on $(machine.name)?"
  answer: {{what: half-bandwidth}}
  unit: data
  axis: [16B, 16MiB]
  full-within: 1.5
  none-beyond: 30
  points: 4
formula: {{write: "L + m / B", of: m}}     # how the student's line begins
# measured: {{file: {name}.csv, source: "who measured, on what, which licence"}}   # columns platform, line, x, y
moment: {{kernel.sizes: 64KiB}}            # the run that is stepped through
knob: {{path: kernel.sizes, text: "size of the message", values: [8B, 64KiB, 1MiB]}}
break-it: {{platform.networks.$(machine.network).latency: 100us}}
)";

constexpr const char* lab_prose_text = R"(## Question
Two nodes of **$(machine.name)** send one message back and forth. Which size gets half of the bandwidth that very long ones get?

## What happened
What the curves show, and why.

## Break it
What was broken, and what to look at.

## Transfer
The same question on **$(machine.name)**.

## Solution
How to work it out. Students do not get this part, nor the next.

## Common mistakes
- What students believe, and where it goes wrong.
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

rows:
)";

constexpr const char* layout_rows =
    R"(  # Spread over the nodes in their order. 'ranks' default: all nodes full; 'per-node': as many as the cores allow.
  spread: {{ranks: {ranks}, per-node: 2, cores: 1}}
  alternating: {{ranks: {ranks}, per-node: 2, sockets: alternate}}      # to the sockets in turn; default: fill one first
  {gpu}gpus: {{gpus: {gpus}}}                                       # a rank on each of so many GPUs of every node
  {gpu}both: {{gpus: {gpus}, per-node: 2}}                          # beside two on cores

  # Node by node: ranks of so many cores each, in order of the sockets, and GPU ranks. 'ranks' may state how many it gives.
  placed: {{place: [{{type: {type}, nodes: {nodes}, processes: [{cores}, 1]{place_gpus}}}]}}
)";

/// Two to a node on up to eight nodes.
std::uint32_t usual_ranks(const Platform& platform) { return 2 * std::min(platform.nodes(), 8u); }

}  // namespace

std::string scenario_template(const std::string& name, const Platform& platform, const std::string& named) {
  return fmt::format(scenario_text, fmt::arg("name", name), fmt::arg("platform", named),
                     fmt::arg("network", platform.networks.front().name), fmt::arg("ranks", usual_ranks(platform)));
}

std::string lab_template(const std::string& name, const Platform& platform, const std::string& named) {
  return fmt::format(lab_text, fmt::arg("name", name), fmt::arg("platform", named),
                     fmt::arg("network", platform.networks.front().name));
}

std::string lab_prose_template() { return lab_prose_text; }

std::string layout_template(const std::string& name, const Platform& platform, const std::string& named) {
  const NodeType& type = platform.node_types.front();
  const auto gpus = type.gpus.size();
  const std::uint32_t cores = std::max(1u, type.cores_per_socket / 2);
  return fmt::format(layout_head, fmt::arg("name", name), fmt::arg("platform", named)) +
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
    throw InputError("{}: name '{}' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?", command, name);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    throw InputError("{}: already exists (never overwritten). Choose another name?", file.string());
  return {file.string(), name};
}

int write_new(const NewFile& target, const std::string& text, const std::string& next) {
  config::write_file(target.file, text);
  say("wrote {0}\nnext: edit it, then 'orrery check {0}' and '{1}'\n", target.file, next);
  return 0;
}

}  // namespace orrery::cli
