/// Reading and writing files: whole-file reads with clear errors, and writes that are never half done.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/text_sink.hpp"

namespace orrery::config {

/// Maximum size of an input: a device without an end (/dev/zero) is refused and does not fill the memory.
/// 4 GiB, or less if addresses have 32 bits: in a browser.
inline constexpr std::size_t file_bytes_max = std::size_t{sizeof(std::size_t) > 4 ? 4096 : 1024} << 20;
inline constexpr std::size_t yaml_bytes_max = std::size_t{256} << 20;    ///< needs many times its size in memory
inline constexpr std::size_t stream_bytes_max = std::size_t{256} << 20;  ///< of a pipe or a device

/// A path without '//', without '.' except at its beginning, and without '/' at its end; with "./" before a '-', so
/// that no program treats it as an option. ".." stays, because a link may come before it.
std::string tidy_path(const std::string& path);

/// The file's text, without the byte order mark that some editors and spreadsheets write. Input that can be read only
/// once (`<(...)`) is cached, so that it may be read again. Throws InputError with the path and the reason; also,
/// before opening, for anything that is neither a regular file nor a pipe that this process has open already.
std::string read_file(const std::string& path, std::size_t limit = file_bytes_max);

/// Writes to a new file with a random name in the same folder and renames it, so that a reader never sees half a file.
/// A link is followed, permissions are kept, a read-only file is refused; something other than a regular file
/// (/dev/stdout, a pipe) is written directly. Creates a missing folder. Throws InputError with the path and the reason.
void write_file(const std::string& path, const std::string& text);
void write_file(const std::string& path, const TextWriter& text);

/// Writes a file in a folder given by the user: a link with that name is replaced, not followed, because its creator
/// must not redirect the write to another file. Anything else that is no regular file is refused.
void write_into(const std::string& folder, const std::string& name, const std::string& text);

/// Throws InputError, like `write_file`, if something other than a regular file has this name.
void require_regular_if_there(const std::string& path);

}  // namespace orrery::config
