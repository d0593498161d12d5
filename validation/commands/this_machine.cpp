#include "validation/commands/this_machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "validation/commands/mpi_here.hpp"

namespace orrery::cli {

ThisMachine machine_of(const std::string& cpuinfo, std::uint32_t online, std::uint32_t usable) {
  ThisMachine machine{.host = {}, .processor = {}, .usable = usable};
  std::set<std::string> sockets;
  std::set<std::pair<std::string, std::string>> cores;
  std::istringstream lines(cpuinfo);
  std::string socket;
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(": ");
    const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
    if (line.starts_with("model name")) machine.processor = value;
    if (line.starts_with("physical id")) sockets.insert(socket = value);
    if (line.starts_with("core id")) cores.emplace(socket, value);
  }
  const auto physical = cores.empty() ? online : static_cast<std::uint32_t>(cores.size());
  const auto boxes = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(sockets.size()));
  if (usable < physical || physical % boxes != 0) {
    machine.cores_per_socket = std::max<std::uint32_t>(1, std::min(usable, physical));
    return machine;
  }
  machine.sockets = boxes;
  machine.cores_per_socket = physical / boxes;
  return machine;
}

ThisMachine this_machine() {
  std::ifstream file("/proc/cpuinfo");
  const std::string cpuinfo((std::istreambuf_iterator<char>(file)), {});
  const auto online = static_cast<std::uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  ThisMachine machine = machine_of(cpuinfo, online, usable_cores());
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) == 0) machine.host = host;
  machine.memory_B = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return machine;
}

}  // namespace orrery::cli
