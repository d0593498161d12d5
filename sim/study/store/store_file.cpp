#include "sim/study/store/store_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "sim/system/system.hpp"

namespace orrery::study {

namespace {

constexpr int busy_ms = 60'000;  // another process writes for as long as a row takes

enum class Way { shared, alone, journal, unlocked };

/// A way that the filesystem does not take.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether it is the filesystem that says no, and not the file, the disk or another process.
bool of_the_filesystem(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_IOERR || primary == SQLITE_PROTOCOL || primary == SQLITE_CANTOPEN || primary == SQLITE_NOLFS;
}

std::string word_of(sqlite3* database, const char* sql) {
  std::string word;
  const auto take = [](void* into, int, char** values, char**) {
    *static_cast<std::string*>(into) = values[0] == nullptr ? "" : values[0];
    return 0;
  };
  // A change of the journal does not wait for the other process that opens the file at the same moment.
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_ms);
  int code = sqlite3_exec(database, sql, take, &word, nullptr);
  while (code == SQLITE_BUSY && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    code = sqlite3_exec(database, sql, take, &word, nullptr);
  }
  if (code == SQLITE_OK) return word;
  if (of_the_filesystem(sqlite3_extended_errcode(database))) throw Refused(sqlite3_errmsg(database));
  cannot_open(database);
}

/// NFS without its lock daemon says ENOLCK, which SQLite takes for another process's lock and waits for.
bool takes_locks(const std::filesystem::path& file) {
  std::string probe = file.string() + ".lock-XXXXXX";
  const int opened = ::mkstemp(probe.data());
  if (opened < 0) return true;  // what is wrong is said when the store itself is opened
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  const bool taken = ::fcntl(opened, F_SETLK, &lock) == 0 || errno == EAGAIN || errno == EACCES;
  ::close(opened);
  ::unlink(probe.c_str());
  return taken;
}

/// Sets the mode and looks whether it works: a first write of nothing takes every lock that a row takes.
void set_way(sqlite3* database, Way way, const std::function<void(sqlite3*)>& check) {
  if (way != Way::shared) word_of(database, "PRAGMA locking_mode=EXCLUSIVE");
  word_of(database, "SELECT count(*) FROM sqlite_master");
  check(database);
  const bool log = way == Way::shared || way == Way::alone;
  const std::string mode = word_of(database, log ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=TRUNCATE");
  if (mode != (log ? "wal" : "truncate")) throw Refused(fmt::format("its journal stays '{}'", mode));
  word_of(database, log ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL");
  if (way == Way::journal) word_of(database, "PRAGMA locking_mode=NORMAL");
  word_of(database, "BEGIN IMMEDIATE");
  word_of(database, "COMMIT");
}

std::string sentence(Way way, const std::string& network, const std::string& reason) {
  switch (way) {
    case Way::shared:
      return {};
    case Way::alone:
      return fmt::format("{}; the store is locked for this run until it ends",
                         reason.empty() ? fmt::format("lies on a network filesystem ({})", network)
                                        : fmt::format("the filesystem refuses shared memory ({})", reason));
    case Way::journal:
      return fmt::format("the filesystem takes no write-ahead log ({}); every result waits for the disk", reason);
    case Way::unlocked:
      return fmt::format("the filesystem takes no locks ({}); let no other run use this folder meanwhile",
                         reason.empty() ? "no lock daemon" : reason);
  }
  return {};
}

}  // namespace

void cannot_open(sqlite3* database) {
  const int code = sqlite3_errcode(database);
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) throw UnreadableStore(sqlite3_errmsg(database));
  if (code == SQLITE_BUSY) throw std::runtime_error("another run has it locked");
  throw std::runtime_error(sqlite3_errmsg(database));
}

int number_of(sqlite3* database, const char* sql) {
  int number = 0;
  const auto take = [](void* into, int, char** values, char**) {
    *static_cast<int*>(into) = values[0] == nullptr ? 0 : std::atoi(values[0]);
    return 0;
  };
  if (sqlite3_exec(database, sql, take, &number, nullptr) != SQLITE_OK) cannot_open(database);
  return number;
}

StoreFile open_store_file(const std::string& name, bool in_memory, const std::function<void(sqlite3*)>& check) {
  const std::filesystem::path file(name);
  const std::string network = in_memory ? "" : system::network_filesystem(file.parent_path().string());
  const bool locks = network.empty() || takes_locks(file);
  std::error_code ignored;
  const bool ours =
      !in_memory && !std::filesystem::exists(file, ignored);  // what a refused way leaves is no one else's
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | (in_memory ? 0 : SQLITE_OPEN_NOFOLLOW);
  std::string first_reason, reason;
  for (const Way way : {Way::shared, Way::alone, Way::journal, Way::unlocked}) {
    if ((way == Way::shared && !network.empty()) || (way != Way::unlocked && !locks)) continue;
    StoreFile store;
    try {
      const char* without_locks = way == Way::unlocked ? "unix-none" : nullptr;
      const int opened = sqlite3_open_v2(name.c_str(), &store.database, flags, without_locks);
      if (opened != SQLITE_OK) {
        if (of_the_filesystem(opened)) throw Refused(sqlite3_errmsg(store.database));
        cannot_open(store.database);
      }
      sqlite3_busy_timeout(store.database, busy_ms);
      if (!in_memory) set_way(store.database, way, check);
      store.notice = sentence(way, network, reason);
      return store;
    } catch (const Refused& refused) {
      reason = refused.what();
      if (first_reason.empty()) first_reason = reason;
      sqlite3_close(store.database);
      for (const char* part : {"", "-wal", "-shm", "-journal"})
        if (ours) std::filesystem::remove(name + part, ignored);
    } catch (...) {
      sqlite3_close(store.database);
      throw;
    }
  }
  throw std::runtime_error(first_reason);
}

}  // namespace orrery::study
