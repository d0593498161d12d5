/// A change that would let two jobs meet that share no node and no link, tried on the links of the network: other
/// nodes, or routes that differ by pair of ranks.
///
/// Checked  tests/unit/study/jobs_test.cpp
#pragma once

#include <cstddef>
#include <string>

#include "sim/study/read/point.hpp"
#include "sim/study/read/point_spec.hpp"

namespace orrery::study {

/// "'nodes: random' of both jobs, or 'platform.networks.fabric.routing.kind: hash'"; empty: no tried change helps.
std::string what_lets_meet(const LoadedPoint& point, const PointSpec& spec, std::size_t one, std::size_t other);

}  // namespace orrery::study
