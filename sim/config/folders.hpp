/// What is asked of the file system where a throw would be no answer: std::filesystem without an error_code throws for a
/// name that is too long, a loop of links and a folder that nobody may enter. Each is "not there" here, or refused with
/// its reason.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::config {

bool is_there(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

/// What lies in a folder, by name; nothing where it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

/// The folder that the program works in. Throws InputError where it is gone or nobody may read it.
std::string working_folder();

/// The path from the root on; as it is where the working folder is gone.
std::filesystem::path absolute_path(const std::filesystem::path& path);

/// A new folder in TMPDIR, which goes with this. Throws InputError that names TMPDIR where none can be made.
class ScratchFolder {
 public:
  /// `who` opens the message, and the folder's name.
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
