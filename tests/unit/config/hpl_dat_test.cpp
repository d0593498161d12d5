#include "sim/config/hpl_dat.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "tests/support/hpl_dat.hpp"

using namespace orrery;
using config::parse_hpl_dat;

namespace {

std::string changed(const std::string& from, const std::string& to) {
  std::string text = test::hpl_dat;
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_SUITE("config/hpl_dat") {
  TEST_CASE("An HPL.dat says every parameter of the kernel hpl") {
    std::string text;
    for (const auto& [name, value, where] : parse_hpl_dat(test::hpl_dat, "HPL.dat"))
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
    CHECK_THROWS_WITH_AS(parse_hpl_dat(test::hpl_dat.substr(0, test::hpl_dat.find("1            DEPTHs")), "HPL.dat"),
                         "HPL.dat:24: the file ends before 'DEPTHs' (line 25 of 31). Use a complete HPL.dat?",
                         InputError);
  }
}
