/// The calculator's language.
///
///   program   stage >> stage ...         a stage starts when the one before it has ended
///   stage     sequence ; sequence ...    concurrent
///   sequence  T + T ...                  one after another
///   T         T(channel, bytes [, tau [, n [, source rank, source node, destination rank, destination node]]])
///
/// channel 0 is shared memory, 1 the network. bytes is an integer or has a unit (64KiB). n repeats the transmission n
/// times, each with its own overhead (A1 does not merge repetitions). Nodes default to 0.
///
/// Checked  tests/unit/models/taulop/expression_test.cpp
#pragma once

#include <string_view>
#include <vector>

#include "models/taulop/group.hpp"

namespace orrery::taulop {

/// [stages][sequences]
using Program = std::vector<std::vector<Sequence>>;

/// `tables` bit of a transmission is its channel. Throws InputError with the column.
Program parse(std::string_view expression);

}  // namespace orrery::taulop
