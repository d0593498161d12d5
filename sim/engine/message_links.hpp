/// The links of a message, computed after the run by the engine's own rules. They follow from the ranks and, if routing
/// chooses a route per message, from its number, which a run keeps for each message.
///
///   MessageLinks links(input);
///   for (LinkId link : links.of(from, to, bytes, way)) ...    // NIC out, links between switches, NIC in; of several parts each link once
///
///   way   Delivery::way: of the candidates of routing `valiant` and `adaptive`; any number elsewhere
///
/// Checked  tests/replay/message_links_test.cpp: what messages bring to a link is what the link carried
#pragma once

#include <memory>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/engine/protocol.hpp"

namespace orrery::engine {

class MessageLinks {
 public:
  /// `input` must outlive it.
  explicit MessageLinks(const ReplayInput& input);

  std::vector<LinkId> of(Rank from, Rank to, Bytes message, std::uint32_t way = 0);

 private:
  std::unique_ptr<const Routes> routes_;
  Resources resources_;
  RouteTable table_;
  Protocol protocol_;
};

}  // namespace orrery::engine
