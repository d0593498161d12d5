#include "platforms/simgrid_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/loader.hpp"
#include "platforms/simgrid_import.hpp"
#include "sim/config/reader.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/simgrid_files.hpp"

using namespace orrery;
using test::near;

namespace {

/// Of two hosts on one link of SimGrid and a platform of ours whose link is `link`.
SimgridComparison compared(const std::string& link) {
  const std::string xml = test::simgrid_file(
      "<zone id='z' routing='Full'>\n<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n<link id='l' "
      "bandwidth='100MBps' latency='10us'/>\n<route src='a' dst='b'><link_ctn id='l'/></route></zone>\n");
  const SimgridElements elements(config::parse_xml(xml, "p.xml"), "p.xml");
  std::string yaml = parse_simgrid_xml(xml, "p.xml").yaml;
  const auto at = yaml.find("bandwidth: 100000000B/s, latency"), end = yaml.find('}', at);
  yaml.replace(at, end - at, link);
  const Platform platform = load_platform(config::parse_yaml(yaml, "p.yaml"), "p.yaml");
  const auto routes = build_routes(platform, platform.networks.front());
  const std::uint32_t nodes[] = {0, 1};
  return compare_ways(elements, SimgridRouting(elements), *routes, nodes);
}

}  // namespace

TEST_SUITE("platforms/simgrid check") {
  TEST_CASE("Messages share a link in equal parts and what one cannot use the others get") {
    // Both take the first resource, of 10 B/s; one of them also the second, of 2 B/s, and a third is alone on it.
    CHECK(fair_shares({{10.0, 2.0}, {{{0}}, {{0}, {1}}, {{1}}}, {100.0, 100.0, 100.0}}) ==
          std::vector<double>{9.0, 1.0, 1.0});
    CHECK(fair_shares({{10.0}, {{{0}}, {{0}}}, {1.0, 100.0}}) == std::vector<double>{1.0, 9.0});
    CHECK(fair_shares({{9.0}, {{{0, 2.0}}, {{0}}}, {100.0, 100.0}}) == std::vector<double>{3.0, 3.0});
  }

  TEST_CASE("A platform that differs from its file is found by latency and by bandwidth and by what is shared") {
    const auto same = compared("bandwidth: 100MB/s, latency: 10us, sharing: half-duplex");
    CHECK(same.latency.compared == 2);
    CHECK(same.latency.differ + same.bandwidth.differ + same.shared.differ == 0);
    const auto slow = compared("bandwidth: 100MB/s, latency: 40us, sharing: half-duplex");
    CHECK(slow.latency.differ == 2);
    CHECK(slow.latency.factor == near(4.0));
    CHECK(slow.latency.built == near(40e-6));
    const auto narrow = compared("bandwidth: 20MB/s, latency: 10us, sharing: half-duplex");
    CHECK(narrow.bandwidth.factor == near(5.0));
    const auto duplex = compared("bandwidth: 100MB/s, latency: 10us");
    CHECK(duplex.bandwidth.differ == 0);
    CHECK(duplex.shared.differ == duplex.shared.compared);
    CHECK(duplex.shared.factor == near(2.0));
    const auto alone = compared("bandwidth: 100MB/s, latency: 10us, sharing: none");
    CHECK(alone.shared.factor == near(alone.shared.built / alone.shared.in_file));
    CHECK(alone.shared.differ > 0);
  }

  TEST_CASE("What differs is said with how many and how far and between which hosts") {
    const auto notes =
        parse_simgrid_xml(test::simgrid_file("<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' "
                                             "bw='125MBps' lat='50us' topology='FAT_TREE' "
                                             "topo_parameters='2;4,4;1,2;1,2' loopback_bw='1GBps'/>\n"),
                          "p.xml")
            .notes;
    CHECK(std::ranges::any_of(notes, [](const std::string& note) {
      return note.find(
                 " of 144 messages of many at once get another bandwidth than in the file: other links are "
                 "shared, by a factor of ") != std::string::npos;
    }));
  }

  TEST_CASE("Pairs without a route are counted and take the shortest way") {
    const auto notes =
        parse_simgrid_xml(test::simgrid_file(
                              "<zone id='z' routing='Full'>\n<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host "
                              "id='c' speed='1Gf'/>\n<link id='l' bandwidth='1MBps' latency='3us'/><link id='m' "
                              "bandwidth='1MBps' latency='3us'/>\n<route src='a' dst='b'><link_ctn id='l'/></route>"
                              "<route src='b' dst='c'><link_ctn id='m'/></route></zone>\n"),
                          "p.xml")
            .notes;
    CHECK(std::ranges::find(notes,
                            "2 pairs of hosts have no route in the file: here they take the shortest way (first "
                            "'a' to 'c')") != notes.end());
  }
}
