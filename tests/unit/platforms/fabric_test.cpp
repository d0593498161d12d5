#include "platforms/fabric.hpp"

#include <doctest/doctest.h>

using namespace orrery;

namespace {

/// Two sockets, four GPUs in two pairs behind PCIe switches, an NVSwitch.
NodeType gpu_node() {
  NodeType type;
  type.name = "node";
  type.sockets = 2;
  type.gpus.resize(4);
  Fabric& fabric = type.fabric;
  fabric.switches = {"plx-0", "plx-1", "nvswitch"};
  const auto cable = [&](ResourceKind kind, std::uint32_t a, std::uint32_t b, double gbps) {
    fabric.cables.push_back({kind, a, b, gbps * 1_GBps, 0.1_us});
  };
  cable(ResourceKind::upi, 0, 1, 40.0);
  for (const std::uint32_t side : {0u, 1u}) {
    cable(ResourceKind::pcie, side, 6 + side, 60.0);
    for (const std::uint32_t k : {0u, 1u}) cable(ResourceKind::pcie, 6 + side, 2 + 2 * side + k, 60.0);
  }
  for (std::uint32_t gpu = 2; gpu < 6; ++gpu) cable(ResourceKind::nvlink, gpu, 8, 450.0);
  return type;
}

std::string way(const FabricRoutes& routes, std::uint32_t from, std::uint32_t to) {
  std::string words;
  for (const std::uint32_t link : routes.route(from, to))
    words += (words.empty() ? "" : "; ") + routes.link_words(link);
  return words;
}

}  // namespace

TEST_SUITE("platforms/fabric") {
  TEST_CASE("Messages inside a node take the widest way") {
    const FabricRoutes routes(gpu_node());
    CHECK(way(routes, 2, 3) == "NVLink from GPU 0 to nvswitch; NVLink from nvswitch to GPU 1");
    CHECK(way(routes, 2, 6) == "PCIe link from GPU 0 to plx-0");
    CHECK(way(routes, 0, 1) == "socket link from socket 0 to socket 1");
    CHECK(way(routes, 1, 2) ==
          "socket link from socket 1 to socket 0; PCIe link from socket 0 to plx-0; PCIe link from plx-0 to GPU 0");
  }

  TEST_CASE("GPUs pass no messages on") {
    NodeType type = gpu_node();
    std::erase_if(type.fabric.cables, [](const Fabric::Cable& cable) { return cable.kind == ResourceKind::upi; });
    const FabricRoutes routes(type);
    CHECK_FALSE(routes.joined(0, 1));  // over two GPUs and their NVSwitch there would be a way
    CHECK_FALSE(routes.joined(2, 7));
    CHECK(routes.joined(2, 5));
  }

  TEST_CASE("A GPU works with the socket that is nearest") {
    const FabricRoutes routes(gpu_node());
    for (const std::uint32_t gpu : {0u, 1u, 2u, 3u}) CHECK(routes.home(routes.gpu(gpu)) == gpu / 2);
    NodeType plain = gpu_node();
    plain.fabric = {};
    for (const std::uint32_t gpu : {0u, 1u, 2u, 3u}) CHECK(FabricRoutes(plain).home(2 + gpu) == gpu / 2);
  }
}
