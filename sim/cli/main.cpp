#include <unistd.h>

#include <new>

#include "sim/cli/command_line.hpp"
#include "sim/cli/standard_streams.hpp"
#include "sim/study/play/crash.hpp"
#include "sim/system/system.hpp"

namespace {

/// Ends at once, wherever memory ran out: nothing that could be done about it would work without memory. Files are
/// renamed into their place when they are whole, so none is half written.
void end_without_memory() {
  constexpr char said[] = "orrery: this machine has not enough memory left. Fewer ranks or messages, or --jobs 1?\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, said, sizeof said - 1);
  ::_exit(4);  // as a ReplayError
}

}  // namespace

int main(int argc, char** argv) {
  orrery::system::started_as(argv[0]);
  std::set_new_handler(end_without_memory);
  orrery::cli::say_where_it_crashes();
  orrery::cli::keep_standard_streams();
  return orrery::cli::run_command_line(argc, argv);
}
