/// Readers of files that people write survive damaged files: accepted or refused with a clear error, no crash, no hang.
#include <doctest/doctest.h>

#include <string>

#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "platforms/routes.hpp"
#include "sim/config/files.hpp"
#include "sim/config/reader.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/contract/mutation.hpp"

using namespace orrery;

namespace {

std::string shipped(const std::string& path) { return config::read_file(ORRERY_SOURCE_DIR "/" + path); }

/// Loads a platform and, when it is one, routes from its first to its last node on every network.
void read_platform(const std::string& text) {
  const Platform platform = load_platform(config::parse_yaml(text, "p.yaml"), "p.yaml");
  for (const auto& network : platform.networks) {
    const auto routes = build_routes(platform, network);
    CHECK((platform.nodes() == 1 || routes->bandwidth(NodeId{0}, NodeId{platform.nodes() - 1}).si() > 0.0));
  }
}

const char* every_topology = R"(name: zoo
source: assumed
node-types:
  n:
    count: 12
    sockets: 1
    cores-per-socket: 1
    core-speed: 1Gflop/s
    memory: 1GiB
    memory-bandwidth: 2GB/s
    copy-bandwidth: 1GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 1KiB, handshake: 1, copies: [1, 1]}
networks:
  tree:
    bandwidth: 1GB/s
    latency: 1us
    topology:
      kind: fat-tree
      down: [4, 3]
      up: [1, 2]
      parallel: [1, 2]
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 1KiB, handshake: 1, copies: [0, 0]}
  donut:
    bandwidth: 1GB/s
    latency: 1us
    topology:
      kind: torus
      dimensions: [3, 2, 2]
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 1KiB, handshake: 1, copies: [0, 0]}
  fly:
    bandwidth: 1GB/s
    latency: 1us
    topology:
      kind: dragonfly
      groups: 3
      routers: 2
      nodes: 2
      global-links: 1
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 1KiB, handshake: 1, copies: [0, 0]}
  web:
    bandwidth: 1GB/s
    latency: 1us
    topology:
      kind: graph
      switches: [a, b]
      nodes:
        a: 0-5
        b: [6, 7-11]
      links:
        - between: [a, b]
          bandwidth: 1GB/s
          latency: 1us
    protocol:
      send-overhead:
        - {from: 0B, time: 1us}
        - {from: 1KiB, time: 2us, then-per-byte: 1ns/B}
      receive-overhead: 1us
      eager: 1KiB
      handshake: 1
      copies: [0, 0]
      bandwidth-factor: [{from: 0B, factor: 0.5}]
)";

}  // namespace

TEST_SUITE("contract/fuzz") {
  TEST_CASE("Damaged copies of Fermi are accepted or refused") {
    const auto count = tests::fuzz(shipped("platforms/fermi.yaml"), 300, read_platform);
    CHECK(count.accepted > 10);
    CHECK(count.refused > 100);
  }
  TEST_CASE("Damaged copies of a platform with every topology are accepted or refused") {
    CHECK_NOTHROW(read_platform(every_topology));
    const auto count = tests::fuzz(every_topology, 400, read_platform);
    CHECK(count.accepted > 10);
    CHECK(count.refused > 100);
  }
  TEST_CASE("Damaged copies of a layout table are accepted or refused") {
    const Platform fermi = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
    const std::string table = shipped("scenarios/layouts/rico-gallego16-table1.yaml") +
                              "  S: {ranks: 64, per-node: 16, cores: 1}\n"
                              "  P: {place: [{type: xeon8, nodes: 2, processes: [3, 2], gpus: 1}]}\n";
    const auto count = tests::fuzz(table, 300, [&](const std::string& text) {
      for (const auto& row : load_layouts(config::parse_yaml(text, "l.yaml")).rows) {
        try {
          if (build_layout(fermi, row).ranks() == 0) FAIL_CHECK("a layout without ranks");
        } catch (const InputError&) {  // a row the platform cannot hold
        }
      }
    });
    CHECK(count.accepted > 10);
    CHECK(count.refused > 100);
  }
  TEST_CASE("Damaged copies of a scenario are accepted or refused and so is each of their points") {
    const std::string path = ORRERY_SOURCE_DIR "/scenarios/rico-gallego16-m10.yaml";
    std::uint32_t loaded = 0;
    const auto count = tests::fuzz(config::read_file(path), 300, [&](const std::string& text) {
      const Scenario scenario = parse_scenario(config::parse_yaml(text, path), path, {});
      PointLoader loader(scenario.folder(), scenario.engine);
      for (const auto& point : scenario.points) loaded += loader.load(point).layout.ranks() > 0 ? 1 : 0;
    });
    CHECK(count.accepted > 10);
    CHECK(count.refused > 100);
    CHECK(loaded > count.accepted);
  }
}
