/// The combined properties of the links of a route for one message.
#pragma once

#include <algorithm>
#include <compare>
#include <limits>

#include "platforms/routes.hpp"

namespace orrery::engine {

struct WirePath {
  double latency = 0.0;
  double narrowest = std::numeric_limits<double>::infinity();
  double alone = std::numeric_limits<double>::infinity();  ///< narrowest of the links that limit messages separately
  auto operator<=>(const WirePath&) const = default;

  void add(const LinkProperties& link) {
    latency += link.latency.si();
    narrow(link);
  }
  void narrow(const LinkProperties& link) {
    narrowest = std::min(narrowest, link.bandwidth.si());
    if (link.alone) alone = std::min(alone, link.bandwidth.si());
  }
  /// Cap of a flow, in bytes of the wire; 0: none except the links that it shares.
  double cap(double factor, double efficiency) const {
    const double own = factor < efficiency ? factor * narrowest / efficiency : 0.0;
    if (alone > narrowest) return own;
    return own > 0.0 ? std::min(own, alone) : alone;
  }
};

}  // namespace orrery::engine
