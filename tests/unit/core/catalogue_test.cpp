#include "sim/core/catalogue.hpp"

#include <doctest/doctest.h>

using namespace orrery;

namespace {

struct Entry {
  std::string name;
  int value = 0;
};

Catalogue<Entry> shapes() {
  Catalogue<Entry> catalogue("shape");
  catalogue.add({"ring", 1});
  catalogue.add({"torus", 2});
  return catalogue;
}

}  // namespace

TEST_SUITE("core/catalogue") {
  TEST_CASE("A catalogue finds what was entered and lists it in alphabetical order") {
    auto catalogue = shapes();
    CHECK(catalogue.add({"mesh", 3}));
    CHECK(catalogue.at("ring", "test").value == 1);
    CHECK(catalogue.contains("mesh"));
    CHECK_FALSE(catalogue.contains("rings"));
    CHECK(catalogue.names() == std::vector<std::string>{"mesh", "ring", "torus"});
  }

  TEST_CASE("A name that is unknown is refused with those that are known and the nearest") {
    const auto catalogue = shapes();
    CHECK_THROWS_WITH_AS(catalogue.at("rings", "a.yaml:1:2"),
                         "a.yaml:1:2: unknown shape 'rings' (known: ring, torus). Did you mean 'ring'?", InputError);
  }

  TEST_CASE("A second entry of one name is refused in every build and the first one stays") {
    auto catalogue = shapes();
    CHECK_THROWS_WITH_AS(
        catalogue.add({"ring", 9}),
        "catalogue: two entries are called shape 'ring' (a name is the name of one file). Rename one of them?",
        InputError);
    CHECK(catalogue.at("ring", "test").value == 1);
    CHECK(catalogue.names().size() == 2);
  }
}
