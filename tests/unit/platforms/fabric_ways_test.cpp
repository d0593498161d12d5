// Parallel ways of a node's fabric, as a platform file writes them.
#include <doctest/doctest.h>

#include <string>

#include "platforms/fabric.hpp"
#include "sim/core/error.hpp"
#include "tests/support/platform_text.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::load;
using test::near;

namespace {

const std::string plain = R"(name: box
source: test
node-types:
  box:
    count: 2
    sockets: 2
    cores-per-socket: 8
    core-speed: 10Gflop/s
    memory: 8GiB
    memory-bandwidth: 20GB/s
    copy-bandwidth: 5GB/s
    shared-memory: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 2, copies: [1, 1]}
    gpus: [{count: 4, model: G, speed: 1Tflop/s, memory: 6GB, memory-bandwidth: 1TB/s}]
    fabric:
      - {link: upi, among: sockets, bandwidth: 40GB/s, latency: 0.1us}
      - {link: pcie, between: [sockets, gpus], bandwidth: 30GB/s, latency: 0.3us}
      - {link: nvlink, LINES}
    gpu-messages: {latency: 1us, send-overhead: 1us, receive-overhead: 1us, eager: 4KiB, handshake: 1, copies: [0, 0], multicast: {efficiency: 0.5, latency: 1us, staging: 1GB/s}}
networks:
  net:
    bandwidth: 200Gbps
    latency: 1us
    topology: {kind: star}
    protocol: {send-overhead: 1us, receive-overhead: 1us, eager: 12KiB, handshake: 1, copies: [0, 0]}
)";

std::string with(const std::string& lines) {
  std::string text = plain;
  return text.replace(text.find("LINES"), 5, lines);
}
std::string refusal(const std::string& lines) { return test::refusal(plain, "LINES", lines); }

const NodeType node(const std::string& lines) { return load(with(lines)).node_types.at(0); }

/// Narrowest of the way between the first two GPUs.
double gbps(const NodeType& type) {
  const FabricRoutes routes(type);
  double least = 1e30;
  for (const std::uint32_t link : routes.route(2, 3))
    least = std::min(least, type.fabric.cables[link / 2].bandwidth.si());
  return least / 1e9;
}

const std::string end = ", bandwidth: 50GB/s, latency: 0.2us}\n      - {link: nvlink, ";
const std::string last = ", bandwidth: 50GB/s, latency: 0.2us";

}  // namespace

TEST_SUITE("platforms/fabric ways") {
  TEST_CASE("Switches that join the same GPUs are one that carries what they carry together") {
    for (const std::string& lines :
         {"each: [gpus, nvs-0..3]" + last,
          "between: [gpus, nvs-0]" + end + "between: [gpus, nvs-1]" + end + "between: [gpus, nvs-2]" + end +
              "between: [gpus, nvs-3]" + last}) {
      const NodeType type = node(lines);
      CHECK(type.fabric.switches == std::vector<std::string>{"nvs-0..3"});
      CHECK(gbps(type) == near(200.0));
      CHECK(type.fabric.notes == std::vector<std::string>{"4 switches of 'box' that join the same GPUs are taken for "
                                                          "one, 'nvs-0..3', which carries what they carry together"});
    }
    CHECK(node("between: [gpus, nvs]" + last).fabric.notes.empty());
  }

  TEST_CASE("Switches with 5 and 4 links of each GPU are one with 9") {
    const NodeType type = node("between: [gpus, red], bandwidth: 125GB/s, latency: 0.2us}\n      - {link: nvlink, "
                               "between: [gpus, blue], bandwidth: 100GB/s, latency: 0.2us");
    CHECK(type.fabric.switches == std::vector<std::string>{"red+blue"});
    CHECK(gbps(type) == near(225.0));
  }

  TEST_CASE("Nodes share all switches of a set") {
    const NodeType type = node("each: [gpus, nvs-0..1], spans: 2" + last);
    CHECK(type.fabric.span == 2);
    CHECK(element_name(type, type.fabric.shared) == "nvs-0..1");
    CHECK(refusal("between: [gpu-0..1, nvs-0], spans: 2" + end + "between: [gpu-2..3, nvs-1], spans: 2" + last) ==
          "p.yaml:15:7: several nodes share one switch, at the second end of 'between'. Write 'between: [gpus, "
          "nvswitch]'?");
  }

  TEST_CASE("Cables beside each other are one of their sum") {
    const NodeType type = node("between: [gpu-0, gpu-1]" + end + "between: [gpu-1, gpu-0]" + end +
                               "between: [gpu-2, gpu-3]" + last);
    CHECK(gbps(type) == near(100.0));
    CHECK(refusal("between: [gpu-0, gpu-1]" + end + "between: [gpu-1, gpu-0], bandwidth: 50GB/s, latency: 0.3us") ==
          "p.yaml:15:7: 'box' has two cables (NVLink) from GPU 0 to GPU 1, of latency 200 ns and 300 ns (parallel "
          "cables are used together, and have one latency). Give both the same?");
  }

  TEST_CASE("Ways over switches that are not alike are refused") {
    const std::string rule =
        ", and a message would take one alone (switches are used together where they join the same GPUs by equal "
        "cables, each GPU with the same shares of its bandwidth). Write one switch for both, with the sum of the "
        "bandwidths?";
    CHECK(refusal("between: [gpus, nvs-0]" + end + "between: [gpu-0..1, nvs-1]" + last) ==
          "p.yaml:15:7: 'box' has two ways (NVLink) from GPU 0 to GPU 1, 'nvs-0' and 'nvs-1'" + rule);
    CHECK(refusal("between: [gpus, nvs-0]" + end + "between: [gpu-0..1, nvs-1]" + end +
                  "between: [gpu-2..3, nvs-1], bandwidth: 25GB/s, latency: 0.2us") ==
          "p.yaml:15:7: 'box' has two ways (NVLink) from GPU 0 to GPU 1, 'nvs-0' and 'nvs-1'" + rule);
    CHECK(refusal("between: [gpus, nvs-0]" + end + "between: [gpu-0, gpu-2]" + last) ==
          "p.yaml:15:7: 'box' has two ways (NVLink) from GPU 0 to GPU 2, a cable and 'nvs-0'" + rule);
  }

  TEST_CASE("GPUs that a range divides among switches of their own are refused unless NVLink joins those") {
    CHECK(refusal("between: [gpus, nvs-0..1]" + last) ==
          "p.yaml:17:33: GPU 0 and GPU 2 of 'box' hang on switches of their own (nvs-0, nvs-1), which nothing but PCI "
          "Express or sockets joins ('between' divides GPUs among switches). Write 'each' for 'between', for GPUs that "
          "hang on all of them?");
    CHECK(refusal("between: [nvs-0..1, gpus]" + last).starts_with("p.yaml:17:33: GPU 0 and GPU 2 of 'box' hang on"));
    CHECK(gbps(node("each: [gpus, nvs-0..1]" + last)) == near(100.0));  // what it says to write
    CHECK_NOTHROW(node("between: [gpus, nvs-0..1]" + end + "between: [nvs-0, nvs-1]" + last));
    const NodeType apart = node("between: [gpu-0..1, nvs-0]" + end + "between: [gpu-2..3, nvs-1]" + last);
    CHECK(apart.fabric.notes == std::vector<std::string>{"no switch joins all GPUs of 'box': 'multicast' of "
                                                         "'gpu-messages' is of no use to them together"});
  }

  TEST_CASE("A link of a GPU that the fabric makes needless is not used and a note says so") {
    std::string text = with("between: [gpus, nvs]" + last);
    const std::string memory = "memory-bandwidth: 1TB/s";
    text.replace(text.find(memory), memory.size(), memory + ", link-bandwidth: 60GB/s, link-latency: 1us");
    const NodeType type = load(text).node_types.at(0);
    CHECK(type.fabric.cables.size() == 9);
    CHECK(type.fabric.notes == std::vector<std::string>{
                                   "'link-bandwidth' of 4 GPUs of 'box' is not used: 'fabric' joins them to a socket"});
    const std::string pcie = "      - {link: pcie, between: [sockets, gpus], bandwidth: 30GB/s, latency: 0.3us}\n";
    text.erase(text.find(pcie), pcie.size());
    CHECK(load(text).node_types.at(0).fabric.cables.size() == 9);
    CHECK(load(text).node_types.at(0).fabric.notes.empty());
  }

  TEST_CASE("A cable has one way of naming its ends") {
    for (const std::string& lines : {std::string("bandwidth: 50GB/s"), "between: [gpus, nvs], each: [gpus, nvs]" + last})
      CHECK(refusal(lines).ends_with(
          "a cable has one of 'between', 'each' and 'among'. Write 'between: [gpus, nvswitch]'?"));
  }
}
