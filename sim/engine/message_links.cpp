#include "sim/engine/message_links.hpp"

#include <algorithm>

namespace orrery::engine {

namespace {

bool by_message(Routing::Kind kind) { return kind == Routing::Kind::valiant || kind == Routing::Kind::adaptive; }

}  // namespace

MessageLinks::MessageLinks(const ReplayInput& input)
    : routes_(build_routes(*input.platform, *input.network)),
      resources_(input, *routes_),
      protocol_(input, *routes_, resources_, table_),
      between_switches_(!by_message(input.network->routing.kind)) {}

std::vector<LinkId> MessageLinks::of(Rank from, Rank to, Bytes message) {
  std::vector<LinkId> links;
  const Transfer transfer = protocol_.transfer(from, to, message);
  if (transfer.wire == no_route) return links;
  for (std::uint32_t part = 0; part < std::max<std::uint32_t>(transfer.parts, 1); ++part)
    for (const ResourceId resource : table_.resources(RouteId{static_cast<std::uint32_t>(transfer.wire) + part})) {
      const LinkId link{static_cast<std::uint32_t>(resource)};
      const bool cable = routes_->first_cable() <= link && link < routes_->end_of_cables();
      if (index(link) >= routes_->links() || (cable && !between_switches_)) continue;
      if (std::ranges::find(links, link) == links.end()) links.push_back(link);
    }
  return links;
}

}  // namespace orrery::engine
