/// What every shipped platform must satisfy. A platform added to platforms/ is covered without touching this file.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "platforms/loader.hpp"
#include "platforms/routes.hpp"

using namespace orrery;

namespace {

std::vector<std::filesystem::path> platform_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/platforms"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

void check_route(const Routes& routes, AdapterId from, AdapterId to) {
  std::vector<LinkId> route;
  routes.append_route(from, to, route);
  if (from == to) {
    CHECK(route.empty());
    return;
  }
  REQUIRE(route.size() >= 2);
  bool joined = routes.ends(route.front()).first == index(from) && routes.ends(route.back()).second == index(to);
  std::set<LinkId> once(route.begin(), route.end());
  Seconds latency;
  LinkId before = route.front();  // but for what is shared beside the links
  for (std::size_t i = 0; i < route.size(); ++i) {
    const Link link = routes.link(route[i]);
    latency += link.latency;
    joined = joined && link.bandwidth.si() > 0.0 && link.latency.si() >= 0.0 && index(route[i]) < routes.links();
    if (i == 0 || routes.is_shared(route[i])) continue;
    joined = joined && routes.ends(before).second == routes.ends(route[i]).first;
    before = route[i];
  }
  CHECK(joined);
  CHECK(once.size() == route.size());
  CHECK(routes.link(route.front()).kind == ResourceKind::nic_out);
  CHECK(routes.link(route.back()).kind == ResourceKind::nic_in);
  if (from != routes.adapter(routes.node_of(from), 0) || to != routes.adapter(routes.node_of(to), 0)) return;
  CHECK(routes.latency(routes.node_of(from), routes.node_of(to)) == latency);
  CHECK(routes.bandwidth(routes.node_of(from), routes.node_of(to)).si() > 0.0);
}

}  // namespace

TEST_SUITE("contract/platforms") {
  TEST_CASE("There are at least two shipped platforms") { CHECK(platform_files().size() >= 2); }

  TEST_CASE("Every platform loads under its file name and describes nodes and networks") {
    for (const auto& file : platform_files()) {
      CAPTURE(file);
      const Platform platform = load_platform(file.string());
      CHECK(platform.name == file.stem().string());
      CHECK(platform.nodes() > 0);
      CHECK_FALSE(platform.networks.empty());
      CHECK(platform.node_types.size() == platform.node_counts.size());
    }
  }
  TEST_CASE("Every parameter of every platform has a source or is assumed") {
    for (const auto& file : platform_files()) {
      CAPTURE(file);
      const Platform platform = load_platform(file.string());
      std::set<std::string> parameters;
      for (const auto& entry : platform.provenance) {
        CAPTURE(entry.parameter);
        CHECK_FALSE(entry.source.empty());
        CHECK_FALSE(entry.value.empty());
        CHECK(parameters.insert(entry.parameter).second);
      }
      // Each node type has at least its nine parameters, each network its seven.
      CHECK(parameters.size() >= 9 * platform.node_types.size() + 7 * platform.networks.size());
    }
  }
  TEST_CASE("Every platform routes between any two adapters on every network") {
    constexpr std::uint32_t all_pairs_max = 512, sampled_pairs = 1000;
    for (const auto& file : platform_files()) {
      const Platform platform = load_platform(file.string());
      for (const auto& network : platform.networks) {
        CAPTURE(file);
        CAPTURE(network.name);
        const auto routes = build_routes(platform, network);
        CHECK(routes->nodes() == platform.nodes());
        const std::uint32_t adapters = routes->adapters();
        CHECK(adapters >= platform.nodes());
        if (adapters <= all_pairs_max) {
          for (std::uint32_t a = 0; a < adapters; ++a)
            for (std::uint32_t b = 0; b < adapters; ++b) check_route(*routes, AdapterId{a}, AdapterId{b});
          continue;
        }
        std::mt19937 random(20261121);
        const auto any_adapter = [&] { return AdapterId{static_cast<std::uint32_t>(random() % adapters)}; };
        for (std::uint32_t i = 0; i < sampled_pairs; ++i) {
          const AdapterId from = any_adapter();
          check_route(*routes, from, any_adapter());
        }
      }
    }
  }
}
