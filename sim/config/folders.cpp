#include "sim/config/folders.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "sim/core/error.hpp"

namespace orrery::config {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  fs::directory_iterator at(folder, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

std::string working_folder() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) throw InputError("the working folder: cannot be read ({}). Go to another one?", failed.message());
  return here.string();
}

fs::path absolute_path(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return failed ? path : absolute;
}

ScratchFolder::ScratchFolder(const std::string& who) {
  const char* chosen = std::getenv("TMPDIR");
  const std::string in = chosen == nullptr ? "/tmp" : chosen;
  path_ = fmt::format("{}/orrery-{}-XXXXXX", in, who);
  if (!in.empty() && ::mkdtemp(path_.data()) != nullptr) return;
  throw InputError("{}: no folder can be made in {} ({}). Set TMPDIR to one that can be written?", who,
                   chosen == nullptr ? "/tmp" : fmt::format("'{}', which TMPDIR names", in),
                   in.empty() ? "no name" : std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

}  // namespace orrery::config
