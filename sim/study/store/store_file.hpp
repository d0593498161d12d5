/// The file of a store, opened in the first mode that its filesystem supports:
///
///   shared     a write-ahead log and memory shared by the processes of one computer; not on network filesystems
///   alone      a write-ahead log, and the file locked for this process for as long as it runs: no shared memory
///   journal    a rollback journal, truncated after each row, which is then on disk
///   unlocked   the same without a lock, if none is available: only the notice keeps another run out
///
/// Source   SQLite, "Write-Ahead Logging" (sqlite.org/wal.html, sections 8 and 9), "Pragma statements"
/// Differs  a filesystem that refuses shared memory is met by the next way and a sentence, not by "locking protocol"
/// Checked  tests/unit/study/store_file_test.cpp
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

struct sqlite3;

namespace orrery::study {

/// The defect of a file that is no sound store: a new one may be begun in its place.
struct UnreadableStore : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct StoreFile {
  sqlite3* database = nullptr;
  std::string notice = {};  ///< a sentence without the file's name; empty if it was opened the usual way
};

/// Before anything is written, `check` inspects the existing content, and throws UnreadableStore if it is no store of
/// ours. Throws std::runtime_error if no database can be opened.
StoreFile open_store_file(const std::string& name, bool in_memory, const std::function<void(sqlite3*)>& check);

/// The first number that a statement returns. Throws like open_store_file.
int number_of(sqlite3* database, const char* sql);
[[noreturn]] void cannot_open(sqlite3* database);

}  // namespace orrery::study
