#include "sim/study/store/store_file.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "sim/study/store/result_store.hpp"

using namespace orrery;
using study::ResultStore;

namespace {

struct StoreFolder {
  std::string path;
  StoreFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-refusing-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~StoreFolder() { std::filesystem::remove_all(path); }
  std::string file() const { return ResultStore::file_in(path); }
};

/// What a filesystem refuses.
struct Refusals {
  bool shared_memory = false, log = false, locks = false;
  int shared_memory_code = SQLITE_IOERR_SHMMAP;
};
Refusals refused;

sqlite3_vfs* usual_vfs = nullptr;
std::vector<std::unique_ptr<sqlite3_io_methods>> tables;

/// The usual functions of an open file, but for those that are refused.
void refuse_in(sqlite3_file* file) {
  auto& methods = *tables.emplace_back(std::make_unique<sqlite3_io_methods>(*file->pMethods));
  static const sqlite3_io_methods* usual = nullptr;
  usual = file->pMethods;
  methods.xShmMap = [](sqlite3_file* at, int page, int size, int extend, void volatile** into) {
    return refused.shared_memory ? refused.shared_memory_code : usual->xShmMap(at, page, size, extend, into);
  };
  methods.xShmLock = [](sqlite3_file* at, int offset, int n, int flags) {
    return refused.shared_memory ? SQLITE_IOERR_SHMLOCK : usual->xShmLock(at, offset, n, flags);
  };
  methods.xLock = [](sqlite3_file* at, int level) {
    return refused.locks ? SQLITE_IOERR_LOCK : usual->xLock(at, level);
  };
  file->pMethods = &methods;
}

int open_refusing(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  if (refused.log && (flags & SQLITE_OPEN_WAL) != 0) return SQLITE_CANTOPEN;
  const int code = usual_vfs->xOpen(usual_vfs, name, file, flags, out);
  if (code == SQLITE_OK && (flags & SQLITE_OPEN_MAIN_DB) != 0) refuse_in(file);
  return code;
}

/// While it lives every database is opened on a filesystem that refuses.
class RefusingFilesystem {
 public:
  explicit RefusingFilesystem(const Refusals& what) {
    refused = what;
    usual_vfs = sqlite3_vfs_find(nullptr);
    vfs_ = *usual_vfs;
    vfs_.zName = "refusing";
    vfs_.xOpen = open_refusing;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~RefusingFilesystem() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(usual_vfs, 1);
    refused = {};
  }
  RefusingFilesystem(const RefusingFilesystem&) = delete;
  RefusingFilesystem& operator=(const RefusingFilesystem&) = delete;

 private:
  sqlite3_vfs vfs_{};
};

/// Keeps, closes, opens again and finds; what was said.
std::vector<std::string> notices_of(const StoreFolder& folder) {
  std::vector<std::string> notices;
  {
    ResultStore store(folder.file(), "1");
    notices = store.notices();
    store.begin();
    store.keep({"a", "flow"}, std::string(100'000, 'x'));
    CHECK(store.notices().size() == notices.size());
  }
  ResultStore store(folder.file(), "1");
  CHECK(store.unfinished());
  CHECK(store.find({"a", "flow"}) == std::string(100'000, 'x'));
  return notices;
}

std::string journal_of(const StoreFolder& folder) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(folder.file().c_str(), &database) == SQLITE_OK);
  std::string mode;
  sqlite3_exec(
      database, "PRAGMA journal_mode",
      [](void* into, int, char** values, char**) {
        *static_cast<std::string*>(into) = values[0];
        return 0;
      },
      &mode, nullptr);
  sqlite3_close(database);
  return mode;
}

}  // namespace

TEST_SUITE("app/store file") {
  TEST_CASE("A store on a usual filesystem is a shared log and nothing is said") {
    const StoreFolder folder;
    CHECK(notices_of(folder).empty());
    CHECK(journal_of(folder) == "wal");
  }
  TEST_CASE("Where shared memory is refused a store is locked for its run and a sentence says so") {
    for (const int code : {SQLITE_IOERR_SHMMAP, SQLITE_PROTOCOL, SQLITE_CANTOPEN}) {
      const StoreFolder folder;
      const RefusingFilesystem refusing({.shared_memory = true, .shared_memory_code = code});
      const auto notices = notices_of(folder);
      REQUIRE(notices.size() == 1);
      CHECK(notices.front().starts_with(folder.file() + ": the filesystem refuses shared memory ("));
      CHECK(notices.front().ends_with("); the store is locked for this run until it ends"));
    }
  }
  TEST_CASE("A store that a usual filesystem held is read where shared memory is refused") {
    const StoreFolder folder;
    { ResultStore(folder.file(), "1").keep({"b", "flow"}, "before"); }
    const RefusingFilesystem refusing({.shared_memory = true});
    notices_of(folder);
    CHECK(ResultStore(folder.file(), "1").find({"b", "flow"}) == "before");
  }
  TEST_CASE("Where a log is refused too every row waits for the disk") {
    const StoreFolder folder;
    {
      const RefusingFilesystem refusing({.shared_memory = true, .log = true});
      const auto notices = notices_of(folder);
      REQUIRE(notices.size() == 1);
      CHECK(notices.front().starts_with(folder.file() + ": the filesystem takes no write-ahead log ("));
    }
    CHECK(journal_of(folder) != "wal");
  }
  TEST_CASE("Where locks are refused too a store works and warns of other runs") {
    const StoreFolder folder;
    const RefusingFilesystem refusing({.shared_memory = true, .locks = true});
    const auto notices = notices_of(folder);
    REQUIRE(notices.size() == 1);
    CHECK(notices.front().starts_with(folder.file() + ": the filesystem takes no locks ("));
    CHECK(notices.front().ends_with("); let no other run use this folder meanwhile"));
  }
}
