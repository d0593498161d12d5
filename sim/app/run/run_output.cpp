#include "sim/app/run/run_output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "sim/core/error.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/json.hpp"
#include "sim/report/text_table.hpp"

namespace orrery::app {

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 160;
}

bool terminal_color() { return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

unsigned jobs_of(int asked) {
  if (asked < 0)
    throw InputError(fmt::format("--jobs: '{}' is negative (0 means all cores). Write '--jobs 2'?", asked));
  return asked > 0 ? static_cast<unsigned>(asked) : std::max(1u, std::thread::hardware_concurrency());
}

void print_result(const ScenarioResult& result, const std::string& format) {
  if (format == "json")
    fmt::print("{}\n", report::to_json(result));
  else if (format == "csv")
    fmt::print("{}", report::to_csv(result));
  else
    fmt::print("{}", report::to_text_table(result, {.width = terminal_width(), .color = terminal_color()}));
}

}  // namespace orrery::app
