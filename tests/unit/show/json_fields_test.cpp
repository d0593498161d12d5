// A result is compared with what is read back of it field by field. A field that is added and not named here does not
// compile; one that no result of the test sets, and one that is not read back, fail.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "models/stats/repeated.hpp"
#include "sample_result.hpp"
#include "sim/show/result/json.hpp"

namespace orrery::show {

namespace {

template <class... Fields>
struct Named {
  const char *type, *names;  ///< "Traffic", "messages, bytes"
  std::tuple<const Fields&...> fields;
};
template <class... Fields>
Named<Fields...> named(const char* type, const char* names, const Fields&... fields) {
  return {type, names, {fields...}};
}

#define FIELDS(Type, ...)                           \
  auto fields_of(const Type& object) {              \
    const auto& [__VA_ARGS__] = object;             \
    return named(#Type, #__VA_ARGS__, __VA_ARGS__); \
  }

FIELDS(Traffic, messages, bytes)
FIELDS(PhaseRecord, phase, iteration, time, slowest, begin, end, traffic)
FIELDS(ResourceRecord, name, kind, capacity, bytes, busy, load, link)
FIELDS(KindLoad, kind, resources, capacity, bytes, load)
FIELDS(Interval, activity, begin, end, peer, message, phase)
FIELDS(Delivery, from, to, sent, received, message, way)
FIELDS(CollectiveSpan, rank, operation, algorithm, bytes, begin, end)
FIELDS(CollectiveRecord, operation, name, algorithm, ranks, bytes, calls, time, time_max, late, messages, steps)
FIELDS(Imbalance, allowed, greatest, mean, samples)
FIELDS(Repeated, asked, whole, stretches, played, messages)
FIELDS(UnreceivedOf, from, to, tag, communicator, messages)
FIELDS(Unreceived, messages, kinds, first)
FIELDS(PathResource, name, kind)
FIELDS(PathSegment, kind, rank, peer, begin, end, held_by)
FIELDS(PathTotals::OfResource, resource, time)
FIELDS(PathTotals::OfRank, rank, time)
FIELDS(PathTotals, phase, time, left_out, kinds, saturated, own_limit, late, resources, computing)
FIELDS(CriticalPath, kept, run, phases, jobs, resources, segments, segments_in_all)
FIELDS(JobLink, name, kind, bytes, sharers, bound, alone)
FIELDS(JobTimes, count, median, low, high)
FIELDS(JobRecord, name, kernel, first, ranks, start, ends, together, alone, sent, shared, links)
FIELDS(PhaseEnergy, phase, energy_j)
FIELDS(Energy, parts, phases, power_w, nodes)
FIELDS(RunResult, engine, makespan, messages, unexpected_messages, imbalance, repeated, unreceived, phases, collectives,
       resources, kind_loads, activity_shares, activity_times, activity_group, timelines, timelines_cut, timelines_bin,
       deliveries, collective_spans, critical_path, jobs, energy, wall_s)
FIELDS(PredictionTerm, text, cost, repeat)
FIELDS(Prediction, model, mode, time, computation, overlap, fitted, of_run, terms, notes, wall_s)
FIELDS(PhasePair, iteration, shown, other)
FIELDS(EngineDifference::OfPhase, phase, records, shown, other, largest_absolute, largest_relative)
FIELDS(EngineDifference, engine, shown_makespan, makespan, phases, failure, imbalance, wall_s)
FIELDS(TimeSpread, least_s, most_s)
FIELDS(MeasuredTime, phase, time)
FIELDS(TimeRange, least, most)
FIELDS(RepeatedTime, phase, times, median, low, high, median_within)
FIELDS(Repeats, seeds, shown, times)
FIELDS(Metric, name, value, unit, published)
FIELDS(Placement, node, host, node_type, cores, gpu, socket_of_node, local_work)
FIELDS(Layout, name, placements, gpus, gpus_missing)
FIELDS(Rectangle, x, y, width, height)
FIELDS(Partition, columns, rows, rectangles)
FIELDS(ShareSize, columns, rows)
FIELDS(SpeedPoint, size, speed)
FIELDS(BenchmarkRun, times, cost)
FIELDS(PartitionRound, shares, run, cut_off, known, predicted, imbalance, outer, columns)
FIELDS(NetworkOutline::SwitchGroup, label, words, switches, level)
FIELDS(NetworkOutline::Cables, from, to, count, bandwidth)
FIELDS(NetworkOutline::Cell, place, first, last, count, type, adapters)
FIELDS(NetworkOutline::NodeKind, name, words, count)
FIELDS(NetworkOutline, title, words, form, levels, dimensions, nic, rails, nodes, switches, places, cables, cells,
       kinds)
FIELDS(LinkLoad, mean, most)
FIELDS(NetworkLoads, phase, time, slots, what_if)
FIELDS(PointResult, id, settings, asked, kernel, platform, network, layout_name, compared_phase, simulated, measured,
       measured_times, published_time_s, published_spread, predictions, other_engine, run, repeats, metrics, layout,
       node_names, partition, rounds, traffic, traffic_group, network_outline, network_loads, binding, bound_by,
       failure)
FIELDS(AverageRow, settings, model, mode, points, mu, mu_min, mu_max, published_mu)
FIELDS(ToleranceBound, is_mu, value, least, median)
FIELDS(ToleranceCheck, where, of, against, model, mode, metric, conditions, bound, compared, worst, worst_at, median,
       broken)
FIELDS(PrintedValue, what, at, ours, published, unit, bound, why)
FIELDS(ModelDescription, name, summary, source, assumptions)
FIELDS(ScenarioResult, name, title, source, file, version, engine, platform_summary, compute_description,
       communication_description, models, points, averages, notes, printed, tolerances, broken_tolerances, wall_s)
#undef FIELDS

/// What belongs to the platform and not to the result.
const std::set<std::string> of_the_platform{"Placement.local_work", "Layout.gpus", "Layout.gpus_missing", "ResourceRecord.link",
                                            "Delivery.way"};

/// Every value below a result with its path, and which fields some struct has otherwise than by default.
struct Listing {
  std::vector<std::string> lines;
  std::map<std::string, bool> set;  ///< "Traffic.bytes"
};

template <class T>
concept HasFields = requires(const T& of) {
  fields_of(of);
};

template <class T>
void list(const T& value, const std::string& path, Listing& all);

template <class T>
std::vector<std::string> lines_of(const T& value) {
  Listing listing;
  list(value, "", listing);
  return listing.lines;
}

template <HasFields T>
void list_fields(const T& value, const std::string& path, Listing& all) {
  const T plain{};
  const auto known = fields_of(value), by_default = fields_of(plain);
  std::vector<std::string> names;
  for (const auto name : std::views::split(std::string_view(known.names), std::string_view(", ")))
    names.emplace_back(name.begin(), name.end());
  const auto one = [&]<std::size_t i>() {
    const std::string field = fmt::format("{}.{}", known.type, names.at(i));
    if (of_the_platform.contains(field)) return;
    const auto& found = std::get<i>(known.fields);
    list(found, path + "." + names.at(i), all);
    all.set[field] |= lines_of(found) != lines_of(std::get<i>(by_default.fields));
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (one.template operator()<i>(), ...); }
  (std::make_index_sequence<std::tuple_size_v<decltype(known.fields)>>{});
}

template <class T>
void list(const T& value, const std::string& path, Listing& all) {
  const auto say = [&](const auto& text) { all.lines.push_back(fmt::format("{} = {}", path, text)); };
  if constexpr (std::is_same_v<T, LocalWork> || std::is_same_v<T, GpuParameters>) {
    static_assert(!HasFields<T>);  // of the platform
  } else if constexpr (HasFields<T>) {
    list_fields(value, path, all);
  } else if constexpr (std::is_same_v<T, Refusal>) {
    say(value.text());
  } else if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
    say(value);
  } else if constexpr (std::is_enum_v<T>) {
    say(static_cast<std::uint64_t>(value));
  } else if constexpr (requires { value.si(); }) {
    say(value.si());
  } else if constexpr (requires { value.has_value(); }) {
    if (value) list(*value, path, all);
  } else if constexpr (std::ranges::range<const T&>) {
    std::size_t i = 0;
    for (const auto& element : value) list(element, fmt::format("{}[{}]", path, i++), all);
  } else if constexpr (requires { value.first; }) {
    list(value.first, path + ".first", all);
    list(value.second, path + ".second", all);
  } else {
    if (value) list(*value, path, all);
  }
}

void set_rest_of_run(RunResult& run) {
  run.unexpected_messages = 3;
  run.imbalance = {.allowed = 0.01, .greatest = 0.009, .mean = 0.004, .samples = 7};
  run.repeated = {true, "routing is adaptive", 7, 3, 5000};
  run.unreceived = {5, 6, {{Rank{1}, Rank{3}, 7, 2, 4}}};
  run.energy = {{10.0, 2.0, 3.0, 0.5, 0.25}, {{"solve", 12.0}, {energy_of_network, 3.75}}, {6.0, 7.0}, 2};
  run.activity_group = 2;
  run.timelines_cut = true;
  run.timelines_bin = Seconds(0.0625);
  run.deliveries = {{Rank{0}, Rank{1}, Seconds(0.125), Seconds(0.25), 8_B},
                    {Rank{1}, Rank{0}, {}, Seconds(0.5), 9_B, 2}};
  run.collective_spans = {{Rank{1}, Operation::bcast, "binomial_tree", 64_KiB, Seconds(0.25), Seconds(0.375)}};
  run.collectives.at(0).name = "gradients";
  run.wall_s = 2.5;
  PathTotals& path = run.critical_path.run;
  path.left_out = Seconds(0.125);
  path.own_limit = Seconds(0.25);
  path.late = Seconds(0.0625);
  path.resources = {{1, Seconds(0.5)}};
  path.computing = {{Rank{1}, Seconds(0.5)}};
  run.critical_path.jobs = {path};
  run.jobs = {{.name = "solve",
               .kernel = "hpl",
               .first = Rank{1},
               .ranks = 2,
               .start = Seconds(0.25),
               .ends = {Seconds(0.5), Seconds(1.0)},
               .together = {2, Seconds(0.375), Seconds(0.25), Seconds(0.5)},
               .alone = {1, Seconds(0.125), Seconds(0.0625), Seconds(0.25)},
               .sent = {7, 64_KiB},
               .shared = {3, 1},
               .links = {{"link a", ResourceKind::link, 32_KiB, 1, Seconds(0.125), Seconds(0.0625)}}}};
}

void set_rest_of_point(PointResult& point) {
  set_rest_of_run(point.run);
  point.measured = Seconds(0.3);
  point.measured_times = {{"communication", Seconds(0.3)}, {"", Seconds(0.7)}};
  point.published_time_s = 6.5;
  point.published_spread = TimeSpread{6.1, 6.7};
  auto& prediction = point.predictions.at(0);
  prediction.computation = Seconds(0.5);
  prediction.overlap = Seconds(0.25);
  prediction.fitted = prediction.of_run = true;
  prediction.notes = {"12 messages are too long"};
  point.other_engine = EngineDifference{
      .engine = "flow",
      .shown_makespan = Seconds(2.0),
      .makespan = Seconds(2.5),
      .phases = {{"communication", 3, Seconds(1.0), Seconds(1.5), {4, Seconds(0.5), Seconds(1.0)}, {5, {}, {}}}},
      .failure = "has no phase 'a' in iteration 0",
      .imbalance = {.allowed = 0.02, .greatest = 0.019, .mean = 0.014, .samples = 8},
      .wall_s = 0.75};
  std::vector<Seconds> times;
  for (int i = 1; i <= 7; ++i) times.emplace_back(0.1 * i);
  point.repeats =
      Repeats{.seeds = {1, 2, 3, 4, 5, 6, 7}, .shown = 4, .times = {stats::repeated_time("communication", times)}};
  point.metrics.at(0).published = 11.0;
  point.network_loads.back().what_if = true;
  point.rounds = {{.shares = {{4.0, 2.5}, {4.0, 5.5}},
                   .run = {.times = {Seconds(0.25), Seconds(0.5)}, .cost = Seconds(0.5)},
                   .known = {}},
                  {.shares = {{4.0, 3.0}, {4.0, 5.0}},
                   .run = {.times = {Seconds(0.375), Seconds(0.375)}, .cost = Seconds(0.375)},
                   .cut_off = Seconds(1.5),
                   .known = {{{10.0, 40.0}}, {{22.0, 44.0}, {23.0, 45.0}}},
                   .predicted = Seconds(0.3),
                   .imbalance = 1.0 / 3.0,
                   .outer = 2,
                   .columns = 3}};
  point.traffic_group = 2;
  point.bound_by = "computation";
  point.failure = "rank 3 waits";
  auto outline = std::make_shared<NetworkOutline>(*point.network_outline);
  outline->form = NetworkForm::torus;
  outline->dimensions = {3, 1};
  outline->rails = 2;
  outline->places.at(2).switches = 4;
  outline->kinds.push_back({"xeon6", "6 cores", 1});
  outline->cells.at(0).type = 1;
  point.network_outline = outline;
}

/// A result that sets every field.
ScenarioResult whole_result() {
  ScenarioResult result = sample::large_result(3, 2);
  result.points.erase(result.points.begin() + 3, result.points.end());
  set_rest_of_point(result.points.at(2));
  ToleranceCheck check{.where = "s.yaml:9:5", .of = ToleranceOf::metric, .against = ToleranceAgainst::published};
  check.model = "taulop";
  check.mode = "timeline";
  check.metric = "speed-up";
  check.conditions = {{"network", "infiniband"}};
  check.bound = {.is_mu = true, .value = 1.5, .least = 0.5, .median = 1.25};
  check.median = 1.125;
  check.compared = 2;
  check.worst = 1.625;
  check.worst_at = "infiniband";
  check.broken = true;
  result.tolerances = {check, {.where = "s.yaml:10:5", .bound = {.value = 0.05}}};
  result.broken_tolerances = {"taulop is too far off"};
  result.printed = {{"rounds", "dfpa-1d", 4.0, 5.0, "s", "within 10 %", "it began elsewhere"}, {"mu", "", 1.5, 1.25}};
  return result;
}

}  // namespace

TEST_SUITE("report/json") {
  TEST_CASE("Every field of a result is read back as it was written") {
    const ScenarioResult result = whole_result();
    Listing written, read;
    list(result, "", written);
    for (const auto& [field, set] : written.set) CHECK_MESSAGE(set, "no result of this test sets " << field);
    list(from_json(to_json(result, {.timelines = true, .full = true}), "result.json"), "", read);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::min(written.lines.size(), read.lines.size()) && shown < 10; ++i)
      if (written.lines[i] != read.lines[i]) {
        ++shown;
        CHECK(written.lines[i] == read.lines[i]);
      }
    CHECK(written.lines.size() == read.lines.size());
  }

  TEST_CASE("A difference in one field of a result is seen") {
    ScenarioResult result = whole_result();
    const auto lines = lines_of(result);
    result.points.at(2).rounds.at(1).known.at(1).at(0).speed = 44.5;
    const auto changed = lines_of(result);
    REQUIRE(lines.size() == changed.size());
    std::vector<std::string> others;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i] != changed[i]) others.push_back(changed[i]);
    CHECK(fmt::format("{}", fmt::join(others, "; ")) == ".points[2].rounds[1].known[1][0].speed = 44.5");
  }

  TEST_CASE("The rounds of a partitioner are left out where they are many and that is said") {
    ScenarioResult result = sample::small_result();
    PartitionRound round{.shares = {}, .run = {}, .known = {}};
    round.known.assign(128, std::vector<SpeedPoint>(30, {10.0, 40.0}));
    result.points[0].rounds = {round, round};
    CHECK(left_out_of_json(result) == "2 rounds of measuring; --full writes them");
    CHECK(from_json(to_json(result), "x").points[0].rounds.empty());
    CHECK(from_json(to_json(result, {.full = true}), "x").points[0].rounds.size() == 2);
    result.points[0].rounds.pop_back();
    CHECK(left_out_of_json(result).empty());
    CHECK(from_json(to_json(result), "x").points[0].rounds.size() == 1);
  }
}

}  // namespace orrery::show
