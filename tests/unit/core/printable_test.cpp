#include "sim/core/printable.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("core/printable") {
  TEST_CASE("Control characters of a message are escaped and its line ends stay") {
    CHECK(printable("--set a: 'x\x1b[31m' is\twrong\nSee 'orrery'.") ==
          "--set a: 'x\\x1b[31m' is\\x09wrong\nSee 'orrery'.");
    CHECK(printable(std::string_view("a\0b\x7f", 4)) == "a\\x00b\\x7f");
    CHECK(printable("Díaz-Martín") == "Díaz-Martín");
    CHECK(printable("").empty());
  }
  TEST_CASE("A very long word of a message is cut and paths and lists stay whole") {
    const std::string sixty(60, 'w');
    CHECK(printable("'" + sixty + "' is") == "'" + sixty + "' is");
    CHECK(printable("'" + sixty + "w' is") == "'" + sixty + "...' is");
    CHECK(printable(printable(sixty + "www")) == sixty + "...");
    CHECK(printable("/" + sixty + "/" + sixty + "," + sixty) == "/" + sixty + "/" + sixty + "," + sixty);
    const std::string accents = std::string(59, 'w') + "éé";
    CHECK(printable(accents) == std::string(59, 'w') + "...");
  }
}
