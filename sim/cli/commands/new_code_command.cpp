/// `orrery new kernel|model|collective NAME`: a commented C++ file that compiles as it is, to make one's own of.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "kernels/collectives/algorithm.hpp"
#include "kernels/kernel.hpp"
#include "models/model.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/source_templates.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli::new_code_command {

namespace {

namespace fs = std::filesystem;

/// What one of a kind is called and where it lives in the source tree.
struct Kind {
  std::string command;  ///< "new kernel"
  std::string folder;   ///< "kernels"
  char between;         ///< words of a name: '-', or '_' as SMPI has it
};

struct Target {
  std::string file, name;
  bool in_tree = false;  ///< where the build finds it
};

std::string name_of(const fs::path& file, const Kind& kind) {
  const std::string name = file.stem().string();
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto plain = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == kind.between; };
  if (name.empty() || name.size() > 64 || !letter(name.front()) || !std::ranges::all_of(name, plain))
    throw InputError("{}: name '{}' (a letter, then up to 63 characters of a-z, 0-9 and '{}'). Choose another?",
                     kind.command, name, kind.between);
  return name;
}

/// "mine": in its folder of the source tree that is the current folder. A path that ends in .cpp: there.
Target place_of(const std::string& wanted, const Kind& kind) {
  fs::path file(wanted);
  std::error_code ignored;
  const bool path = file.extension() == ".cpp";
  if (!path) {
    file += ".cpp";
    if (file.has_parent_path())
      throw InputError("{}: '{}' is neither a name nor a path that ends in '.cpp'. Write '{}'?", kind.command, wanted,
                       file.string());
    if (!fs::is_directory(kind.folder, ignored))
      throw InputError(
          "{}: there is no folder '{}' here (a name is for the source tree of Orrery). Go there, or write "
          "a path: './{}'?",
          kind.command, kind.folder, file.string());
    file = fs::path(kind.folder) / file;
  }
  Target place{file.string(), name_of(file, kind)};
  place.in_tree = file.parent_path().lexically_normal() == fs::path(kind.folder).lexically_normal();
  if (fs::exists(file, ignored))
    throw InputError("{}: already exists (never overwritten). Choose another name?", place.file);
  return place;
}

template <class Entry>
void require_new(const Catalogue<Entry>& known, const std::string& name, const Kind& kind, const std::string& what) {
  if (known.contains(name))
    throw InputError("{}: there is a {} '{}' already (names are unique). Choose another?", kind.command, what, name);
}

int write(const Target& place, const Kind& kind, const std::string& text, const std::vector<std::string>& next) {
  config::write_file(place.file, text);
  say("wrote {}: it compiles and passes its tests as it is\nnext: {}edit it where its comments are numbered, then\n",
      place.file, place.in_tree ? "" : fmt::format("move it to {} of the source tree, ", kind.folder));
  for (const std::string& line : next) say("  {}\n", line);
  return 0;
}

const Kind kernel{"new kernel", "kernels", '-'};
const Kind model{"new model", "models", '-'};

int new_kernel(const std::string& wanted) {
  const Target place = place_of(wanted, kernel);
  require_new(kernels(), place.name, kernel, "kernel");
  return write(place, kernel, kernel_template(place.name),
               {fmt::format("./orrery show kernel {}   # builds, then shows it", place.name),
                fmt::format("./orrery simulate --platform lab --kernel {} --ranks 8", place.name),
                "./orrery test -L 'contract/every kernel'   # what every kernel must keep",
                "docs/adding.md has the steps; 'orrery show kernel wave2d' is a page to follow"});
}

int new_model(const std::string& wanted) {
  const Target place = place_of(wanted, model);
  require_new(models(), place.name, model, "model");
  return write(
      place, model, model_template(place.name),
      {fmt::format("./orrery show model {}   # builds, then shows it", place.name),
       fmt::format("./orrery predict --platform lab --kernel wave2d --ranks 8 --model {} --model hockney", place.name),
       "./orrery test -L 'contract/every model'   # what every model must keep",
       "docs/adding.md has the steps; 'orrery show model hockney' is a page to follow"});
}

struct CollectiveOptions {
  std::string name, operation = "bcast";
};

int new_collective(const CollectiveOptions& options) {
  const Kind kind{"new collective", "kernels/collectives/algorithms/" + options.operation, '_'};
  const Target place = place_of(options.name, kind);
  require_new(collectives::algorithms(collectives::operation_named(options.operation, "--operation")), place.name, kind,
              options.operation);
  return write(
      place, kind, collective_template(place.name, options.operation),
      {"./orrery list collectives   # builds, then lists it with the others",
       fmt::format("./orrery simulate --platform lab --kernel collective --ranks 8 --param operation={} --param "
                   "algorithm={}",
                   options.operation, place.name),
       "./orrery test -L 'contract/every collective'   # carries it out on labelled data",
       "docs/adding.md has the steps; docs/collectives.md says what others do"});
}

const bool entered_kernel = commands().add({
    .name = "new kernel",
    .summary = "create a commented C++ kernel to edit; it compiles and runs unchanged",
    .example = "orrery new kernel ring-of-mine\n  orrery new kernel drafts/ring-of-mine.cpp",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.path("NAME", *name, "name (creates kernels/NAME.cpp in the source tree), or path to a .cpp");
          line.run([name] { return new_kernel(*name); });
        },
});

const bool entered_model = commands().add({
    .name = "new model",
    .summary = "create a commented C++ analytic model to edit; it compiles and predicts unchanged",
    .example = "orrery new model line-of-mine\n  orrery new model drafts/line-of-mine.cpp",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.path("NAME", *name, "name (creates models/NAME.cpp in the source tree), or path to a .cpp");
          line.run([name] { return new_model(*name); });
        },
});

const bool entered_collective = commands().add({
    .name = "new collective",
    .summary = "create a commented C++ collective algorithm to edit; it compiles and is correct unchanged",
    .example = "orrery new collective chain_of_mine\n  orrery new collective ring_of_mine --operation allgather",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<CollectiveOptions>();
          line.path("NAME", options->name,
                    "name (creates kernels/collectives/algorithms/OPERATION/NAME.cpp), or path to a .cpp");
          line.choice("--operation", options->operation, operations_with_template(), "collective operation");
          line.run([options] { return new_collective(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::new_code_command
