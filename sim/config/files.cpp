#include "sim/config/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/core/error.hpp"

namespace orrery::config {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw InputError(fmt::format("{}: is a folder, not a file. Name a file inside it?", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot be read ({}). Check the path?", path, std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

void write_file(const std::string& path, const std::string& text) {
  const fs::path target(path);
  std::error_code failed;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), failed);
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) fs::rename(temporary, target, failed);
  if (!out || failed) {
    const std::string reason = failed ? failed.message() : std::strerror(errno);
    fs::remove(temporary, failed);
    throw InputError(fmt::format("{}: cannot be written ({}). Choose another place with --out or -o?", path, reason));
  }
}

}  // namespace orrery::config
