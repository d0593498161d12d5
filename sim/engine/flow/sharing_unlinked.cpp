// Members that are not told of each change, so that a thousand senders into one receiver cost each event O(log n) and
// not a walk over the senders.
//
//   sender k: NIC with room ---- member ---> receiver's NIC, level s: changes at each start and end
//
// A sender's NIC with no members of its own need not know s exactly. A member that is slow against its other resources
// is *unlinked*: they account an allowance of twice its rate, and hear of it again only when s has passed that.
#include <algorithm>

#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

namespace {

constexpr int unlink_pause_max = 255;

}  // namespace

/// Where few can be unlinked the next attempts wait, twice as long each time.
void Sharing::unlink_slow_members(ResourceIndex l) {
  Users& users = resources_[l].users;
  const std::uint32_t linked = users.linked;
  const double level = resources_[l].level;
  for (std::uint32_t k = users.linked; k-- > 0;) {
    const User& user = users[Position{k}];
    if (user.other == User::alone)
      unlink(l, Position{k}, unlimited);
    else if (user.has_several_others() || resources_[user.other].flows == 0)
      if (has_room_elsewhere(classes_[user.flow_class], l, level, 0.5)) unlink(l, Position{k}, 2.0 * level);
  }
  const bool worth_it = 2 * users.linked < linked;
  RareState& rare = rare_[l];
  rare.unlink_pause = worth_it ? 0 : static_cast<std::uint16_t>(std::min(2 * rare.unlink_pause + 1, unlink_pause_max));
  rare.unlink_wait = rare.unlink_pause;
}

/// From now on the other resources of this member account its allowance and do not hear of its rate.
void Sharing::unlink(ResourceIndex l, Position position, double allowance) {
  Users& users = resources_[l].users;
  const ClassId i = users[position].flow_class;
  Class& c = classes_[i];
  const double more = c.flows * (allowance - resources_[l].level);
  c.unlinked = true;
  if (!allowances_.has(i)) allowances_.resize(classes_.size());
  allowances_[i] = {allowance, now_, served(c)};
  for (const Hop& hop : hops(c)) {
    ++rare_[hop.resource].unlinked_users;
    resources_[hop.resource].has_unlinked = true;
    if (hop.resource == l) continue;
    residual_changes(resources_[hop.resource], -more);
    resources_[hop.resource].residual -= more;
  }
  rare_[l].unlinked_min = std::min(rare_[l].unlinked_min, allowance);
  swap_users(resources_[l], position, Position{--users.linked});
}

/// Unlinked members that the level has overtaken get twice the level where there is room, and are linked where not.
void Sharing::raise_allowances(ResourceIndex l) {
  Users& users = resources_[l].users;
  const double level = resources_[l].level, raised = 2.0 * level;
  rare_[l].unlinked_min = unlimited;
  for (Position k{users.linked}; k < Position{users.members}; ++k) {
    const ClassId i = users[k].flow_class;
    Class& c = classes_[i];
    const double allowance = allowances_[i].rate;
    if (allowance < level) {
      if (!has_room_elsewhere(c, l, raised - allowance, 0.0)) {
        link(i);  // takes the place of one that was seen already
        continue;
      }
      tell_allowance(i);
      for (const Hop& hop : hops(c)) {
        if (hop.resource == l) continue;
        const double more = c.flows * (raised - allowance);
        residual_changes(resources_[hop.resource], -more);
        resources_[hop.resource].residual -= more;
      }
      allowances_[i].rate = raised;
    }
    rare_[l].unlinked_min = std::min(rare_[l].unlinked_min, allowances_[i].rate);
  }
}

/// Whether the other resources of a class have no members and can account `more` for each of its flows, and still keep
/// this share of their capacity free.
bool Sharing::has_room_elsewhere(const Class& c, ResourceIndex here, double more, double kept) const {
  for (const Hop& hop : hops(c)) {
    const Resource& r = resources_[hop.resource];
    if (hop.resource == here) continue;
    if (r.flows > 0 || r.dirty || r.residual - c.flows * more < kept * r.capacity) return false;
  }
  return true;
}

/// Its other resources account its rate again.
void Sharing::link(ClassId i) {
  Class& c = classes_[i];
  const ResourceIndex l = c.bottleneck;
  const double own = resources_[l].level;
  tell_allowance(i);
  c.unlinked = false;
  for (const Hop& hop : hops(c)) {
    resources_[hop.resource].has_unlinked = --rare_[hop.resource].unlinked_users > 0;
    if (hop.resource != l) account(hop.resource, c.flows * (own - allowances_[i].rate), own);
  }
  Users& users = resources_[l].users;
  swap_users(resources_[l], position_of(i, l), Position{users.linked++});
}

/// Every user of the resource, whichever its bottleneck.
void Sharing::link_all(ResourceIndex l) {
  Users& users = resources_[l].users;
  for (Position k{}; k < Position{users.size()}; ++k)  // linking may swap users: look again at this position
    while (classes_[users[k].flow_class].unlinked) link(users[k].flow_class);
}

}  // namespace orrery::engine
