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
    for (const auto& setting : parse_hpl_dat(test::hpl_dat, "HPL.dat")) {
      REQUIRE(setting.values.size() == 1);
      text += fmt::format("{}={}@{} ", setting.name, setting.values.front(), setting.where.substr(8));
    }
    CHECK(text ==
          "order=50000@6 block=128@8 mapping=column@9 p=32@11 q=16@12 pfact=crout@15 nbmin=4@17 ndiv=3@19 "
          "rfact=right@21 bcast=longM@23 depth=1@25 swap=mix@26 threshold=64@27 ");
  }

  TEST_CASE("An HPL.dat lists as many values as the line before says and not more than HPL takes") {
    const auto sizes = [](const std::string& count, const std::string& values) {
      return parse_hpl_dat(changed("1            # of problems sizes (N)\n50000 ",
                                   count + "            # of problems sizes (N)\n" + values),
                           "HPL.dat")
          .front()
          .values;
    };
    CHECK(sizes("2", "29 30 ") == std::vector<std::string>{"29", "30"});
    CHECK(sizes("1", "29 30 ") == std::vector<std::string>{"29"});
    CHECK_THROWS_WITH_AS(sizes("3", "29 30 "),
                         "HPL.dat:6: value 3 of 'Ns' is 'Ns' (a whole number, as many as line 5 says). Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(sizes("0", "29 "), "HPL.dat:5: '# of Ns' is 0, outside 1..20. Choose a value in that range?",
                         InputError);
    CHECK_THROWS_WITH_AS(sizes("21", "29 "), "HPL.dat:5: '# of Ns' is 21, outside 1..20. Choose a value in that range?",
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
