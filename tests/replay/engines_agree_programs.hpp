/// What the engines are compared on: the first iterations of a kernel, small enough that neither engine parts from
/// itself in them.
///
/// A nudge of 1e-15 to 1e-14 of the bandwidths moves no phase, on either engine, by more than a hundredth of what the
/// test allows. Longer programs are chaotic: docs/engines.md.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"

namespace orrery::test {

using Words = std::vector<std::pair<const char*, const char*>>;

/// Defaults, with what only repeats or enlarges the work cut down.
Parameters small_parameters(const KernelEntry& entry, std::uint32_t ranks);

/// The same with one parameter set to `word`, and others beside it where that alone is refused or chaotic.
Parameters with_setting(const KernelEntry& entry, const std::string& parameter, const std::string& word,
                        std::uint32_t ranks);

/// The first three iterations of the kernel on so many ranks, or on as many of them as it accepts, but not on fewer
/// than half; in even parts where it refuses uneven ones. Null when it refuses all that.
std::unique_ptr<Program> program_on(const KernelEntry& entry, const Parameters& parameters, std::uint32_t ranks);

/// HPL with 1000 unknowns to its end, whose phases are those of its panels.
std::unique_ptr<Program> whole_hpl(std::uint32_t ranks, const Words& settings);

}  // namespace orrery::test
