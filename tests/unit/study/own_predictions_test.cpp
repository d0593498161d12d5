#include "sim/study/read/own_predictions.hpp"

#include <doctest/doctest.h>

#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

using Flat = std::map<std::string, std::string>;

/// Two networks by two sizes, and a value that does not change.
struct Sweep {
  std::vector<Flat> flats;
  std::vector<Settings> settings;
  Sweep() {
    for (const char* network : {"infiniband", "ethernet"})
      for (const char* message : {"64KiB", "1MiB"}) {
        flats.push_back({{"network", network}, {"kernel.message", message}, {"kernel.ranks", "16"}});
        settings.push_back({{"network", network}, {"kernel.message", message}});
      }
  }
  std::vector<PointValues> points() const {
    std::vector<PointValues> values;
    for (std::size_t i = 0; i < flats.size(); ++i) values.push_back({flats[i], settings[i]});
    return values;
  }
  EachPoint each() const {
    return [this](const std::function<void(const PointValues&)>& tell) {
      for (std::size_t i = 0; i < flats.size(); ++i) tell({flats[i], settings[i]});
    };
  }
};

OwnPredictions read(const std::string& csv, const Sweep& sweep = {}) {
  return OwnPredictions(config::parse_csv(csv, "my.csv"), sweep.each());
}

void refuses(const std::string& csv, const char* message) { CHECK_THROWS_WITH_AS(read(csv), message, InputError); }

const std::string header = "network,kernel.message,time\n";
const std::string three = "infiniband,64KiB,1ms\ninfiniband,1MiB,2ms\nethernet,64KiB,3ms\n";

}  // namespace

TEST_SUITE("scenario/own predictions") {
  TEST_CASE("Every point finds the time of its row whatever the order and the unit of its values") {
    const Sweep sweep;
    const auto own = read(
        "time,kernel.message,network\n4ms,1048576B,ethernet\n3000us,65536B,ethernet\n0.002s,1024KiB,"
        "infiniband\n1ms,64KiB,infiniband\n");
    const auto points = sweep.points();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto times = own.times(points[i]);
      REQUIRE(times.size() == 1);
      CHECK(times[0].time.si() == near(1e-3 * static_cast<double>(i + 1)));
      CHECK_FALSE(times[0].of_run());
    }
    CHECK(own.unused().empty());
    CHECK(own.notes().empty());
    CHECK(read("# note: two cores\ntime,kernel.message,network\n1ms,*,*\n").notes() ==
          std::vector<std::string>{"my.csv: two cores"});
  }

  TEST_CASE("Seconds without a unit have a column of their own and a star or nothing fits every value") {
    const Sweep sweep;
    const auto own = read("network,kernel.message,time_s\ninfiniband,*,0.5\nethernet,,2\n");
    CHECK(own.times(sweep.points()[1])[0].time == Seconds(0.5));
    CHECK(own.times(sweep.points()[2])[0].time == Seconds(2.0));
  }

  TEST_CASE("A file may predict the phase and the run of each point") {
    const Sweep sweep;
    const auto own = read("network,kernel.message,phase,time\n*,*,run,2s\n*,*,communication,1s\n");
    const auto times = own.times(sweep.points()[0]);
    REQUIRE(times.size() == 2);
    CHECK(times[0].of_run());
    CHECK(times[0].time == Seconds(2.0));
    CHECK_FALSE(times[1].of_run());
    own.require_phase("communication");
    CHECK_THROWS_WITH_AS(own.require_phase("exchange"),
                         "my.csv:3: nothing is compared with phase 'communication' (known: exchange, run).",
                         InputError);
  }

  TEST_CASE("Rows that no point meets are counted with the first and its reason and not refused") {
    CHECK(read(header + three + "ethernet,1MiB,4ms\nethernet,2MiB,5ms\nomnipath,1MiB,5ms\n").unused() ==
          "my.csv: 2 of 6 rows are about no point and are not used. my.csv:6: 'kernel.message' is '2MiB', which no "
          "point has (points have 64KiB, 1MiB). Correct it, or add it to the sweep?");
  }

  TEST_CASE("Predictions that leave a point out or say it twice are refused with file and line") {
    refuses(
        header + three,
        "my.csv: no row for point network=ethernet, kernel.message=1MiB (every point has one). Add it, or narrow the "
        "sweep?");
    refuses(header + three + "ethernet,1MiB,4ms\ninfiniband,65536B,1ms\n",
            "my.csv:6: says again what my.csv:2 says (infiniband,65536B,1ms). Remove one?");
    refuses(header + three + "ethernet,1MiB,4ms\nethernet,*,1ms\n",
            "my.csv:6: is about a point that my.csv:4 is about (network=ethernet, kernel.message=64KiB). Narrow one?");
    refuses(
        "network,kernel.message,phase,time\n*,*,run,1s\n*,64KiB,communication,1s\n",
        "my.csv: no row for point network=infiniband, kernel.message=1MiB, phase communication (every point has one). "
        "Add it, or narrow the sweep?");
  }

  TEST_CASE("Predictions with an unknown or a missing column are refused with the known ones") {
    refuses("netwrok,kernel.message,time\nethernet,1MiB,1s\n",
            "my.csv: no point has a value 'netwrok' (known: kernel.message, kernel.message_B, network, phase, time, "
            "time_ms, "
            "time_ns, time_s, time_us). Did you mean 'network'?");
    refuses(
        "network,time\nethernet,1s\n",
        "my.csv: no column 'kernel.message' (an axis of the sweep; '*' in its cells means whatever it is). Add it?");
    refuses("network,kernel.message\nethernet,1MiB\n",
            "my.csv: no column of times ('time', with units, or one of 'time_s', 'time_ms', 'time_us', 'time_ns'). Add "
            "it?");
    refuses("network,kernel.message,time,time_s\nethernet,1MiB,1s,1\n",
            "my.csv: columns 'time' and 'time_s' ('time', with units, or one of 'time_s', 'time_ms', 'time_us', "
            "'time_ns'). Remove one?");
  }

  TEST_CASE("A time that is none or below zero or without a unit is refused with its line") {
    refuses(header + "ethernet,1MiB,1.5\n",
            "my.csv:2: 'time' is '1.5' without a unit (ns, us, ms, s, min, h). Call the column 'time_s', 'time_ms', "
            "'time_us' or 'time_ns'?");
    refuses(header + "ethernet,1MiB,-1ms\n", "my.csv:2: 'time' is '-1ms', outside 0s..1e9s. Correct it?");
    refuses("network,kernel.message,time_s\nethernet,1MiB,-1\n",
            "my.csv:2: 'time_s' is '-1' (a number from 0 to 1e+09). Correct it?");
    CHECK_THROWS_AS(read(header + "ethernet,1MiB,\n"), InputError);
  }

  TEST_CASE("How sure a measured time is has to be numbers around that time") {
    const std::string columns = "network,kernel.message,time_s,low_s,high_s,repetitions\n";
    const auto row = [&](const std::string& cells) { return columns + "ethernet,1MiB,2e-3," + cells + "\n"; };
    refuses(row("nan,3e-3,5"), "my.csv:2: 'low_s' is 'nan' (a number from 0 to 1e+09). Correct it?");
    refuses(row("1e-3,\xf0\x9f\x98\x80,5"),
            "my.csv:2: 'high_s' is '\xf0\x9f\x98\x80' (a number from 0 to 1e+09). "
            "Correct it?");
    refuses(row("3e-3,4e-3,5"),
            "my.csv:2: 'low_s' is 0.003, above the time of 0.002 (low <= time <= high). Correct it?");
    refuses(row("1e-3,1e-3,5"),
            "my.csv:2: 'high_s' is 0.001, below the time of 0.002 (low <= time <= high). Correct it?");
    refuses(row("1e-3,3e-3,2.5"), "my.csv:2: 'repetitions' is '2.5' (a whole number). Write '2'?");
    refuses(row("1e-3,3e-3,0"), "my.csv:2: 'repetitions' is 0 (at least 1). Correct it?");
  }
}
