#include "sim/core/error.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace orrery;

TEST_SUITE("core/error") {
  TEST_CASE("A message that quotes a NUL goes on after it") {
    const std::string quoted("0 is\0ned 1", 10);
    CHECK(std::string(InputError("t.ti:2: '{}' (a call). Correct it?", quoted).what()) ==
          "t.ti:2: '0 is\\x00ned 1' (a call). Correct it?");
    CHECK(std::string(ReplayError("{}", std::string(2, '\0')).what()) == "\\x00\\x00");
  }
}
