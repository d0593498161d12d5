#include "sim/engine/date_queue.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <queue>
#include <random>

namespace orrery::engine {

namespace {

using Reference = std::priority_queue<std::pair<double, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>,
                                      std::greater<>>;

/// Pushes and pops at random, as a simulation does: nothing before the present. `delay` draws how far ahead.
template <class Delay>
void compare(std::uint64_t seed, std::size_t steps, std::size_t waiting, Delay delay) {
  std::mt19937_64 random(seed);
  DateQueue queue;
  Reference reference;
  std::uint32_t next = 0;
  double now = 0.0;
  for (std::size_t i = 0; i < steps; ++i) {
    const bool push = reference.empty() || (reference.size() < waiting ? random() % 8 != 0 : random() % 2 == 0);
    if (push) {
      const double date = now + delay(random);
      queue.push(date, next);
      reference.emplace(date, next++);
      continue;
    }
    REQUIRE(queue.next_date() == reference.top().first);
    REQUIRE(queue.top_what() == reference.top().second);
    now = queue.next_date();
    queue.pop();
    reference.pop();
  }
  while (!reference.empty()) {
    REQUIRE(queue.top_what() == reference.top().second);
    queue.pop();
    reference.pop();
  }
  CHECK(queue.empty());
  CHECK(queue.next_date() == std::numeric_limits<double>::infinity());
}

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

}  // namespace

TEST_SUITE("replay/date_queue") {
  TEST_CASE("Dates come out in order and equal ones in the order they went in") {
    for (const std::size_t waiting : {1u, 3u, 100u, 5000u}) {
      CAPTURE(waiting);
      compare(1, 30000, waiting, [](auto& random) { return uniform(random); });
      compare(2, 30000, waiting, [](auto& random) { return static_cast<double>(random() % 4); });
      compare(3, 30000, waiting, [](auto&) { return 1.0; });
      compare(4, 30000, waiting, [](auto& random) { return std::pow(10.0, -12.0 * uniform(random)); });
      compare(5, 30000, waiting, [](auto& random) { return random() % 1000 == 0 ? 1e6 : 1e-6 * uniform(random); });
      compare(6, 30000, waiting, [](auto& random) { return random() % 3 == 0 ? 0.0 : 1e-3 * uniform(random); });
    }
  }

  TEST_CASE("Memory is that of the entries that wait however many have passed") {
    DateQueue queue;
    queue.push(1e9, 0);  // all others are near
    for (int i = 0; i < 30; ++i) queue.push(i, 1);
    const std::size_t before = queue.capacity();
    for (int i = 0; i < 100000; ++i) {
      const double now = queue.next_date();
      queue.pop();
      queue.push(now + 30.0, 1);
    }
    CHECK(queue.capacity() < before + 1000);
  }
  TEST_CASE("Dates before many equal ones come first and what is ahead comes next") {
    std::mt19937_64 random(7);
    DateQueue queue;
    Reference reference;
    std::uint32_t next = 0;
    double now = 0.0;
    const auto push = [&](double date) {
      queue.push(date, next);
      reference.emplace(date, next++);
    };
    for (int i = 0; i < 5000; ++i) push(1.0);
    for (int burst = 0; burst < 300; ++burst) {
      for (int i = 0; i < 20; ++i) push(now + (1.0 - now) * 0.1 * uniform(random));
      for (int i = 0; i < 18; ++i) {
        REQUIRE(queue.top_what() == reference.top().second);
        now = reference.top().first;
        std::vector<std::uint32_t> ahead;
        for (std::size_t k = 1; k <= 20; ++k) {
          REQUIRE(queue.ahead(k) != nullptr);
          ahead.push_back(queue.ahead(k)->what);
        }
        Reference coming = reference.size() < 6000 && i == 0 ? reference : Reference();
        queue.pop();
        reference.pop();
        if (coming.empty()) continue;
        for (const std::uint32_t what : ahead) {
          coming.pop();
          REQUIRE(what == coming.top().second);
        }
      }
    }
    for (; !reference.empty(); queue.pop(), reference.pop()) REQUIRE(queue.top_what() == reference.top().second);
    CHECK(queue.empty());
    CHECK(queue.ahead(1) == nullptr);
  }
}

}  // namespace orrery::engine
