#include "sim/engine/message_links.hpp"

#include <algorithm>

namespace orrery::engine {

MessageLinks::MessageLinks(const ReplayInput& input)
    : routes_(build_routes(*input.platform, *input.network)),
      resources_(input, *routes_),
      protocol_(input, *routes_, resources_, table_) {}

std::vector<LinkId> MessageLinks::of(Rank from, Rank to, Bytes message, std::uint32_t way) {
  std::vector<LinkId> links;
  Transfer transfer = protocol_.transfer(from, to, message);
  protocol_.take_way_number(transfer, from, to, message.si(), way);
  if (transfer.wire == no_route) return links;
  for (std::uint32_t part = 0; part < std::max<std::uint32_t>(transfer.parts, 1); ++part)
    for (const ResourceId resource : table_.resources(RouteId{static_cast<std::uint32_t>(transfer.wire) + part})) {
      const LinkId link{static_cast<std::uint32_t>(resource)};
      if (index(link) < routes_->links() && std::ranges::find(links, link) == links.end()) links.push_back(link);
    }
  return links;
}

}  // namespace orrery::engine
