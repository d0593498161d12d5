#include "sim/engine/requests.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

namespace orrery::engine {

namespace {

struct Open {
  Slot slot;
  bool is_receive, complete, awaited;
  double bytes;
};

/// Numbers of both kinds: below 8, and up to so many at once that the hash table is kept.
std::uint32_t draw_number(std::mt19937_64& random) {
  return static_cast<std::uint32_t>(random() % 2 == 0 ? random() % 10 : 1000 * (random() % 90));
}

}  // namespace

TEST_SUITE("replay/requests") {
  TEST_CASE("A request keeps its slot and its marks while others come and go") {
    std::mt19937_64 random(11);
    Requests requests;
    std::map<std::uint32_t, Open> open;
    for (int step = 0; step < 20000; ++step) {
      if (step % 2000 == 1999) {
        for (const auto& [number, own] : open) requests.close(own.slot);
        open.clear();
        requests.for_each_open([](Slot) { FAIL("all are closed"); });
      }
      const std::uint32_t number = draw_number(random);
      const auto known = open.find(number);
      if (known == open.end()) {
        REQUIRE(requests.find(RequestId{number}) == no_slot);
        const bool is_receive = random() % 2 == 0;
        const Slot slot = requests.open(RequestId{number}, is_receive);
        requests[slot] = {Rank{number}, Tag{1}, world, 1, static_cast<double>(step)};
        open[number] = {slot, is_receive, false, false, static_cast<double>(step)};
        continue;
      }
      Open& own = known->second;
      REQUIRE(requests.find(RequestId{number}) == own.slot);
      CHECK(requests.number(own.slot) == RequestId{number});
      CHECK(requests.is_receive(own.slot) == own.is_receive);
      CHECK(requests.is_complete(own.slot) == own.complete);
      CHECK(requests.is_awaited(own.slot) == own.awaited);
      CHECK(requests[own.slot].bytes == own.bytes);
      switch (random() % 3) {
        case 0:
          requests.complete(own.slot);
          own.complete = true;
          break;
        case 1:
          requests.await(own.slot);
          own.awaited = true;
          break;
        default:
          requests.close(own.slot);
          open.erase(known);
      }
    }
    std::set<std::uint32_t> seen;
    requests.for_each_open([&](Slot slot) { seen.insert(static_cast<std::uint32_t>(requests.number(slot))); });
    CHECK(seen.size() == open.size());
    for (const auto& [number, own] : open) CHECK(seen.count(number) == 1);
  }

  TEST_CASE("A blocking call is never among the open requests and begins without marks") {
    Requests requests;
    CHECK(requests.open_blocking(true) == Requests::blocking);
    CHECK(requests.is_receive(Requests::blocking));
    requests.complete(Requests::blocking);
    requests.open_blocking(false);
    CHECK_FALSE(requests.is_receive(Requests::blocking));
    CHECK_FALSE(requests.is_complete(Requests::blocking));
    requests.for_each_open([](Slot) { FAIL("a blocking call is open"); });
  }
}

}  // namespace orrery::engine
