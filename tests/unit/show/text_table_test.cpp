#include "sim/show/tables/text_table.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "sample_result.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

TEST_SUITE("report/text_table") {
  TEST_CASE("The table of two ring points reads as a golden text") {
    CHECK(to_text_table(sample::small_result()) == R"(Ring of four ranks on two nodes
source: made by formula
all points: network infiniband
engine: simgrid 3.32
compute model: constant speeds from core counts
errors are relative to the simulated time; mu = max/min of the two times

       simulated   taulop (timeline)             hockney
ranks         ms     ms  error    mu     ms  error    mu
────────────────────────────────────────────────────────
2          4.000  4.400  10.0%  1.10  1.600  60.0%  2.50
4          8.000  8.800  10.0%  1.10  3.200  60.0%  2.50

Average proportional error mu
                    taulop (timeline)  hockney
network     points      mu  published       mu
──────────────────────────────────────────────
infiniband       2    1.10       1.16     2.50

bottleneck: 2 of 2 points like ranks 2, infiniband: NIC of node a-0 busy 42 %
)");
  }

  TEST_CASE("A run without models shows its makespan beside the phase that models would be compared with") {
    auto result = sample::small_result();
    for (auto& point : result.points) {
      point.predictions.clear();
      point.run.makespan = 3.0 * *point.simulated;
    }
    result.averages.clear();
    CHECK(to_text_table(result).find(R"(
communication: this phase, longest over the ranks, summed over iterations;
  makespan: the whole run

       communication  makespan
ranks             ms        ms
──────────────────────────────
2               4.00     12.00
4               8.00     24.00
)") != std::string::npos);
  }

  TEST_CASE("A prediction of the whole run stands beside the makespan") {
    auto result = sample::small_result();
    for (auto& point : result.points) {
      point.predictions.resize(1);
      point.run.makespan = 3.0 * *point.simulated;
      point.predictions[0].of_run = true;
    }
    result.averages.clear();
    const auto text = to_text_table(result);
    CHECK(text.find(R"(
       communication  makespan   taulop (timeline)
ranks             ms        ms     ms  error    mu
──────────────────────────────────────────────────
2              4.000    12.000  4.400  63.3%  2.73
4              8.000    24.000  8.800  63.3%  2.73
)") != std::string::npos);
    CHECK(text.find("errors are relative to the simulated time, of whole runs to the makespan; mu =") !=
          std::string::npos);
  }

  TEST_CASE("A run that a model was fitted to says so instead of a mu") {
    auto result = sample::small_result();
    result.points[0].predictions[1].fitted = true;
    CHECK(to_text_table(result).find("2          4.000  4.400  10.0%  1.10  1.600  60.0%  fitted\n") !=
          std::string::npos);
  }

  TEST_CASE("Averages over unlike numbers of points say how many they are over") {
    auto result = sample::small_result();
    result.averages[0].points = 1;
    CHECK(to_text_table(result).find("\ninfiniband    1..2    1.10       1.16     2.50\n") != std::string::npos);
  }

  TEST_CASE("The notes of predictions stand below the table each once with the points they are true of") {
    auto result = sample::small_result();
    result.notes = {"of the run"};
    for (auto& point : result.points) point.predictions[1].notes = {"the line is continued"};
    result.points[1].predictions[0].notes = {"no barrier"};
    CHECK(to_text_table(result).find("note: of the run\n"
                                     "note: hockney: the line is continued\n"
                                     "note: taulop (timeline): no barrier (1 of 2 points)\n") != std::string::npos);
  }

  TEST_CASE("One metric of a kernel is a column and several are a table below") {
    auto result = sample::small_result();
    result.averages.clear();
    for (auto& point : result.points) point.predictions.clear();
    result.points[0].metrics = {{"Gflop/s", 1234.0, "Gflop/s"}};
    CHECK(to_text_table(result).find(R"(
       communication  makespan
ranks             ms        ms  Gflop/s
───────────────────────────────────────
2               4.00     10.80     1234
4               8.00     21.60        -
)") != std::string::npos);
    result.points[0].metrics[0].published = 1000.0;
    CHECK(to_text_table(result).find(R"(
       communication  makespan           published  Gflop/s/published
ranks             ms        ms  Gflop/s    Gflop/s              error
─────────────────────────────────────────────────────────────────────
2               4.00     10.80     1234       1000             +23.4%
4               8.00     21.60        -          -                  -
)") != std::string::npos);
    result.points.resize(1);
    result.points[0].kernel = "pingpong";
    result.points[0].metrics = {{"T(1 B)", 1.5e-6, "s"}, {"T(1 MiB)", 2e-4, "s"}};
    CHECK(to_text_table(result).find(R"(
pingpong   value
────────────────
T(1 B)    1.5 us
T(1 MiB)  200 us
)") != std::string::npos);
  }

  TEST_CASE("Several metrics of a sweep are a table of their own beside what is published of them") {
    auto result = sample::small_result();
    result.averages.clear();
    for (auto& point : result.points) point.predictions.clear();
    result.points[0].metrics = {{"rounds", 4.0, "", 3.0}, {"dividing", 0.25, "s"}};
    result.points[1].metrics = {{"rounds", 11.0, ""}};
    const std::string text = to_text_table(result);
    CHECK(text.find("ranks  here  published  dividing\n") != std::string::npos);
    CHECK(text.find("2         4          3    250 ms\n") != std::string::npos);
    CHECK(text.find("4        11          -         -\n") != std::string::npos);
  }

  TEST_CASE("A single run ends with what its resources carried and what its ranks did") {
    auto result = sample::small_result();
    result.points.resize(1);
    result.averages.clear();
    auto& run = result.points[0].run;
    run.makespan = Seconds(2.0);
    run.kind_loads = {{ResourceKind::memory, 2, BytesPerSecond(100.0), Bytes(50.0), {}},
                      {ResourceKind::link, 9, BytesPerSecond(1000.0), Bytes(30.0), {}}};
    run.activity_times.assign(activities, std::vector<Seconds>(2));
    run.activity_times[0] = {Seconds(1.0), Seconds(1.5)};
    run.activity_times[3] = {Seconds(1.0), Seconds(0.0)};
    CHECK(to_text_table(result).find(R"(
loads over the run: memories 25 %, links between switches 1.5 %
ranks over the run: compute 62.5 % (50..75 %), wait 25 % (0..50 %)
bottleneck: NIC of node a-0 busy 42 %
)") != std::string::npos);
    run.activity_times.clear();
    run.kind_loads.clear();  // a result of an earlier version
    CHECK(to_text_table(result).find("over the run") == std::string::npos);
  }

  TEST_CASE("Collectives follow the table: all of a single run and the longest of each point of a sweep") {
    auto result = sample::small_result();
    const CollectiveRecord longer{.operation = Operation::allreduce,
                                  .algorithm = "lr",
                                  .ranks = 4,
                                  .bytes = Bytes(1048576.0),
                                  .calls = 2,
                                  .time = Seconds(0.5),
                                  .time_max = Seconds(0.375),
                                  .messages = 48,
                                  .steps = 6};
    const CollectiveRecord shorter{.operation = Operation::barrier, .algorithm = "tree", .ranks = 4, .calls = 1};
    for (auto& point : result.points) point.run.collectives = {shorter, longer};
    CHECK(to_text_table(result, {.width = 120}).find(R"(
The longest collective of each point
)") != std::string::npos);
    result.points.resize(1);
    const std::string text = to_text_table(result, {.width = 120});
    CHECK(text.find("\nCollectives\n") != std::string::npos);
    CHECK(text.find("steps    each  longest  late  bus bandwidth\n") != std::string::npos);
    CHECK(text.find("\nallreduce  lr             4  1 MiB      2      6  250 ms   375 ms   0 s     6.291 MB/s\n") !=
          std::string::npos);
    CHECK(text.find("\nbarrier    tree           4             1      0     0 s      0 s") != std::string::npos);
  }

  TEST_CASE("Collectives are told apart by what their kernel calls them and many sizes of one kind are one row") {
    auto result = sample::small_result();
    result.points.resize(1);
    auto& records = result.points[0].run.collectives;
    records = {{.operation = Operation::allreduce,
                .name = "tensor",
                .algorithm = "lr",
                .ranks = 2,
                .bytes = Bytes(1e6),
                .calls = 1,
                .time = Seconds(0.5),
                .time_max = Seconds(0.5)}};
    for (int size = 1; size <= 5; ++size)
      records.push_back({.operation = Operation::alltoallv,
                         .name = "expert",
                         .algorithm = "ring",
                         .ranks = 2,
                         .bytes = Bytes(size * 1e6),
                         .calls = 2,
                         .time = Seconds(0.25),
                         .time_max = Seconds(0.125),
                         .late = Seconds(0.0625),
                         .steps = 1});
    const std::string text = to_text_table(result, {.width = 120});
    CAPTURE(text);
    CHECK(text.find(
              "\nalltoallv  expert  ring           2  1 MB to 5 MB     10      1  125 ms   125 ms  31.25 ms        12 "
              "MB/s\n") != std::string::npos);  // half of 30 MB in 1.25 s
    CHECK(
        text.find("\nallreduce  tensor  lr             2          1 MB      1      0  500 ms   500 ms       0 s       "
                  "  2 MB/s\n") != std::string::npos);
    CHECK(text.find("more kinds") == std::string::npos);
  }

  TEST_CASE("No line of the point table is wider than the terminal asked for") {
    for (const std::size_t width : {60u, 80u, 100u, 200u}) {
      std::istringstream lines(to_text_table(sample::large_result(3, 1), {.width = width}));
      for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(text_width(line) <= width);
      }
    }
  }

  TEST_CASE("A wide table of one point has a row for each model") {
    auto result = sample::small_result();
    result.points.resize(1);
    result.averages.clear();
    const auto text = to_text_table(result, {.width = 40});
    INFO(text);
    CHECK(text.find(R"(
                       layout 2 ranks
                      ms  error    mu
─────────────────────────────────────
simulated          4.000
taulop (timeline)  4.400  10.0%  1.10
hockney            1.600  60.0%  2.50
)") != std::string::npos);
  }

  TEST_CASE("A wide table of a few points has a row for each model and the points side by side") {
    auto result = sample::small_result();
    result.averages.clear();
    for (auto& point : result.points)
      for (const char* name : {"loggp", "hloggp", "bsp"}) {
        point.predictions.push_back(point.predictions.back());
        point.predictions.back().model = name;
      }
    const auto text = to_text_table(result, {.width = 60});
    INFO(text);
    CHECK(text.find(R"(
                              ranks 2             ranks 4
                      ms  error    mu     ms  error    mu
─────────────────────────────────────────────────────────
simulated          4.000               8.000
taulop (timeline)  4.400  10.0%  1.10  8.800  10.0%  1.10
hockney            1.600  60.0%  2.50  3.200  60.0%  2.50
loggp              1.600  60.0%  2.50  3.200  60.0%  2.50
)") != std::string::npos);
  }

  TEST_CASE("A wide table of many points is wrapped by model with the points repeated") {
    auto result = sample::small_result();
    result.averages.clear();
    const auto text = to_text_table(result, {.width = 40});
    INFO(text);
    CHECK(text.find(R"(
       simulated   taulop (timeline)
ranks         ms     ms  error    mu
────────────────────────────────────
2          4.000  4.400  10.0%  1.10
4          8.000  8.800  10.0%  1.10

                  hockney
ranks     ms  error    mu
─────────────────────────
2      1.600  60.0%  2.50
4      3.200  60.0%  2.50
)") != std::string::npos);
  }

  TEST_CASE("A table for a file or a pipe is never wrapped and its sentences neither") {
    const auto result = sample::large_result(3, 1);
    std::size_t widest = 0;
    std::istringstream lines(to_text_table(result, {.width = unlimited_width}));
    std::string line, header;
    while (std::getline(lines, line)) {
      widest = std::max(widest, text_width(line));
      if (line.find("mu") != std::string::npos && line.find("error") != std::string::npos) header = line;
    }
    CHECK(header.find("error") != std::string::npos);
    CHECK(widest > 100);
  }

  TEST_CASE("Colour adds escapes and changes no printed character") {
    const auto plain = to_text_table(sample::small_result());
    auto colored = to_text_table(sample::small_result(), {.color = true});
    CHECK(colored != plain);
    for (auto at = colored.find('\033'); at != std::string::npos; at = colored.find('\033'))
      colored.erase(at, colored.find('m', at) - at + 1);
    CHECK(colored == plain);
    CHECK(plain.find('\033') == std::string::npos);
  }

  TEST_CASE("A published mean stands with the spread of its runs and the error against the mean") {
    auto result = sample::small_result();
    for (auto& point : result.points) point.predictions.clear();
    result.averages.clear();
    result.points[0].published_time_s = 4.4e-3;
    result.points[0].published_spread = TimeSpread{4.2e-3, 4.5e-3};
    result.points[1].published_time_s = 10e-3;
    const auto text = to_text_table(result);
    INFO(text);
    CHECK(text.find("4.400 (4.200 .. 4.500)") != std::string::npos);
    CHECK(text.find("-9.1%") != std::string::npos);
    CHECK(text.find("-20.0%") != std::string::npos);
  }

  TEST_CASE("A failed point says failed in its row and why below the table") {
    auto result = sample::small_result();
    result.points[0].simulated.reset();
    result.points[0].failure = "rank 3 waits for tag 7";
    const auto text = to_text_table(result);
    CHECK(text.find("failed  ") != std::string::npos);
    CHECK(text.find("failed: ranks 2, infiniband: rank 3 waits for tag 7") != std::string::npos);
  }

  TEST_CASE("A table cut to some rows says how many points it leaves out") {
    CHECK(to_text_table(sample::large_result(2, 1), {.rows_max = 5}).find("... and 11 more points in table.csv") !=
          std::string::npos);
  }

  TEST_CASE("A measured time replaces the simulated one as what errors refer to") {
    auto result = sample::small_result();
    for (auto& point : result.points) point.measured = 2.0 * *point.simulated;
    const auto text = to_text_table(result);
    CHECK(text.find("errors are relative to the measured time; mu") != std::string::npos);
    CHECK(text.find("simulated/measured") != std::string::npos);
    CHECK(text.find("45.0%") != std::string::npos);  // 2.2 against 4 instead of against 2
  }
}

}  // namespace orrery::show
