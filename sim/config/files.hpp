/// Files in and out: whole-file reads with clear errors, and writes that are never half done.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/text_sink.hpp"

namespace orrery::config {

/// No input is longer: a device without an end (/dev/zero) is refused instead of filling the memory.
/// 4 GiB, or what 32 bits can address of them: in a browser.
inline constexpr std::size_t file_bytes_max = std::size_t{sizeof(std::size_t) > 4 ? 4096 : 1024} << 20;
inline constexpr std::size_t yaml_bytes_max = std::size_t{256} << 20;    ///< takes many times as much memory, read
inline constexpr std::size_t stream_bytes_max = std::size_t{256} << 20;  ///< of a pipe or a device

/// A path without '//', without '.' but at its beginning, and without '/' at its end; with "./" before a '-', so that no
/// program takes it for an option. ".." stays, since a link may come before it.
std::string tidy_path(const std::string& path);

/// The file's text, without the byte order mark that some editors and spreadsheets put before it. What can be read only
/// once (`<(...)`) is kept, so that it may be asked for again. Throws InputError naming the path and the reason; what is
/// no regular file, nor a pipe that this process has open already, before it is opened.
std::string read_file(const std::string& path, std::size_t limit = file_bytes_max);

/// Writes to a new file of a drawn name in the same folder and renames, so that a reader never sees half a file. A link
/// is followed, permissions are kept, a read-only file is refused; what is not a regular file (/dev/stdout, a pipe) is
/// written to as it is. Creates the folder when missing. Throws InputError naming the path and the reason.
void write_file(const std::string& path, const std::string& text);
void write_file(const std::string& path, const TextWriter& text);

/// A file of a folder that was named, not the file itself: a link of that name is replaced, not followed, since who may
/// lay one there does not say which other file is written. What else is no regular file is refused.
void write_into(const std::string& folder, const std::string& name, const std::string& text);

/// Throws InputError, as `write_file` does, where something other than a regular file has this name.
void require_regular_if_there(const std::string& path);

}  // namespace orrery::config
