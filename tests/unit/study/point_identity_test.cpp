#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/study/play/point_player.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/keys.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/point.hpp"

using namespace orrery;

namespace {

/// Addresses of plain options and of such with one member changed; a member that is added does not compile until it is
/// changed here.
std::set<std::string> addresses() {
  const auto& fields = study::replay_fields();
  std::set<std::string> all{identity_of(fields, ReplayOptions{})};
  for (std::size_t i = 0; i < 12; ++i) {
    ReplayOptions options;
    auto& [bins, intervals, tight, staging, approximate, path, path_events, seed, once, progress, ranks, from, until] =
        options;
    static_cast<void>(progress);
    std::size_t at = 0;
    const auto set = [&](auto& member, auto other) {
      if (at++ == i) member = other;
    };
    set(bins, 3u), set(intervals, 7u), set(tight, true), set(staging, false), set(approximate, 0.01), set(path, true);
    set(path_events, std::size_t{9}), set(seed, 5), set(once, true), set(ranks, std::vector{Rank{1}, Rank{2}}),
        set(from, 1e-3), set(until, 1.0);
    all.insert(identity_of(fields, options));
  }
  return all;
}

std::set<std::string> partitions() {
  const auto& fields = scenario_detail::partition_fields();
  const PartitionSpec plain{.algorithm = "rows", .file = {}, .where = "here"};
  std::set<std::string> all{identity_of(fields, plain)};
  for (std::size_t i = 0; i < 9; ++i) {
    PartitionSpec spec = plain;
    auto& [algorithm, file, where, speeds, accuracy, processors, processors_where, latency_max, weights, played,
           confirm, assumed] = spec;
    static_cast<void>(where), static_cast<void>(processors_where), static_cast<void>(assumed);  // of messages
    std::size_t at = 0;
    const auto set = [&](auto& member, auto other) {
      if (at++ == i) member = other;
    };
    set(algorithm, "even"), set(file, "a.2dist"), set(speeds, std::vector<double>{1.0, 2.0});
    set(accuracy, 0.1), set(processors, "hcl"), set(latency_max, Seconds(1e-3)), set(weights, CostWeights{1, 2, 3});
    set(played, true), set(confirm, false);
    all.insert(identity_of(fields, spec));
  }
  return all;
}

/// A scenario of one point in which every key that a point has stands, with one of them changed.
std::string address_with(const std::string& change) {
  const std::string text =
      "source: test\nplatform: " ORRERY_SOURCE_DIR
      "/platforms/fermi.yaml\nnetwork: ethernet\nengine: flow\nlayout: {ranks: 4}\n"
      "kernel: {name: wave2d}\npartition: {algorithm: beaumont-columns, measuring: free}\ncompute: {seed: 1}\n";
  const std::vector<std::string> changes = change.empty() ? std::vector<std::string>{} : std::vector{change};
  const Scenario scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", changes);
  const auto point = PointLoader(".", scenario.engine).load(scenario.points.front());
  return point.id + identity_of(scenario_detail::scenario_fields(), scenario) +
         (point.staging_in_compute_model ? "" : "messages");
}

/// The same of a scenario of two jobs.
std::string address_of_jobs(const std::string& change) {
  const std::string text = "source: test\nplatform: " ORRERY_SOURCE_DIR
                           "/platforms/fermi.yaml\nnetwork: ethernet\nengine: flow\njobs:\n"
                           "  - {name: a, kernel: {name: ring}, layout: {ranks: 2}}\n"
                           "  - {name: b, kernel: {name: collective}, layout: {ranks: 2}}\n";
  const std::vector<std::string> changes = change.empty() ? std::vector<std::string>{} : std::vector{change};
  const Scenario scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", changes);
  return PointLoader(".", scenario.engine).load(scenario.points.front()).id;
}

/// What is said of points that changes none of their runs.
const std::set<std::string> aside{"title",         "source",   "ignore-memory", "models",    "calibrate",
                                  "validate",      "sweep",    "only",          "choose",    "average-over",
                                  "speed-up-over", "measured", "published",     "tolerance", "search"};

const std::map<std::string, std::string> changes{
    {"platform", "platform.networks.ethernet.latency=30us"},
    {"network", "network=infiniband"},
    {"engine", "engine=both"},
    {"approximate", "approximate=0.01"},
    {"layout", "layout.ranks=8"},
    {"kernel", "kernel.iterations=7"},
    {"partition", "partition.algorithm=rows"},
    {"compute", "compute.noise=0.1"},
    {"gpu-staging", "gpu-staging=messages"},
    {"steady", "steady=1%"},
    {"alike", "alike=once"},
    {"failures", "failures={mtbf: 1h, steps: 2, checkpoint: 1GB, storage: 1GB/s}"},
    {"what-if", "what-if={node: 1, slower: 1%}"}};

}  // namespace

TEST_SUITE("app/point identity") {
  TEST_CASE("Results of two runs that differ in any one option have different addresses") {
    CHECK(addresses().size() == 13);
  }
  TEST_CASE("Every key of a scenario changes the address of a point or is known to change none of its runs") {
    std::set<std::string> all{address_with("")};
    std::size_t changed = 1;
    for (const config::Key& key : scenario_keys().keys) {
      CAPTURE(key.name);
      if (key.name == "jobs") continue;  // in place of kernel and layout: below
      CHECK(aside.contains(key.name) != changes.contains(key.name));
      if (!changes.contains(key.name) || (key.name == "engine" && engine_choices().size() == 1)) continue;
      all.insert(address_with(changes.at(key.name)));
      ++changed;
      CHECK(all.size() == changed);
    }
    CHECK(address_with("title=other") == address_with(""));
  }
  TEST_CASE("Runs of jobs that differ in any one key of a job have different addresses") {
    std::set<std::string> all;
    const std::vector<std::string> changed{"",
                                           "jobs.a.start=1ms",
                                           "jobs.a.repeat=2",
                                           "jobs.a.repeat=until-others-end",
                                           "jobs.a.layout.ranks=3",
                                           "jobs.a.kernel.repetitions=3",
                                           "jobs.a.nodes=random",
                                           "jobs.b.share=true",
                                           "jobs.b.compute.noise=0.1"};
    for (const std::string& change : changed) all.insert(address_of_jobs(change));
    CHECK(all.size() == changed.size());
  }
  TEST_CASE("Partitions that differ in any one key are told apart by their table") { CHECK(partitions().size() == 10); }
}
