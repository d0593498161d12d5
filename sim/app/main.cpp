#include "sim/app/commands/command_line.hpp"
#include "sim/app/commands/standard_streams.hpp"

int main(int argc, char** argv) {
  orrery::app::keep_standard_streams();
  return orrery::app::run_command_line(argc, argv);
}
