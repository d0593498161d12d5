#include "validation/commands/mpi_here.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli {

namespace {

/// Open MPI wants both of root.
constexpr std::array root_permissions{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"};

bool both_set() {
  for (const char* name : root_permissions)
    if (const char* value = std::getenv(name); value == nullptr || std::string(value) != "1") return false;
  return true;
}

std::string mpirun_version() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen("mpirun --version 2>/dev/null", "r"), ::pclose);
  std::string text;
  std::array<char, 256> some;
  while (pipe != nullptr && std::fgets(some.data(), some.size(), pipe.get()) != nullptr) text += some.data();
  return text;
}

}  // namespace

std::uint32_t usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::uint32_t>(CPU_COUNT(&cores));
  return static_cast<std::uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

std::string said_before_mpi(const MpiHere& here, std::uint32_t ranks) {
  if (here.version.empty())
    throw Skipped("measure: there is no 'mpirun' here (of any MPI). Install one, such as openmpi-bin?");
  if (here.root && !here.allowed && here.version.find("Open MPI") != std::string::npos)
    throw InputError(
        "measure: Open MPI starts no programs of root unless root says twice that it may (what runs can "
        "then change every file). Run it as another user, or 'export {}=1 {}=1'?",
        root_permissions[0], root_permissions[1]);
  if (ranks <= here.cores) return "";
  return fmt::format("{} ranks on {} {}: they take turns, so that times are longer than on a machine with a core each",
                     ranks, here.cores, here.cores == 1 ? "core" : "cores");
}

void prepare_mpi_here(std::uint32_t ranks) {
  const MpiHere here{mpirun_version(), ::geteuid() == 0, both_set(), usable_cores()};
  if (const std::string said = said_before_mpi(here, ranks); !said.empty()) tell("measure: {}\n", said);
  const auto unless_set = [](const char* name, const char* value) { ::setenv(name, value, 0); };
  unless_set("OMPI_MCA_rmaps_base_oversubscribe", "1");                   // Open MPI 4; its slots are not our cores
  unless_set("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");  // Open MPI 5
  if (ranks <= here.cores) return;
  unless_set("OMPI_MCA_mpi_yield_when_idle", "1");
  unless_set("OMPI_MCA_hwloc_base_binding_policy", "none");
}

}  // namespace orrery::cli
