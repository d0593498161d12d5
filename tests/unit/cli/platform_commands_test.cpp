#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "platforms/loader.hpp"
#include "sim/cli/pages/network_picture.hpp"
#include "sim/cli/pages/node_picture.hpp"
#include "sim/cli/pages/platform_page.hpp"
#include "sim/cli/pages/platform_template.hpp"
#include "sim/config/files.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/read/load.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::cli;
using test::near;

namespace {

const Platform& fermi() {
  static const Platform platform = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
  return platform;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Platform shipped(const std::string& name) { return load_platform(ORRERY_SOURCE_DIR "/platforms/" + name + ".yaml"); }

/// Lines of a paragraph in one.
std::string unwrapped(std::string text) {
  for (auto at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ")) text.replace(at, 3, " ");
  return text;
}

/// A file with this text under the system's folder for temporary files.
std::string temporary(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("orrery-platform-commands-" + name);
  config::write_file(path.string(), text);
  return path.string();
}

}  // namespace

TEST_SUITE("app/platform") {
  TEST_CASE("The new platform file is a platform with the name asked for") {
    const Platform platform = load_platform(config::parse_yaml(platform_template("mine"), "mine.yaml"), "mine.yaml");
    CHECK(platform.name == "mine");
    CHECK(platform.nodes() == 16);
    CHECK(platform.networks[0].protocol.send_overhead(4_KiB) == near(0.4e-6));
  }
  TEST_CASE("The page of a network has its rows of the page of the platform and no other network's") {
    const std::string whole = platform_page(fermi(), false, 400);
    const Network& infiniband = fermi().network("infiniband", "test");
    const std::string page = network_page(fermi(), {&infiniband, 1}, 400);
    CHECK(page.find("ethernet") == std::string::npos);
    std::size_t rows = 0;
    for (std::size_t at = 0, end = 0; at < page.size(); at = end + 1) {
      end = page.find('\n', at);
      const std::string row = page.substr(at, end - at);
      if (row.find("infiniband") == std::string::npos) continue;
      ++rows;
      // The tables of the platform have other rows as well, which may be wider.
      const std::string last = row.substr(row.find_last_of(' ') + 1);
      CHECK(whole.find(last) != std::string::npos);
    }
    CHECK(rows >= 2 + 3);  // as described, as built, and three kinds of pairs
    CHECK(network_page(fermi(), fermi().networks, 400).find("ethernet") != std::string::npos);
  }
  TEST_CASE("The new platform file stays valid with its commented parts switched on") {
    std::string text = platform_template("mine");
    for (const std::string part : {"link-bandwidth", "link-latency", "handshake-request", "progress", "waiting",
                                   "probe-overhead", "detach", "unexpected-copy", "latency-factor", "gpu-direct",
                                   "fabric", "adapters", "message-rate", "striping", "routing"}) {
      const auto at = text.find("# " + part);
      REQUIRE(at != std::string::npos);
      text.erase(at, 2);
    }
    CHECK_NOTHROW(load_platform(config::parse_yaml(text, "mine.yaml"), "mine.yaml"));
    for (const std::string kind :
         {"fat-tree, down: [8, 2]", "fat-tree, down: [8, 4]", "torus", "dragonfly,", "dragonfly-plus"}) {
      std::string other = platform_template("mine");
      other.replace(other.find("    topology: {kind: star}"), 26, "    #");
      other.erase(other.find("# topology: {kind: " + kind), 2);
      CAPTURE(kind);
      CHECK_NOTHROW(load_platform(config::parse_yaml(other, "mine.yaml"), "mine.yaml"));
    }
  }
  TEST_CASE("A platform whose nodes make no copies says so instead of a bandwidth of nothing") {
    Platform platform = fermi();
    for (auto& type : platform.node_types) type.shared_memory.copies = {0, 0};
    const std::string page = platform_page(platform, false, 400);
    CHECK(count_of(page, "no copies") == platform.node_types.size());
    CHECK(count_of(page, " 0 B/s") == 0);
    CHECK(count_of(platform_page(fermi(), false, 400), "no copies") == 0);
  }
  TEST_CASE("Files are checked by kind") {
    const auto check = [](const std::string& path) { return kind_of(path).check(path); };
    CHECK(check(ORRERY_SOURCE_DIR "/platforms/fermi.yaml").starts_with("platform 'fermi', 16 nodes, 2 networks, "));
    CHECK(check(ORRERY_SOURCE_DIR "/scenarios/layouts/rico-gallego16-table1.yaml") ==
          "layouts 'rico-gallego16-table1', 16 rows, all fit 'fermi'");
    CHECK(check(ORRERY_SOURCE_DIR "/scenarios/rico-gallego16-m10.yaml").starts_with("scenario 'rico-gallego16-m10', "));
    const std::string costs =
        temporary("costs.yaml",
                  "platform: fermi\nnetwork: ethernet\nmodels:\n  barrier-matrix:\n    matrices:\n      - {name: L, "
                  "unit: s, rows: nodes, values: [[-1]]}\n");
    const std::string scenario =
        temporary("reads-costs.yaml",
                  "source: none\nplatform: fermi\nnetwork: ethernet\nlayout: {ranks: 4}\nkernel: {name: barrier}\n"
                  "models: [barrier-matrix]\ncalibrate: {files: [" +
                      costs + "]}\n");
    CHECK_THROWS_WITH_AS(check(scenario),
                         (costs + ":6:51: barrier-matrix, matrix 'L': from 0 to 0 it is -1 (0..1000 s). "
                                  "Correct it?")
                             .c_str(),
                         InputError);
    const std::string other = temporary("other.yaml", "colour: red\n");
    CHECK_THROWS_WITH_AS(kind_of(other), doctest::Contains("other.yaml:1:1: is not a kind of file Orrery knows ("),
                         InputError);
    for (const auto& file : {costs, scenario, other}) std::filesystem::remove(file);
  }
  TEST_CASE("A platform is found by name or file and an unknown one suggests another") {
    CHECK(load_platform_named("fermi", "--platform").name == "fermi");
    CHECK_THROWS_WITH_AS(load_platform_named("ferme", "--platform"), doctest::Contains("Did you mean 'fermi'?"),
                         InputError);
  }
  TEST_CASE("The page of a platform says what it is and what a message costs") {
    const std::string page = platform_page(fermi(), false, 120);
    CHECK(page.starts_with("fermi: 16 nodes, 164 cores, 32 GPUs, "));
    CHECK(page.find("xeon12, one node  shared memory   400 ns") != std::string::npos);
    CHECK(count_of(page, "xeon12 - xeon8") == 2);
    CHECK(page.find("datasheet") != std::string::npos);
    const std::string sources = platform_page(fermi(), true, 120);
    CHECK(sources.find("networks.ethernet.protocol.eager = 64KiB: Open MPI 1.8") != std::string::npos);
  }
  TEST_CASE("The page of a large machine says what is inside its nodes and how its network is built") {
    const Platform pod = shipped("pod-512");
    const std::string page = platform_page(pod, false, 200);
    CHECK(count_of(page, "PCIe link    sockets - cx-0..7   63 GB/s   300 ns\n") == 1);
    CHECK(count_of(page, "NVLink       GPUs - nvswitch    450 GB/s   250 ns\n") == 1);
    for (const char* stated :
         {"rails: 8 adapters to a node: cx-0..7; each rail has switches of its own: 16 of each of "
          "rails 0 to 7; routing adaptive:",
          " 128 leaf switches      4096  2048 to spine switches          102.4 TB/s               2:1",
          "the least loaded of 8 ways", "adapters reach GPUs directly", "gpu-node, two GPUs of a node  GPU links",
          "gpu-node, GPUs of two nodes   rails"}) {
      CAPTURE(stated);
      CHECK(unwrapped(page).find(stated) != std::string::npos);
    }
    const std::string simple = platform_page(shipped("lab"), false, 200);
    CHECK(simple.find("inside of a node") == std::string::npos);
    CHECK(simple.find("adapters to a node") == std::string::npos);
  }
  TEST_CASE("What a network states of its adapters and limits is on its page and what it does not is not") {
    Platform lab = shipped("lab");
    lab.node_types[0].sockets = 2;
    Network& network = lab.networks[0];
    network.adapters = {
        .at = {{0, 0, 1, 1}}, .message_rate = PiecewiseRate(PerSecond(5e6)), .stripe_over = 2, .stripe_from = 1_MiB};
    network.protocol.pair_bandwidth = 10_GBps;
    CHECK(stated_text(lab, 400) ==
          "ethernet: 4 adapters to a node: 2 at socket-0, 2 at socket-1; messages of 1 MiB and longer are\n"
          "  striped over 2 adapters; an adapter takes 5 M/s messages; two ranks have 10 GB/s together\n\n");
    network.adapters.message_rate = PiecewiseRate({{0.0, PerSecond(65e6)}, {64.0, PerSecond(8.87e6)}});
    CHECK(unwrapped(stated_text(lab, 400)).find("an adapter takes 65 M/s messages, from 64 B on 8.87 M/s; two ranks") !=
          std::string::npos);
    network.adapters.message_rate = PiecewiseRate({{64.0, PerSecond(5e6)}});
    CHECK(unwrapped(stated_text(lab, 400)).find("takes any number of messages, from 64 B on 5 M/s; two ranks") !=
          std::string::npos);
    network.adapters.message_rate = PiecewiseRate(PerSecond(5e6));
    network.adapters.send_queues = 4;
    CHECK(unwrapped(stated_text(lab, 400))
              .find("5 M/s messages; an adapter sends from 4 queues, a message at a time "
                    "from each; two ranks") != std::string::npos);
    network.aggregation = Aggregation{0.6_us, 12_GBps};
    CHECK(stated_text(lab, 400).find("switches reduce and multicast at up to 12 GB/s, 600 ns more each way") !=
          std::string::npos);
    network.routing = {Routing::Kind::hash, 1, 1};
    lab.node_types[0].local_work.reduction = 6_GBps;
    CHECK(stated_text(lab, 400).starts_with("node: a core's own work: reducing 6 GB/s\nethernet: "));
    CHECK(stated_text(lab, 400).find("routing hash: a shortest way") != std::string::npos);
    lab.node_types[0].memory_bandwidth = 30_GBps;
    lab.node_types[0].numa_domain = NumaDomain::socket;
    CHECK(
        stated_text(lab, 400).starts_with("node: each socket has a memory of its own, which copies 15 GB/s; a core's"));
  }
  TEST_CASE("Adapters are named by where they are") {
    const Platform p5 = shipped("p5");
    CHECK(adapter_places(p5.node_types[0], p5.networks[0].adapters.at[0]) == "4 at each of plx-0..7");
    const Platform leonardo = shipped("leonardo");
    CHECK(adapter_places(leonardo.node_types[0], leonardo.networks[0].adapters.at[0]) == "4 at socket-0");
    CHECK(adapter_places(leonardo.node_types[0], {0}) == "socket-0");
  }
  TEST_CASE("The picture of a node has its bandwidths on the links and one colour for each kind of link") {
    const Platform dgx = shipped("dgx-h100"), lab = shipped("lab"), lumi = shipped("lumi-g");
    const std::string svg = node_svg(dgx, 0, dgx.networks[0]);
    CHECK(count_of(svg, ">450 GB/s</text>") == 8);
    CHECK(count_of(svg, ">192 GB/s</text>") == 1);
    CHECK(svg.find("8 GPUs; 8 adapters of 50 GB/s each way on network") != std::string::npos);
    CHECK(node_svg(lab, 0, lab.networks[0]).find("GPU") == std::string::npos);
    const auto color_of = [](const std::string& picture, const std::string& kind) {
      const auto at = picture.find("><title>" + kind);
      return picture.substr(picture.rfind("stroke=\"#", at), 16);
    };
    const Platform leonardo = shipped("leonardo");
    const std::string other = node_svg(leonardo, 0, leonardo.networks[0]);
    CHECK(color_of(svg, "NVLink") == color_of(other, "NVLink"));
    CHECK(color_of(svg, "PCIe link") == color_of(other, "PCIe link"));
    CHECK(color_of(svg, "PCIe link") != color_of(svg, "NVLink"));
    const std::string gcds = node_svg(lumi, 0, lumi.networks[0]);
    CHECK(gcds.find("PCIe link") != std::string::npos);
    CHECK(gcds.find("Infinity Fabric, 200 GB/s each way") != std::string::npos);
  }
  TEST_CASE("A switch that several nodes share is called so in the picture and on the page") {
    Platform dgx = shipped("dgx-h100");
    Fabric& fabric = dgx.node_types[0].fabric;
    fabric.span = 18;
    fabric.shared =
        dgx.node_types[0].sockets + 8 +
        static_cast<std::uint32_t>(std::ranges::find(fabric.switches, "nvswitch") - fabric.switches.begin());
    CHECK(node_svg(dgx, 0, dgx.networks[0]).find("nvswitch, of 18 nodes") != std::string::npos);
    CHECK(stated_text(dgx, 400).find("18 consecutive nodes share 'nvswitch'") != std::string::npos);
    CHECK(platform_json(dgx).find("\"spans_nodes\": 18") != std::string::npos);
  }
  TEST_CASE("The facts of a fat tree differ between near and far nodes") {
    const Platform ampere = load_platform(ORRERY_SOURCE_DIR "/platforms/ampere40.yaml");
    const auto facts = pair_facts(ampere);
    const auto pair = std::ranges::find_if(
        facts, [](const PairFacts& row) { return row.channel == "infiniband" && row.pair == "a100x4 - cpu128"; });
    REQUIRE(pair != facts.end());
    CHECK(pair->nearest.latency().si() == near(0.8e-6));
    CHECK(pair->farthest.latency().si() == near(1.08e-6));
    CHECK(network_facts(ampere, ampere.networks[0]).bisection->bandwidth.si() == near(500e9));
  }
  TEST_CASE("The pictures show every node once") {
    const std::string svg = network_svg(fermi(), fermi().networks[0]);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
    for (std::uint32_t node = 0; node < 16; ++node)
      CHECK(count_of(svg, "<title>node " + std::to_string(node) + ": ") == 1);
  }
  TEST_CASE("The JSON of a large machine has its fabric and adapters and no link of a GPU that is not stated") {
    const std::string json = platform_json(shipped("pod-512"));
    const auto gpus = json.find("\"gpus\":"), after = json.find("\"fabric\":");
    REQUIRE(gpus < after);
    CHECK(json.substr(gpus, after - gpus).find("link_bandwidth_B_per_s") == std::string::npos);
    CHECK(count_of(json, "\"link\": \"nvlink\"") == 8);
    CHECK(json.find("\"rail_leaves\": true") != std::string::npos);
    CHECK(json.find("\"kind\": \"adaptive\"") != std::string::npos);
    CHECK(json.find("gpu-node, two GPUs of a node") != std::string::npos);
    CHECK(platform_json(fermi()).find("link_bandwidth_B_per_s") != std::string::npos);
  }
  TEST_CASE("The facts of a platform come as JSON with units in the keys") {
    const std::string json = platform_json(fermi());
    CHECK(json.find("\"bandwidth_B_per_s\": 4000000000.0") != std::string::npos);
    CHECK(count_of(json, "\"parameter\":") == fermi().provenance.size());
  }
}
