// What sim/system says of this process: the same on Linux and where posix.cpp is built instead.
#include "sim/system/system.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

using namespace orrery;

TEST_SUITE("system") {
  TEST_CASE("The program's own file is found and hashed") {
    // As main does; Linux has no need of it.
    system::started_as(std::filesystem::read_symlink("/proc/self/exe").c_str());
    CHECK(std::filesystem::exists(system::program_path()));
    CHECK(std::filesystem::equivalent(system::program_path(), "/proc/self/exe"));
    CHECK(system::build_hash().size() == 16);
    CHECK(system::build_hash() == system::build_hash());
  }
  TEST_CASE("Of two that work in a folder the first is not alone there until the second has ended") {
    const auto folder = std::filesystem::temp_directory_path() / "orrery-folder-in-use";
    std::filesystem::create_directory(folder);
    const system::FolderInUse first(folder.string());
    {
      const system::FolderInUse second(folder.string());
      CHECK(!first.alone());
    }
    // Where posix.cpp is built instead nothing tells, so that nobody is.
    CHECK(first.alone() == (system::preload_variable() != nullptr));
    std::filesystem::remove(folder);
  }
  TEST_CASE("A file has no columns") {
    const int file = ::open("/dev/null", O_RDONLY);
    CHECK(system::terminal_columns(file) == 0);
    ::close(file);
  }
  TEST_CASE("A folder of this machine is on no network filesystem") {
    CHECK(system::network_filesystem(std::filesystem::temp_directory_path().string()).empty());
  }
}
