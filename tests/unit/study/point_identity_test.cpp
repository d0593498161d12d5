#include <doctest/doctest.h>

#include <set>
#include <string>

#include "sim/study/play/point_player.hpp"
#include "sim/study/read/keys_detail.hpp"

using namespace orrery;

namespace {

/// Addresses of plain options and of such with one member changed; a member that is added does not compile until it is
/// changed here.
std::set<std::string> addresses() {
  std::set<std::string> all{app::identity_of(ReplayOptions{})};
  for (std::size_t i = 0; i < 10; ++i) {
    ReplayOptions options;
    auto& [bins, intervals, tight, staging, approximate, path, seed, progress, ranks, from, until] = options;
    static_cast<void>(progress);
    std::size_t at = 0;
    const auto set = [&](auto& member, auto other) {
      if (at++ == i) member = other;
    };
    set(bins, 3u), set(intervals, 7u), set(tight, true), set(staging, false), set(approximate, 0.01), set(path, true);
    set(seed, 5), set(ranks, std::pair{Rank{1}, Rank{2}}), set(from, 1e-3), set(until, 1.0);
    all.insert(app::identity_of(options));
  }
  return all;
}

std::set<std::string> partitions() {
  const auto& fields = scenario_detail::partition_fields();
  const PartitionSpec plain{.algorithm = "rows", .file = {}, .where = "here"};
  std::set<std::string> all{identity_of(fields, plain)};
  for (std::size_t i = 0; i < 10; ++i) {
    PartitionSpec spec = plain;
    auto& [algorithm, file, where, speeds, time_by, accuracy, processors, processors_where, latency_max, weights,
           played, confirm, assumed] = spec;
    static_cast<void>(where), static_cast<void>(processors_where), static_cast<void>(assumed);  // of messages
    std::size_t at = 0;
    const auto set = [&](auto& member, auto other) {
      if (at++ == i) member = other;
    };
    set(algorithm, "even"), set(file, "a.2dist"), set(speeds, std::vector<double>{1.0, 2.0}), set(time_by, "taulop");
    set(accuracy, 0.1), set(processors, "hcl"), set(latency_max, Seconds(1e-3)), set(weights, CostWeights{1, 2, 3});
    set(played, true), set(confirm, false);
    all.insert(identity_of(fields, spec));
  }
  return all;
}

}  // namespace

TEST_SUITE("app/point identity") {
  TEST_CASE("Results of two runs that differ in any one option have different addresses") {
    CHECK(addresses().size() == 11);
  }
  TEST_CASE("Partitions that differ in any one key are told apart by their table") { CHECK(partitions().size() == 11); }
}
