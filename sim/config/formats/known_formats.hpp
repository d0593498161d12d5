/// What a file is, seen from its first megabyte: titles of logs, root elements, first bytes, top-level keys.
///
///   refuse_other_format(text, "osu.txt", "a trace", {"ti", "ti-index", "goal"});
///   // osu.txt:2: is the output of an OSU micro-benchmark ('OSU MPI Allreduce ...'), not a trace. Make a table of it, as
///   // docs/other-formats.md shows?
///
/// A format is recognised by what its own writers put there and nothing of ours can hold. A comment that names a
/// benchmark makes no log of a table: the lines below it have to be the log's, too. Labels of launchers before each
/// line ("[1,0]<stdout>:", " 0: "), CRLF, a byte order mark and empty lines are passed over.
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
  std::string_view use;   ///< what can be done with it today, without its '?'; "FILE" stands for its path
  /// The line, from 1, that it is recognised by; 0: it is another.
  std::uint32_t (*line_of)(const TextSample&);
  bool quotes = false;  ///< that line is its title, which messages quote
};

/// All, in the order in which they are looked for.
std::span<const FileFormat* const> known_formats();

struct SeenFormat {
  const FileFormat* format = nullptr;  ///< null: none that is known
  std::uint32_t line = 0;
  std::string title = {};
};
SeenFormat format_of(std::string_view text);

/// Throws InputError for a text of a known format that is none of `accepted`; `wanted` says what is read here. A text
/// of no known format is left to its reader, which knows best what is wrong with it.
void refuse_other_format(std::string_view text, const std::string& file, std::string_view wanted,
                         std::initializer_list<std::string_view> accepted);

/// The same, and throws for a text of no known format, with the list of those that are.
void require_format(std::string_view text, const std::string& file, std::string_view wanted,
                    std::initializer_list<std::string_view> accepted);

}  // namespace orrery::config
