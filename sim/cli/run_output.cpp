#include "sim/cli/run_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/charts/paper_charts.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/show/tables/text_table.hpp"
#include "sim/system/system.hpp"

namespace orrery::cli {

std::size_t terminal_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    std::size_t asked = 0;
    const std::string_view text(columns);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), asked);
    if (error == std::errc() && end == text.data() + text.size() && asked > 0) return asked;
  }
  if (const unsigned width = system::terminal_columns(STDOUT_FILENO); width > 0) return width;
  return isatty(STDOUT_FILENO) == 1 ? 80 : show::unlimited_width;
}

bool terminal_color() { return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

void say_table(const std::string& text) {
  if (terminal_color())
    say_as_it_is(text);  // its cells and sentences are escaped one by one (sim/show/tables/text_grid.hpp)
  else
    say_text(text);
}

unsigned jobs_of(int asked) {
  if (asked < 0) throw InputError("--jobs: '{}' is negative (0 means all cores). Write '--jobs 2'?", asked);
  return asked > 0 ? static_cast<unsigned>(asked) : std::max(1u, std::thread::hardware_concurrency());
}

void print_result(const ScenarioResult& result, const std::string& format, bool full) {
  if (format == "json")
    show::write_json(result, {.full = full}, say_as_it_is), say("\n");
  else if (format == "csv")
    say("{}", show::to_csv(result));
  else
    say_table(show::to_text_table(result, {.width = terminal_width(), .color = terminal_color()}));
}

void write_table(const ScenarioResult& result, const TableFiles& files) {
  namespace paper = show::paper;
  if (!files.svg.empty()) {
    const auto charts = paper::charts_of(result, paper::chart_choice(files.chart));
    config::write_file(files.svg, paper::drawing_svg(paper::draw(charts.front())));
    tell("picture: {}\n", files.svg);
  }
  if (files.csv.empty()) return;
  config::write_file(files.csv, show::to_csv(result));
  tell("table: {}\n", files.csv);
}

}  // namespace orrery::cli
