// Imported platforms beside SimGrid's own reading of the same file: each route's latency, and what its links carry.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <simgrid/s4u.hpp>
#include <sstream>

#include "platforms/loader.hpp"
#include "platforms/node_names.hpp"
#include "platforms/routes.hpp"
#include "platforms/simgrid_import.hpp"
#include "platforms/simgrid_routing.hpp"
#include "sim/config/reader.hpp"
#include "sim/engine/isolate.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/simgrid_files.hpp"

using namespace orrery;
using test::near;

namespace {

std::string carried(std::vector<std::string> links) {
  std::ranges::sort(links);
  std::string text;
  for (const std::string& link : links) text += " " + link;
  return text;
}
std::string link_text(double bandwidth, bool fatpipe) { return fmt::format("{:.9g}{}", bandwidth, fatpipe ? "!" : ""); }

struct Found {
  double latency = 0.0, bandwidth = 0.0;
  std::string links;
};
using Table = std::map<std::pair<std::string, std::string>, Found>;

/// "from to latency bandwidth links ...", as SimGrid has them.
std::string simgrid_routes(const std::string& file) {
  std::string name = "test";
  char* arguments[] = {name.data(), nullptr};
  int count = 1;
  simgrid::s4u::Engine engine(&count, arguments);
  engine.load_platform(file);
  engine.seal_platform();
  std::string text;
  const auto hosts = engine.get_all_hosts();
  for (const auto* from : hosts)
    for (const auto* to : hosts) {
      if (from == to) continue;
      std::vector<simgrid::s4u::Link*> links;
      double latency = 0.0, bandwidth = 1e300;
      from->route_to(to, links, &latency);
      std::vector<std::string> texts;
      for (const auto* link : links) {
        bandwidth = std::min(bandwidth, link->get_bandwidth());
        texts.push_back(
            link_text(link->get_bandwidth(), link->get_sharing_policy() == simgrid::s4u::Link::SharingPolicy::FATPIPE));
      }
      text += fmt::format("{} {} {:.17g} {:.17g}{}\n", from->get_cname(), to->get_cname(), latency, bandwidth,
                          carried(texts));
    }
  return text;
}

Table table_of(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string from, to;
    Found found;
    words >> from >> to >> found.latency >> found.bandwidth;
    std::getline(words, found.links);
    table[{from, to}] = found;
  }
  return table;
}

Table simgrid_table(const std::string& xml) {
  const auto file = std::filesystem::temp_directory_path() / ("orrery-simgrid-" + std::to_string(::getpid()) + ".xml");
  std::ofstream(file) << xml;
  const std::string text = engine::run_isolated("SimGrid", [&] { return simgrid_routes(file.string()); });
  std::filesystem::remove(file);
  return table_of(text);
}

}  // namespace

TEST_SUITE("replay/simgrid platforms") {
  TEST_CASE("Routes of a SimGrid platform are read as SimGrid finds them") {
    for (const auto& [name, body] : test::simgrid_files()) {
      CAPTURE(name);
      const std::string xml = test::simgrid_file(body);
      const Table expected = simgrid_table(xml);
      const SimgridElements elements(config::parse_xml(xml, "p.xml"), "p.xml");
      const SimgridRouting routing(elements);
      CHECK(expected.size() == elements.hosts.size() * (elements.hosts.size() - 1));
      SimgridWay way;
      for (std::uint32_t a = 0; a < elements.hosts.size(); ++a)
        for (std::uint32_t b = 0; b < elements.hosts.size(); ++b) {
          if (a == b) continue;
          CAPTURE(elements.hosts[a].name);
          CAPTURE(elements.hosts[b].name);
          const Found& route = expected.at({elements.hosts[a].name, elements.hosts[b].name});
          REQUIRE(routing.way(a, b, way));
          double latency = 0.0;
          std::vector<std::string> links;
          for (const std::uint32_t link : way) {
            latency += elements.links[link].latency;
            links.push_back(link_text(elements.links[link].bandwidth, elements.links[link].fatpipe));
          }
          CHECK(latency == near(route.latency));
          CHECK(carried(links) == route.links);
        }
    }
  }

  TEST_CASE("An imported platform has the routes that SimGrid finds in the file") {
    for (const auto& [name, body] : test::simgrid_files()) {
      CAPTURE(name);
      const std::string xml = test::simgrid_file(body);
      const ImportedPlatform imported = parse_simgrid_xml(xml, "p.xml");
      INFO(imported.yaml);
      const bool differs = std::ranges::any_of(
          imported.notes, [](const std::string& note) { return note.find("than in the file") != std::string::npos; });
      CHECK(differs == name.starts_with('~'));
      if (differs) continue;
      const Platform platform = load_platform(config::parse_yaml(imported.yaml, "p.yaml"), "p.yaml");
      const auto routes = build_routes(platform, platform.networks.front());
      std::map<std::string, NodeId> nodes;
      std::uint32_t first = 0;
      for (std::size_t type = 0; type < platform.node_types.size(); ++type) {
        std::uint32_t node = first;
        for (const std::string& host : expanded_names(platform.node_types[type].names)) nodes[host] = NodeId{node++};
        CHECK(node - first == platform.node_counts[type]);
        first = node;
      }
      for (const auto& [ends, route] : simgrid_table(xml)) {
        CAPTURE(ends.first);
        CAPTURE(ends.second);
        const NodeId from = nodes.at(ends.first), to = nodes.at(ends.second);
        CHECK(routes->latency(from, to).si() == near(route.latency));
        CHECK(routes->bandwidth(from, to).si() == near(route.bandwidth));
      }
    }
  }
}
