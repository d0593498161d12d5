/// HPL.dat, the input file of HPL, as settings of the kernel `hpl`.
///
///   line  6, 8        Ns, NBs                        order, block
///         9, 11, 12   PMAP, Ps, Qs                   mapping, p, q
///        15, 17       PFACTs, NBMINs                 pfact, nbmin
///        19, 21       NDIVs, RFACTs                  ndiv, rfact
///        23, 25       BCASTs, DEPTHs                 bcast, depth
///        26, 27       SWAP, swapping threshold       swap, threshold
///
/// The line before a list has its number of values, at most 20; text after the values is a comment. HPL runs all
/// combinations of several values, where a grid is a pair of P and Q: `HplDatSetting::loop` gives the order. The
/// storage of L1 and U, equilibration, alignment and the residual's threshold change neither messages nor work: they
/// are checked and ignored.
///
/// Source   A. Petitet et al., HPL 2.2, 2016: testing/ptest/HPL.dat, HPL_pdinfo; HPL_pddriver (order of its loops)
/// Checked  tests/unit/config/hpl_dat_test.cpp
#pragma once

#include <string>
#include <vector>

namespace orrery::config {

struct HplDatSetting {
  std::string name;                 ///< a parameter of the kernel
  std::vector<std::string> values;  ///< one or more
  std::string where, count_where;   ///< "file:line" of the values, and of their number
  std::string hpl_name;
  unsigned loop = 0;  ///< the outermost of HPL's loops is 1; those of P and Q are one; 0: no loop
};

/// Throws InputError "file:line: ..." for a truncated file, and for a value that is no number in the permitted range.
std::vector<HplDatSetting> read_hpl_dat(const std::string& path);
std::vector<HplDatSetting> parse_hpl_dat(const std::string& text, const std::string& path);

}  // namespace orrery::config
