/// A program that first divides its data by measuring: the rounds of DFPA, then the kernel's own steps.
///
///   phase "dividing", for each round:
///     scatter of sizes   8 B each, from rank 0
///     prepare            the matrices of the share are made ('KernelEntry::prepare')
///     one step           of the kernel on the share, cut off where the round says
///     gather of times    8 B each, to rank 0
///   and after the last:
///     scatter of sizes   8 B each: that the division is accepted is known to rank 0 alone
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke (self-adaptable algorithms, DFPA), section 2, steps 1 to 5
/// Checked  tests/unit/kernels/dividing_test.cpp
#pragma once

#include <memory>
#include <vector>

#include "kernels/kernel.hpp"
#include "sim/core/partition_rounds.hpp"

namespace orrery {

inline constexpr const char* dividing_phase = "dividing";

/// `kernel` has a `share`; `then` is its program on the final partition of the rounds.
std::unique_ptr<Program> dividing(const KernelEntry& kernel, const Parameters& parameters, const Layout& layout,
                                  const std::vector<PartitionRound>& rounds, std::unique_ptr<Program> then);

}  // namespace orrery
