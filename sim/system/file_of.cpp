#include <filesystem>

#include "sim/system/system.hpp"

namespace orrery::system {

std::string file_of(const std::string& program, const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(program).parent_path();
  const fs::path beside = folder / name, installed = folder / "../lib/orrery" / name;
  std::error_code ignored;
  if (!fs::exists(beside, ignored) && fs::exists(installed, ignored)) return installed.lexically_normal().string();
  return beside.string();
}

}  // namespace orrery::system
