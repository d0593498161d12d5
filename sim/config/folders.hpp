/// Queries of the file system that must not throw: std::filesystem without an error_code throws for a name that is too
/// long, a loop of links and a folder without access. Here each counts as "not there", or is refused with its reason.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::config {

bool is_there(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

/// The entries of a folder, by name; empty if it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

/// The working folder of the program. Throws InputError if it is gone or not accessible.
std::string working_folder();

/// The absolute path; unchanged if the working folder is gone.
std::filesystem::path absolute_path(const std::filesystem::path& path);

/// A new folder in TMPDIR, deleted with this object. Throws InputError that names TMPDIR if none can be made.
class ScratchFolder {
 public:
  /// `who` begins the message, and the folder's name.
  explicit ScratchFolder(const std::string& who);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace orrery::config
