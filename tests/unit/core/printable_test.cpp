#include "sim/core/printable.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("core/printable") {
  TEST_CASE("Control characters of a message are escaped and its line ends stay") {
    CHECK(printable("--set a: 'x\x1b[31m' is\twrong\nSee 'orrery'.") ==
          "--set a: 'x\\x1b[31m' is\\x09wrong\nSee 'orrery'.");
    CHECK(printable(std::string_view("a\0b\x7f", 4)) == "a\\x00b\\u007f");
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
  TEST_CASE("What drives a terminal is visible and all other text stays as it is") {
    CHECK(visible("a\x1b[31m\tred\n") == "a\\x1b[31m\tred\n");
    CHECK(visible("invoice\u202egpj.yaml") == "invoice\\u202egpj.yaml");  // turns what follows around
    CHECK(visible("\u2066a\u2069 \u200f \u061c \u2028") == "\\u2066a\\u2069 \\u200f \\u061c \\u2028");
    CHECK(visible("\u009b31m") == "\\u009b31m");  // begins an escape sequence by itself
    CHECK(visible("\x9b"
                  "31m \xc3") ==
          "\\x9b"
          "31m \\xc3");
    CHECK(visible("\xc0\xaf \xed") == "\\xc0\\xaf \\xed");
    CHECK(visible("Díaz-Martín ─ \U0001f600") == "Díaz-Martín ─ \U0001f600");
    CHECK(visible(std::string_view("a\0b", 3)) == "a\\x00b");
    CHECK(visible("a,b\r\nc\rd") == "a,b\r\nc\\x0dd");
    CHECK(visible(visible("\x1b")) == "\\x1b");
  }
}
