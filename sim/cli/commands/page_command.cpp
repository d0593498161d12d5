/// `orrery page`: the simulator as one file for a browser, with a question or a lab open in it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/scorm_package.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/lab/play.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::cli::page_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scenario, lab, page, output;
  bool teacher = false, scorm = false;
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

constexpr std::string_view letters_of_names = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
constexpr std::string_view endings[] = {".yaml", ".csv", ".ti", ".goal", ".2dist", ".dat"};

/// What may be names of files in a text: words of the letters above, each to the last ending in it. Every letter is
/// looked at so many times as there are endings, however long a word is.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; (begin = text.find_first_of(letters_of_names, begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(letters_of_names, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    std::size_t length = 0;
    for (const std::string_view ending : endings)
      if (const auto at = word.rfind(ending); at != std::string_view::npos && at > 0)
        length = std::max(length, at + ending.size());
    if (length > 0) names.emplace_back(word.substr(0, length));
    begin = end;
  }
  return names;
}

/// The files that a scenario names and that lie beside it, and those that these name.
void collect(const fs::path& folder, const std::string& text, std::map<std::string, std::string>& files) {
  for (const std::string& found : names_in(text)) {
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

/// A file that is open in a page, and what lies beside it.
struct Opened {
  nlohmann::ordered_json json;
  std::size_t files = 0;
  std::string name = {}, title = {};
};

Opened scenario_opened(const Options& options) {
  const std::string path = data_path("scenarios", options.scenario, "yaml", "orrery page");
  read_scenario(path, {});  // refuses what the page would
  const std::string text = config::read_file(path);
  std::map<std::string, std::string> files;
  collect(fs::path(path).parent_path(), text, files);
  return {{{"scenario", text}, {"files", files}}, files.size()};
}

/// A student's page has nothing that is the teacher's.
Opened lab_opened(const Options& options) {
  const std::string path = data_path("labs", options.lab, "yaml", "orrery page");
  lab::checked(path);
  const lab::LabFile lab = lab::LabFile::read(path);
  const std::string name = fs::path(path).stem().string(), title = lab.lab(lab.all(1).front()).title;
  std::map<std::string, std::string> files;
  collect(fs::path(path).parent_path(), lab.text(), files);
  const std::size_t beside = files.size();
  files[name + ".yaml"] = lab.text();
  files[name + ".md"] = lab.prose(options.teacher);
  return {{{"lab", {{"name", name}, {"title", title}, {"teacher", options.teacher}, {"files", files}}}},
          beside,
          name,
          title};
}

int write_page(const Options& options) {
  if (options.scenario.empty() == options.lab.empty())
    throw InputError(
        "orrery page: one of '--scenario' and '--lab' is what the page opens with. Write '--lab ping-pong'?");
  if ((options.teacher || options.scorm) && options.lab.empty())
    throw InputError("orrery page: '--{}' without '--lab' (which it is of). Remove it?",
                     options.teacher ? "teacher" : "scorm");
  if (options.teacher && options.scorm)
    throw InputError(
        "orrery page: '--teacher' beside '--scorm' (students open the package, and the page has the solution). Leave "
        "one "
        "of the two out?");
  const std::string from = page_without_question(options.page);
  std::string page = config::read_file(from);
  const auto at = page.find(place);
  if (at == std::string::npos)
    throw InputError(
        "{}: has no place for a question (an orrery.html as a release has it). Is it a page that was written before?",
        from);
  const Opened opened = options.lab.empty() ? scenario_opened(options) : lab_opened(options);
  page.replace(at, place.size(),
               fmt::format(R"(<script type="application/json" id="opened">{}</script>)", in_script(opened.json)));
  const std::string output = !options.output.empty() ? options.output
                             : options.scorm         ? opened.name + ".zip"
                                                     : "orrery.html";
  config::write_file(output, options.scorm ? scorm_package(opened.name, opened.title, page) : page);
  tell("page: {} ({:.1f} MB, {} file{} beside the {})\n", output, static_cast<double>(page.size()) / 1e6, opened.files,
       opened.files == 1 ? "" : "s", options.lab.empty() ? "scenario" : "lab");
  return 0;
}

const bool entered = commands().add({
    .name = "page",
    .summary = "write the simulator as one file for a browser that opens with a scenario or a lab",
    .example = "orrery page --scenario meyer12-barriers -o question.html",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("--scenario", options->scenario, "scenario that the page opens with");
          line.path("--lab", options->lab, "lab that the page opens with (shipped, or a file)");
          line.flag("--scorm", options->scorm, "write a SCORM 1.2 package, for Moodle and similar systems");
          line.flag("--teacher", options->teacher, "include the lab's solution and common mistakes (not for students)");
          line.output("-o,--output", options->output,
                      "output file (default: orrery.html; with --scorm: the lab's name)");
          line.path("--page", options->page, "orrery.html of a release to start from (default: the installed one)");
          line.run([options] { return write_page(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::page_command
