#include "sim/config/folders.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/core/error.hpp"

using namespace orrery;
namespace fs = std::filesystem;

namespace {

/// TMPDIR, as it was before when this ends.
class Temporary {
 public:
  explicit Temporary(const std::string& folder) {
    if (const char* now = ::getenv("TMPDIR")) before_ = now;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~Temporary() {
    if (before_.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", before_.c_str(), 1);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

 private:
  std::string before_;
};

}  // namespace

TEST_SUITE("config/folders") {
  TEST_CASE("What the system cannot look up is not there and nothing throws") {
    const std::string too_long(5000, 'x');
    CHECK_FALSE(config::is_there(too_long));
    CHECK_FALSE(config::is_folder(too_long));
    CHECK(config::entries_of(too_long).empty());
    CHECK(config::is_folder("/"));
    CHECK(config::absolute_path("a").is_absolute());
    CHECK(fs::path(config::working_folder()).is_absolute());
  }
  TEST_CASE("Entries of a folder come in the order of their names") {
    const config::ScratchFolder scratch("test");
    for (const char* name : {"b", "a", "c"}) std::ofstream(scratch.file(name)) << name;
    const auto found = config::entries_of(scratch.path());
    REQUIRE(found.size() == 3);
    CHECK(found[0].filename() == "a");
    CHECK(found[2].filename() == "c");
  }
  TEST_CASE("A scratch folder goes with its owner and one that cannot be made is refused by what names it") {
    std::string path;
    {
      const config::ScratchFolder scratch("test");
      path = scratch.path();
      CHECK(config::is_folder(path));
    }
    CHECK_FALSE(config::is_there(path));
    const auto refused = [](const std::string& folder, const std::string& reason) {
      const Temporary temporary(folder);
      CHECK_THROWS_WITH_AS(config::ScratchFolder("selftest"),
                           ("selftest: no folder can be made in '" + folder + "', which TMPDIR names (" + reason +
                            "). Set TMPDIR to one that can be written?")
                               .c_str(),
                           InputError);
    };
    refused("/nowhere", "No such file or directory");
    refused("", "no name");
    refused("/dev/null", "Not a directory");
    refused(std::string(5000, 'x'), "File name too long");
  }
}
