// What sim/system says of this process: the same on Linux and where posix.cpp is built instead.
#include "sim/system/system.hpp"

#include <doctest/doctest.h>

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
  TEST_CASE("A folder of this machine is on no network filesystem") {
    CHECK(system::network_filesystem(std::filesystem::temp_directory_path().string()).empty());
  }
}
