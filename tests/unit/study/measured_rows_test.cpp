// Rows of measured times: every one is about a point, or is said not to be, and is of what the user meant.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/config/csv.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/show/summary/numeric_settings.hpp"
#include "sim/show/tables/text_table.hpp"
#include "sim/study/fit/fit_scenarios.hpp"
#include "sim/study/judge/measured_factor.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/read/measured_times.hpp"
#include "sim/study/read/own_predictions.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::study;
using test::near;

namespace {

namespace fs = std::filesystem;
using Values = std::vector<std::string>;

/// Points that differ in one axis.
struct Axis {
  std::vector<std::map<std::string, std::string>> flats;
  std::vector<Settings> settings;

  Axis(const std::string& path, const Values& values) {
    for (const std::string& value : values) {
      flats.push_back({{path, value}});
      settings.push_back({{path, value}});
    }
  }
  OwnPredictions read(const std::string& csv) const {
    const EachPoint each = [this](const std::function<void(const PointValues&)>& tell) {
      for (std::size_t i = 0; i < flats.size(); ++i) tell({flats[i], settings[i]});
    };
    return OwnPredictions(config::parse_csv(csv, "m.csv"), each, OwnPredictions::Covers::some_points);
  }
  /// [points] the time in the file, 0 where it has none.
  std::vector<double> times(const std::string& csv) const {
    const OwnPredictions own = read(csv);
    std::vector<double> times;
    for (std::size_t i = 0; i < flats.size(); ++i) {
      const auto of_point = own.times({flats[i], settings[i]});
      times.push_back(of_point.empty() ? 0.0 : of_point.front().time.si());
    }
    return times;
  }
  void refuses(const std::string& csv, const char* message) const {
    CHECK_THROWS_WITH_AS(read(csv), message, InputError);
  }
};

const Axis messages("kernel.message", {"1KiB", "64KiB"});

/// A ping-pong between two nodes, with a file of times beside it.
class PingPong {
 public:
  explicit PingPong(const std::string& csv, const std::string& measured = "{file: m.csv, metric: T(m)}",
                    const std::string& kernel = "{name: pingpong, repetitions: 5}") {
    fs::create_directories(folder_);
    config::write_file(file("m.csv"), csv);
    config::write_file(file("s.yaml"),
                       "source: \"a test\"\nplatform: fermi\nnetwork: infiniband\nengine: flow\nlayout: {ranks: 2, "
                       "per-node: 1}\nkernel: " +
                           kernel + "\nsweep: {kernel.sizes: [1KiB, 64KiB, 1MiB]}\nmeasured: " + measured + "\n");
  }
  ~PingPong() { fs::remove_all(folder_); }
  PingPong(const PingPong&) = delete;
  PingPong& operator=(const PingPong&) = delete;

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  Scenario scenario() const { return read_scenario(file("s.yaml"), {}); }
  ScenarioResult run() const { return run_scenario(scenario(), {.progress = false}).result; }
  PlatformFit fit() const {
    return fit_scenarios(
        {.scenarios = {file("s.yaml")}, .parameters = {"latency"}, .platform = "", .network = "", .hold_out = ""});
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / fmt::format("orrery-measured-rows-{}", ::getpid());
};

/// [points] simulated times of one message, half of a round trip: us.
std::vector<double> halves_us() {
  std::vector<double> halves;
  for (const PointResult& point : PingPong("kernel.sizes,time_s\n*,1\n").run().points)
    halves.push_back(1e6 * point.metrics.front().value);
  return halves;
}
std::string rows(const std::vector<double>& us) {
  return fmt::format("kernel.sizes,time_us\n1024,{:.12g}\n65536,{:.12g}\n1048576,{:.12g}\n", us[0], us[1], us[2]);
}
bool has(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

TEST_SUITE("scenario/measured rows") {
  TEST_CASE("A bare number in a column of quantities is in their unit whatever they are") {
    using Both = std::vector<double>;
    CHECK(messages.times("kernel.message,time_s\n1024,1\n65536,2\n") == Both{1, 2});
    CHECK(messages.times("kernel.message,time_s\n1024.0,1\n64KiB,2\n") == Both{1, 2});
    CHECK(Axis("layout.skew", {"1us", "2.5ms"}).times("layout.skew,time_s\n1e-6,1\n0.0025,2\n") == Both{1, 2});
    CHECK(Axis("a.rate", {"1GB/s", "100Gbps"}).times("a.rate,time_s\n1e9,1\n1.25e10,2\n") == Both{1, 2});
    CHECK(Axis("a.speed", {"2Gflop/s", "4Gflop/s"}).times("a.speed,time_s\n2e9,1\n4000000000,2\n") == Both{1, 2});
    CHECK(Axis("a.cap", {"4.5kW", "6kW"}).times("a.cap,time_s\n4500,1\n6000,2\n") == Both{1, 2});
    CHECK(Axis("a.slower", {"5%", "20%"}).times("a.slower,time_s\n0.05,1\n0.2,2\n") == Both{1, 2});
    CHECK(Axis("kernel.order", {"128", "256"}).times("kernel.order,time_s\n128.0,1\n256,2\n") == Both{1, 2});
  }

  TEST_CASE("What a table of ours calls a column of numbers is read as it is written") {
    const std::vector<show::SettingValues> written{{"kernel.message", {"1KiB", "64KiB"}}, {"a.rate", {"1GB/s"}}};
    std::vector<std::string> columns;
    for (const auto& numeric : show::numeric_settings(written)) columns.push_back(numeric.column);
    CHECK(columns == Values{"kernel.message_B", "a.rate_B_per_s"});
    CHECK(messages.times("kernel.message_B,time_s\n1024,1\n65536,2\n") == std::vector<double>{1, 2});
    CHECK(messages.times("kernel.message,kernel.message_B,time_s\n1KiB,1024,1\n64KiB,65536,2\n") ==
          std::vector<double>{1, 2});
    CHECK(Axis("a.rate", {"1GB/s", "2GB/s"}).times("a.rate_B_per_s,time_s\n1e9,1\n2e9,2\n") ==
          std::vector<double>{1, 2});
    messages.refuses("kernel.message_s,time_s\n1024,1\n",
                     "m.csv: no point has a value 'kernel.message_s' (known: kernel.message, kernel.message_B, phase, "
                     "time, time_ms, time_ns, time_s, time_us). Convert its numbers to 'kernel.message_B'?");
  }

  TEST_CASE("Times are in the unit that their column names and of no other is guessed") {
    for (const auto& [column, one] :
         {std::pair{"time_s", 1.0}, {"time_ms", 1e-3}, {"time_us", 1e-6}, {"time_ns", 1e-9}})
      CHECK(messages.times(fmt::format("kernel.message,{}\n1KiB,3\n", column)).front() == near(3 * one));
    CHECK(messages.read("kernel.message,time_us,low_us,high_us\n1KiB,3,2,4\n").unused().empty());
    messages.refuses("kernel.message,time_us,low_us\n1KiB,3,4\n",
                     "m.csv:2: 'low_us' is 4, above the time of 3 (low <= time <= high). Correct it?");
    for (const char* column : {"time (us)", "Time_us", "t_avg[usec]", "latency_us", "Avg Latency(us)", "usec"})
      messages.refuses(fmt::format("kernel.message,{}\n1KiB,3\n", column),
                       fmt::format("m.csv: '{}' is no column of times ('time', with units, or one of 'time_s', "
                                   "'time_ms', 'time_us', 'time_ns'). Rename it?",
                                   column)
                           .c_str());
  }

  TEST_CASE("Rows of which none is about a point are refused with the reason of the first") {
    messages.refuses("kernel.message,time_s\n1000,1\n",
                     "m.csv:2: 'kernel.message' is '1000' (1000 B, as it has no unit), which no point has (points have "
                     "1KiB, 64KiB). Correct it, or add it to the sweep?");
    messages.refuses("kernel.message,time_s\n2KiB,1\n4KiB,1\n",
                     "m.csv:2: no row is about a point. Here 'kernel.message' is '2KiB', which no point has (points "
                     "have 1KiB, 64KiB). Correct it, or add it to the sweep?");
    Axis("network", {"infiniband", "ethernet"})
        .refuses("network,time_s\ninfinband,1\n",
                 "m.csv:2: 'network' is 'infinband', which no point has (known: ethernet, infiniband). Did you mean "
                 "'infiniband'?");
    Axis pairs("a", {"1", "2"});
    for (std::size_t i = 0; i < 2; ++i) pairs.flats[i]["b"] = pairs.flats[i]["a"];
    pairs.refuses("a,b,time_s\n1,2,1\n",
                  "m.csv:2: no point has these values together (a=1, b=2). Correct one, or add the point?");
  }

  TEST_CASE("Rows beside those that are used are counted and the first of them is named") {
    CHECK(messages.read("kernel.message,time_s\n1KiB,1\n2KiB,1\n4KiB,1\n").unused() ==
          "m.csv: 2 of 3 rows are about no point and are not used. m.csv:3: 'kernel.message' is '2KiB', which no point "
          "has (points have 1KiB, 64KiB). Correct it, or add it to the sweep?");
    CHECK(Axis("network", {"infiniband", "ethernet"}).read("network,time_s\nethernet,1\ninfinband,1\n").unused() ==
          "m.csv: 1 of 2 rows is about no point and is not used. m.csv:3: 'network' is 'infinband', which no point has "
          "(known: ethernet, infiniband). Did you mean 'infiniband'?");
    CHECK(messages.read("kernel.message,time_s\n1024,1\n").unused().empty());
  }

  TEST_CASE("A run and a check and a fit say which measured rows they leave out") {
    const PingPong files("kernel.sizes,phase,time_us\n1024,communication,9\n2KiB,communication,9\n");
    const std::string left_out = "1 of 2 rows is about no point and is not used. " + files.file("m.csv") +
                                 ":3: 'kernel.sizes' is '2KiB', which no point has (points have 1KiB, 64KiB, 1MiB).";
    CHECK(has(files.run().notes, left_out));
    CHECK(has(files.fit().notes, left_out));
    CHECK(file_kinds()
              .at("scenario", "test")
              .check(files.file("s.yaml"))
              .find("\nnote: " + files.file("m.csv") + ": " + left_out) != std::string::npos);
  }

  TEST_CASE("Measured times of half a round trip are compared with it and a fit leaves the platform as it is") {
    const std::vector<double> halves = halves_us();
    const PingPong files(rows(halves));
    const ScenarioResult result = files.run();
    for (std::size_t i = 0; i < 3; ++i) {
      REQUIRE(result.points[i].measured);
      CHECK(result.points[i].measured->si() == near(result.points[i].simulated->si()));
      REQUIRE(result.points[i].measured_times.size() == 1);
      CHECK(result.points[i].measured_times[0].phase == "T(m)");
      CHECK(1e6 * result.points[i].measured_times[0].time.si() == near(halves[i]));
    }
    CHECK(has(result.notes,
              "m.csv: its times are of 'T(m)', half the round trip. Where they stand beside phase "
              "'communication' they are converted to it"));
    CHECK_FALSE(has(result.notes, "times the measured ones"));
    CHECK(files.fit().search->error_before == near(0.0));
    CHECK(show::to_text_table(result, {}).find("Simulated against measured") != std::string::npos);
  }

  TEST_CASE("Times of a ping-pong that do not say what they are of are said to be taken for round trips") {
    const std::vector<double> halves = halves_us();
    const PingPong files(rows(halves), "m.csv", "{name: pingpong}");
    const std::string ask =
        files.file("m.csv") +
        ":2: names no phase, so its time is compared with phase 'communication' of 'pingpong'. osu_latency and IMB "
        "PingPong print half the round trip, which is 'T(m)': for times of these write 'measured: {file: m.csv, "
        "metric: "
        "T(m)}'. If it is of the phase, a column 'phase' with 'communication' says so";
    const ScenarioResult result = files.run();
    CHECK(std::ranges::find(result.notes, ask) != result.notes.end());
    CHECK(has(result.notes,
              "m.csv: the simulated times are 2 times the measured ones at all 3 points. Are the measured ones half a "
              "round trip, as osu_latency and IMB PingPong print it? Then write 'measured: {file: m.csv, metric: "
              "T(m)}'"));
    const PlatformFit fit = files.fit();
    CHECK(std::ranges::find(fit.notes, ask) != fit.notes.end());
    CHECK(has(fit.notes, "the simulated times are 2 times the measured ones"));
    CHECK(fit.search->error_before == near(std::log(2.0)));
    CHECK(show::to_text_table(result, {}).find("2.00 slower") != std::string::npos);
    const PingPong said("kernel.sizes,phase,time_us\n*,communication,9\n", "m.csv");
    CHECK(notes_of_measured(said.scenario()).empty());
  }

  TEST_CASE("A metric that the kernel does not print or that is no time is refused with those that are") {
    const std::string csv = "kernel.sizes,time_us\n*,9\n";
    const auto refused = [&](const std::string& metric, const std::string& kernel, const std::string& says) {
      const PingPong files(csv, "{file: m.csv, metric: " + metric + "}", kernel);
      try {
        files.run();
        FAIL("no error");
      } catch (const InputError& error) {
        CHECK(std::string(error.what()) == files.file("s.yaml") + says);
      }
    };
    refused("T(n)", "{name: pingpong}",
            ":8:32: kernel 'pingpong' prints no 'T(n)' of its run (known: T(m), whole run). Did you mean 'T(m)'?");
    refused("T(m)", "{name: ring}",
            ":8:32: kernel 'ring' prints no metric, and the measured times are of 'T(m)' (without 'metric' they are of "
            "phase 'communication'). Leave it out?");
  }

  TEST_CASE("A factor that all times have in common names its cause and one that some have does not") {
    const ComparedAs as{.file = "m.csv", .metric = "", .printed = "T(m)"};
    const auto note = [&](const std::vector<double>& ratios, std::uint64_t iterations = 1, ComparedAs of = {}) {
      if (of.file.empty()) of = as;
      std::vector<TimePair> pairs;
      for (const double ratio : ratios) pairs.push_back({Seconds(ratio * 1e-5), Seconds(1e-5), iterations});
      return factor_note(pairs, of);
    };
    CHECK(
        note({1.9, 2.1}) ==
        "m.csv: the simulated times are 1.9 to 2.1 times the measured ones at all 2 points. Are the measured ones half "
        "a round trip, as osu_latency and IMB PingPong print it? Then write 'measured: {file: m.csv, metric: T(m)}'");
    CHECK(
        note({2, 2}, 1, {.file = "m.csv", .metric = "", .printed = ""}) ==
        "m.csv: the simulated times are 2 times the measured ones at all 2 points. Are the measured ones half a round "
        "trip, or of one direction, as benchmarks of latency print them?");
    CHECK(
        note({0.5, 0.52}) ==
        "m.csv: the simulated times are 0.5 to 0.52 times the measured ones at all 2 points. Are the measured ones of "
        "both directions, or of two operations?");
    CHECK(
        note({0.5, 0.5}, 1, {.file = "m.csv", .metric = "T(m)", .printed = "T(m)"}) ==
        "m.csv: the simulated times are 0.5 times the measured ones at all 2 points. Are the measured ones whole round "
        "trips? Without 'metric: T(m)' they are compared with the phase");
    CHECK(note({19, 21, 20}, 20) ==
          "m.csv: the simulated times are 19 to 21 times the measured ones at all 3 points. The compared phase is the "
          "sum of 20 iterations: are the measured times of one?");
    CHECK(
        note({1.1e-6, 0.7e-6}) ==
        "m.csv: the simulated times are 7e-07 to 1.1e-06 times the measured ones at all 2 points. Are the file's times "
        "in us? Then their column is 'time_us'");
    CHECK(
        note({900, 2000}) ==
        "m.csv: the simulated times are 900 to 2e+03 times the measured ones at all 2 points. Are the file's times in "
        "a larger unit than their column says?");
    for (const auto& ratios : std::vector<std::vector<double>>{{1.0, 1.0}, {2.0, 1.0}, {2.0, 3.0}, {2.0}, {}})
      CHECK(note(ratios).empty());
  }
}
