/// HPL.dat, the input file of HPL: what it says as settings of the kernel `hpl`.
///
///   line  6, 8        Ns, NBs                        order, block
///         9, 11, 12   PMAP, Ps, Qs                   mapping, p, q
///        15, 17       PFACTs, NBMINs                 pfact, nbmin
///        19, 21       NDIVs, RFACTs                  ndiv, rfact
///        23, 25       BCASTs, DEPTHs                 bcast, depth
///        26, 27       SWAP, swapping threshold       swap, threshold
///
/// The line before a list says how many values it has; what follows the values is a comment. A file may list several
/// values to have HPL run all combinations; a run has one, so a longer list is refused. How L1 and U are stored,
/// equilibration, alignment and the residual's threshold change neither messages nor work: they are checked and left.
///
/// Source   A. Petitet et al., HPL 2.2, 2016: testing/ptest/HPL.dat, HPL_pdinfo
/// Checked  tests/unit/config/hpl_dat_test.cpp
#pragma once

#include <string>
#include <vector>

namespace orrery::config {

struct HplDatSetting {
  std::string name, value;  ///< as a parameter of the kernel
  std::string where;        ///< "file:line"
};

/// Throws InputError "file:line: ..." for a file that is cut off, a value that is not a number of the permitted range,
/// and lists of more than one value.
std::vector<HplDatSetting> read_hpl_dat(const std::string& path);
std::vector<HplDatSetting> parse_hpl_dat(const std::string& text, const std::string& path);

}  // namespace orrery::config
