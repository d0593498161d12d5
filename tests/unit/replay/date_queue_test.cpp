#include "sim/replay/date_queue.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <queue>
#include <random>

namespace orrery::replay {

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
}

}  // namespace orrery::replay
