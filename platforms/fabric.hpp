/// Routes inside a node: between its sockets, GPUs and switches.
///
/// The best route has the least sum of 1/bandwidth, then the least latency, then the fewest links, then the order of
/// the file. Sockets and switches forward messages, GPUs do not. The nearest element is found by the same measure.
///
/// Checked  tests/unit/platforms/fabric_test.cpp
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platforms/description.hpp"

namespace orrery {

/// Distance between two elements, for comparison.
struct FabricDistance {
  double seconds_per_byte = 0.0, latency = 0.0;
  std::uint32_t links = 0;
  auto operator<=>(const FabricDistance&) const = default;
};

class FabricRoutes {
 public:
  explicit FabricRoutes(const NodeType& type);

  std::uint32_t elements() const { return elements_; }
  std::uint32_t gpu(std::uint32_t number) const { return sockets_ + number; }
  /// Two for each cable: 2 c from its first end to its second, 2 c + 1 back.
  std::uint32_t links() const { return static_cast<std::uint32_t>(2 * fabric_.cables.size()); }
  const Fabric& fabric() const { return fabric_; }
  bool joined(std::uint32_t from, std::uint32_t to) const;
  std::span<const std::uint32_t> route(std::uint32_t from, std::uint32_t to) const;
  FabricDistance distance(std::uint32_t from, std::uint32_t to) const;
  /// Whether the route uses only links of GPUs: none of PCI Express, none to a socket.
  bool by_own_links(std::uint32_t from, std::uint32_t to) const;
  /// The switch that connects all of these by such links.
  std::optional<std::uint32_t> common_switch(std::span<const std::uint32_t> elements) const;
  /// The socket whose memory and cores a GPU uses; for a socket, itself.
  std::uint32_t home(std::uint32_t element) const;

  std::string words(std::uint32_t element) const;    ///< "GPU 3", "socket 0", "nvswitch"
  std::string link_words(std::uint32_t link) const;  ///< "NVLink from GPU 3 to nvswitch"

 private:
  void find_routes_from(std::uint32_t root);
  std::size_t pair(std::uint32_t from, std::uint32_t to) const { return std::size_t{from} * elements_ + to; }

  Fabric fabric_;
  std::uint32_t sockets_, gpus_, elements_;
  std::vector<FabricDistance> distances_;           ///< [elements x elements]; infinite: not connected
  std::vector<std::vector<std::uint32_t>> routes_;  ///< [elements x elements] links
};

/// Names of elements in files: "socket-0", "gpu-3", or a switch of the fabric.
std::string element_name(const NodeType& type, std::uint32_t element);

}  // namespace orrery
