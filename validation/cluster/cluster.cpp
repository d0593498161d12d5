#include "validation/cluster/cluster.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/tell.hpp"
#include "sim/system/system.hpp"
#include "validation/cluster/awake.hpp"
#include "validation/cluster/namespace.hpp"

namespace orrery::cluster {

namespace {

namespace fs = std::filesystem;
const fs::path folder = "/run/orrery-cluster";
constexpr const char* kinds[] = {"state", "hosts", "hostfile", "hydra", "statistics"};

[[noreturn]] void failed(const std::string& doing) {
  throw ReplayError("cluster: cannot {}: {}", doing, std::strerror(errno));
}

/// When the process started (field 22 of proc(5) stat): a number that comes again is another process. "" when it has
/// ended, also where nobody has taken note of its end.
std::string started(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::stringstream text;
  text << file.rdbuf();
  std::string rest = text.str();
  rest.erase(0, rest.rfind(')') + 1);
  std::istringstream fields(rest);
  std::string field, state;
  fields >> state;
  for (int i = 4; i <= 22 && fields >> field; ++i) {
  }
  return state == "Z" || state == "X" ? "" : field;
}

/// name, process, start, then a line for each node.
std::string state_text(const Running& cluster) {
  std::string text = fmt::format("{} {} {}\n", cluster.name, cluster.process, started(cluster.process));
  for (const auto& node : cluster.nodes)
    text +=
        fmt::format("{} {} {} {} {}\n", node.name, node.space, node.slots, node.port.bytes_per_s, node.port.latency_s);
  return text;
}

/// A process of 0 when what the file describes does not run any more.
Running read_state(const fs::path& file) {
  std::istringstream text(config::read_file(file.string()));
  Running cluster;
  std::string start;
  text >> cluster.name >> cluster.process >> start;
  for (RunningNode node; text >> node.name >> node.space >> node.slots >> node.port.bytes_per_s >> node.port.latency_s;)
    cluster.nodes.push_back(node);
  if (start.empty() || started(cluster.process) != start) cluster.process = 0;
  return cluster;
}

void remove_files(const std::string& name) {
  std::error_code ignored;
  for (const char* kind : kinds) fs::remove(folder / fmt::format("{}.{}", name, kind), ignored);
}

void write_files(const Running& cluster) {
  std::string hosts = "127.0.0.1 localhost\n", slots, hydra;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    hosts += fmt::format("{} {}\n", address_of(i), cluster.nodes[i].name);
    slots += fmt::format("{} slots={}\n", cluster.nodes[i].name, cluster.nodes[i].slots);
    hydra += fmt::format("{}:{}\n", cluster.nodes[i].name, cluster.nodes[i].slots);
  }
  config::write_file(cluster.file("hosts"), hosts);
  config::write_file(cluster.file("hostfile"), slots);
  config::write_file(cluster.file("hydra"), hydra);
  config::write_file(cluster.file("state"), state_text(cluster));
}

/// One cluster is made at a time on this machine, so that two of one name cannot both find it free. Where the folder
/// cannot be made there is nothing to wait for: what comes next says why.
class Turn {
 public:
  Turn() : folder_(opened()) {
    while (folder_.get() >= 0 && ::flock(folder_.get(), LOCK_EX) < 0 && errno == EINTR) {
    }
  }
  /// In a child: the turn is the parent's, and ends with it.
  void leave() { folder_ = Descriptor{}; }

 private:
  static int opened() {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }

  Descriptor folder_;
};

/// What the switch's process says when it is ready: the descriptors, or "! " and why not.
void say(int pipe, const std::string& text) {
  if (::write(pipe, text.data(), text.size()) < 0) ::_exit(1);
}

/// The child's life: it never returns.
[[noreturn]] void be_the_switch(const Plan& plan, const std::string& statistics, int ready, bool with_caller,
                                pid_t caller) {
  if (with_caller) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != caller) ::_exit(1);
  }
  ::setsid();
  try {
    SwitchProcess process(plan);
    say(ready, fmt::format("{}\n", fmt::join(process.spaces(), " ")));
    ::close(ready);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nothing, stream);
    process.run(statistics);
  } catch (const std::exception& error) {
    say(ready, std::string("! ") + error.what() + "\n");
    ::_exit(1);
  }
  remove_files(plan.name);
  ::_exit(0);
}

std::string answer_of(int pipe) {
  std::string answer;
  char part[4096];
  for (ssize_t size; (size = ::read(pipe, part, sizeof part)) > 0;) answer.append(part, static_cast<std::size_t>(size));
  return answer;
}

void set_default(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 0); }

void set_open_mpi(const Running& cluster, const std::string& orrery) {
  set_default("OMPI_MCA_plm_rsh_agent", fmt::format("{} cluster enter {} --", orrery, cluster.name));
  set_default("OMPI_MCA_plm_rsh_no_tree_spawn", "1");
  set_default("OMPI_MCA_orte_default_hostfile", cluster.file("hostfile"));
  set_default("OMPI_MCA_btl", "tcp,self");
  set_default("OMPI_MCA_btl_tcp_if_include", subnet);
  set_default("OMPI_MCA_oob_tcp_if_include", subnet);
  set_default("OMPI_MCA_mpi_yield_when_idle", "1");
  set_default("OMPI_MCA_hwloc_base_binding_policy", "none");
  set_default("OMPI_MCA_rmaps_base_oversubscribe", "1");
  set_default("OMPI_ALLOW_RUN_AS_ROOT", "1");
  set_default("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
}

/// MPICH's mpirun takes the name of one program as its remote shell: a script that comes with this one.
void set_mpich(const Running& cluster, const std::string& orrery) {
  set_default("HYDRA_LAUNCHER", "rsh");
  set_default("HYDRA_LAUNCHER_EXEC", system::file_of(orrery, "orrery-rsh"));
  set_default("HYDRA_HOST_FILE", cluster.file("hydra"));
  set_default("UCX_TLS", "tcp,self");
  set_default("UCX_NET_DEVICES", adapter_name);
  set_default("MPIR_CVAR_NOLOCAL", "1");  // who sleeps until there is something to read does not see shared memory
}

/// In which mpirun reaches the nodes, and its ranks leave the processor while they wait.
void set_environment(const Running& cluster, const std::string& orrery) {
  set_default("ORRERY_CLUSTER", cluster.name);
  set_default("ORRERY_CLUSTER_SWITCH", std::to_string(cluster.process));
  set_open_mpi(cluster, orrery);
  set_mpich(cluster, orrery);
  const fs::path yield = system::file_of(orrery, "liborrery-yield.so");
  if (config::is_there(yield))
    set_default("LD_PRELOAD", yield.string());
  else
    tell("orrery: {} is missing: ranks that wait keep their processors busy. Build it?\n", yield.string());
}

volatile sig_atomic_t signalled = 0;
pid_t child_of_run = 0;
constexpr unsigned patience_s = 5;
/// Who does not end when asked to is ended.
void pass_on(int signal) {
  if (child_of_run > 0) ::kill(child_of_run, signal == SIGALRM ? SIGKILL : signal);
  signalled = signal;
  ::alarm(patience_s);
}

}  // namespace

std::string Running::file(const std::string& kind) const {
  return (folder / fmt::format("{}.{}", name, kind)).string();
}

std::vector<Running> running() {
  std::vector<Running> found;
  for (const fs::path& entry : config::entries_of(folder)) {
    if (entry.extension() != ".state") continue;
    Running cluster;
    try {
      cluster = read_state(entry);
    } catch (const InputError&) {
      continue;  // taken down meanwhile
    }
    if (cluster.process == 0)
      remove_files(entry.stem().string());
    else
      found.push_back(std::move(cluster));
  }
  std::sort(found.begin(), found.end(), [](const Running& a, const Running& b) { return a.name < b.name; });
  return found;
}

Running named(const std::string& name) {
  std::vector<std::string> known;
  for (auto& cluster : running()) {
    if (cluster.name == name) return cluster;
    known.push_back(cluster.name);
  }
  if (known.empty()) throw InputError("cluster: '{}' is not up, nor is any other. Run 'orrery cluster up FILE'?", name);
  throw InputError("cluster: '{}' is not up{}", name, known_names(name, known));
}

Running up(const Plan& plan, bool with_caller) {
  Turn turn;
  for (const auto& cluster : running())
    if (cluster.name == plan.name)
      throw InputError("cluster: '{}' is up already (process {}). Use another --name, or take it down first?",
                       plan.name, cluster.process);
  int ready[2];
  if (::pipe2(ready, O_CLOEXEC) < 0) failed("make a pipe");
  Running cluster{plan.name, 0, {}};
  const pid_t caller = ::getpid();
  cluster.process = ::fork();
  if (cluster.process < 0) failed("start a process");
  if (cluster.process == 0) {
    turn.leave();
    ::close(ready[0]);
    be_the_switch(plan, cluster.file("statistics"), ready[1], with_caller, caller);
  }
  ::close(ready[1]);
  const std::string answer = answer_of(ready[0]);
  ::close(ready[0]);
  if (answer.empty() || answer[0] == '!') {
    ::waitpid(cluster.process, nullptr, 0);
    if (answer.empty()) throw ReplayError("cluster: its process ended at once");
    throw ReplayError(Refusal::sentence(answer.substr(2, answer.size() - 3)));
  }
  std::istringstream spaces(answer);
  for (const auto& node : plan.nodes) {
    cluster.nodes.push_back({node.name, -1, node.slots, node.port});
    spaces >> cluster.nodes.back().space;
  }
  try {
    write_files(cluster);
  } catch (...) {
    ::kill(cluster.process, SIGTERM);
    ::waitpid(cluster.process, nullptr, 0);
    throw;
  }
  return cluster;
}

void down(const Running& cluster) {
  if (::kill(cluster.process, SIGTERM) < 0 && errno != ESRCH) failed(fmt::format("end '{}'", cluster.name));
  const std::string start = started(cluster.process);
  for (int i = 0; i < 100 && ::waitpid(cluster.process, nullptr, WNOHANG) <= 0; ++i) {
    if (started(cluster.process).empty() || started(cluster.process) != start) break;
    ::usleep(50'000);
  }
  if (!start.empty() && started(cluster.process) == start) ::kill(cluster.process, SIGKILL);
  remove_files(cluster.name);
}

void enter(const Running& cluster, const std::string& node, const std::vector<std::string>& command, bool as_shell) {
  std::vector<std::string> known;
  const RunningNode* found = nullptr;
  for (const auto& one : cluster.nodes) {
    known.push_back(one.name);
    if (one.name == node) found = &one;
  }
  if (found == nullptr)
    throw InputError("cluster: '{}' has no node '{}'{}", cluster.name, node, known_names(node, known));
  const Descriptor space(
      ::open(fmt::format("/proc/{}/fd/{}", cluster.process, found->space).c_str(), O_RDONLY | O_CLOEXEC));
  if (space.get() < 0 || ::setns(space.get(), CLONE_NEWNET) < 0) failed("enter the network namespace of " + node);
  if (::unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC) < 0) failed("make namespaces for " + node);
  if (::sethostname(node.data(), node.size()) < 0) failed("name the host " + node);
  // Never the second without the first: it would change the host's own file.
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) < 0) failed("keep mounts to " + node);
  if (::mount(cluster.file("hosts").c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr) < 0)
    failed("give /etc/hosts to " + node);
  // As a remote shell does: what came as several words is one line for the shell.
  const std::vector<std::string> words =
      as_shell ? std::vector<std::string>{"/bin/sh", "-c", fmt::format("{}", fmt::join(command, " "))} : command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw InputError("cluster: '{}' cannot be run ({}). Give its path?", words[0], std::strerror(errno));
}

int run_on(const Running& cluster, const std::vector<std::string>& command, const std::string& orrery) {
  constexpr std::array passed{SIGINT, SIGTERM, SIGALRM};
  struct sigaction action {};
  action.sa_handler = pass_on;
  std::array<struct sigaction, passed.size()> before;
  for (std::size_t i = 0; i < passed.size(); ++i) ::sigaction(passed[i], &action, &before[i]);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // of daemons that mpirun leaves to whoever takes them
  child_of_run = ::fork();
  if (child_of_run < 0) failed("start a process");
  if (child_of_run == 0) {
    for (const int signal : passed) ::signal(signal, SIG_DFL);  // in a shell's background Ctrl-C was ignored
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      set_environment(cluster, orrery);
      enter(cluster, cluster.nodes.front().name, command, false);
    } catch (const Error& error) {
      tell("orrery: {}\n", error.what());
      std::fflush(stderr);
      ::_exit(error.exit_code());
    }
  }
  const AwakeProcessors awake;
  int status = 0;
  while (::waitpid(child_of_run, &status, 0) < 0 && errno == EINTR) {
  }
  child_of_run = 0;
  ::alarm(0);
  for (std::size_t i = 0; i < passed.size(); ++i) ::sigaction(passed[i], &before[i], nullptr);
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  if (signalled != 0) return 130;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace orrery::cluster
