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

void refused(const std::string& body, const std::string& message) {
  CHECK_THROWS_WITH_AS(parse_simgrid_xml(platform(body), "p.xml"), message.c_str(), InputError);
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
      // The one host of the last leaf is reached over one spine, and reaches others over both.
      CHECK(back.notes == (star ? std::vector<std::string>{}
                                : std::vector<std::string>{
                                      "1 x links are taken in one direction alone: here each has both directions"}));
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
      CHECK(back.notes.empty());
      const Platform again = load(back);
      const auto routes = build_routes(again, again.networks[0]);
      CHECK(routes->switches() == 16 + leaves + 4);
      CHECK(index(routes->end_of_cables()) - index(routes->first_cable()) == 2 * (16 + 4 * leaves));
      std::set<std::string> spines;
      for (std::uint32_t to = 12; to < 16; ++to) spines.insert(test::route_names(*routes, NodeId{0}, NodeId{to}).at(3));
      CHECK(spines.size() == 4);
    }
  }

  TEST_CASE("Routes that other equally short ones replace are noted each way") {
    const std::string links = [] {
      std::string text;
      for (const char* link : {"ax", "xb", "ay", "yb"})
        text += "<link id='" + std::string(link) + "' bandwidth='1GBps' latency='1us' sharing_policy='SPLITDUPLEX'/>\n";
      return text;
    }();
    const std::string two =
        "<zone id='z' routing='Full'>\n<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n" + links +
        "<route src='a' dst='b' symmetrical='NO'><link_ctn id='ax'/><link_ctn id='xb'/></route>\n"
        "<route src='b' dst='a' symmetrical='NO'><link_ctn id='yb'/><link_ctn id='ay'/></route>\n</zone>\n";
    // What leads there and what leads back are taken for one switch: nothing is another way.
    CHECK(parse_simgrid_xml(platform(two), "p.xml").notes.empty());
    const std::string shared = std::string(two).replace(two.find("symmetrical='NO'><link_ctn id='ax'"), 16, "");
    const auto notes = parse_simgrid_xml(platform(shared), "p.xml").notes;
    // Places 0 and 1 hold a and b: what goes to b takes the second of two ways, what goes to a the first.
    CHECK(notes == std::vector<std::string>{
                       "2 x links are taken in one direction alone: here each has both directions",
                       "2 x routes take another way of as many links and the same latency: the graph spreads them by "
                       "their destinations"});
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
    const auto fly = std::get<DragonflyTopology>(topology(" topology='DRAGONFLY' topo_parameters='3,1;1,1;2,1;2'"));
    CHECK(fly.groups == 3);
    CHECK(fly.routers == 2);
    CHECK(fly.nodes == 2);
    CHECK(fly.global_links == 1);
  }

  TEST_CASE("Hosts with static routes become a graph with the same latency and bandwidth") {
    const Platform p = imported(
        "<zone id='z' routing='Full'>\n"
        "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='2Gf' core='2'/>\n"
        "<link id='la' bandwidth='1GBps' latency='1us' sharing_policy='SPLITDUPLEX'/>\n"
        "<link id='lb' bandwidth='2GBps' latency='2us' sharing_policy='SPLITDUPLEX'/>\n"
        "<link id='lc' bandwidth='3GBps' latency='4us' sharing_policy='SPLITDUPLEX'/>\n"
        "<link id='back' bandwidth='500MBps' latency='8us' sharing_policy='SPLITDUPLEX'/>\n"
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
        "<link id='wan' bandwidth='100MBps' latency='5ms' sharing_policy='SPLITDUPLEX'/>\n"
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
                     "<link id='wan' bandwidth='100MBps' latency='5ms' sharing_policy='SPLITDUPLEX'/>\n"
                     "<link id='lan' bandwidth='200MBps' latency='5us' sharing_policy='SPLITDUPLEX'/>\n"
                     "<zoneRoute src='x' dst='y' gw_src='xx_router' gw_dst='yy_router'><link_ctn id='wan'/>"
                     "</zoneRoute>\n"
                     "<zoneRoute src='y' dst='z' gw_src='yy_router' gw_dst='zz_router'><link_ctn id='lan'/>"
                     "</zoneRoute>\n</zone>\n"),
            "p.xml")
            .yaml;
    INFO(yaml);
    for (const char* nodes : {": [0-2]\n", ": [3-4]\n", ": [5]\n"}) CHECK(yaml.find(nodes) != std::string::npos);
  }

  TEST_CASE("What a SimGrid platform says and ours cannot is noted") {
    const auto notes =
        parse_simgrid_xml(
            platform("<zone id='z' routing='Full'><host id='a' speed='1Gf,2Gf'/><host id='b' speed='1Gf' "
                     "availability_file='x'/><link id='l' bandwidth='1GBps' latency='1us'/><link id='f' "
                     "bandwidth='1GBps' sharing_policy='FATPIPE'/><route src='a' dst='b'><link_ctn id='l'/>"
                     "<link_ctn id='f'/></route><storage id='s'/></zone>\n"),
            "p.xml")
            .notes;
    CHECK(notes ==
          std::vector<std::string>{
              "1 x <storage> elements are left out", "1 x hosts have profiles of speed or state: left out",
              "1 x hosts have several power states: the first is used",
              "1 x links are not shared by flows (FATPIPE): here they are",
              "1 x links are shared by both directions (SHARED): here each direction has the whole bandwidth"});
    CHECK(parse_simgrid_xml(
              platform("<config><prop id='smpi/os' value='0:1:0'/><prop id='smpi/bw-factor' value='0.9'/><prop "
                       "id='smpi/send-is-detached-thresh' value='4096'/></config><zone id='z' routing='Full'><host "
                       "id='a' speed='300kf'/><host id='b' "
                       "speed='1Gf'/><link id='o' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/><link id='l' "
                       "bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/><route src='a' dst='a'><link_ctn id='o'/>"
                       "</route><route src='b' dst='b'><link_ctn id='o'/></route><route src='a' dst='b'><link_ctn "
                       "id='l'/></route></zone>\n"),
              "p.xml")
              .notes == std::vector<std::string>{
                            "1 x <config> 'smpi/bw-factor' is left out: write it into 'protocol', as "
                            "'bandwidth-factor' if calibrated with SimGrid up to 3.27, as 'wire-efficiency' if with a "
                            "later one",
                            "1 x <config> 'smpi/os' is left out: write it into 'protocol' where it has a meaning",
                            "1 x hosts slower than 1 Mflop/s are taken as 1 Mflop/s, the minimum here",
                            "2 x routes of a host to itself are left out: ranks of one node talk through its memory"});
    CHECK(parse_simgrid_xml(platform(std::string(cluster) + " bb_bw='20Gbps' bb_lat='1us'/>\n"), "p.xml").notes ==
          std::vector<std::string>{
              "1 x the backbone of cluster 'c' (2.5e+09 B/s shared by all its messages) is not shared "
              "here: its latency and its bandwidth for one message are kept"});
  }

  TEST_CASE("What is no SimGrid platform is refused with file and line") {
    CHECK_THROWS_WITH_AS(
        parse_simgrid_xml("<cluster/>", "p.xml"),
        "p.xml:1: the root element is 'cluster' ('platform' in a SimGrid platform). Is this another file?", InputError);
    CHECK_THROWS_WITH_AS(parse_simgrid_xml("<platform version='3'/>", "p.xml"),
                         "p.xml:1: version is '3' (4 and 4.1 are read). Convert it with simgrid_update_xml?",
                         InputError);
    refused("", "p.xml:1: no host (a platform has one or more). Is this a deployment file?");
    refused("<host speed='1Gf'/>\n", "p.xml:2: <host> has no 'id'. Add it?");
    refused("<host id='a' speed='1Gx'/>\n",
            "p.xml:2: the speed is '1Gx', of an unknown unit (known: f, kf, Mf, Gf, Tf, Pf, Ef). Correct it?");
    refused("<host id='a' speed='fast'/>\n",
            "p.xml:2: the speed is 'fast' (a number of at least 0 with its unit). Correct it?");
    refused("<link id='l' bandwidth='1furlong'/>\n",
            "p.xml:2: the bandwidth is '1furlong', of an unknown unit (known: Bps, kBps, MBps, GBps, bps, kbps, Mbps, "
            "Gbps, "
            "KiBps ...). Correct it?");
    refused("<link id='l' bandwidth='1GBps' latency='1y'/>\n",
            "p.xml:2: the latency is '1y', of an unknown unit (known: s, ms, us, ns, ps). Correct it?");
    refused("<link id='l' bandwidth='1GBps'/>\n<link id='l' bandwidth='1GBps'/>\n",
            "p.xml:3: link 'l' appears twice (ids are unique). Rename one?");
    refused("<route src='a' dst='b'><link_ctn id='l'/></route>\n",
            "p.xml:2: no link 'l' is declared above this line. Is it misspelt?");
    refused(
        "<zone id='z' routing='Vivaldi'/>\n",
        "p.xml:2: zone 'z' has routing 'Vivaldi' (known: Full, Floyd, Dijkstra, DijkstraCache, Cluster). Replace it by "
        "static routes?");
    refused(
        "<cluster id='c' radical='5-2' speed='1Gf' bw='1GBps'/>\n",
        "p.xml:2: the radical of cluster 'c' is '5-2' (numbers and ranges, as '0-7,10', at most 1048576). Correct it?");
    refused(std::string(cluster) + " topology='TORUS' topo_parameters='3;x'/>\n",
            "p.xml:2: topo_parameters is '3;x' (numbers with ',' and ';'). Correct it?");
    refused(
        std::string(cluster) + " topology='DRAGONFLY' topo_parameters='3,1;2,1;2,1;2'/>\n",
        "p.xml:2: the dragonfly has 2 chassis in a group and 1 cables between routers (one and one here: routers of a "
        "group are joined all to all). Write it as zones with routes?");
    refused(std::string(cluster) + " topology='FAT_TREE' topo_parameters='2;4,2;1,0;1,1'/>\n",
            "p.xml: no platform file can describe this: 'up[2]' is '0' outside 1..4096. Choose a value in that range?");
    refused("<cluster id='c' radical='0-3' speed='1Gf' bw='1GBps' loopback_bw='1Bps'/>\n",
            "p.xml: no platform file can describe this: 'copy-bandwidth' is '1B/s' outside 1 kB/s..1000 TB/s. Choose a "
            "value in that range?");
    refused(std::string(cluster) + " topology='TORUS' topo_parameters='3,2'/>\n",
            "p.xml:2: cluster 'c' has 7 hosts in its 'radical', but topo_parameters '3,2' describe a TORUS of 6 (a "
            "place for "
            "each host). Correct one of them?");
  }
}
