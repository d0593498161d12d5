// Keys of what messages share, and with what they do not go together.
#include "platforms/sharing.hpp"

#include <doctest/doctest.h>

#include "platforms/routes.hpp"
#include "tests/support/platform_text.hpp"

using namespace orrery;
using test::load;

namespace {

const char* const text = R"(name: p
source: s
node-types:
  n: {count: 4, sockets: 2, cores-per-socket: 1, core-speed: 1Gflop/s, memory: 1GiB, memory-bandwidth: 4GB/s, copy-bandwidth: 1GB/s,
      shared-memory: {latency: 1us, send-overhead: 0s, receive-overhead: 0s, eager: 1KiB, handshake: 1, copies: [1, 1]}}
networks:
  lan:
    bandwidth: 1GB/s
    latency: 10us
    # more
    topology:
      kind: graph
      switches: [a, b]
      media: [{name: bus, between: [a, b], bandwidth: 100MB/s, latency: 2us, sharing: half-duplex}]
      links:
        - {name: ab, between: [a, b], bandwidth: 1GB/s, latency: 1us, sharing: half-duplex}
        - {between: [bus, a], bandwidth: 1GB/s, latency: 1us}
      routes: [{from: a, to: b, over: [ab]}]
      nodes: {a: 0, b: [1, 2], bus: 3}
    protocol: {send-overhead: 0s, receive-overhead: 0s, eager: 1KiB, handshake: 1, copies: [0, 0]}
)";

std::string refusal(const std::string& from, const std::string& to) { return test::refusal(text, from, to); }
/// With more keys of the network.
std::string with(const std::string& keys) { return refusal("# more", keys); }

}  // namespace

TEST_SUITE("platforms/sharing") {
  TEST_CASE("Keys of media and links and routes and adapters are read") {
    std::string more = text;
    more.replace(more.find("# more"), 6,
                 "sharing: half-duplex\n    bidirectional-bandwidth: 1.5GB/s\n    nic: {n: {sharing: none}}");
    const Network network = load(more).networks.front();
    const auto& graph = std::get<GraphTopology>(network.topology);
    REQUIRE(graph.media.size() == 1);
    CHECK(graph.media[0].between == std::vector<std::string>{"a", "b"});
    CHECK(graph.media[0].bandwidth == 0.1_GBps);
    CHECK(graph.media[0].latency == 2_us);
    CHECK(graph.media[0].sharing == Sharing::half_duplex);
    const auto link = std::ranges::find(graph.edges, "ab", &GraphTopology::Edge::name);
    REQUIRE(link != graph.edges.end());
    CHECK(link->sharing == Sharing::half_duplex);
    REQUIRE(graph.routes.size() == 1);
    CHECK(graph.routes[0].over == std::vector<std::string>{"ab"});
    CHECK(network.sharing == Sharing::half_duplex);
    CHECK(network.nic(NodeId{0}).sharing == Sharing::none);
    CHECK(network.nic(NodeId{0}).both_ways == 1.5_GBps);
  }

  TEST_CASE("A bus needs no switches and a star may have a backbone") {
    std::string bus = text;
    const auto
        begin = bus.find("      switches:"),
        end = bus.find(
            "    protocol: {send-overhead: 0s, receive-overhead: 0s, eager: 1KiB, handshake: 1, copies: [0, 0]}");
    bus.replace(begin, end - begin, "      media: [{name: bus, bandwidth: 100MB/s}]\n      nodes: {bus: 0-3}\n");
    const Platform platform = load(bus);
    const auto routes = build_routes(platform, platform.networks.front());
    CHECK(routes->bandwidth(NodeId{0}, NodeId{1}) == 0.1_GBps);
    CHECK(routes->switch_words(0) == "medium 'bus'");
    std::string star = text;
    const auto kind = star.find("      kind:");
    star.replace(kind, star.rfind("    protocol:") - kind,
                 "      kind: star\n      backbone: {bandwidth: 100MB/s, latency: 3us, sharing: none}\n");
    const auto backbone = std::get<StarTopology>(load(star).networks.front().topology).backbone;
    REQUIRE(backbone);
    CHECK(backbone->latency == 3_us);
    CHECK(backbone->sharing == Sharing::none);
  }

  TEST_CASE("What is not written as it should be is refused") {
    CHECK(refusal("between: [a, b], bandwidth: 1GB/s", "between: [a, b, bus], bandwidth: 1GB/s") ==
          "p.yaml:16:31: 3 ends (a link has two, one of 'media' any number). Write '[a, b]'?");
    CHECK(refusal("name: ab", "name: bus") == "p.yaml:16:18: 'name' is 'bus' again (names are unique). Remove one?");
    CHECK(refusal("between: [bus, a]", "between: [buss, a]") ==
          "p.yaml:17:22: unknown switch or medium 'buss' (known: a, b, bus). Did you mean 'bus'?");
    CHECK(refusal("between: [a, b], bandwidth: 100MB/s", "between: [a, a], bandwidth: 100MB/s") ==
          "p.yaml:14:40: 'between[2]' is 'a' again (each is on the medium once). Remove one?");
    CHECK(refusal("over: [ab]", "over: [ba]") ==
          "p.yaml:18:16: unknown link or medium 'ba' (known: ab, bus). Did you mean 'ab'?");
    CHECK(refusal("sharing: half-duplex}]", "sharing: full-duplex}]").find("half-duplex, none") != std::string::npos);
  }

  TEST_CASE("What engines do not play together with it is refused") {
    CHECK(
        with("routing: {kind: hash}") ==
        "p.yaml:10:14: 'routing' is hash beside 'routes' (which say one way for each pair). Leave one of the two out?");
    const std::string without_routes = "      routes: [{from: a, to: b, over: [ab]}]\n";
    std::string free = text;
    free.erase(free.find(without_routes), without_routes.size());
    const auto refused = [&](const std::string& keys) { return test::refusal(free, "# more", keys); };
    CHECK(refused("routing: {kind: hash}").empty());
    CHECK(refused("routing: {kind: valiant}") ==
          "p.yaml:10:14: 'routing' is valiant beside 'sharing: half-duplex' of links (its load is that of one "
          "direction). "
          "Use 'kind: hash', or leave 'routing' out?");
    CHECK(refused("congestion: head-of-line") ==
          "p.yaml:10:17: 'congestion' is head-of-line beside 'sharing: half-duplex' of links (which is of full-duplex "
          "networks). Leave 'congestion' out?");
    CHECK(refused("aggregation: {latency: 1us}") ==
          "p.yaml:10:18: 'aggregation' beside 'sharing: half-duplex' of links (switches that reduce are full-duplex). "
          "Leave "
          "one of the two out?");
    CHECK(refused("sharing: none\n    adapters: 2\n    striping: {from: 1MiB, over: 2}")
              .find("'striping' beside 'sharing: none' of adapters (each part would be limited alone). Leave one of "
                    "the two "
                    "out?") != std::string::npos);
    CHECK(refused("sharing: none\n    power: {adapter: 1W, adapter-busy: 2W, switch: 3W}") ==
          "p.yaml:11:12: 'adapter-busy' beside 'sharing: none' of adapters (which have no load). Leave one of the two "
          "out?");
  }

  TEST_CASE("First-in-first-out ports share nothing") {
    for (const char* keys : {"sharing: half-duplex", "sharing: none", "bidirectional-bandwidth: 1.5GB/s"}) {
      std::string star = text;
      const auto kind = star.find("      kind:");
      star.replace(kind, star.rfind("    protocol:") - kind, "      kind: star\n");
      star.replace(star.rfind("copies: [0, 0]"), 14, "copies: [0, 0], discipline: fifo");
      CHECK(test::refusal(star, "# more", "# none").empty());
      CHECK(test::refusal(star, "# more", keys).find("'discipline' is fifo beside ") != std::string::npos);
    }
  }
}
