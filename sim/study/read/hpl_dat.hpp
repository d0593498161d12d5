/// 'hpl-dat: FILE' of the kernel hpl: its parameters from an HPL.dat.
#pragma once

#include "sim/study/read/scenario.hpp"

namespace orrery {

/// Puts the settings of the file where 'hpl-dat' stands; what the kernel is given beside it goes before the file.
/// Other kernels are left alone. The file is looked for beside the file that names it, then here.
void expand_hpl_dat(NamedSpec& kernel);

}  // namespace orrery
