#include "sim/app/commands/command_line.hpp"

int main(int argc, char** argv) { return orrery::app::run_command_line(argc, argv); }
