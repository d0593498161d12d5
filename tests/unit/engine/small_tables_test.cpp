// The small containers of the event core, against those of the standard library.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "sim/engine/flow/first_ends.hpp"
#include "sim/engine/flow/flow_queue.hpp"
#include "sim/engine/flow/lowest_first.hpp"
#include "sim/engine/flow/small_vector.hpp"
#include "sim/engine/owners.hpp"
#include "sim/engine/pair_map.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

TEST_SUITE("replay/small tables") {
  TEST_CASE("An array of few grows beyond its own memory and moves with its elements") {
    std::mt19937_64 random(3);
    std::vector<SmallVector<int, 4>> arrays(1);
    std::vector<int> reference;
    for (int step = 0; step < 2000; ++step) {
      if (!reference.empty() && random() % 100 < (step < 500 ? 50u : 44u)) {
        REQUIRE(arrays.back().back() == reference.back());
        arrays.back().pop_back();
        reference.pop_back();
      } else {
        arrays.back().push_back(step);
        reference.push_back(step);
      }
      if (step % 10 == 0) {  // moved, also when all its elements are its own
        std::vector<SmallVector<int, 4>> moved;
        moved.push_back(std::move(arrays.back()));
        CHECK(arrays.back().empty());
        for (int i = 0; i < 9; ++i) arrays.back().push_back(-i);  // what was moved from is as new
        arrays.swap(moved);
      }
      REQUIRE(arrays.back().size() == reference.size());
      REQUIRE(std::equal(reference.begin(), reference.end(), arrays.back().begin()));
    }
    CHECK(reference.size() > 100);
  }

  TEST_CASE("A map of pairs finds what was stored and says what is new") {
    std::mt19937_64 random(5);
    PairMap<double> map;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> reference;
    map.fetch_pair(1, 2);  // of an empty map
    for (int step = 0; step < 5000; ++step) {
      const auto a = static_cast<std::uint32_t>(random() % 60), b = static_cast<std::uint32_t>(random() % 60);
      const auto [value, fresh] = map.find_or_add(a, b);
      const auto [known, first] = reference.try_emplace({a, b}, step);
      REQUIRE(fresh == first);
      if (fresh) value = step;
      REQUIRE(value == known->second);
    }
  }

  TEST_CASE("A map of pairs forgets what it is not told to keep and finds the rest") {
    PairMap<int> map;
    map.keep_if([](int&) { return false; });  // of an empty map
    for (std::uint32_t a = 0; a < 40; ++a)
      for (std::uint32_t b = 0; b < 40; ++b) map.find_or_add(a, b).first = static_cast<int>(40 * a + b);
    std::size_t seen = 0;
    map.keep_if([&](int& value) {
      ++seen;
      value = -value;
      return value % 3 == 0;
    });
    CHECK(seen == 1600);
    CHECK(map.size() == 534);
    for (std::uint32_t a = 0; a < 40; ++a)
      for (std::uint32_t b = 0; b < 40; ++b) {
        const int number = static_cast<int>(40 * a + b);
        const auto [value, fresh] = map.find_or_add(a, b);
        REQUIRE(fresh == (number % 3 != 0));
        REQUIRE(value == (fresh ? 0 : -number));
      }
  }

  TEST_CASE("A route that is given back leaves its number to the next of as many resources") {
    RouteTable table;
    const std::vector<ResourceId> two{ResourceId{1}, ResourceId{2}}, others{ResourceId{3}, ResourceId{4}};
    const std::vector<ResourceId> three{ResourceId{5}, ResourceId{6}, ResourceId{7}};
    const auto holds = [&](RouteId route, const std::vector<ResourceId>& resources) {
      return std::ranges::equal(table.resources(route), resources);
    };
    const RouteId first = table.add(two), second = table.add(two);
    table.give_back(first);
    const RouteId longer = table.add(three), after = table.add_next(others), again = table.add(others);
    CHECK(again == first);
    CHECK(longer == RouteId{2});
    CHECK(after == RouteId{3});
    CHECK(table.count() == 4);
    CHECK(holds(again, others));
    CHECK(holds(second, two));
    CHECK(holds(longer, three));
    CHECK(holds(after, others));
  }

  TEST_CASE("A timer and a flow name the rank or the message that they were made for") {
    for (const std::uint32_t number : {0u, 1u, 77u, (1u << 26) - 1}) {
      CHECK(TimerOwner{TimerOwner{Rank{number}}.token()}.is_rank());
      CHECK(TimerOwner{TimerOwner{Rank{number}}.token()}.rank() == Rank{number});
      CHECK_FALSE(TimerOwner{TimerOwner{MessageId{number}}.token()}.is_rank());
      CHECK(TimerOwner{TimerOwner{MessageId{number}}.token()}.message() == MessageId{number});
      CHECK(FlowOwner{FlowOwner{Rank{number}}.id()}.is_rank());
      CHECK(FlowOwner{FlowOwner{Rank{number}}.id()}.rank() == Rank{number});
      for (const std::uint32_t flow : {0u, 3u, unexpected_flow}) {
        const FlowOwner owner{FlowOwner{MessageId{number}, flow}.id()};
        CHECK_FALSE(owner.is_rank());
        CHECK(owner.message() == MessageId{number});
        CHECK(owner.flow() == flow);
      }
    }
  }

  TEST_CASE("Flows of a class end by the bytes they finish at and equal ones in the order they began") {
    std::mt19937_64 random(7);
    FlowQueues queues;
    std::vector<FlowQueues::Queue> heaps(20);
    std::vector<std::multimap<double, std::uint32_t>> reference(heaps.size());  // equal keys stay in order of insertion
    std::size_t longest = 0;
    for (std::uint32_t step = 0; step < 20000; ++step) {
      const std::size_t i = random() % heaps.size();
      FlowQueues::Queue& heap = heaps[i];
      auto& known = reference[i];
      if (known.empty() || random() % 100 < (i < 10 ? 48u : 52u)) {
        const double finish = 1000.0 + static_cast<double>(random() % 8);
        known.empty() ? queues.add_first(heap, finish, FlowId{step}) : queues.add(heap, finish, FlowId{step});
        known.emplace(finish, step);
      } else if (random() % 10 == 0) {
        queues.rebase(heap, 100.0);
        std::multimap<double, std::uint32_t> moved;
        for (const auto& [finish, flow] : known) moved.emplace(finish - 100.0, flow);
        known.swap(moved);
      } else {
        REQUIRE(index(queues.take_first(heap, known.size() == 1)) == known.begin()->second);
        known.erase(known.begin());
      }
      longest = std::max(longest, known.size());
      if (known.empty()) continue;
      REQUIRE(heap.finish == known.begin()->first);
      REQUIRE(index(heap.flow) == known.begin()->second);
    }
    CHECK(longest > 50);
  }

  TEST_CASE("Resources are solved in the order of their levels whether they are few or many") {
    std::mt19937_64 random(5);
    LowestFirst to_solve;
    std::multimap<double, std::uint32_t> reference;
    std::size_t longest = 0;
    for (std::uint32_t step = 0; step < 20000; ++step) {
      if (reference.empty() || random() % 100 < (step / 1000 % 2 == 0 ? 55u : 45u)) {
        const bool unsaturated = random() % 20 == 0;
        const double level = unsaturated ? INFINITY : static_cast<double>(random() % 1000);
        to_solve.push(level, ResourceIndex{step});
        reference.emplace(level, step);  // of equal levels the lower number comes first
      } else {
        REQUIRE(to_solve.pop() == ResourceIndex{reference.begin()->second});
        reference.erase(reference.begin());
      }
      REQUIRE(to_solve.empty() == reference.empty());
      longest = std::max(longest, reference.size());
    }
    CHECK(longest > 50);
  }

  TEST_CASE("Members of a resource of many users end in order although each may be changed or taken out") {
    std::mt19937_64 random(9);
    FirstEnds heap;
    std::map<std::uint32_t, double> reference;
    std::map<std::uint32_t, FirstEnds::Slot> places;
    const auto told = [&](ClassId i, FirstEnds::Slot place) { places[static_cast<std::uint32_t>(i)] = place; };
    std::size_t longest = 0;
    for (std::uint32_t step = 0; step < 20000; ++step) {
      const auto number = static_cast<std::uint32_t>(random() % 200);
      const double end = static_cast<double>(random() % 100);
      const auto known = reference.find(number);
      if (known == reference.end()) {
        heap.insert({end, ClassId{number}}, told);
        reference[number] = end;
      } else if (random() % 2 == 0) {
        heap.change(places.at(number), {end, ClassId{number}}, told);
        known->second = end;
      } else {
        heap.remove(places.at(number), told);
        reference.erase(known);
      }
      if (step % 1000 == 999) {
        heap.rebase(7.0);
        for (auto& [each, its_end] : reference) its_end -= 7.0;
      }
      longest = std::max(longest, reference.size());
      if (reference.empty()) continue;
      const auto least = std::ranges::min_element(reference, {}, [](const auto& entry) { return entry.second; });
      REQUIRE(heap.first().first_end == least->second);
      REQUIRE(reference.at(static_cast<std::uint32_t>(heap.first().flow_class)) == least->second);
    }
    CHECK(longest > 50);
  }
}

}  // namespace orrery::engine
