// What is read and written as users' shells, editors and devices have it.
#include "sim/config/files.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "sim/core/error.hpp"

using namespace orrery;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone when the test ends.
struct Scratch {
  fs::path folder = fs::temp_directory_path() / fmt::format("orrery-files-{}", ::getpid());
  Scratch() { fs::create_directories(folder); }
  ~Scratch() { fs::remove_all(folder); }
  std::string operator/(const char* name) const { return (folder / name).string(); }
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_SUITE("config/files") {
  TEST_CASE("A byte order mark before the text of a file is not part of it") {
    const Scratch scratch;
    std::ofstream(scratch / "bom.csv") << "\xef\xbb\xbfsize,time\n";
    CHECK(config::read_file(scratch / "bom.csv") == "size,time\n");
  }
  TEST_CASE("A pipe that a shell has opened can be read twice although it runs dry the first time") {
    int ends[2] = {-1, -1};
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(::write(ends[1], "once", 4) == 4);
    ::close(ends[1]);
    const std::string pipe = fmt::format("/dev/fd/{}", ends[0]);
    CHECK(config::read_file(pipe) == "once");
    CHECK(config::read_file(pipe) == "once");
    ::close(ends[0]);
  }
  TEST_CASE("An input that is no regular file is refused before it is opened and the message says what it is") {
    const Scratch scratch;
    const std::string rule =
        " (an input is a regular file, or a pipe that a shell has opened: '<(...)', /dev/stdin). Name a file?";
    REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
    fs::create_symlink("pipe", scratch / "link");
    for (const char* name : {"pipe", "link"})
      CHECK_THROWS_WITH_AS(config::read_file(scratch / name), ((scratch / name) + ": is a named pipe" + rule).c_str(),
                           InputError);
    for (const char* device : {"/dev/zero", "/dev/null", "/dev/full"})
      CHECK_THROWS_WITH_AS(config::read_file(device), (std::string(device) + ": is a device" + rule).c_str(),
                           InputError);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
    (scratch / "socket").copy(name.sun_path, sizeof name.sun_path - 1);
    REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    CHECK_THROWS_WITH_AS(config::read_file(scratch / "socket"), ((scratch / "socket") + ": is a socket" + rule).c_str(),
                         InputError);
    ::close(socket);
    CHECK_THROWS_WITH_AS(config::read_file(scratch.folder.string()),
                         (scratch.folder.string() + ": is a folder, not a file. Name a file inside it?").c_str(),
                         InputError);
  }
  TEST_CASE("A file of a folder is not written into a pipe of its name which nobody may ever read") {
    const Scratch scratch;
    REQUIRE(::mkfifo((scratch / "shard.json").c_str(), 0600) == 0);
    CHECK_THROWS_WITH_AS(
        config::write_into(scratch.folder.string(), "shard.json", "ours"),
        ((scratch / "shard.json") + ": cannot be written (it is a named pipe). Choose another path with --out or -o?")
            .c_str(),
        InputError);
  }
  TEST_CASE("A path loses what means nothing in it and is never taken for an option") {
    const std::pair<const char*, const char*> forms[] = {{"out", "out"},
                                                         {"out/", "out"},
                                                         {"./out", "./out"},
                                                         {"out//a/./b/", "out/a/b"},
                                                         {"/", "/"},
                                                         {"//tmp//x/", "/tmp/x"},
                                                         {".", "."},
                                                         {"./", "."},
                                                         {".//x/.", "./x"},
                                                         {"../out/", "../out"},
                                                         {"a/../b", "a/../b"},
                                                         {"-o", "./-o"},
                                                         {"./-rf.yaml", "./-rf.yaml"},
                                                         {"a/-b", "a/-b"},
                                                         {"", ""},
                                                         {"..", ".."}};
    for (const auto& [given, form] : forms) {
      CAPTURE(given);
      CHECK(config::tidy_path(given) == form);
      CHECK(config::tidy_path(form) == form);
    }
  }
  TEST_CASE("Writing to a pipe or a device writes through it and leaves it what it is") {
    const Scratch scratch;
    const std::string pipe = scratch / "out";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::string arrived;
    std::thread reader([&] { std::getline(std::ifstream(pipe), arrived); });
    config::write_file(pipe, "through\n");
    reader.join();
    CHECK(arrived == "through");
    CHECK(fs::is_fifo(pipe));
    config::write_file("/dev/null", "nothing");
    CHECK(fs::is_character_file("/dev/null"));
    CHECK_THROWS_WITH_AS(
        config::write_file("/dev/full", "too much"),
        "/dev/full: cannot be written (No space left on device). Choose another path with --out or -o?", InputError);
  }
  TEST_CASE("Writing over a link writes the file it points to and keeps that file's permissions") {
    const Scratch scratch;
    config::write_file(scratch / "kept", "old");
    REQUIRE(::chmod((scratch / "kept").c_str(), 0640) == 0);
    fs::create_symlink("kept", scratch / "link");
    config::write_file(scratch / "link", "new");
    CHECK(fs::is_symlink(scratch / "link"));
    CHECK(config::read_file(scratch / "kept") == "new");
    CHECK(mode_of(scratch / "kept") == 0640);
    fs::create_symlink("later", scratch / "dangling");
    config::write_file(scratch / "dangling", "made");
    CHECK(config::read_file(scratch / "later") == "made");
  }
  TEST_CASE("A file beyond the limit is refused before it is read") {
    const Scratch scratch;
    const std::string file = scratch / "sparse.yaml";
    std::ofstream(file) << "a: b\n";
    fs::resize_file(file, std::uintmax_t{1} << 40);  // a terabyte of nothing: to read it would end this test
    CHECK_THROWS_WITH_AS(config::read_file(file, config::yaml_bytes_max),
                         (file + ": goes on after 256 MiB (the limit for an input). Is this the right file?").c_str(),
                         InputError);
  }
  TEST_CASE("Writing a file goes through no link that someone laid for its temporary name") {
    const Scratch scratch;
    config::write_file(scratch / "precious", "theirs");
    fs::create_symlink("precious", scratch / fmt::format("out.csv.{}.tmp", ::getpid()).c_str());
    config::write_file(scratch / "out.csv", "ours");
    CHECK(config::read_file(scratch / "precious") == "theirs");
    CHECK(config::read_file(scratch / "out.csv") == "ours");
    CHECK(std::distance(fs::directory_iterator(scratch.folder), {}) == 3);  // nothing temporary is left
  }
  TEST_CASE("A file of a folder replaces a link of its name") {
    const Scratch scratch;
    config::write_file(scratch / "precious", "theirs");
    fs::create_symlink("precious", scratch / "index.txt");
    config::write_into(scratch.folder.string(), "index.txt", "ours");
    CHECK(config::read_file(scratch / "precious") == "theirs");
    CHECK(config::read_file(scratch / "index.txt") == "ours");
    CHECK(fs::is_regular_file(fs::symlink_status(scratch / "index.txt")));
  }
  TEST_CASE("A read-only file and a loop of links are refused and nothing is left beside them") {
    const Scratch scratch;
    config::write_file(scratch / "fixed", "old");
    REQUIRE(::chmod((scratch / "fixed").c_str(), 0444) == 0);
    CHECK_THROWS_WITH_AS(
        config::write_file(scratch / "fixed", "new"),
        ((scratch / "fixed") + ": cannot be written (it is read-only). Choose another path with --out or -o?").c_str(),
        InputError);
    fs::create_symlink("b", scratch / "a");
    fs::create_symlink("a", scratch / "b");
    CHECK_THROWS_AS(config::write_file(scratch / "a", "x"), InputError);
    CHECK_THROWS_AS(config::read_file(scratch / "a"), InputError);
    CHECK(config::read_file(scratch / "fixed") == "old");
    CHECK(std::distance(fs::directory_iterator(scratch.folder), fs::directory_iterator()) == 3);
  }
  TEST_CASE("An input without an end is refused at the size limit and the message says it") {
    const Scratch scratch;
    std::ofstream(scratch / "long") << std::string(4096, 'x');
    CHECK_THROWS_AS(config::read_file(scratch / "long", 1024), InputError);
    std::FILE* endless = ::popen("yes", "r");
    const int number = ::dup2(::fileno(endless), 77);  // of no other pipe: what was read of one is kept by its path
    const std::string pipe = fmt::format("/dev/fd/{}", number);
    CHECK_THROWS_WITH_AS(config::read_file(pipe),
                         (pipe + ": goes on after 256 MiB (the limit for an input). Is this the right file?").c_str(),
                         InputError);
    ::close(number);
    ::pclose(endless);
  }
}
