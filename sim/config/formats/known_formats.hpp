/// The kind of a file, found in its first megabyte: titles of logs, root elements, first bytes, top-level keys.
///
///   refuse_other_format(text, "osu.txt", "a trace", {"ti", "ti-index", "goal"});
///   // osu.txt:2: is the output of an OSU micro-benchmark ('OSU MPI Allreduce ...'), not a trace. Make a table of it, as
///   // docs/other-formats.md shows?
///
/// A format is recognised by text from its own writers that none of our files can contain. A comment that names a
/// benchmark does not make a table a log: the lines below it must also be those of the log. Labels of launchers before
/// each line ("[1,0]<stdout>:", " 0: "), CRLF, a byte order mark and empty lines are ignored.
///
/// Checked  tests/unit/config/known_formats_test.cpp, tests/fuzz/formats.cpp, tests/cli/formats.sh
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace orrery::config {

class TextSample;

struct FileFormat {
  std::string_view name;  ///< "osu"
  std::string_view what;  ///< "the output of an OSU micro-benchmark"
  std::string_view use;   ///< possible use, without its '?'; "FILE" stands for its path
  /// Number of the line, from 1, that identifies it; 0: another format.
  std::uint32_t (*line_of)(const TextSample&);
  bool quotes = false;  ///< that line is its title, which messages quote
};

/// All formats, in search order.
std::span<const FileFormat* const> known_formats();

struct SeenFormat {
  const FileFormat* format = nullptr;  ///< null: no known format
  std::uint32_t line = 0;
  std::string title = {};
};
SeenFormat format_of(std::string_view text);

/// Throws InputError for a text of a known format that is not in `accepted`; `wanted` describes the expected input. A
/// text of no known format is left to its reader, which has the best error message.
void refuse_other_format(std::string_view text, const std::string& file, std::string_view wanted,
                         std::initializer_list<std::string_view> accepted);

/// The same, and also throws for a text of no known format, with the list of known ones.
void require_format(std::string_view text, const std::string& file, std::string_view wanted,
                    std::initializer_list<std::string_view> accepted);

}  // namespace orrery::config
