#include "sim/config/hpl_dat.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/core/error.hpp"

using namespace orrery;
using config::parse_hpl_dat;

namespace {

/// The file that ships with HPL 2.2, cut down to one value a list.
const std::string file = R"(HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
50000        Ns
1            # of NBs
128          NBs
1            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
32           Ps
16           Qs
16.0         threshold
1            # of panel fact
1            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
3            NDIVs
1            # of recursive panel fact.
2            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
5            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = file;
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_SUITE("config/hpl_dat") {
  TEST_CASE("An HPL.dat says every parameter of the kernel hpl") {
    std::string text;
    for (const auto& [name, value, where] : parse_hpl_dat(file, "HPL.dat"))
      text += fmt::format("{}={}@{} ", name, value, where.substr(8));
    CHECK(text ==
          "order=50000@6 block=128@8 mapping=column@9 p=32@11 q=16@12 pfact=crout@15 nbmin=4@17 ndiv=3@19 "
          "rfact=right@21 bcast=longM@23 depth=1@25 swap=mix@26 threshold=64@27 ");
  }

  TEST_CASE("An HPL.dat with several values of a parameter is refused") {
    const auto several =
        changed("1            # of problems sizes (N)\n50000 ", "2            # of problems sizes (N)\n29 30 ");
    CHECK_THROWS_WITH_AS(parse_hpl_dat(several, "HPL.dat"),
                         "HPL.dat:5: 2 values of 'Ns' (a run takes one; to try several, sweep over 'kernel.order'). "
                         "Keep one?",
                         InputError);
  }

  TEST_CASE("An HPL.dat with a word for a number or a number out of range is refused") {
    CHECK_THROWS_WITH_AS(parse_hpl_dat(changed("128          NBs", "NBs"), "HPL.dat"),
                         "HPL.dat:8: 'NBs' is 'NBs' (a whole number). Is a line missing above?", InputError);
    CHECK_THROWS_WITH_AS(parse_hpl_dat(changed("5            BCASTs", "6            BCASTs"), "HPL.dat"),
                         "HPL.dat:23: 'BCASTs' is 6, outside 0..5. Choose a value in that range?", InputError);
  }

  TEST_CASE("An HPL.dat that is cut off is refused") {
    CHECK_THROWS_WITH_AS(parse_hpl_dat(file.substr(0, file.find("1            DEPTHs")), "HPL.dat"),
                         "HPL.dat:24: the file ends before 'DEPTHs' (line 25 of 31). Use a complete HPL.dat?",
                         InputError);
  }
}
