#include "sim/core/parameters.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

namespace {

Parameters some() {
  return Parameters({count_key("iterations", 5, "how many", 1, 100), bytes_key("message", 8, "how long", 0, 1e9),
                     word_key("form", "ring", "which", {"ring", "tree"})});
}

}  // namespace

TEST_SUITE("core/parameters") {
  TEST_CASE("A parameter that is read by a name which nobody declared is refused with the names there are") {
    CHECK_THROWS_WITH_AS(some().integer("iteration"),
                         "parameters: 'iteration' is read, but it is none of those declared (known: form, "
                         "iterations, message). Did you mean 'iterations'?",
                         InputError);
    CHECK_THROWS_AS(Parameters().number("any"), InputError);
  }
  TEST_CASE("A parameter that is read as another type is refused with the one it was declared for") {
    CHECK(some().integer("iterations") == 5);
    CHECK(some().bytes("message") == Bytes(8));
    CHECK_THROWS_WITH_AS(some().number("iterations"),
                         "parameters: 'iterations' is read by 'number', but it is declared for 'integer'. Read it by "
                         "'integer'?",
                         InputError);
    CHECK_THROWS_AS(some().boolean("form"), InputError);
    CHECK_THROWS_AS(some().text("message"), InputError);
  }
}
