/// Files in and out: whole-file reads with clear errors, and writes that are never half done.
#pragma once

#include <string>

namespace orrery::config {

/// The file's text. Throws InputError naming the path and the reason.
std::string read_file(const std::string& path);

/// Writes to a temporary name in the same folder and renames, so that a reader never sees half a file.
/// Creates the folder when missing. Throws InputError naming the path and the reason.
void write_file(const std::string& path, const std::string& text);

}  // namespace orrery::config
