/// An emulated cluster on this machine: network namespaces as nodes, joined by a user-space switch.
///
///   up(plan, true)       starts it in the background; named() finds it again, from any process
///   run_on(...)          a command on its first node, with an environment in which mpirun reaches the others
///   down(name)           ends everything on it, and it
///
/// One process holds everything (switch_process.hpp): when it ends, namespaces, adapters and routes are gone, and the
/// programs on them; only after a SIGKILL do programs go on, without a network. Beside it there are four small files in
/// /run/orrery-cluster, which the next command removes if it was killed. Needs root and /dev/net/tun.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "validation/cluster/plan.hpp"
#include "validation/cluster/switch_process.hpp"

namespace orrery::cluster {

struct RunningNode {
  std::string name;
  int space = -1;  ///< descriptor of the switch's process
  std::uint32_t slots = 1;
  Port port;
};

struct Running {
  std::string name;
  pid_t process = 0;
  std::vector<RunningNode> nodes;

  std::string file(const std::string& kind) const;  ///< "hosts", "hostfile", "statistics", "state"
};

/// Those that run, by name. Files of others are removed.
std::vector<Running> running();
/// Throws InputError when no such cluster runs, naming those that do.
Running named(const std::string& name);

/// Ready when it returns. `with_caller`: ends when this process ends. Throws InputError when one of the name runs
/// already, ReplayError when it cannot be made.
Running up(const Plan& plan, bool with_caller);
void down(const Running& cluster);

/// Runs the command on the first node and returns its exit code (128 + signal when one ended it); Ctrl-C ends it.
int run_on(const Running& cluster, const std::vector<std::string>& command, const std::string& orrery);

/// Turns this process into the command on the node, as mpirun asks for it; does not return. Throws InputError for a
/// node that is not there.
[[noreturn]] void enter(const Running& cluster, const std::string& node, const std::vector<std::string>& command,
                        bool as_shell);

}  // namespace orrery::cluster
