/// `orrery show papers FOLDER...`: what papers print beside what finished runs gave.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/papers_page.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/result/json.hpp"

namespace orrery::cli::show_papers_command {

namespace {

int show_papers(const std::vector<std::string>& folders) {
  std::vector<ScenarioResult> results;
  for (const auto& folder : folders) {
    const std::string file = folder + "/result.json";
    results.push_back(show::from_json(config::read_file(file), file));
    if (results.back().printed.empty())
      throw InputError(
          "{}: has no published value beside ours ('published' of a scenario states them). "
          "Leave '{}' out?",
          file, folder);
    results.back().points.clear();  // large, and of no more use
  }
  say("{}", papers_page(results));
  return 0;
}

const bool entered = commands().add({
    .name = "show papers",
    .summary = "published values of papers compared with finished runs, as Markdown (docs/papers.md)",
    .example = "orrery show papers out",
    .setup =
        [](CommandLine& line) {
          auto folders = std::make_shared<std::vector<std::string>>();
          line.paths("FOLDER", *folders, "output folders of 'orrery run', in the order of the page");
          line.run([folders] { return show_papers(*folders); });
        },
});

}  // namespace

}  // namespace orrery::cli::show_papers_command
