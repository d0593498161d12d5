/// `orrery cluster`: a small cluster on this machine, to run real MPI programs on.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/load.hpp"
#include "sim/system/system.hpp"
#include "validation/cluster/cluster.hpp"
#include "validation/cluster/namespace.hpp"

namespace orrery::cli::cluster_command {

namespace {

constexpr int skipped = 77;

struct Options {
  std::string platform, network, name;
  std::vector<std::string> command;
};

/// Says why there can be no cluster here; true when there can.
bool permitted() {
  const std::string reason = cluster::why_not_permitted();
  if (!reason.empty()) tell("SKIP: {}\n", reason);
  return reason.empty();
}

cluster::Plan plan_for(const Options& options) {
  const Platform platform = load_platform_named(options.platform, "cluster");
  const Network& network =
      options.network.empty() ? platform.networks.front() : platform.network(options.network, "--network");
  auto plan = cluster::plan_of(platform, network);
  if (!options.name.empty()) plan.name = options.name;
  if (plan.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") !=
      std::string::npos)
    throw InputError("--name: '{}' (letters, digits, '-' and '_'). Choose another name?", plan.name);
  return plan;
}

int up(const Options& options) {
  const auto plan = plan_for(options);
  if (!permitted()) return skipped;
  const auto made = cluster::up(plan, false);
  say("cluster '{}' is up: {} nodes at {}, {}; run programs on it with\n  orrery cluster exec {} -- mpirun -n {} "
      "PROGRAM\n",
      made.name, made.nodes.size(), to_text(BytesPerSecond(plan.nodes.front().port.bytes_per_s)),
      to_text(Seconds(plan.nodes.front().port.latency_s)), made.name, made.nodes.size());
  return 0;
}

int down(const Options& options) {
  const auto all = options.name.empty() ? cluster::running() : std::vector{cluster::named(options.name)};
  for (const auto& one : all) {
    cluster::down(one);
    say("cluster '{}' is down\n", one.name);
  }
  if (all.empty()) say("no cluster is up\n");
  return 0;
}

int status() {
  const auto all = cluster::running();
  if (all.empty()) say("no cluster is up\n");
  for (const auto& one : all) {
    const auto seen = cluster::read_statistics(one.file("statistics"));
    say("{}: {} nodes ({} .. {}), process {}\n  {} frames, {}, {} dropped; delivered {} late on average, {} at most\n",
        one.name, one.nodes.size(), one.nodes.front().name, one.nodes.back().name, one.process, seen.frames,
        to_text(Bytes(static_cast<double>(seen.bytes))), seen.dropped, to_text(Seconds(seen.mean_lateness_s)),
        to_text(Seconds(seen.greatest_lateness_s)));
  }
  return 0;
}

int exec(const Options& options) {
  if (options.command.empty()) throw InputError("orrery cluster exec: no command. Add '-- mpirun -n 4 PROGRAM'?");
  for (const auto& one : cluster::running())
    if (one.name == options.platform)
      return !permitted() ? skipped : cluster::run_on(one, options.command, system::program_path());
  const auto plan = plan_for(options);
  if (!permitted()) return skipped;
  const auto made = cluster::up(plan, true);
  const int code = cluster::run_on(made, options.command, system::program_path());
  cluster::down(made);
  return code;
}

void platform_options(CommandLine& line, Options& options, const char* help) {
  line.path("PLATFORM", options.platform, help);
  line.option("--network", options.network, "network of the platform (default: the first)");
  line.option("--name", options.name, "name of the cluster (default: the platform's)");
}

const bool entered_up = commands().add({
    .name = "cluster up",
    .summary = "start a platform as an emulated cluster on this machine",
    .example = "orrery cluster up lab.yaml\n  orrery cluster exec lab -- mpirun -n 8 ./a.out\n  orrery cluster down",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          platform_options(line, *options, "platform name or file");
          line.run([options] { return up(*options); });
        },
});
const bool entered_down = commands().add({
    .name = "cluster down",
    .summary = "stop an emulated cluster and everything that runs on it",
    .example = "orrery cluster down\n  orrery cluster down lab",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("NAME", options->name, "name of the cluster (default: all)", false);
          line.run([options] { return down(*options); });
        },
});
const bool entered_status = commands().add({
    .name = "cluster status",
    .summary = "list running emulated clusters and the traffic of their switches",
    .example = "orrery cluster status",
    .setup = [](CommandLine& line) { line.run([] { return status(); }); },
});
const bool entered_exec = commands().add({
    .name = "cluster exec",
    .summary = "run a program, such as mpirun, on an emulated cluster",
    .example =
        "orrery cluster exec lab.yaml -- mpirun -n 8 ./a.out   (up, run, down)\n  orrery cluster exec lab -- hostname",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          platform_options(line, *options, "name of a running cluster, or a platform to start for this command only");
          line.positional("COMMAND", options->command, "command to run on the first node, after '--'", false);
          line.run([options] { return exec(*options); });
        },
});
const bool entered_enter = commands().add({
    .name = "cluster enter",
    .summary = "run a command on one node (mpirun uses it as its remote shell)",
    .example = "orrery cluster enter lab -- node-1 hostname",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("NAME", options->name, "cluster");
          line.positional("COMMAND", options->command, "node and command, after '--'");
          line.run([options]() -> int {
            if (options->command.size() < 2)
              throw InputError("orrery cluster enter: a node and a command are needed. Add '-- NODE COMMAND'?");
            const std::vector<std::string> command(options->command.begin() + 1, options->command.end());
            cluster::enter(cluster::named(options->name), options->command.front(), command, true);
          });
        },
});

}  // namespace

}  // namespace orrery::cli::cluster_command
