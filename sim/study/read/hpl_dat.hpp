/// 'hpl-dat: FILE' of the kernel hpl: its parameters from an HPL.dat.
///
/// If a file lists several values, HPL runs all combinations, one after another. Here they are points: axes of a
/// scenario's sweep, after its own axes, or a sweep of `simulate` and `predict`. Grids and the other lists are in the
/// order of HPL's loops.
///
/// Checked  tests/unit/study/hpl_runs_test.cpp
#pragma once

#include "sim/study/read/overrides.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

/// Replaces 'hpl-dat' by the settings of the file; settings given to the kernel take precedence. Other kernels are
/// unchanged. The file is searched for next to the file that names it, then here. Throws InputError if the file lists
/// several values of a setting that the kernel is not given.
void expand_hpl_dat(NamedSpec& kernel);

/// The axes with those of the HPL.dat of the scenario's kernel; unchanged if it names none.
std::vector<Axis> with_hpl_runs(std::vector<Axis> axes, const config::Document& document);

/// The point once for each run of its kernel's HPL.dat, with the values that distinguish the runs.
std::vector<PointSpec> each_hpl_run(const PointSpec& point);

}  // namespace orrery
