/// `orrery list WHAT`: what comes with Orrery, one line each.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/collectives/selector.hpp"
#include "kernels/kernel.hpp"
#include "models/compute/catalogue.hpp"
#include "models/model.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/listed_things.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::list_command {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

template <class Entry>
Lines catalogue_lines(const Catalogue<Entry>& catalogue) {
  Lines lines;
  for (const auto& [name, entry] : catalogue.entries()) lines.emplace_back(name, entry.summary);
  return lines;
}

/// Shipped files with what they say about their source.
Lines file_lines(const std::string& folder) {
  Lines lines;
  for (const auto& name : data_names(folder, "yaml")) {
    const auto document = config::read_yaml(data_path(folder, name, "yaml", "list"));
    lines.emplace_back(name, document.root().optional_text("source").value_or(""));
  }
  return lines;
}

/// What each scenario asks, then where it comes from.
Lines scenario_lines() {
  Lines lines;
  for (const auto& name : data_names("scenarios", "yaml")) {
    const auto file = config::read_yaml(data_path("scenarios", name, "yaml", "list")).root();
    lines.emplace_back(name, file.optional_text("title").value_or(name));
    lines.emplace_back("", file.optional_text("source").value_or(""));
  }
  return lines;
}

/// What each lab asks.
Lines lab_lines() {
  Lines lines;
  for (const auto& name : data_names("labs", "yaml")) {
    const auto file = config::read_yaml(data_path("labs", name, "yaml", "list")).root();
    lines.emplace_back(name, file.optional_text("title").value_or(name));
  }
  return lines;
}

/// "infiniband", with the platforms that have it.
Lines network_lines() {
  Lines lines;
  for (const auto& platform_name : data_names("platforms", "yaml")) {
    const Platform platform = load_platform_named(platform_name, "list");
    for (const auto& network : platform.networks) {
      const auto known = std::ranges::find(lines, network.name, &Lines::value_type::first);
      if (known == lines.end())
        lines.emplace_back(network.name, "of " + platform_name);
      else
        known->second += ", " + platform_name;
    }
  }
  return lines;
}

/// "rico-gallego16-table1:M10", as --layout takes it, with the platform that it is for.
Lines layout_row_lines() {
  Lines lines;
  for (const auto& table : data_names("scenarios/layouts", "yaml")) {
    const LayoutTable rows = load_layouts_named(table, "list", ".");
    for (const auto& row : rows.rows) lines.emplace_back(table + ":" + row.name, "for " + rows.platform);
  }
  return lines;
}

/// "allreduce lr", with what a selector may be given instead of a name at the end.
Lines collective_lines() {
  Lines lines;
  for (std::size_t i = 0; i < collectives::planned_operations; ++i) {
    const auto operation = static_cast<Operation>(i);
    for (const auto& [name, algorithm] : collectives::algorithms(operation).entries())
      lines.emplace_back(fmt::format("{} {}", operation_name(operation), name),
                         fmt::format("{}{}", algorithm.summary, algorithm.ordered ? " [keeps order]" : ""));
  }
  for (const auto& [name, selector] : collectives::selectors().entries())
    lines.emplace_back("selector " + name, selector.summary);
  return lines;
}

Lines lines_of(const std::string& what) {
  if (what == "platforms") return file_lines("platforms");
  if (what == "layouts") return file_lines("scenarios/layouts");
  if (what == "layout-rows") return layout_row_lines();
  if (what == "networks") return network_lines();
  if (what == "scenarios") return scenario_lines();
  if (what == "labs") return lab_lines();
  if (what == "collectives") return collective_lines();
  if (what == "kernels") return catalogue_lines(kernels());
  if (what == "models") return catalogue_lines(models());
  if (what == "partitioners") return catalogue_lines(partitioners());
  if (what == "compute-models") return catalogue_lines(compute_models());
  throw InputError("list: nothing called '{}'{}", what, known_names(what, listed_things()));
}

/// Of a terminal or COLUMNS; the width of a page where the lines go to a file or a pipe.
constexpr std::size_t page_width = 80;

/// One name on a line, for scripts and for completion.
int list_names(const Lines& lines) {
  for (const auto& [name, summary] : lines)
    if (!name.empty()) say("{}\n", name);
  return 0;
}

struct Options {
  std::string what;
  bool names = false;
};

void print_lines(const Lines& lines) {
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, line.first.size());
  const std::string indent(width + 2, ' ');
  const std::size_t limit = terminal_width() == show::unlimited_width ? page_width : terminal_width();
  for (const auto& [name, summary] : lines)
    say("{}", show::wrapped(fmt::format("{:{}}  {}", name, width, summary), limit, indent));
}

/// Everything under headings, where nothing is named.
int list(const Options& options) {
  if (options.what.empty() && options.names)
    return list_names([] {
      Lines names;
      for (const auto& thing : listed_things()) names.emplace_back(thing, "");
      return names;
    }());
  if (options.what.empty()) {
    for (const auto& thing : listed_things()) {
      say("{}{} (orrery list {})\n", thing == listed_things().front() ? "" : "\n", thing, thing);
      print_lines(lines_of(thing));
    }
    return 0;
  }
  const Lines lines = lines_of(options.what);
  if (options.names) return list_names(lines);
  print_lines(lines);
  return 0;
}

const bool entered = commands().add({
    .name = "list",
    .summary = "list what Orrery ships: platforms, networks, kernels, collectives, models, partitioners, "
               "compute-models, layouts, layout-rows, scenarios, labs",
    .example = "orrery list platforms",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("WHAT", options->what,
                          "platforms, networks, kernels, collectives, models, partitioners, compute-models, layouts, "
                          "layout-rows, scenarios or labs (default: everything)",
                          false);
          line.flag("--names", options->names, "print only names, one per line");
          line.run([options] { return list(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::list_command

namespace orrery::cli {

const std::vector<std::string>& listed_things() {
  static const std::vector<std::string> known = {"collectives",  "compute-models", "kernels",  "labs",
                                                 "layout-rows",  "layouts",        "models",   "networks",
                                                 "partitioners", "platforms",      "scenarios"};
  return known;
}

}  // namespace orrery::cli
