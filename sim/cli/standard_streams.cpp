#include "sim/cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <iostream>

namespace orrery::cli {

void keep_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is an error of write() then, told with its name
  // The lowest free number is taken, so in this order each gets its own. Output to a file open for reading fails.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) == -1 && errno == EBADF && ::open("/dev/null", O_RDONLY) != number) return;
}

bool standard_output_lost() {
  const bool failed_before = !std::cout.flush() || std::ferror(stdout) != 0;
  return std::fflush(stdout) != 0 || failed_before;
}

}  // namespace orrery::cli
