/// The collectives of a phase, put together from what the marks of each rank say.
#pragma once

#include <vector>

#include "sim/core/segment.hpp"

namespace orrery {

/// Enters the collectives of all ranks into the phase: the n-th on a group is one at all members. Numbers the transfers
/// of the segments by the phase's list.
void enter_collectives(Phase& phase, std::vector<Segment>& segments);
/// Fills `PhaseCollective::messages`, once the messages are in their final order.
void list_messages_of_collectives(Phase& phase);

}  // namespace orrery
