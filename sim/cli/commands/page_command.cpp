/// `orrery page`: the simulator as one file for a browser, with a question open in it.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

#include "sim/cli/command_line.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::app::page_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scenario, page, output = "orrery.html";
};

/// Where the page has its question; make_page.mjs writes it empty.
constexpr std::string_view place = R"(<script type="application/json" id="opened">null</script>)";
constexpr std::size_t file_most = std::size_t{4} << 20;

std::string page_without_question(const std::string& chosen) {
  std::error_code ignored;
  if (!chosen.empty()) return chosen;
  for (const char* name : {"web/orrery.html", "build/web/orrery.html"})
    if (const std::string found = input_path(name); fs::is_regular_file(found, ignored)) return found;
  throw InputError(
      "--page: the program has no orrery.html beside its data (it is a file of each release, and 'cmake --build "
      "--preset web' builds it). Write '--page FILE'?");
}

/// The files that a scenario names and that lie beside it, and those that these name.
void collect(const fs::path& folder, const std::string& text, std::map<std::string, std::string>& files) {
  static const std::regex name(R"([A-Za-z0-9_./-]+[.](yaml|csv|ti|goal|2dist|dat))");
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
    const std::string found = at->str();
    std::error_code ignored;
    if (files.contains(found) || fs::path(found).is_absolute() || found.find("..") != std::string::npos ||
        !fs::is_regular_file(folder / found, ignored))
      continue;
    const std::string content = config::read_file((folder / found).string(), file_most);
    files.emplace(found, content);
    if (found.ends_with(".yaml")) collect(folder, content, files);
  }
}

/// As JSON in a script: nothing in it ends the script.
std::string in_script(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char letter : json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    if (letter == '<')
      text += "\\u003c";
    else
      text += letter;
  return text;
}

int write_page(const Options& options) {
  const std::string from = page_without_question(options.page);
  std::string page = config::read_file(from);
  const auto at = page.find(place);
  if (at == std::string::npos)
    throw InputError(fmt::format(
        "{}: has no place for a question (an orrery.html as a release has it). Is it a page that was written before?",
        from));
  const std::string path = data_path("scenarios", options.scenario, "yaml", "orrery page");
  read_scenario(path, {});  // refuses what the page would
  const std::string text = config::read_file(path);
  std::map<std::string, std::string> files;
  collect(fs::path(path).parent_path(), text, files);
  page.replace(at, place.size(),
               fmt::format(R"(<script type="application/json" id="opened">{}</script>)",
                           in_script({{"scenario", text}, {"files", files}})));
  config::write_file(options.output, page);
  tell("page: {} ({:.1f} MB, {} file{} beside the scenario)\n", options.output, static_cast<double>(page.size()) / 1e6,
       files.size(), files.size() == 1 ? "" : "s");
  return 0;
}

const bool entered = commands().add({
    .name = "page",
    .summary = "write the simulator as one file for a browser, with a scenario open in it",
    .example = "orrery page --scenario meyer12-barriers -o question.html",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.option("--scenario", options->scenario, "the scenario that the page opens with", true);
          line.option("-o,--output", options->output, "the page to write (default: orrery.html)");
          line.option("--page", options->page, "an orrery.html as a release has it (default: the one installed)");
          line.run([options] { return write_page(*options); });
        },
});

}  // namespace

}  // namespace orrery::app::page_command
