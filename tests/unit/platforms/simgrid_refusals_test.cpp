// What of a SimGrid platform is refused, each message whole.
#include <doctest/doctest.h>

#include "platforms/simgrid_import.hpp"
#include "sim/core/error.hpp"

using namespace orrery;

namespace {

std::string platform(const std::string& body) { return "<platform version=\"4.1\">\n" + body + "</platform>\n"; }

void refused(const std::string& body, const std::string& message) {
  CHECK_THROWS_WITH_AS(parse_simgrid_xml(platform(body), "p.xml"), message.c_str(), InputError);
}

const char* cluster = "<cluster id='c' prefix='n' suffix='' radical='0-5,8' speed='2Gf' core='4' bw='10Gbps' lat='3us'";

}  // namespace

TEST_SUITE("platforms/simgrid refusals") {
  TEST_CASE("What is no SimGrid platform is refused with file and line") {
    CHECK_THROWS_WITH_AS(
        parse_simgrid_xml("<cluster/>", "p.xml"),
        "p.xml:1: the root element is 'cluster' ('platform' in a SimGrid platform). Is this another file?", InputError);
    CHECK_THROWS_WITH_AS(parse_simgrid_xml("<platform version='3'/>", "p.xml"),
                         "p.xml:1: version is '3' (4 and 4.1 are read). Convert it with simgrid_update_xml?",
                         InputError);
    refused("", "p.xml:1: no host (a platform has one or more). Is this a deployment file?");
    const auto in_zone = [](const std::string& body, const std::string& message) {
      refused("<zone id='z' routing='Full'>\n" + body + "</zone>\n", message);
    };
    in_zone("<host speed='1Gf'/>\n", "p.xml:3: <host> has no 'id'. Add it?");
    in_zone("<host id='a' speed='1Gx'/>\n",
            "p.xml:3: the speed is '1Gx', of an unknown unit (known: f, kf, Mf, Gf, Tf, Pf, Ef). Correct it?");
    in_zone("<host id='a' speed='fast'/>\n",
            "p.xml:3: the speed is 'fast' (a number of at least 0 with its unit). Correct it?");
    in_zone("<link id='l' bandwidth='1furlong'/>\n",
            "p.xml:3: the bandwidth is '1furlong', of an unknown unit (known: Bps, kBps, MBps, GBps, bps, kbps, Mbps, "
            "Gbps, "
            "KiBps ...). Correct it?");
    in_zone("<link id='l' bandwidth='1GBps' latency='1y'/>\n",
            "p.xml:3: the latency is '1y', of an unknown unit (known: s, ms, us, ns, ps). Correct it?");
    in_zone("<link id='l' bandwidth='1GBps'/>\n<link id='l' bandwidth='1GBps'/>\n",
            "p.xml:4: link 'l' appears twice (ids are unique). Rename one?");
    const std::string two =
        "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n<link id='l' bandwidth='1GBps' "
        "sharing_policy='SPLITDUPLEX'/>\n";
    in_zone(two + "<route src='a' dst='b'><link_ctn id='k'/></route>\n",
            "p.xml:5: no link 'k' is declared above this line. Is it misspelt?");
    in_zone(two + "<route src='a' dst='b'><link_ctn id='l'/></route>\n",
            "p.xml:5: link 'l' has two directions and none is stated (UP or DOWN). Write 'l_UP'?");
    in_zone(two + "<route src='a' dst='c'><link_ctn id='l_UP'/></route>\n",
            "p.xml:5: 'dst' is 'c', but no host or router of that id is declared above this line. Is it misspelt?");
    in_zone(two + "<host id='a' speed='2Gf'/>\n", "p.xml:5: host 'a' appears twice (ids are unique). Rename one?");
    in_zone(two, "p.xml:3: host 'b' has no route to host 'a' (all hosts of a platform are joined). Add a route?");
    in_zone(two + "<host id='c' speed='1Gf' cores='2'/>\n",
            "p.xml:5: unknown attribute 'cores' of <host> (known: availability_file, coordinates, core, id, pstate, "
            "speed, speed_file, state_file). Did you mean 'core'?");
    in_zone("<hosts/>\n",
            "p.xml:3: unknown element 'hosts' (known: AS, ASroute, actor, argument, backbone, bypassASroute, "
            "bypassRoute, bypassZoneRoute, cabinet, cluster, config, disk, host, host_link, include, link, link_ctn, "
            "model_prop, mount, peer, platform, process, prop, random, route, router, storage, storage_type, trace, "
            "trace_connect, zone, zoneRoute). Did you mean 'host'?");
    in_zone("<peer id='p' speed='1Gf' bw_in='1GBps' bw_out='1GBps'/>\n",
            "p.xml:3: <peer> 'p' is a host whose latencies follow from coordinates (routes here are static). Write it "
            "as a <host> with routes?");
    in_zone(std::string(two).replace(two.find("1GBps"), 5, "1GBps' latency='20s"),
            "p.xml:4: the latency of link 'l_UP' is 20 s (at most 10 s here). Lower it?");
    refused("<host id='a' speed='1Gf'/>\n", "p.xml:2: <host> outside a zone (a zone is around all). Put it into one?");
    refused("<zone id='z' routing='Vivaldi'/>\n",
            "p.xml:2: zone 'z' has routing 'Vivaldi' (known: Full, Floyd, Dijkstra, DijkstraCache, Cluster, None). "
            "Replace it by static routes?");
    refused(
        "<cluster id='c' radical='5-2' speed='1Gf' bw='1GBps'/>\n",
        "p.xml:2: the radical of cluster 'c' is '5-2' (numbers and ranges, as '0-7,10', at most 1048576). Correct it?");
    refused(std::string(cluster) + " topology='TORUS' topo_parameters='3;x'/>\n",
            "p.xml:2: topo_parameters of the TORUS is '3;x' (whole numbers from 1 on, with ',' and ';'). Correct it?");
    refused(
        "<cluster id='c' radical='0-7' speed='1Gf' bw='1GBps' topology='DRAGONFLY' topo_parameters='4,1;1,1;2,1;1'/>\n",
        "p.xml:2: the dragonfly 'c' has 4 groups and 2 routers in a chassis (router g of a chassis leads to group g, "
        "so at least as many routers). Correct topo_parameters?");
    refused(
        "<cluster id='c' radical='0-7' speed='1Gf' bw='1GBps' topology='FAT_TREE' topo_parameters='2;4,2;2,1;1,1'/>\n",
        "p.xml:2: hosts of fat tree 'c' have several cables to their switches, by topo_parameters '2;4,2;2,1;1,1' "
        "(one here). Describe one rail?");
    refused("<cluster id='c' radical='0-3' speed='1Gf' bw='1GBps' loopback_bw='1Bps'/>\n",
            "p.xml:2: the bandwidth of link 'c_link_0_loopback' is 1 B/s (at least 1 kB/s here). Raise it?");
    refused(
        std::string(cluster) + " topology='TORUS' topo_parameters='3,2'/>\n",
        "p.xml:2: cluster 'c' has 7 hosts in its 'radical', but topo_parameters '3,2' describe a TORUS of 6 (a place "
        "for each host, a host for each place). Correct one of them?");
  }
}
