/// What a platform file says of the machine that this program runs on, as far as the system tells.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::cli {

struct ThisMachine {
  std::string host, processor;  ///< as the kernel calls them; "" where it does not
  std::uint32_t sockets = 1, cores_per_socket = 1;
  std::uint32_t usable = 1;  ///< cores that this process may use
  double memory_B = 0.0;

  std::uint32_t cores() const { return sockets * cores_per_socket; }
};

/// Cores are physical ones where the system tells; those that this process may use where they are fewer, as one socket.
ThisMachine this_machine();

/// The same from the text of /proc/cpuinfo, for tests; `online` processors where it does not name cores.
ThisMachine machine_of(const std::string& cpuinfo, std::uint32_t online, std::uint32_t usable);

}  // namespace orrery::cli
