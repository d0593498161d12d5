#include "sim/core/bound_text.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("core/bound text") {
  TEST_CASE("A bound that messages print is exact") {
    CHECK(bound_text(0.0) == "0");
    CHECK(bound_text(1e15) == "1e+15");
    CHECK(bound_text(1048576.0) == "1048576");
    CHECK(bound_text(4294967294.0) == "4294967294");
    CHECK(bound_text(0.001) == "0.001");
    CHECK(bound_text(1234567.5) == "1234567.5");
  }
}
