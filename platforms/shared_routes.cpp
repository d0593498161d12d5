// What messages of all directions share: adapters that are limited both ways, half-duplex links, media.
#include <algorithm>

#include "platforms/routes_detail.hpp"
#include "platforms/sharing.hpp"

namespace orrery {

LinkProperties SwitchedRoutes::parameters_of_shared(std::uint32_t id) const {
  if (id >= first_part()) return shared_parts()[id - first_part()].parameters;
  return {ResourceKind::medium, limit_both_ways(nic_of(id - first_shared())), Seconds{}};
}

std::optional<LinkId> SwitchedRoutes::shared_by(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  if (const std::uint32_t adapters = places_.adapters(); i < 2 * adapters) {
    const std::uint32_t adapter = i < adapters ? i : i - adapters;
    if (!both_ways_ || limit_both_ways(nic_of(adapter)) == BytesPerSecond{}) return std::nullopt;
    return LinkId{first_shared() + adapter};
  }
  if (id >= end_of_cables()) return std::nullopt;
  const std::uint32_t part = part_of_link(number_of_switch_link(id));
  return part == no_part ? std::nullopt : std::optional(LinkId{first_part() + part});
}

void SwitchedRoutes::add_shared(std::size_t first, std::vector<LinkId>& into) const {
  const bool parts = !shared_parts().empty();
  if (!both_ways_ && !parts) return;
  const LinkId in = into.back();
  into.pop_back();
  const std::size_t end = into.size();
  const auto out = static_cast<std::uint32_t>(index(into[first]));
  const auto add_adapter = [&](std::uint32_t adapter) {
    if (both_ways_ && limit_both_ways(nic_of(adapter)) > BytesPerSecond{})
      into.push_back(LinkId{first_shared() + adapter});
  };
  add_adapter(out);
  if (parts) {
    std::vector<std::uint32_t> taken;
    append_parts(switch_of(places_.place_of(out)), std::span(into).subspan(first + 1, end - first - 1), taken);
    for (const std::uint32_t part : taken)
      if (const LinkId link{first_part() + part};
          std::find(into.begin() + static_cast<std::ptrdiff_t>(end), into.end(), link) == into.end())
        into.push_back(link);
  }
  add_adapter(static_cast<std::uint32_t>(index(in)) - places_.adapters());
  into.push_back(in);
}

}  // namespace orrery
