#include "sim/config/taulop_tables.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::config;

namespace {

void refuses(const char* text, const char* message) {
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(parse_taulop_table(text, "IB.txt"), message, InputError);
}

}  // namespace

TEST_SUITE("config/taulop_tables") {
  TEST_CASE("A table of tau-Lop gives sizes and overheads and transfer times by concurrency") {
    const auto table =
        parse_taulop_table("#m\t2\n#tau\t2\n#m o L1 L2\n1\t2e-6\t3e-10\t4e-10\n\n64 2e-6 5 6\r\n", "IB.txt");
    CHECK(table.message_B == std::vector{1.0, 64.0});
    CHECK(table.overhead_s == std::vector{2e-6, 2e-6});
    REQUIRE(table.transfer_s.size() == 2);
    CHECK(table.transfer_s[1] == std::vector{4e-10, 6.0});
  }

  TEST_CASE("A wrong table of tau-Lop is refused with its line and column") {
    refuses("",
            "IB.txt: the table is empty (the first lines are '#m <rows>' and '#tau <K>'). Write them, then a "
            "row 'm o L(m,1) ... L(m,K)' for each size?");
    refuses("#rows 2\n",
            "IB.txt:1:1: '#m' and a count from 1 to 100000 belong here (a table begins with '#m <rows>' and '#tau "
            "<K>'). Write '#m 2'?");
    refuses("#m 1\n#tau 0\n",
            "IB.txt:2:1: '#tau' and a count from 1 to 100000 belong here (a table begins with '#m <rows>' and '#tau "
            "<K>'). Write '#tau 2'?");
    refuses("\n\n1 0 1\n",
            "IB.txt:3:1: '#m' and a count from 1 to 100000 belong here (a table begins with '#m <rows>' and '#tau "
            "<K>'). Write '#m 2'?");
    refuses("#m 2\n#tau 1\n1 0 1\n", "IB.txt: 1 rows, but '#m' says 2. Write '#m 1'?");
    refuses("#m 1\n#tau 2\n1 0 1\n",
            "IB.txt:3:1: 3 values in a row of m, o and L(m,1)...L(m,2) (4 are needed). Write '#tau 1', or "
            "complete the row?");
    refuses("#m 1\n#tau 1\n1 0 fast\n",
            "IB.txt:3:5: a transfer time L is 'fast' (a number from 0 to 1000 s). Correct it?");
    refuses("#m 1\n#tau 1\n1 0 inf\n",
            "IB.txt:3:5: a transfer time L is 'inf' (a number from 0 to 1000 s). Correct it?");
    refuses("#m 1\n#tau 1\n1 0 -16\n",
            "IB.txt:3:5: a transfer time L is '-16' (a number from 0 to 1000 s). Correct it?");
    refuses("#m 1\n#tau 1\n1 0 1e300\n",
            "IB.txt:3:5: a transfer time L is '1e300' (a number from 0 to 1000 s). Correct it?");
    refuses("#m 1\n#tau 1\n1 -1 1\n", "IB.txt:3:3: the overhead o is '-1' (a number from 0 to 1000 s). Correct it?");
    refuses("#m 1\n#tau 1\n-8 0 1\n", "IB.txt:3:1: the size m is '-8' (a number from 0 to 1e+18 B). Correct it?");
    refuses("#m 2\n#tau 1\n8 0 1\n8 0 2\n",
            "IB.txt:4:1: message size 8 is not larger than the one before it (sizes are positive and increase). Order "
            "the rows by size?");
  }

  TEST_CASE("Tables of one folder share their message sizes") {
    const auto a = parse_taulop_table("#m 1\n#tau 1\n1 0 1\n", "SHM.txt");
    const auto b = parse_taulop_table("#m 1\n#tau 1\n2 0 1\n", "IB.txt");
    require_same_sizes(a, a);
    CHECK_THROWS_WITH_AS(
        require_same_sizes(a, b),
        "IB.txt: message sizes differ from those of SHM.txt (the tables of a folder share one column m). Measure both "
        "at the same sizes?",
        InputError);
  }
}
