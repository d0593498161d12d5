#include "sim/study/read/data_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/system/system.hpp"

namespace orrery {

namespace fs = std::filesystem;

namespace {

/// Where the program lies; empty where the system does not say.
fs::path program_folder() { return fs::path(system::program_path()).parent_path(); }

/// Beside the program, installed or built, so that either may be moved; else where they were when it was built.
fs::path data_folder() {
  if (const char* chosen = std::getenv("ORRERY_DATA")) return chosen;
  const fs::path program = program_folder();
  std::error_code ignored;
  for (const fs::path& folder : {program / "../share/orrery", program / "../../..", fs::path(ORRERY_SOURCE_DATA)})
    if (fs::exists(folder / "platforms", ignored) && fs::exists(folder / "scenarios", ignored))
      return folder.lexically_normal();
  return ORRERY_INSTALL_DATA;
}

}  // namespace

std::vector<std::string> data_names(const std::string& folder, const std::string& extension) {
  std::vector<std::string> names;
  for (const fs::path& entry : config::entries_of(data_folder() / folder))
    if (entry.extension() == "." + extension) names.push_back(entry.stem().string());
  std::ranges::sort(names);
  return names;
}

std::string data_path(const std::string& folder, const std::string& name, const std::string& extension,
                      const std::string& where, const std::string& beside) {
  std::error_code ignored;  // a name too long, a folder nobody may read: no file
  const auto is_file = [&](const fs::path& path) {
    return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
  };
  for (const fs::path& candidate : {fs::path(beside) / name, fs::path(name), data_folder() / name})
    if (is_file(candidate)) return config::tidy_path(candidate.lexically_normal().string());
  const fs::path shipped = data_folder() / folder / (name + "." + extension);
  if (is_file(shipped)) return shipped.string();
  for (const fs::path& candidate : {fs::path(beside) / name, fs::path(name)}) {
    std::error_code failed;
    const bool there = fs::exists(candidate, failed);
    if (!there && failed && failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory)
      throw InputError("{}: '{}' cannot be read ({}). Check the path?", where, name, failed.message());
  }
  const auto known = data_names(folder, extension);
  if (const char* chosen = std::getenv("ORRERY_DATA"); chosen != nullptr && !config::is_there(data_folder() / "platforms"))
    throw InputError(
        "{}: '{}' is no file, and '{}', which ORRERY_DATA names, has no '{}' with shipped ones. Correct the "
        "variable, or unset it?",
        where, name, chosen, folder);
  if (known.empty()) throw InputError("{}: '{}' is no file. Check the path?", where, name);
  constexpr std::size_t named_max = 16;
  Advice names = known_names(name, known);
  if (known.size() > named_max)
    names.rule = fmt::format("{} names, see 'orrery list {}'", known.size(), fs::path(folder).filename().string());
  throw InputError("{}: '{}' is neither a file nor a name in '{}'{}", where, name, folder, names);
}

std::string input_path(const std::string& path) {
  std::error_code ignored;
  const fs::path shipped = data_folder() / path;
  return !fs::exists(path, ignored) && fs::exists(shipped, ignored) ? shipped.string() : path;
}

}  // namespace orrery
