// Routes of pairs that have not talked for long are forgotten, so that an all-to-all of thousands of ranks costs the
// memory of what is under way and not of each pair; what is used again stays in the caches.
//
// Once there are `pairs_max_` pairs, those without a message under way are left behind all together: found again they
// are what they were, at the price of a new pair. If most are in use, more pairs are kept from then on. A result does
// not depend on it: no order of events, shares or records goes by the number of a route.
#include "sim/engine/player.hpp"

namespace orrery::engine {

void Player::forget_unused_routes() {
  std::vector<bool> idle(messages_.size()), used(routes_.count()), forgotten(routes_.count());
  for (const MessageId i : free_messages_) idle[index(i)] = true;
  for (std::uint32_t i = 0; i < messages_.size(); ++i) {
    const Transfer& transfer = messages_[MessageId{i}].transfer;
    if (!idle[i] && transfer.wire != no_route) used[static_cast<std::uint32_t>(transfer.wire)] = true;
  }
  protocol_.forget_unused([&](RouteId route) { return used[static_cast<std::uint32_t>(route)]; },
                          [&](RouteId route) { forgotten[static_cast<std::uint32_t>(route)] = true; });
  for (std::uint32_t i = routes_.count(); i-- > 0;) {  // the lowest number is the next taken: memory is used in order
    if (!forgotten[i]) continue;
    sink_.forget_route(RouteId{i});
    routes_.give_back(RouteId{i});
  }
  if (2 * protocol_.pairs() > pairs_max_) pairs_max_ *= 2;
}

}  // namespace orrery::engine
