/// In the place of sim/cli/run_output.cpp: no terminal, one core, and the data of a report's page for JSON with them.
#include <fmt/format.h>

#include "sim/cli/run_output.hpp"
#include "sim/core/error.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/show/tables/text_table.hpp"
#include "web/driver/page_data.hpp"

namespace orrery::cli {

std::size_t terminal_width() { return show::unlimited_width; }
bool terminal_color() { return false; }
unsigned jobs_of(int) { return 1; }

void print_result(const ScenarioResult& result, const std::string& format, bool full) {
  if (format == "json") {
    show::write_json(result, {.full = full}, [](std::string_view text) { fmt::print("{}", text); });
    fmt::print("\n");
  } else if (format == "page") {
    web::print_page(result);
  } else if (format == "csv") {
    fmt::print("{}", show::to_csv(result));
  } else {
    fmt::print("{}", show::to_text_table(result, {.width = terminal_width(), .color = terminal_color()}));
  }
}

}  // namespace orrery::cli
