/// Names of a kernel's own collectives whose steps include computation in parallel with messages: their time is that of
/// both. A player that replaces the steps between two marks by an MPI library's collective plays these step by step.
///
/// Checked  tests/unit/kernels/training-overlap_test.cpp
#pragma once

#include "sim/core/collective_call.hpp"

namespace orrery::collectives {

inline constexpr const char* ring_beside = "ring beside products";
inline constexpr const char* bulk_beside = "bulk beside products";

inline bool is_beside(const CollectiveCall& call) {
  return std::string_view(call.algorithm) == ring_beside || std::string_view(call.algorithm) == bulk_beside;
}

}  // namespace orrery::collectives
