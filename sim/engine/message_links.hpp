/// Which links a message took, worked out after the run by the engine's own rules: no run records it, because it follows from the ranks.
///
///   MessageLinks links(input);
///   for (LinkId link : links.of(from, to, bytes)) ...    // NIC out, links between switches, NIC in; of several parts each link once
///
/// Valid    for all routing but `valiant` and `adaptive`, where a way is drawn for each message or is the least loaded: then the links
///          between switches are left out, and `between_switches` says so
/// Checked  tests/replay/message_links_test.cpp: what messages bring to a link is what the link carried
#pragma once

#include <memory>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/engine/protocol.hpp"

namespace orrery::engine {

class MessageLinks {
 public:
  /// What is in `input` must outlive it.
  explicit MessageLinks(const ReplayInput& input);

  std::vector<LinkId> of(Rank from, Rank to, Bytes message);
  bool between_switches() const { return between_switches_; }

 private:
  std::unique_ptr<const Routes> routes_;
  Resources resources_;
  RouteTable table_;
  Protocol protocol_;
  bool between_switches_;
};

}  // namespace orrery::engine
