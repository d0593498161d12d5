/// The file of a store, opened in the first way that its filesystem takes:
///
///   shared     a write-ahead log and memory that the processes of one machine share; not on network filesystems
///   alone      a write-ahead log, and the file locked for this process for as long as it runs: no shared memory
///   journal    a rollback journal, cut short after each row, which the disk has taken by then
///   unlocked   the same where no lock is to be had: nothing but the sentence keeps another run out
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

/// What is wrong with a file that is no sound store: another one may be begun instead of it.
struct UnreadableStore : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct StoreFile {
  sqlite3* database = nullptr;
  std::string notice = {};  ///< a sentence without the file's name; empty where it was opened the usual way
};

/// Before anything is written `check` sees what is there, and throws UnreadableStore for what is no store of ours.
/// Throws std::runtime_error where no database can be had.
StoreFile open_store_file(const std::string& name, bool in_memory, const std::function<void(sqlite3*)>& check);

/// The first number that a statement gives. Throws as open_store_file does.
int number_of(sqlite3* database, const char* sql);
[[noreturn]] void cannot_open(sqlite3* database);

}  // namespace orrery::study
