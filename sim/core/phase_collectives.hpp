/// The collectives of a phase, combined from the marks of all ranks.
#pragma once

#include <vector>

#include "sim/core/segment.hpp"

namespace orrery {

/// Adds the collectives of all ranks to the phase: the n-th call on a group is the same collective at all members.
/// Renumbers the `collective` of the segments' transfers by the phase's list.
void enter_collectives(Phase& phase, std::vector<Segment>& segments);
/// Fills `PhaseCollective::messages`, once the messages are in their final order.
void list_messages_of_collectives(Phase& phase);

}  // namespace orrery
