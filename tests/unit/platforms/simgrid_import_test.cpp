#include "platforms/simgrid_import.hpp"

#include <doctest/doctest.h>

#include <set>

#include "platforms/graph.hpp"
#include "platforms/loader.hpp"
#include "platforms/routes.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/play/smpi_export.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/route_names.hpp"

using namespace orrery;
using test::near;

namespace {

std::string platform(const std::string& body) { return "<platform version=\"4.1\">\n" + body + "</platform>\n"; }

Platform load(const ImportedPlatform& imported) {
  INFO(imported.yaml);
  return load_platform(config::parse_yaml(imported.yaml, "imported.yaml"), "imported.yaml");
}
Platform imported(const std::string& body) { return load(parse_simgrid_xml(platform(body), "p.xml")); }

/// Without what is said of every file: SMPI's factors, and loopbacks.
std::vector<std::string> notes_of(const ImportedPlatform& imported) {
  std::vector<std::string> notes;
  for (const std::string& note : imported.notes)
    if (!note.starts_with("SMPI multiplies") && note.find("between ranks of one") == std::string::npos)
      notes.push_back(note);
  return notes;
}
std::vector<std::string> notes_of(const std::string& body) {
  return notes_of(parse_simgrid_xml(platform(body), "p.xml"));
}

const char* cluster = "<cluster id='c' prefix='n' suffix='' radical='0-5,8' speed='2Gf' core='4' bw='10Gbps' lat='3us'";

}  // namespace

TEST_SUITE("platforms/simgrid-import") {
  TEST_CASE("Names become lower case letters and digits and stay different") {
    const auto named = [](const std::string& id) {
      return imported("<cluster id='" + id + "' radical='0-1' speed='1Gf' bw='1GBps'/>\n").node_types[0].name;
    };
    CHECK(named("Graphene") == "graphene");
    CHECK(named("AZaz09") == "azaz09");
    CHECK(named("my_cluster.") == "my-cluster");
    CHECK(named("...") == "x");
  }

  TEST_CASE("A SimGrid cluster becomes a star whose latency is both links together") {
    const Platform p = imported(std::string(cluster) + "/>\n");
    CHECK(p.name == "p");
    CHECK(p.nodes() == 7);
    CHECK(p.node_types[0].names == "n[0-5,8]");
    CHECK(p.node_types[0].name == "c");
    CHECK(p.node_types[0].cores() == 4);
    CHECK(p.node_types[0].core_speed.si() == 2e9);
    CHECK(p.networks[0].bandwidth.si() == near(1.25e9));
    CHECK(p.networks[0].latency.si() == near(6e-6));
    CHECK(std::holds_alternative<StarTopology>(p.networks[0].topology));
  }

  TEST_CASE("A platform exported to SimGrid and imported again has the same routes") {
    for (const bool star : {true, false}) {
      Platform p = imported(std::string(cluster) + "/>\n");
      if (!star) {
        p.networks[0].topology = FatTreeTopology{{2, 4}, {1, 2}, {1, 1}};
        p.networks[0].link_bandwidth = BytesPerSecond(5e8);
        p.networks[0].link_latency = 1_us;
      }
      const ImportedPlatform back = parse_simgrid_xml(study::simgrid_xml(p, p.networks[0]), "p.xml");
      const Platform again = load(back);
      CHECK(notes_of(back).empty());
      REQUIRE(again.nodes() == p.nodes());
      CHECK(again.node_types[0].cores() == p.node_types[0].cores());
      const auto before = build_routes(p, p.networks[0]), after = build_routes(again, again.networks[0]);
      for (std::uint32_t from = 0; from < p.nodes(); ++from)
        for (std::uint32_t to = 0; to < p.nodes(); ++to) {
          if (from == to) continue;
          CHECK(after->latency(NodeId{from}, NodeId{to}).si() == near(before->latency(NodeId{from}, NodeId{to}).si()));
          CHECK(after->bandwidth(NodeId{from}, NodeId{to}).si() ==
                near(before->bandwidth(NodeId{from}, NodeId{to}).si()));
        }
    }
  }

  TEST_CASE("One-way links of an exported fat tree become its cables again and destinations keep their spines") {
    for (const std::uint32_t leaves : {2u, 4u}) {
      Platform p = imported("<cluster id='c' radical='0-15' speed='1Gf' bw='1GBps' lat='1us'/>\n");
      p.networks[0].topology = FatTreeTopology{{16 / leaves, leaves}, {1, 4}, {1, 1}};
      const ImportedPlatform back = parse_simgrid_xml(study::simgrid_xml(p, p.networks[0]), "p.xml");
      CHECK(notes_of(back).empty());
      const Platform again = load(back);
      const auto routes = build_routes(again, again.networks[0]);
      CHECK(routes->switches() == 16 + leaves + 4);
      CHECK(index(routes->end_of_cables()) - index(routes->first_cable()) == 2 * (16 + 4 * leaves));
      std::set<std::string> spines;
      for (std::uint32_t to = 12; to < 16; ++to) spines.insert(test::route_names(*routes, NodeId{0}, NodeId{to}).at(3));
      CHECK(spines.size() == 4);
    }
  }

  TEST_CASE("Routes that are not the shortest ways of the graph are written as they are") {
    const std::string links = [] {
      std::string text;
      for (const char* link : {"ax", "xb", "ay", "yb"})
        text += "<link id='" + std::string(link) + "' bandwidth='1GBps' latency='1us'/>\n";
      return text;
    }();
    const ImportedPlatform both = parse_simgrid_xml(
        platform(
            "<zone id='z' routing='Dijkstra'>\n<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='x' "
            "speed='1Gf'/><host id='y' speed='1Gf'/>\n" +
            links +
            "<route src='a' dst='x'><link_ctn id='ax'/></route><route src='x' dst='b'><link_ctn id='xb'/></route>\n"
            "<route src='a' dst='y'><link_ctn id='ay'/></route><route src='y' dst='b'><link_ctn id='yb'/></route>\n"
            "<bypassRoute src='b' dst='a'><link_ctn id='yb'/><link_ctn id='ay'/></bypassRoute></zone>\n"),
        "p.xml");
    CHECK(notes_of(both).empty());
    CHECK(both.yaml.find("{from: \"a\", to: \"b\", over: [\"ax\", \"xb\"]}") != std::string::npos);
    CHECK(both.yaml.find("{from: \"b\", to: \"a\", over: [\"yb\", \"ay\"]}") != std::string::npos);
    CHECK(both.checked == "12 routes and 36 messages at once");
  }

  TEST_CASE("Nodes of several kinds keep their cores when exported to SimGrid and imported again") {
    Platform p = imported(std::string(cluster) + "/>\n");
    p.node_types.push_back(p.node_types[0]);
    p.node_types[1].name = "wide";
    p.node_types[1].cores_per_socket = 16;
    p.node_counts = {7, 2};
    const Platform again = load(parse_simgrid_xml(study::simgrid_xml(p, p.networks[0]), "p.xml"));
    REQUIRE(again.node_types.size() == 2);
    CHECK(again.node_counts == std::vector<std::uint32_t>{7, 2});
    CHECK(again.node_types[0].cores() == 4);
    CHECK(again.node_types[1].cores() == 16);
    const auto routes = build_routes(again, again.networks[0]);
    CHECK(routes->latency(NodeId{0}, NodeId{1}).si() == near(6e-6));
    CHECK(routes->latency(NodeId{0}, NodeId{8}).si() == near(6e-6));
  }

  TEST_CASE("Cluster topologies become ours") {
    const std::string open = std::string(cluster).replace(std::string(cluster).find("0-5,8"), 5, "0-11");
    const auto topology = [&](const std::string& attributes) {
      return imported(open + attributes + "/>\n").networks[0].topology;
    };
    const auto tree = std::get<FatTreeTopology>(topology(" topology='FAT_TREE' topo_parameters='2;4,3;1,2;1,2'"));
    CHECK(tree.down == std::vector<std::uint32_t>{4, 3});
    CHECK(tree.parallel == std::vector<std::uint32_t>{1, 2});
    CHECK(std::get<TorusTopology>(topology(" topology='TORUS' topo_parameters='3,2,2'")).dimensions ==
          std::vector<std::uint32_t>{3, 2, 2});
    const auto fly = std::get<GraphTopology>(topology(" topology='DRAGONFLY' topo_parameters='3,1;1,1;4,1;1'"));
    CHECK(fly.switches.size() == 12);
    CHECK(fly.edges.size() == 12 + 3 * 6 + 3);  // nodes, routers of each group, one bundle for two groups
  }

  TEST_CASE("Hosts with static routes become a graph with the same latency and bandwidth") {
    const Platform p = imported(
        "<zone id='z' routing='Full'>\n"
        "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='2Gf' core='2'/>\n"
        "<link id='la' bandwidth='1GBps' latency='1us'/>\n"
        "<link id='lb' bandwidth='2GBps' latency='2us'/>\n"
        "<link id='lc' bandwidth='3GBps' latency='4us'/>\n"
        "<link id='back' bandwidth='500MBps' latency='8us'/>\n"
        "<route src='a' dst='b'><link_ctn id='la'/><link_ctn id='lb'/></route>\n"
        "<route src='a' dst='c'><link_ctn id='la'/><link_ctn id='back'/><link_ctn id='lc'/></route>\n"
        "<route src='b' dst='c'><link_ctn id='lb'/><link_ctn id='back'/><link_ctn id='lc'/></route>\n</zone>\n");
    const auto routes = build_routes(p, p.networks[0]);
    CHECK(p.node_types.size() == 2);
    CHECK(routes->latency(NodeId{0}, NodeId{1}).si() == near(3e-6));
    CHECK(routes->latency(NodeId{0}, NodeId{2}).si() == near(13e-6));
    CHECK(routes->latency(NodeId{2}, NodeId{1}).si() == near(14e-6));
    CHECK(routes->bandwidth(NodeId{0}, NodeId{1}).si() == near(1e9));
    CHECK(routes->bandwidth(NodeId{1}, NodeId{2}).si() == near(5e8));
  }

  TEST_CASE("Clusters in zones become switches joined by the routes between zones") {
    const Platform p = imported(
        "<zone id='grid' routing='Floyd'>\n"
        "<cluster id='x' prefix='x' suffix='' radical='0-2' speed='1Gf' bw='1GBps' lat='1us'/>\n"
        "<cluster id='y' prefix='y' suffix='' radical='0-1' speed='2Gf' bw='1GBps' lat='1us'/>\n"
        "<link id='wan' bandwidth='100MBps' latency='5ms'/>\n"
        "<zoneRoute src='x' dst='y' gw_src='xx_router' gw_dst='yy_router'><link_ctn id='wan'/></zoneRoute>\n</zone>\n");
    const auto routes = build_routes(p, p.networks[0]);
    CHECK(p.nodes() == 5);
    CHECK(routes->latency(NodeId{0}, NodeId{2}).si() == near(2e-6));
    CHECK(routes->latency(NodeId{0}, NodeId{4}).si() == near(5.002e-3));
    CHECK(routes->bandwidth(NodeId{0}, NodeId{4}).si() == near(1e8));
  }

  TEST_CASE("Nodes of a switch are written as ranges of those that follow each other") {
    const std::string yaml =
        parse_simgrid_xml(
            platform("<zone id='grid' routing='Floyd'>\n"
                     "<cluster id='x' prefix='x' suffix='' radical='0-2' speed='1Gf' bw='1GBps' lat='1us'/>\n"
                     "<cluster id='y' prefix='y' suffix='' radical='0-1' speed='2Gf' bw='1GBps' lat='1us'/>\n"
                     "<cluster id='z' prefix='z' suffix='' radical='0' speed='2Gf' bw='1GBps' lat='1us'/>\n"
                     "<link id='wan' bandwidth='100MBps' latency='5ms'/>\n"
                     "<link id='lan' bandwidth='200MBps' latency='5us'/>\n"
                     "<zoneRoute src='x' dst='y' gw_src='xx_router' gw_dst='yy_router'><link_ctn id='wan'/>"
                     "</zoneRoute>\n"
                     "<zoneRoute src='y' dst='z' gw_src='yy_router' gw_dst='zz_router'><link_ctn id='lan'/>"
                     "</zoneRoute>\n</zone>\n"),
            "p.xml")
            .yaml;
    INFO(yaml);
    for (const char* nodes : {": [0-2]\n", ": [3-4]\n", ": [5]\n"}) CHECK(yaml.find(nodes) != std::string::npos);
  }

  TEST_CASE("What a SimGrid platform says and ours cannot is noted with the line where it first stands") {
    CHECK(
        notes_of("<zone id='z' routing='Full'>\n<host id='a' speed='1Gf,2Gf' pstate='1'><prop id='rack' value='7'/>"
                 "</host>\n<host id='b' speed='300kf' speed_file='x' state_file='y'/>\n<link id='l' bandwidth='1GBps' "
                 "bandwidth_file='z' latency_file='' state_file='w'/>\n<route src='a' dst='b'><link_ctn "
                 "id='l'/></route><storage id='s' typeId='t' attach='a'/></zone>\n") ==
        std::vector<std::string>{
            "1 x a host has several power states: here it stays in the one that the file starts with (speed, pstate) "
            "(first in line 3)",
            "1 x a profile changes a host's speed over time: here it is constant (speed_file) (first in line 4)",
            "1 x a profile changes a link's bandwidth over time: here it is constant (bandwidth_file) (first in line "
            "5)",
            "1 x a profile turns a host off and on: here it is always on (state_file) (first in line 4)",
            "1 x a profile turns a link off and on: here it is always on (state_file) (first in line 5)",
            "1 x disks and storage are left out: programs here read and write no files (first in line 6)",
            "1 x hosts slower than 1 Mflop/s are taken as 1 Mflop/s, the minimum here (first in line 4)",
            "1 x property 'rack' of hosts is left out (first in line 3)"});
  }

  TEST_CASE("A link that joins more than two ends is a medium") {
    const Platform p = imported(
        "<zone id='z' routing='Full'>\n<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
        "<link id='bus' bandwidth='1MBps' latency='3us'/>\n"
        "<route src='a' dst='b'><link_ctn id='bus'/></route><route src='a' dst='c'><link_ctn id='bus'/></route>\n"
        "<route src='b' dst='c'><link_ctn id='bus'/></route></zone>\n");
    const auto& graph = std::get<GraphTopology>(p.networks[0].topology);
    REQUIRE(graph.media.size() == 1);
    CHECK(graph.media[0].between.size() == 3);
    const auto routes = build_routes(p, p.networks[0]);
    CHECK(routes->latency(NodeId{0}, NodeId{2}).si() == near(3e-6));
    CHECK(routes->bandwidth(NodeId{1}, NodeId{2}).si() == near(1e6));
  }

  TEST_CASE("A cluster keeps its backbone and limiter and loopback and what its hosts draw") {
    const Platform p = imported(
        "<zone id='z' routing='Full'>\n"
        "<cluster id='c' prefix='n' suffix='.lab' radical='0-3' speed='1Gf' core='2' bw='1GBps' lat='3us' "
        "bb_bw='2GBps' "
        "bb_lat='50us' limiter_link='1.5GBps' loopback_bw='5GBps' loopback_lat='1us'><prop id='wattage_per_state' "
        "value='90:95:200'/></cluster>\n"
        "<cluster id='d' prefix='m' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='3us' loopback_bw='7GBps' "
        "loopback_lat='2us' sharing_policy='SHARED'/>\n<link id='up' bandwidth='500MBps' latency='10us'/>\n"
        "<zoneRoute src='c' dst='d' gw_src='nc_router.lab' gw_dst='md_router'><link_ctn "
        "id='up'/></zoneRoute></zone>\n");
    CHECK(p.node_types[0].names == "n[0-3].lab");
    CHECK(p.node_types[0].copy_bandwidth.si() == near(5e9));
    CHECK(p.node_types[1].copy_bandwidth.si() == near(7e9));
    CHECK(p.node_types[1].shared_memory_latency.si() == near(2e-6));
    CHECK(p.node_types[0].power->computing.si() == near(200.0));
    CHECK(p.node_types[0].power->communicating.si() == near(90.0));
    CHECK(p.networks[0].nic(NodeId{0}).both_ways.si() == near(1.5e9));
    CHECK(p.networks[0].nic(NodeId{4}).sharing == Sharing::half_duplex);
    const auto routes = build_routes(p, p.networks[0]);
    CHECK(routes->latency(NodeId{0}, NodeId{1}).si() == near(56e-6));
    CHECK(routes->latency(NodeId{0}, NodeId{4}).si() == near(66e-6));
  }

  TEST_CASE("Cabinets and host links of a zone are hosts with their links") {
    const Platform p = imported(
        "<zone id='z' routing='Cluster'>\n<host id='front.end' speed='2Gf'/>\n"
        "<link id='f' bandwidth='1GBps' latency='1us' sharing_policy='SPLITDUPLEX'/>\n"
        "<host_link id='front.end' up='f_UP' down='f_DOWN'/>\n"
        "<cabinet id='r' prefix='r' suffix='' radical='0-15' speed='1Gf' bw='2GBps' lat='2us'/>\n"
        "<backbone id='bb' bandwidth='4GBps' latency='5us'/></zone>\n");
    CHECK(p.nodes() == 17);
    CHECK(p.node_types[0].names == "front.end");
    const auto routes = build_routes(p, p.networks[0]);
    CHECK(routes->latency(NodeId{0}, NodeId{1}).si() == near(8e-6));
    CHECK(routes->latency(NodeId{1}, NodeId{16}).si() == near(9e-6));
  }
}
