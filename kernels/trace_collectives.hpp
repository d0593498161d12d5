/// The collectives of a trace as messages: of all ranks or of a group of them, by the algorithms of
/// kernels/collectives.
#pragma once

#include <memory>
#include <string>

#include "kernels/collectives/algorithm.hpp"
#include "sim/core/generator.hpp"
#include "sim/core/trace.hpp"

namespace orrery {

/// Throws InputError that begins with `where` if `name` is neither a selector nor an algorithm of any operation.
void require_collectives(const std::string& name, const std::string& where);

/// `choice`: a selector, or an algorithm for the operations that have one of this name; the others use `openmpi`.
/// Messages have a separate communicator, requests have numbers that no trace uses. The flops of a reduction are not
/// among the steps.
Generator<Step> collective_steps(std::shared_ptr<const Trace> trace, TraceCall call, Rank me, std::string choice,
                                 collectives::Nodes nodes);

}  // namespace orrery
