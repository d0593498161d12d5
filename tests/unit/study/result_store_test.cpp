#include "sim/study/store/result_store.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sim/config/files.hpp"
#include "sim/core/byte_codec.hpp"
#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/study/store/output_folder.hpp"

using namespace orrery;
using study::OutputSet;
using study::ResultStore;

namespace {

/// A folder that goes when the test ends.
struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-store-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file() const { return ResultStore::file_in(path); }
  bool has(const std::string& name) const { return std::filesystem::exists(path + "/" + name); }
};

std::string bytes_of_all_kinds() {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i);
  return bytes;
}

const std::function<void()> no_files = [] {};

}  // namespace

TEST_SUITE("app/result store") {
  TEST_CASE("A store gives back what was kept byte for byte and only under its own key") {
    const Folder folder;
    {
      ResultStore store(folder.file(), "1");
      store.keep({"a", "flow"}, bytes_of_all_kinds());
      store.keep({"a", "simgrid"}, "");
    }
    ResultStore store(folder.file(), "1");
    CHECK(store.find({"a", "flow"}) == bytes_of_all_kinds());
    CHECK(store.find({"a", "simgrid"}) == "");
    CHECK(store.contains({"a", "flow"}));
    CHECK_FALSE(store.find({"b", "flow"}).has_value());
    CHECK_FALSE(store.contains({"b", "flow"}));
    CHECK(store.notices().empty());
  }
  TEST_CASE("A store gives nothing that another build has made and counts its points") {
    const Folder folder;
    ResultStore old(folder.file(), "0.1.0 build 1");
    old.keep({"a", "flow"}, "old");
    old.keep({"a", "simgrid"}, "old");
    ResultStore store(folder.file(), "0.1.0 build 2");
    CHECK_FALSE(store.find({"a", "flow"}).has_value());
    CHECK(store.of_other_builds() == 1);
    store.keep({"a", "flow"}, "new");
    CHECK(store.find({"a", "flow"}) == "new");
    CHECK(old.find({"a", "flow"}) == "old");
  }
  TEST_CASE("A result longer than one row of a store comes back whole") {
    ResultStore store(ResultStore::in_memory, "1");
    std::string bytes(std::size_t{130} << 20, 'x');
    bytes.back() = 'y';
    store.keep({"a", "flow"}, bytes);
    CHECK(store.find({"a", "flow"}) == bytes);
  }
  TEST_CASE("A run that has not ended is known to the next one") {
    const Folder folder;
    {
      ResultStore store(folder.file(), "1");
      CHECK_FALSE(store.unfinished());
      store.begin();
    }
    {
      ResultStore store(folder.file(), "1");
      CHECK(store.unfinished());
      store.end({}, no_files);
    }
    CHECK_FALSE(ResultStore(folder.file(), "1").unfinished());
  }
  TEST_CASE("A run that ends leaves its own points in the store and no others") {
    const Folder folder;
    ResultStore store(folder.file(), "2");
    store.keep({"a", "flow"}, "1");
    store.keep({"b", "flow"}, "2");
    store.end({"b"}, no_files);
    CHECK_FALSE(store.contains({"a", "flow"}));
    CHECK(store.contains({"b", "flow"}));
  }
  TEST_CASE("A run that ends beside another one in the same folder takes nothing from it") {
    const Folder folder;
    ResultStore other(folder.file(), "1"), store(folder.file(), "1");
    other.keep({"a", "flow"}, "1");
    store.end({"b"}, no_files);
    CHECK(other.find({"a", "flow"}) == "1");
  }
  TEST_CASE("Processes that write to one store at the same time lose nothing") {
    const Folder folder;
    std::vector<pid_t> children;
    for (int child = 0; child < 3; ++child) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        {
          ResultStore store(folder.file(), "1");
          for (int i = 0; i < 20; ++i) store.keep({std::to_string(child * 20 + i), "flow"}, bytes_of_all_kinds());
        }
        ::_exit(0);
      }
      children.push_back(pid);
    }
    for (const pid_t pid : children) ::waitpid(pid, nullptr, 0);
    ResultStore store(folder.file(), "1");
    for (int i = 0; i < 60; ++i) CHECK(store.find({std::to_string(i), "flow"}) == bytes_of_all_kinds());
  }
  TEST_CASE("What a killed process has kept is there") {
    const Folder folder;
    const pid_t pid = ::fork();
    if (pid == 0) {
      ResultStore store(folder.file(), "1");
      store.keep({"a", "flow"}, bytes_of_all_kinds());
      ::raise(SIGKILL);
    }
    ::waitpid(pid, nullptr, 0);
    CHECK(ResultStore(folder.file(), "1").find({"a", "flow"}) == bytes_of_all_kinds());
  }
  TEST_CASE("A file that is no store is set aside and a new one begun") {
    const Folder folder;
    std::ofstream(folder.file()) << "this is no database, but it is long enough to be one: " << std::string(200, '.');
    ResultStore store(folder.file(), "1");
    REQUIRE(store.notices().size() == 1);
    CHECK(store.notices()[0] ==
          folder.file() +
              ": is no store of this version (file is not a database). Its finished points are not used; it was "
              "renamed to " +
              folder.file() + ".unreadable");
    store.keep({"a", "flow"}, "1");
    CHECK(store.find({"a", "flow"}) == "1");
    CHECK(folder.has("points.sqlite.unreadable"));
  }
  TEST_CASE("A result whose bytes were changed on the disk is not given back") {
    const Folder folder;
    std::string bytes;
    for (int i = 0; i < 1000; ++i) bytes += std::to_string(i);
    { ResultStore(folder.file(), "1").keep({"a", "flow"}, bytes); }
    std::string text = config::read_file(folder.file());
    const std::size_t stream = text.find("\x78\x01");  // as zlib begins
    REQUIRE(stream != std::string::npos);
    text[stream + 200] ^= 1;
    config::write_file(folder.file(), text);
    ResultStore store(folder.file(), "1");
    CHECK_FALSE(store.contains({"a", "flow"}));
    CHECK_FALSE(store.find({"a", "flow"}).has_value());
  }
  TEST_CASE("A row under a key or in a place that is not its own counts as missing in its store and in a merge") {
    const char* const changes[] = {
        "UPDATE results SET bytes = (SELECT bytes FROM results WHERE point = 'b'), checksum = (SELECT checksum FROM "
        "results WHERE point = 'b') WHERE point = 'a'",
        "DELETE FROM results WHERE point = 'a'; UPDATE results SET point = 'a'",
        "UPDATE results SET made = 'flow', point = 'a' WHERE made = 'simgrid'",
        "UPDATE results SET build = '1', point = 'a' WHERE build = '2'",
        "UPDATE results SET parts = 2 WHERE point = 'a'",
        "UPDATE results SET part = 1 WHERE point = 'a'",
        "UPDATE results SET bytes = zeroblob(0) WHERE point = 'a'",
        "UPDATE results SET checksum = 0 WHERE point = 'a'",
    };
    for (const char* change : changes) {
      CAPTURE(change);
      const Folder folder;
      const bool without = std::string_view(change).find("point = 'a' WHERE") != std::string_view::npos;
      if (!without) ResultStore(folder.file(), "1").keep({"a", "flow"}, "of a");
      ResultStore(folder.file(), "1").keep({"b", "flow"}, "of b");
      ResultStore(folder.file(), "1").keep({"c", "simgrid"}, "of c");
      ResultStore(folder.file(), "2").keep({"d", "flow"}, "of d");
      sqlite3* database = nullptr;
      REQUIRE(sqlite3_open(folder.file().c_str(), &database) == SQLITE_OK);
      CHECK(sqlite3_exec(database, change, nullptr, nullptr, nullptr) == SQLITE_OK);
      CHECK(sqlite3_changes(database) > 0);
      sqlite3_close(database);
      ResultStore damaged(folder.file(), "1");
      CHECK_FALSE(damaged.contains({"a", "flow"}));
      CHECK_FALSE(damaged.find({"a", "flow"}).has_value());
      ResultStore merged(ResultStore::in_memory, "1");
      merged.take_all_of(damaged);
      CHECK_FALSE(merged.contains({"a", "flow"}));
    }
  }
  TEST_CASE("A store that is no regular file is refused with what it is and so is a file that belongs to it") {
    for (const char* part : {"", "-wal", "-shm", "-journal"}) {
      const Folder folder;
      REQUIRE(::mkfifo((folder.file() + part).c_str(), 0600) == 0);
      CHECK_THROWS_WITH_AS(
          ResultStore(folder.file(), "1"),
          (folder.file() + part + ": cannot be written (it is a named pipe). Choose another path with --out or -o?")
              .c_str(),
          InputError);
    }
  }
  TEST_CASE("A row that claims more bytes than could be packed into it is not given back") {
    const Folder folder;
    { ResultStore(folder.file(), "1").keep({"a", "flow"}, "old"); }
    std::string row(100, '\xff');  // its first eight bytes: the length
    row[7] = 0;
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(folder.file().c_str(), &database) == SQLITE_OK);
    sqlite3_stmt* update = nullptr;
    REQUIRE(sqlite3_prepare_v2(database, "UPDATE results SET bytes = ?, checksum = ?", -1, &update, nullptr) ==
            SQLITE_OK);
    sqlite3_bind_blob(update, 1, row.data(), static_cast<int>(row.size()), SQLITE_STATIC);
    Fingerprint sum;
    for (const std::string_view text : {"a", "flow", "1"}) sum.add(text.size()).add(text);
    sqlite3_bind_int64(update, 2,
                       static_cast<std::int64_t>(sum.add(std::uint64_t{0}).add(std::uint64_t{1}).add(row).value()));
    CHECK(sqlite3_step(update) == SQLITE_DONE);
    sqlite3_finalize(update);
    sqlite3_close(database);
    CHECK_FALSE(ResultStore(folder.file(), "1").find({"a", "flow"}).has_value());
  }
  TEST_CASE("A result kept again is whole where a part of the old one was numbered wrongly") {
    const Folder folder;
    { ResultStore(folder.file(), "1").keep({"a", "flow"}, "old"); }
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(folder.file().c_str(), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "UPDATE results SET part = 1", nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
    ResultStore store(folder.file(), "1");
    CHECK_FALSE(store.find({"a", "flow"}).has_value());
    store.keep({"a", "flow"}, "new");
    CHECK(store.find({"a", "flow"}) == "new");
  }
  TEST_CASE("A store that is a link is refused and what it points to is left alone") {
    const Folder folder;
    std::filesystem::create_symlink("other.sqlite", folder.file());
    CHECK_THROWS_WITH_AS(ResultStore(folder.file(), "1"),
                         (folder.file() + ": cannot be used (it is a link). Choose another folder with --out?").c_str(),
                         InputError);
    CHECK_FALSE(folder.has("other.sqlite"));
  }
  TEST_CASE("A store that cannot be opened is refused with the folder's option") {
    CHECK_THROWS_WITH_AS(ResultStore("/proc/none/points.sqlite", "1"),
                         "/proc/none/points.sqlite: cannot be used (unable to open database file). Choose another "
                         "folder with --out?",
                         InputError);
  }
  TEST_CASE("Two builds of one version are told apart by the linker's hash") {
    const std::string build = study::build_identity();
    CHECK(build.find(" build ") != std::string::npos);
    CHECK(build == study::build_identity());
  }
  TEST_CASE("Predictions come back from the store as they were made") {
    Prediction prediction{
        .model = "taulop", .mode = "timeline", .time = Seconds(0.1 + 0.2), .of_run = true, .terms = {}};
    prediction.terms = {{"2 || T(1)", Seconds(1.0 / 3.0), 7}};
    prediction.notes = {"a note", ""};
    const auto back = from_bytes<std::vector<Prediction>>(to_bytes(std::vector<Prediction>{prediction, {}}));
    REQUIRE(back.size() == 2);
    CHECK(back[0].label() == "taulop (timeline)");
    CHECK(back[0].time == prediction.time);
    CHECK(back[0].of_run);
    CHECK(back[0].terms[0].text == "2 || T(1)");
    CHECK(back[0].terms[0].cost == Seconds(1.0 / 3.0));
    CHECK(back[0].terms[0].repeat == 7);
    CHECK(back[0].notes == prediction.notes);
    const std::string bytes = to_bytes(std::vector<Prediction>{prediction});
    for (std::size_t size = 0; size < bytes.size(); ++size)
      CHECK_THROWS_AS(from_bytes<std::vector<Prediction>>(bytes.substr(0, size)), std::runtime_error);
  }
}

TEST_SUITE("app/output folder") {
  TEST_CASE("The files of a run appear together and what an older run left goes") {
    const Folder folder;
    const std::string of_a_run = std::string("# ") + study::parameters_comment + "\n";
    config::write_file(folder.path + "/report.html", "old");
    config::write_file(folder.path + "/trace.json", "old");
    config::write_file(folder.path + "/parameters-a-b.yaml", of_a_run);
    config::write_file(folder.path + "/parameters-mine.yaml", "platform: mine\n");
    OutputSet files(folder.path);
    files.write("report.html", "new");
    files.write("parameters-c-d.yaml", of_a_run);
    CHECK(config::read_file(folder.path + "/report.html") == "old");
    files.swap_in();
    CHECK(config::read_file(folder.path + "/report.html") == "new");
    CHECK(folder.has("parameters-c-d.yaml"));
    CHECK(folder.has("parameters-mine.yaml"));
    CHECK_FALSE(folder.has("parameters-a-b.yaml"));
    CHECK_FALSE(folder.has("trace.json"));
  }
  TEST_CASE("A set that is given up leaves the folder as it was") {
    const Folder folder;
    config::write_file(folder.path + "/report.html", "old");
    { OutputSet(folder.path).write("report.html", "new"); }
    CHECK(config::read_file(folder.path + "/report.html") == "old");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
  }
  TEST_CASE("A report replaces a link in its place and leaves the file behind the link alone") {
    const Folder folder, elsewhere;
    config::write_file(elsewhere.path + "/precious", "theirs");
    std::filesystem::create_symlink(elsewhere.path + "/precious", folder.path + "/report.html");
    OutputSet files(folder.path);
    files.write("report.html", "new");
    files.swap_in();
    CHECK(config::read_file(elsewhere.path + "/precious") == "theirs");
    CHECK(config::read_file(folder.path + "/report.html") == "new");
    CHECK_FALSE(std::filesystem::is_symlink(folder.path + "/report.html"));
  }
  TEST_CASE("A link that looks like a set written aside takes no files out of another folder") {
    const Folder folder, elsewhere;
    config::write_file(elsewhere.path + "/precious", "theirs");
    for (const char* name : {"/.complete-999999999", "/.writing-999999999"})
      std::filesystem::create_directory_symlink(elsewhere.path, folder.path + name);
    study::finish_swap(folder.path);
    CHECK(elsewhere.has("precious"));
    CHECK_FALSE(folder.has("precious"));
  }
  TEST_CASE("A read-only file of the folder is refused before any file is replaced") {
    const Folder folder;
    config::write_file(folder.path + "/result.json", "old");
    config::write_file(folder.path + "/table.csv", "mine");
    std::filesystem::permissions(folder.path + "/table.csv", std::filesystem::perms::owner_read);
    OutputSet files(folder.path);
    files.write("result.json", "new");
    files.write("table.csv", "new");
    CHECK_THROWS_WITH_AS(
        files.swap_in(),
        (folder.path + "/table.csv: cannot be written (it is read-only). Choose another path with --out or -o?")
            .c_str(),
        InputError);
    CHECK(config::read_file(folder.path + "/result.json") == "old");
  }
  TEST_CASE("The swap of a run that was killed is ended and half a set cleared away") {
    const Folder folder;
    config::write_file(folder.path + "/report.html", "old");
    config::write_file(folder.path + "/.complete-99999999/report.html", "new");
    config::write_file(folder.path + "/.writing-99999999/table.csv", "half");
    study::finish_swap(folder.path);
    CHECK(config::read_file(folder.path + "/report.html") == "new");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
  }
}
