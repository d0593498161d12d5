/// 'hpl-dat: FILE' of the kernel hpl: its parameters from an HPL.dat.
///
/// A file that lists several values has HPL run all combinations, one after another. Here they are points: axes of a
/// scenario's sweep, behind those that it has, or of `simulate` and `predict` a sweep of their own. Grids and the other
/// lists follow each other in the order of HPL's loops.
///
/// Checked  tests/unit/study/hpl_runs_test.cpp
#pragma once

#include "sim/study/read/overrides.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

/// Puts the settings of the file where 'hpl-dat' stands; what the kernel is given beside it goes before the file.
/// Other kernels are left alone. The file is looked for beside the file that names it, then here. Throws InputError where
/// the file lists several values of what the kernel is not given.
void expand_hpl_dat(NamedSpec& kernel);

/// The axes with those of the HPL.dat that the scenario's kernel names; the same where it names none.
std::vector<Axis> with_hpl_runs(std::vector<Axis> axes, const config::Document& document);

/// The point once for each run of the HPL.dat that its kernel names, with the values that tell them apart.
std::vector<PointSpec> each_hpl_run(const PointSpec& point);

}  // namespace orrery
