/// What `show platform` says was built is what the routes are made of: shipped platforms and 200 drawn ones.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "platforms/loader.hpp"
#include "platforms/routes.hpp"
#include "sim/cli/pages/platform_page.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "tests/support/plain_platform.hpp"

using namespace orrery;

namespace {

/// "leaf switch" of "leaf switch 3, ..."; switches of a free graph by whether nodes are on them.
std::string kind_of(const Routes& routes, std::uint32_t number, bool with_nodes) {
  const std::string words = routes.switch_words(number);
  if (words.starts_with("switch '")) return with_nodes ? "switch" : "level-";
  if (words.starts_with("medium '")) return "level-";  // it has no count of its own in the table
  if (words == "the switch") return "switch";
  std::size_t end = words.find(' ');
  while (words[end + 1] != '(' && (words[end + 1] < '0' || words[end + 1] > '9')) end = words.find(' ', end + 1);
  return words.substr(0, end);
}

/// Sums over links, written the long way round: by switch, by kind of its ends and by whether it is global.
struct Graph {
  std::map<std::string, std::uint32_t> switches, adapters;
  std::map<std::tuple<std::string, std::string, bool>, std::uint32_t> links;
  std::vector<double> nics, away;  ///< [switches] towards nodes, and to other kinds or all others
  std::vector<std::string> kinds;
};

Graph graph_of(const Routes& routes) {
  Graph graph;
  const std::uint32_t adapters = routes.adapters();
  graph.nics.resize(routes.switches());
  graph.away.resize(routes.switches());
  for (std::uint32_t i = adapters; i < 2 * adapters; ++i)  // by the incoming NICs
    graph.nics[routes.ends(LinkId{i}).first - adapters] += routes.link(LinkId{i}).bandwidth.si();
  for (std::uint32_t s = 0; s < routes.switches(); ++s) {
    graph.kinds.push_back(kind_of(routes, s, graph.nics[s] > 0.0));
    graph.switches[graph.kinds[s]] += 1;
  }
  for (std::uint32_t i = 0; i < adapters; ++i)
    graph.adapters[graph.kinds[routes.ends(LinkId{i}).second - adapters]] += 1;
  for (auto i = static_cast<std::uint32_t>(index(routes.first_cable())); LinkId{i} < routes.end_of_cables(); ++i) {
    const auto [from, to] = routes.ends(LinkId{i});
    const Link link = routes.link(LinkId{i});
    const std::string a = graph.kinds[from - adapters], b = graph.kinds[to - adapters];
    graph.links[{std::min(a, b), std::max(a, b), link.kind == ResourceKind::global_link}] += 1;
    if (a != b) graph.away[from - adapters] += link.bandwidth.si();
  }
  return graph;
}

std::string plural(const std::string& name) { return name + (name.ends_with("ch") ? "es" : "s"); }

/// Words of the table that must be there, by the graph.
std::vector<std::string> expected_words(const Routes& routes) {
  const Graph graph = graph_of(routes);
  std::vector<std::string> words;
  for (const auto& [kind, count] : graph.switches)
    if (kind != "level-") words.push_back(fmt::format(" {} {}", count, count == 1 ? kind : plural(kind)));
  for (const auto& [kind, count] : graph.adapters) words.push_back(fmt::format(" {} ", count));
  for (const auto& [ends, links] : graph.links) {
    const auto& [a, b, global] = ends;
    if (a != "level-" && b != "level-") words.push_back(fmt::format(" {}{} ", links / 2, global ? " global" : ""));
  }
  // A leaf's oversubscription: the greatest and the least of those with nodes.
  double least = 1e300, most = 0.0;
  for (std::uint32_t s = 0; s < routes.switches(); ++s)
    if (graph.kinds[s] == "leaf switch" && graph.nics[s] > 0.0 && graph.away[s] > 0.0) {
      least = std::min(least, graph.nics[s] / graph.away[s]);
      most = std::max(most, graph.nics[s] / graph.away[s]);
    }
  if (most > 0.0) words.push_back(fmt::format("{:.3g}:1", most));
  if (most > 0.0) words.push_back(fmt::format("{:.3g}:1", least));
  return words;
}

/// Whether some node has several adapters and no two adapters of different numbers meet at a switch: by routes alone.
bool rails_are_apart(const Routes& routes, std::mt19937& random) {
  std::vector<std::uint32_t> number;
  bool several = false;
  for (std::uint32_t i = 0; i < routes.adapters(); ++i) {
    const bool same = i > 0 && routes.node_of(AdapterId{i}) == routes.node_of(AdapterId{i - 1});
    number.push_back(same ? number.back() + 1 : 0);
    several = several || same;
  }
  if (!several) return false;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    std::vector<LinkId> links;
    routes.append_route(AdapterId{a}, AdapterId{b}, links);
    return number[a] != number[b] && links.size() == 2;
  };
  const std::uint32_t count = routes.adapters();
  for (std::uint32_t a = 0; a + 1 < count; ++a)
    for (std::uint32_t b = a + 1; b < std::min(count, a + 40); ++b)
      if (meet(a, b)) return false;
  const auto any = [&] { return static_cast<std::uint32_t>(random() % count); };
  for (int i = 0; i < 2000; ++i)
    if (const std::uint32_t a = any(), b = any(); a != b && meet(a, b)) return false;
  return true;
}

void check_built(const Platform& platform, std::mt19937& random) {
  for (const Network& network : platform.networks) {
    Platform alone = platform;
    alone.networks = {network};
    const auto routes = build_routes(alone, alone.networks[0]);
    const std::string table = cli::built_table(alone.networks, alone, 400);
    std::string stated = cli::stated_text(alone, 4000);
    std::erase(stated, '\n');
    stated.erase(std::ranges::unique(stated, [](char a, char b) { return a == ' ' && b == ' '; }).begin(), stated.end());
    CAPTURE(platform.name);
    CAPTURE(table);
    for (const std::string& word : expected_words(*routes)) {
      CAPTURE(word);
      CHECK(table.find(word) != std::string::npos);
    }
    CHECK((stated.find("each rail has switches of its own") != std::string::npos) == rails_are_apart(*routes, random));
    if (!network.adapters.rail_leaves) continue;
    // Asked for is built: where a node has several adapters, their like meet and others do not.
    CHECK(rails_are_apart(*routes, random) ==
          std::ranges::any_of(network.adapters.at, [](const auto& of_type) { return of_type.size() > 1; }));
  }
}

std::uint32_t drawn(std::mt19937& random, std::uint32_t least, std::uint32_t most) {
  return least + static_cast<std::uint32_t>(random()) % (most - least + 1);
}

Topology drawn_topology(std::mt19937& random) {
  const auto some = [&](std::uint32_t least, std::uint32_t most) { return drawn(random, least, most); };
  switch (some(0, 5)) {
    case 0:
      return StarTopology{};
    case 1:
      return TorusTopology{{some(2, 5), some(1, 4), some(1, 3)}};
    case 2:
      return DragonflyTopology{some(2, 5), 4, some(2, 6), some(1, 2)};
    case 3:
      return DragonflyPlusTopology{some(2, 4), some(2, 4), 4, some(2, 6), some(1, 2)};
    case 4:
      return FatTreeTopology{{some(2, 6), some(2, 4), some(2, 4)}, {1, some(1, 4), some(1, 4)}, {1, some(1, 2), 1}};
    default:
      return FatTreeTopology{{some(3, 16), some(2, 24)}, {1, some(1, 12)}, {1, some(1, 3)}};
  }
}

/// Up to three types of nodes with 0 to 4 adapters each; none where the topology does not hold them.
std::optional<Platform> drawn_platform(std::mt19937& random) {
  Platform platform = test::platform_of(1, drawn_topology(random));
  Network& network = platform.networks[0];
  platform.node_types.resize(drawn(random, 1, 3), platform.node_types[0]);
  platform.node_counts.clear();
  const bool several = drawn(random, 0, 4) > 0;
  for (std::size_t type = 0; type < platform.node_types.size(); ++type) {
    platform.node_types[type].name = fmt::format("type-{}", type);
    platform.node_counts.push_back(drawn(random, 1, 20));
    if (several) network.adapters.at.emplace_back(drawn(random, type == 0 ? 1 : 0, 4), 0u);
  }
  network.adapters.rail_leaves = !std::holds_alternative<StarTopology>(network.topology) &&
                                 !std::holds_alternative<TorusTopology>(network.topology) && drawn(random, 0, 3) > 0;
  try {
    build_routes(platform, network);
  } catch (const InputError&) {
    return std::nullopt;
  }
  return platform;
}

}  // namespace

TEST_SUITE("contract/built networks") {
  TEST_CASE("What the page of every shipped platform says was built is what its routes are made of") {
    std::mt19937 random(29);
    for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/platforms"))
      if (entry.path().extension() == ".yaml") check_built(load_platform(entry.path().string()), random);
  }

  TEST_CASE("What the page of 200 drawn platforms says was built is what their routes are made of") {
    std::mt19937 random(20261123);
    std::uint32_t checked = 0, of_rails = 0, partly = 0;
    while (checked < 200) {
      const auto platform = drawn_platform(random);
      if (!platform) continue;
      check_built(*platform, random);
      const auto& at = platform->networks[0].adapters.at;
      of_rails += platform->networks[0].adapters.rail_leaves ? 1 : 0;
      partly += std::ranges::any_of(at, [](const auto& of_type) { return of_type.empty(); }) ? 1 : 0;
      ++checked;
    }
    CHECK(of_rails > 20);
    CHECK(partly > 20);
  }
}
