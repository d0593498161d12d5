#include "sim/core/generator.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using orrery::elements_of;
using orrery::Generator;

namespace {

Generator<int> count(int first, int last) {
  for (int i = first; i <= last; ++i) co_yield i;
}

Generator<int> tree(int depth) {
  if (depth == 0) {
    co_yield 0;
    co_return;
  }
  co_yield elements_of(tree(depth - 1));
  co_yield depth;
  co_yield elements_of(tree(depth - 1));
}

Generator<int> failing() {
  co_yield 1;
  throw std::runtime_error("inside");
}

Generator<int> outer_of_failing() {
  co_yield 0;
  co_yield elements_of(failing());
}

Generator<int> doubled(int last) {
  Generator<int> numbers = count(1, last);
  co_yield orrery::made_from(numbers);
  while (const int* number = numbers.next()) co_yield 2 * *number;
}

std::vector<int> all(Generator<int> generator) {
  std::vector<int> result;
  while (const int* next = generator.next()) result.push_back(*next);
  return result;
}

}  // namespace

TEST_SUITE("core/generator") {
  TEST_CASE("A generator yields its elements in order and then nothing") {
    auto generator = count(1, 3);
    CHECK(*generator.next() == 1);
    CHECK(*generator.next() == 2);
    CHECK(*generator.next() == 3);
    CHECK(generator.next() == nullptr);
    CHECK(generator.next() == nullptr);
  }
  TEST_CASE("Nested generators yield in depth-first order") {
    CHECK(all(tree(2)) == std::vector<int>{0, 1, 0, 2, 0, 1, 0});
    CHECK(all(tree(10)).size() == 2047);
  }
  TEST_CASE("What a generator is made from can be fetched beforehand and is no element") {
    auto generator = doubled(3);
    for (const int expected : {2, 4, 6}) {
      generator.fetch_outermost();
      generator.fetch_innermost();
      generator.fetch_source();
      REQUIRE(*generator.next() == expected);
    }
    CHECK(generator.next() == nullptr);
    generator = {};
    generator.fetch_outermost();
    generator.fetch_innermost();
    generator.fetch_source();
    CHECK(generator.frame() == nullptr);
  }
  TEST_CASE("A nested generator without elements yields nothing") { CHECK(all(count(2, 1)).empty()); }
  TEST_CASE("An exception in a nested generator leaves through next") {
    auto generator = outer_of_failing();
    CHECK(*generator.next() == 0);
    CHECK(*generator.next() == 1);
    CHECK_THROWS_WITH(generator.next(), "inside");
  }
  TEST_CASE("A generator may be dropped half way through a nest") {
    auto generator = tree(6);
    for (int i = 0; i < 20; ++i) generator.next();
    auto moved = std::move(generator);
    CHECK(moved.next() != nullptr);
  }
}
