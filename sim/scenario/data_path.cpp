#include "sim/scenario/data_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace fs = std::filesystem;

namespace {

fs::path data_folder() {
  if (const char* chosen = std::getenv("ORRERY_DATA")) return chosen;
  if (fs::exists(ORRERY_SOURCE_DATA "/platforms")) return ORRERY_SOURCE_DATA;
  return ORRERY_INSTALL_DATA;
}

}  // namespace

std::vector<std::string> data_names(const std::string& folder, const std::string& extension) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(data_folder() / folder, failed))
    if (entry.path().extension() == "." + extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string data_path(const std::string& folder, const std::string& name, const std::string& extension,
                      const std::string& where, const std::string& beside) {
  std::error_code ignored;  // a name too long, a folder nobody may read: no file
  const auto is_file = [&](const fs::path& path) {
    return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
  };
  for (const fs::path& candidate : {fs::path(beside) / name, fs::path(name)})
    if (is_file(candidate)) return candidate.lexically_normal().string();
  const fs::path shipped = data_folder() / folder / (name + "." + extension);
  if (is_file(shipped)) return shipped.string();
  const auto known = data_names(folder, extension);
  throw InputError(
      fmt::format("{}: '{}' is neither a file nor a name in '{}'{}", where, name, folder, known_names(name, known)));
}

}  // namespace orrery
