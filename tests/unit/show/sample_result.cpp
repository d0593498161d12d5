#include "sample_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::show::sample {

namespace {

Prediction predicted(const std::string& model, const std::string& mode, double time_s,
                     std::vector<PredictionTerm> terms, double wall_s) {
  Prediction prediction{.model = model, .mode = mode, .time = Seconds(time_s), .terms = std::move(terms)};
  prediction.wall_s = wall_s;
  return prediction;
}

/// A repeatable number in [0, 1).
double noise(std::uint64_t seed) {
  std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Layout layout_of(std::uint32_t ranks, const std::string& name) {
  Layout layout{name, {}};
  for (std::uint32_t r = 0; r < ranks; ++r)
    layout.placements.push_back({NodeId{r / 3}, HostId{r}, (r / 3) % 2, r % 3 == 2 ? 1u : 4u, r % 3 == 2, r % 3});
  return layout;
}

/// Columns of equal width, in each of which rectangles of equal height.
Partition partition_of(std::uint32_t ranks, std::uint32_t blocks) {
  Partition partition{blocks, blocks, {}};
  const auto columns = static_cast<std::uint32_t>(std::max(1.0, std::round(std::sqrt(ranks))));
  for (std::uint32_t c = 0, rank = 0; c < columns; ++c) {
    const std::uint32_t here = ranks / columns + (c < ranks % columns ? 1 : 0);
    const std::uint32_t x = blocks * c / columns, width = blocks * (c + 1) / columns - x;
    for (std::uint32_t k = 0; k < here; ++k, ++rank) {
      const std::uint32_t y = blocks * k / here;
      partition.rectangles.push_back({x, y, width, blocks * (k + 1) / here - y});
    }
  }
  return partition;
}

void add_iteration(PointResult& point, std::uint32_t k, double& t, double communication_s) {
  auto& run = point.run;
  const auto ranks = point.layout.ranks();
  const auto phase = static_cast<std::uint32_t>(run.phases.size());
  const double compute_s = 1.7 * communication_s;
  PhaseRecord communication{"communication",
                            k,
                            Seconds(communication_s),
                            Rank{k % ranks},
                            Seconds(t),
                            Seconds(t + communication_s),
                            {{ranks, Bytes(4096.0 * ranks)}, {ranks / 2, Bytes(8192.0)}}};
  PhaseRecord work{"computation",
                   k,
                   Seconds(compute_s),
                   Rank{0},
                   Seconds(t + communication_s),
                   Seconds(t + communication_s + compute_s),
                   {}};
  for (std::uint32_t r = 0; r < ranks; ++r) {
    double now = t;
    const auto spend = [&](Activity activity, double share, Rank peer, double message_B, std::uint32_t in) {
      run.timelines[r].push_back({activity, Seconds(now), Seconds(now + share), peer, Bytes(message_B), in});
      now += share;
    };
    const double a = 0.2 + 0.3 * noise(k * 977u + r), b = 0.2 + 0.2 * noise(k * 31u + r + 5000u);
    spend(Activity::send, a * communication_s, Rank{(r + 1) % ranks}, 65536.0, phase);
    spend(Activity::receive, b * communication_s, Rank{(r + ranks - 1) % ranks}, 65536.0, phase);
    spend(Activity::wait, (1.0 - a - b) * communication_s, any_rank, 0.0, phase);
    const double c = 0.8 + 0.2 * noise(r * 7919u + k);
    spend(Activity::compute, c * compute_s, any_rank, 0.0, phase + 1);
    if (c < 1.0) spend(Activity::barrier, (1.0 - c) * compute_s, any_rank, 0.0, phase + 1);
  }
  t += communication_s + compute_s;
  run.phases.push_back(communication);
  run.phases.push_back(work);
}

void add_shares(PointResult& point) {
  point.run.activity_shares.assign(activities, std::vector<double>(200));
  for (std::uint32_t bin = 0; bin < 200; ++bin) {
    double left = 1.0;
    for (auto& share : point.run.activity_shares) left -= share[bin] = 0.4 * left * (0.5 + noise(bin));
  }
}

/// What the time lines say of each rank, and the resources of their kind.
void add_sums(PointResult& point) {
  auto& run = point.run;
  run.activity_times.assign(activities, std::vector<Seconds>(run.timelines.size()));
  for (std::size_t rank = 0; rank < run.timelines.size(); ++rank)
    for (const auto& interval : run.timelines[rank])
      run.activity_times[static_cast<std::size_t>(interval.activity)][rank] += interval.end - interval.begin;
  for (const auto kind : {ResourceKind::memory, ResourceKind::nic_out, ResourceKind::nic_in}) {
    KindLoad of_kind{.kind = kind, .load = std::vector<double>(100)};
    for (const auto& resource : run.resources) {
      if (resource.kind != kind) continue;
      ++of_kind.resources;
      of_kind.capacity += resource.capacity;
      of_kind.bytes += resource.bytes;
    }
    for (const auto& resource : run.resources)
      for (std::size_t bin = 0; bin < 100 && resource.kind == kind; ++bin)
        of_kind.load[bin] += resource.load[bin] * (resource.capacity / of_kind.capacity);
    run.kind_loads.push_back(std::move(of_kind));
  }
}

void add_resources(PointResult& point) {
  auto& run = point.run;
  for (std::size_t n = 0; n < point.node_names.size(); ++n)
    for (const auto kind : {ResourceKind::memory, ResourceKind::nic_out, ResourceKind::nic_in}) {
      const double level = (kind == ResourceKind::memory ? 0.75 : 0.45) * (0.4 + 0.6 * noise(n * 3 + 17));
      ResourceRecord record{fmt::format("{} of node {}", resource_kind_name(kind), point.node_names[n]),
                            kind,
                            BytesPerSecond(kind == ResourceKind::memory ? 20e9 : 3.2e9),
                            {},
                            {},
                            {}};
      for (int bin = 0; bin < 100; ++bin)
        record.load.push_back(bin % 8 < 3 ? level * (0.7 + 0.3 * noise(static_cast<std::uint64_t>(bin) + n)) : 0.0);
      record.busy = 0.375 * run.makespan;
      record.bytes = level * 0.32 * run.makespan * record.capacity;
      run.resources.push_back(std::move(record));
    }
}

/// Nodes on two leaves and a spine; loads by noise.
std::shared_ptr<const NetworkOutline> tree_of(std::uint32_t nodes) {
  auto outline = std::make_shared<NetworkOutline>();
  outline->title = "fermi, infiniband";
  outline->words = fmt::format("fat tree of 2 levels, {} nodes", nodes);
  outline->levels = {"leaf switches", "spine switches"};
  outline->nic = BytesPerSecond(3.2e9);
  outline->nodes = nodes;
  outline->switches = 3;
  outline->places = {{"0", "leaf switch 0", 1, 0}, {"1", "leaf switch 1", 1, 0}, {"0", "spine switch 0", 1, 1}};
  outline->cables = {{0, 2, 4, BytesPerSecond(12.8e9)}, {1, 2, 1, BytesPerSecond(3.2e9)}};
  outline->kinds = {{"xeon12", "2 x 6 cores", nodes}};
  for (std::uint32_t n = 0; n < nodes; ++n) outline->cells.push_back({n * 2 / nodes, n, n, 1, 0, 1});
  return outline;
}

void add_network(PointResult& point, std::shared_ptr<const NetworkOutline> outline) {
  point.network_outline = std::move(outline);
  for (const auto* phase : {"", "communication"}) {
    NetworkLoads loads{phase, *phase == 0 ? point.run.makespan : point.run.phase_time(phase), {}};
    for (std::size_t s = 0; s < point.network_outline->slots(); ++s) {
      const auto mean = static_cast<float>(std::round(1e4 * 0.4 * noise(s)) / 1e4);
      loads.slots.push_back({mean, mean * (s < 2 ? 2.0f : 1.0f)});
    }
    point.network_loads.push_back(std::move(loads));
  }
}

void add_traffic(PointResult& point) {
  const auto ranks = point.layout.ranks();
  point.traffic.assign(ranks, std::vector<Traffic>(ranks));
  for (std::uint32_t a = 0; a < ranks; ++a)
    for (std::uint32_t b = 0; b < ranks; ++b)
      if (a != b && (a + b) % 5 < 2 && (a > b ? a - b : b - a) < 9)
        point.traffic[a][b] = {1 + (a * 7 + b) % 13, Bytes(8192.0 * (1 + (a * 3 + b * 5) % 40))};
}

/// Each iteration: its slowest rank sends, an incoming NIC holds the transfer back, then the receiver computes.
void add_path(PointResult& point) {
  CriticalPath& path = point.run.critical_path;
  path.kept = true;
  for (const auto& node : point.node_names) path.resources.push_back({"incoming NIC of " + node, ResourceKind::nic_in});
  path.run.time = point.run.makespan;
  PathTotals compared{.phase = "communication", .time = point.run.phase_time("communication")};
  const auto spend = [&](PathKind kind, Rank rank, Rank peer, Seconds begin, Seconds end, std::uint32_t held_by) {
    path.segments.push_back({kind, rank, peer, begin, end, held_by});
    for (PathTotals* of : {&path.run, &compared}) {
      if (of == &compared && kind == PathKind::computation) continue;
      of->kinds[static_cast<std::size_t>(kind)] += end - begin;
      if (held_by < held_by_cap) of->saturated[static_cast<std::size_t>(ResourceKind::nic_in)] += end - begin;
    }
  };
  for (const PhaseRecord& record : point.run.phases) {
    const Rank from = record.slowest, to{static_cast<std::uint32_t>((index(from) + 5) % point.layout.ranks())};
    if (record.phase == "computation") {
      spend(PathKind::computation, to, any_rank, record.begin, record.end, held_by_none);
      continue;
    }
    const Seconds sent = record.begin + 0.2 * record.time, flowing = record.begin + 0.35 * record.time;
    spend(PathKind::send_overhead, from, any_rank, record.begin, sent, held_by_none);
    spend(PathKind::latency, from, to, sent, flowing, held_by_none);
    spend(PathKind::transfer, from, to, flowing, record.end, static_cast<std::uint32_t>(path.resources.size() / 2));
  }
  for (PathTotals* of : {&path.run, &compared})
    of->resources = {{static_cast<std::uint32_t>(path.resources.size() / 2), of->of(ResourceKind::nic_in)}};
  path.phases = {compared};
  path.segments_in_all = path.segments.size();
}

PointResult large_point(std::uint32_t layout, const std::string& kernel, std::uint32_t blocks, bool tcp,
                        std::uint32_t iterations) {
  PointResult point;
  const std::uint32_t ranks = std::min(47u, 2 + 3 * layout);
  point.layout_name = fmt::format("M{}", layout + 1);
  point.settings = {{"kernel", kernel},
                    {"network", tcp ? "ethernet" : "infiniband"},
                    {"kernel.blocks", fmt::format("{}", blocks)},
                    {"layout", point.layout_name}};
  point.asked = {{"kernel.blocks", fmt::format("{}", blocks)}, {"partition.algorithm", "even-grid"}};
  point.id = fmt::format("{}-{}-{}-{}", kernel, blocks, tcp, layout);
  point.kernel = kernel;
  point.platform = "fermi";
  point.network = tcp ? "ethernet" : "infiniband";
  point.compared_phase = "communication";
  point.layout = layout_of(ranks, point.layout_name);
  for (std::uint32_t n = 0; n * 3 < ranks; ++n) point.node_names.push_back(fmt::format("xeon{}-{}", n % 2 ? 6 : 12, n));
  point.partition = partition_of(ranks, blocks);
  point.run.timelines.resize(ranks);
  point.run.engine = "simgrid 3.32";
  const double one = (tcp ? 2.1e-3 : 2.4e-4) * (1.0 + 0.12 * layout) * blocks / 128.0 * (kernel == "summa" ? 1.0 : 0.3);
  double now = 0.0;
  for (std::uint32_t k = 0; k < iterations; ++k) add_iteration(point, k, now, one * (0.9 + 0.2 * noise(k + layout)));
  point.run.makespan = Seconds(now);
  point.run.messages = std::uint64_t{iterations} * ranks * 2;
  add_resources(point);
  add_shares(point);
  add_sums(point);
  add_traffic(point);
  add_path(point);
  point.metrics = {{"Gflop/s", 10.0 * blocks, "Gflop/s"}};
  add_network(point, tree_of(static_cast<std::uint32_t>(point.node_names.size())));
  point.run.collectives = {{Operation::barrier,
                            {},
                            "tree",
                            ranks,
                            Bytes(0.0),
                            iterations,
                            Seconds(0.01 * now),
                            Seconds(0.02 * now / iterations),
                            Seconds(0.002 * now),
                            std::uint64_t{iterations} * 2 * ranks,
                            3},
                           {Operation::bcast,
                            {},
                            "binomial_tree",
                            ranks,
                            Bytes(65536.0),
                            iterations,
                            Seconds(0.2 * now),
                            Seconds(0.3 * now / iterations),
                            Seconds(0.01 * now),
                            std::uint64_t{iterations} * ranks,
                            5}};
  const double simulated_s = point.run.phase_time("communication").si();
  point.simulated = Seconds(simulated_s);
  const double bend = 1.0 + 0.3 * (noise(layout * 11u + blocks) - 0.5);
  point.predictions = {predicted("taulop", "timeline", simulated_s * bend,
                                 {{"2 || T^0(65536) + T^1(262144)", Seconds(3.1e-4), iterations},
                                  {"T^1(65536)", Seconds(4.2e-5), iterations}},
                                 0.01),
                       predicted("taulop", "algebra", simulated_s * bend * 1.12, {}, 0.01),
                       predicted("hloggp", "", simulated_s * (4.0 + 0.5 * layout) * bend,
                                 {{"g + L + 2 o + (m - 1) G", Seconds(9e-5), 40}}, 0.01),
                       predicted("loggp", "", simulated_s * 2.3 / bend, {}, 0.01),
                       predicted("hockney", "", simulated_s * 0.31 * bend, {}, 0.01)};
  point.binding = fmt::format("{} of node {} busy {} %", tcp ? "NIC" : "memory", point.node_names.front(), 60 + layout);
  point.bound_by = tcp ? "NIC" : "memory";
  return point;
}

}  // namespace

ScenarioResult small_result() {
  ScenarioResult result;
  result.name = "ring";
  result.title = "Ring of four ranks on two nodes";
  result.source = "made by formula";
  result.version = "0.1.0";
  result.engine = "simgrid 3.32";
  result.platform_summary = "two nodes, one switch";
  result.models = {{"taulop", "concurrent transfers", "Rico-Gallego et al. 2016", {"all ranks start together"}},
                   {"hockney", "latency and bandwidth", "Hockney 1994", {"no contention"}}};
  for (const std::uint32_t ranks : {2u, 4u}) {
    PointResult point;
    point.id = fmt::format("ring-{}", ranks);
    point.settings = {{"ranks", fmt::format("{}", ranks)}, {"network", "infiniband"}};
    point.kernel = "ring";
    point.platform = "pair";
    point.network = "infiniband";
    point.layout_name = fmt::format("{} ranks", ranks);
    point.compared_phase = "communication";
    point.layout = layout_of(ranks, point.layout_name);
    point.node_names = {"a-0", "a-1"};
    point.partition = partition_of(ranks, 4);
    point.run.timelines.resize(ranks);
    double now = 0.0;
    for (std::uint32_t k = 0; k < 2; ++k) add_iteration(point, k, now, 1e-3 * ranks);
    point.run.engine = result.engine;
    point.run.makespan = Seconds(now);
    add_resources(point);
    add_shares(point);
    add_sums(point);
    add_traffic(point);
    point.simulated = Seconds(2e-3 * ranks);
    point.predictions = {
        predicted("taulop", "timeline", 2.2e-3 * ranks, {{"2 || T^1(65536)", Seconds(1.1e-3), 2}}, 0.25),
        predicted("hockney", "", 0.8e-3 * ranks, {}, 0.125)};
    point.binding = fmt::format("NIC of node a-0 busy {} %", 40 + ranks);
    point.bound_by = "NIC";
    result.points.push_back(std::move(point));
  }
  result.averages = {{{{"network", "infiniband"}}, "taulop", "timeline", 2, 1.1, 1.1, 1.1, 1.16},
                     {{{"network", "infiniband"}}, "hockney", "", 2, 2.5, 2.5, 2.5, {}}};
  result.compute_description = "constant speeds from core counts";
  result.wall_s = 1.5;
  return result;
}

ScenarioResult large_result(std::uint32_t layouts, std::uint32_t iterations) {
  ScenarioResult result;
  result.name = "sample";
  result.title = "SUMMA and Wave2D on Fermi: predicted, simulated and published";
  result.source = "Numbers made by formula, shaped like Rico-Gallego et al. 2016, Table 2";
  result.file = "scenarios/sample.yaml";
  result.version = "0.1.0";
  result.engine = "simgrid 3.32";
  result.platform_summary = "fermi: 24 nodes, 12-core Xeon with one Tesla GPU, InfiniBand QDR and Gigabit Ethernet";
  result.compute_description = "constant speeds from core counts";
  result.communication_description = "barrier before each communication phase";
  result.models = {{"taulop",
                    "Concurrent transfers as a fluid algebra",
                    "Rico-Gallego et al. 2016",
                    {"all ranks enter a phase together", "transfers share a channel evenly"}},
                   {"hloggp", "Heterogeneous LogGP", "Lastovetsky et al. 2009", {"no contention between pairs"}},
                   {"loggp", "LogGP", "Alexandrov et al. 1995", {"one value for all pairs"}},
                   {"hockney", "Latency and bandwidth", "Hockney 1994", {"messages of a rank follow each other"}}};
  for (const bool tcp : {false, true})
    for (const std::string kernel : {"summa", "wave2d"})
      for (const std::uint32_t blocks : {128u, 256u})
        for (std::uint32_t layout = 0; layout < layouts; ++layout)
          result.points.push_back(large_point(layout, kernel, blocks, tcp, iterations));
  for (std::size_t first = 0; first < result.points.size(); first += layouts)
    for (std::size_t m = 0; m < result.points[first].predictions.size(); ++m) {
      Settings cell = result.points[first].settings;
      cell.pop_back();
      const auto& named = result.points[first].predictions[m];
      AverageRow row{cell, named.model, named.mode, layouts, 0.0, 1e300, 0.0, {}};
      for (std::size_t p = first; p < first + layouts; ++p) {
        const double mu = proportional_error(result.points[p].predictions[m].time, *result.points[p].simulated);
        row.mu += mu / layouts;
        row.mu_min = std::min(row.mu_min, mu);
        row.mu_max = std::max(row.mu_max, mu);
      }
      if (m == 0) row.published_mu = 1.16;
      if (m == 2) row.published_mu = 12.44;
      result.averages.push_back(row);
    }
  result.notes = {"the number of Wave2D iterations is assumed (100)"};
  result.wall_s = 93.0;
  return result;
}

}  // namespace orrery::show::sample
