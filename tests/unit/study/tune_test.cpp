#include "sim/study/search/tune.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace orrery;
using namespace orrery::study;

namespace {

/// A valley with its bottom at `best`: a / v + v.
TimeOfValue valley(double best, std::vector<std::int64_t>* asked = nullptr) {
  return [=](std::int64_t v) -> std::optional<Seconds> {
    if (asked != nullptr) asked->push_back(v);
    return Seconds(best * best / static_cast<double>(v) + static_cast<double>(v));
  };
}

std::vector<std::int64_t> values_of(const TimesByValue& times) {
  std::vector<std::int64_t> values;
  for (const auto& [value, time] : times) values.push_back(value);
  return values;
}

}  // namespace

TEST_SUITE("app/tune") {
  TEST_CASE("The bottom of a valley is found to the number with few questions") {
    for (const double best : {1.0, 2.0, 7.0, 25.0, 31.0, 200.0, 999.0}) {
      std::vector<std::int64_t> asked;
      CHECK(best_of(predicted_times({}, {1, 100000}, valley(best, &asked))) == static_cast<std::int64_t>(best));
      CHECK(asked.size() < 50);
    }
  }
  TEST_CASE("Values asked for are the only ones predicted and the range bounds the ladder") {
    CHECK(values_of(predicted_times({9, 3, 5}, {1, 100}, valley(4))) == std::vector<std::int64_t>{3, 5, 9});
    CHECK(best_of(predicted_times({}, {5, 12}, valley(100))) == 12);
    CHECK(values_of(predicted_times({}, {5, 12}, valley(1))).front() >= 5);
  }
  TEST_CASE("Both ends of a range are asked with a rung between them or without") {
    CHECK(values_of(predicted_times({}, {13, 15}, valley(14))) == std::vector<std::int64_t>{13, 14, 15});
    CHECK(values_of(predicted_times({}, {5, 5}, valley(14))) == std::vector<std::int64_t>{5});
    CHECK(values_of(predicted_times({}, {13, 14}, valley(1))) == std::vector<std::int64_t>{13, 14});
    CHECK(best_of(predicted_times({}, {13, 23}, valley(1))) == 13);
    CHECK(best_of(predicted_times({}, {13, 23}, valley(100))) == 23);
    const auto rising = [](std::int64_t v) { return std::optional(Seconds(10.0 + static_cast<double>(v))); };
    CHECK(best_of(predicted_times({}, {0, 10}, rising)) == 0);
    CHECK(best_of(predicted_times({}, {-7, 10}, rising)) == -7);
  }
  TEST_CASE("The greatest of a range is not asked once the ladder has ended") {
    CHECK(values_of(predicted_times({}, {1, 1000}, valley(1))).back() < 1000);
  }
  TEST_CASE("A range may go to the greatest number there is") {
    constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max();
    const auto falling = [](std::int64_t v) { return std::optional(Seconds(1.0 / static_cast<double>(v))); };
    CHECK(values_of(predicted_times({}, {1, end}, falling)).back() == end);
    CHECK(values_of(predicted_times({}, {end - 1, end}, falling)) == std::vector<std::int64_t>{end - 1, end});
  }
  TEST_CASE("The ladder ends where the prediction no longer changes") {
    const auto flat = [](std::int64_t v) {
      return std::optional(Seconds(100.0 / static_cast<double>(std::min<std::int64_t>(v, 48))));
    };
    const auto values = values_of(predicted_times({}, {1, 1000000}, flat));
    CHECK(values.back() == 384);  // 64, 96, 128, 192, 256 and 384 cost what 48 does
    CHECK(best_of(predicted_times({}, {1, 1000000}, flat)) == 48);
  }
  TEST_CASE("An engine finds a better valley beyond the dent that a model proposes") {
    // Values that divide 48 are better than their neighbours, in the model and on the engine.
    const auto dents = [](double best) {
      return
          [=](std::int64_t v) { return std::optional(*valley(best)(v) + (48 % v == 0 ? Seconds{} : Seconds(10.0))); };
    };
    const auto predicted = predicted_times({}, {1, 200}, dents(24));
    CHECK(best_of(predicted) == 24);
    CHECK(best_of(confirmed_times(predicted, 5, dents(8))) == 8);
  }
  TEST_CASE("The ladder goes on past a refused value and ends at two in a row") {
    const auto no_three = [](std::int64_t v) -> std::optional<Seconds> {
      if (v == 3 || v > 6) return {};
      return Seconds(10.0 - static_cast<double>(v));
    };
    CHECK(values_of(predicted_times({}, {1, 1000}, no_three)) == std::vector<std::int64_t>{1, 2, 4, 5, 6});
    CHECK(predicted_times({}, {1, 1000}, [](std::int64_t) { return std::optional<Seconds>{}; }).empty());
  }
  TEST_CASE("An engine is asked around the proposal until the best has a worse one on either side") {
    const auto predicted = predicted_times({1, 2, 4, 8, 16, 32, 64}, {1, 64}, valley(16));
    CHECK(values_of(confirmed_times(predicted, 3, valley(16))) == std::vector<std::int64_t>{8, 16, 32});
    CHECK(values_of(confirmed_times(predicted, 4, valley(4))) == std::vector<std::int64_t>{2, 4, 8, 16});
    CHECK(values_of(confirmed_times(predicted, 4, valley(60))) == std::vector<std::int64_t>{8, 16, 32, 64});
    CHECK(values_of(confirmed_times(predicted, 5, valley(16))) == std::vector<std::int64_t>{4, 8, 16, 32, 64});
    CHECK(confirmed_times(predicted, 100, valley(16)).size() == 7);
    CHECK(confirmed_times(predicted, 2, valley(1)).size() == 2);
  }
  TEST_CASE(
      "An engine is not asked to tell neighbours apart that lie less than a quarter away unless there are no others") {
    const auto played = values_of(confirmed_times(predicted_times({}, {1, 1000}, valley(100)), 20, valley(100)));
    CHECK(played.size() > 10);
    for (std::size_t i = 1; i < played.size(); ++i) CHECK(4 * (played[i] - played[i - 1]) >= played[i]);
    const auto near = predicted_times({95, 98, 99, 100, 101, 107}, {}, valley(100));
    CHECK(values_of(confirmed_times(near, 9, valley(100))) == std::vector<std::int64_t>{95, 98, 99, 100, 101, 107});
  }
}
