#include <doctest/doctest.h>

#include <cmath>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

Partition thirds(std::uint32_t n) { return {1, n, {{0, 0, 1, n / 4}, {0, n / 4, 1, n / 2}, {0, 3 * n / 4, 1, n / 4}}}; }

double of_tag(const Program& program, std::uint32_t tag, std::uint32_t rank) {
  double bytes = 0.0;
  for (const auto& message : match_messages(record(program)).messages)
    if (message.tag == Tag{tag} && (message.from == Rank{rank} || message.to == Rank{rank})) bytes += message.size.si();
  return bytes;
}

}  // namespace

TEST_SUITE("kernels/spmm") {
  TEST_CASE("The sparse product of order 8192 broadcasts 8.05 MB and collects 56 percent of C") {
    const auto program = make_kernel("spmm", {}, thirds(8192));
    const double n = 8192, s = 0.01;
    CHECK(of_tag(*program, 2, 1) == 12 * std::llround(s * n * n / 2));  // scattered to rank 1
    CHECK(of_tag(*program, 3, 2) == near(12 * 0.5592 * n * n / 4, 1e-3));
    const auto all = totals(*program);
    CHECK(all.flops == near(2 * s * s * n * n * n));
    CHECK(all.computed.at(1) == near(2 * all.computed.at(0)));
    // A goes to each of the others once: 671,089 triplets of 12 bytes.
    double broadcast = 0.0;
    for (const auto& message : match_messages(record(*program)).messages)
      if (message.tag == Tag{1}) broadcast += message.size.si();
    CHECK(broadcast == 2 * 12 * 671089.0);
  }

  TEST_CASE("Scanning A for every column costs one over the density more") {
    const double indexed = totals(*make_kernel("spmm", {{"columns", "64"}, {"density", "0.1"}}, thirds(64))).flops;
    const double scanned =
        totals(*make_kernel("spmm", {{"columns", "64"}, {"density", "0.1"}, {"lookup", "scan"}}, thirds(64))).flops;
    CHECK(scanned == near(10 * indexed));
  }

  TEST_CASE("Searching each column for the partner of each element of A costs the logarithm of its non-zeros") {
    const double searched =
        totals(*make_kernel("spmm", {{"columns", "64"}, {"density", "0.1"}, {"lookup", "search"}}, thirds(64))).flops;
    const double n = 64, s = 0.1;
    CHECK(searched == near(2 * s * n * n * n * (std::log2(1 + s * n) + s)));
  }

  TEST_CASE("Drawn matrices have the stated number of non-zeros and chunks that differ by chance alone") {
    const Words drawn{{"columns", "2000"}, {"seed", "7"}}, again{{"columns", "2000"}, {"seed", "8"}};
    const Partition quarters{1, 2000, {{0, 0, 1, 500}, {0, 500, 1, 500}, {0, 1000, 1, 500}, {0, 1500, 1, 500}}};
    const auto one = make_kernel("spmm", drawn, quarters), same = make_kernel("spmm", drawn, quarters),
               other = make_kernel("spmm", again, quarters),
               expected = make_kernel("spmm", {{"columns", "2000"}}, quarters);
    const auto computed = [](const Program& program) { return totals(program).computed; };
    CHECK(computed(*one) == computed(*same));
    CHECK(computed(*one) != computed(*other));
    for (std::uint32_t r = 0; r < 4; ++r) {
      CHECK(computed(*one).at(r) != computed(*one).at((r + 1) % 4));
      CHECK(computed(*one).at(r) == near(computed(*expected).at(r), 0.05));  // 10,000 non-zeros: one part in a hundred
    }
    // All of B but the chunk of rank 0 is given away: 12 bytes for each of round(s n^2) = 40,000 triplets in all.
    double given = 0.0;
    for (std::uint32_t r = 1; r < 4; ++r) given += of_tag(*one, 2, r);
    CHECK(given < 12 * 40000.0);
    CHECK(given == near(12 * 30000.0, 0.02));
    CHECK(of_tag(*one, 1, 1) > 0.0);
    CHECK(of_tag(*one, 3, 2) == near(of_tag(*expected, 3, 2), 0.02));
  }

  TEST_CASE("The products and the fill of small drawn matrices are those of their product worked out in full") {
    // n = 8, s = 0.25: 16 non-zeros each. With every column a rank, the counts add up to those of the whole.
    const Words small{{"columns", "8"}, {"density", "0.25"}, {"seed", "3"}};
    Partition columns{1, 8, {}}, whole{1, 8, {{0, 0, 1, 8}}};
    for (std::uint32_t j = 0; j < 8; ++j) columns.rectangles.push_back({0, j, 1, 1});
    CHECK(totals(*make_kernel("spmm", small, columns)).flops == totals(*make_kernel("spmm", small, whole)).flops);
    CHECK(totals(*make_kernel("spmm", {{"columns", "8"}, {"density", "1"}, {"seed", "3"}}, whole)).flops == 2 * 512.0);
  }

  TEST_CASE("Ranks without columns are sent A and nothing else or stay out altogether") {
    const Partition two_of_three{1, 64, {{0, 0, 1, 32}, {0, 32, 1, 0}, {0, 32, 1, 32}}};
    const auto joined = make_kernel("spmm", {{"columns", "64"}, {"density", "0.1"}}, two_of_three);
    const auto apart = make_kernel("spmm", {{"columns", "64"}, {"density", "0.1"}, {"idle", "stay-out"}}, two_of_three);
    CHECK(of_tag(*joined, 1, 1) > 0.0);
    CHECK(of_tag(*apart, 1, 1) == 0.0);
    CHECK(of_tag(*apart, 1, 2) == 12 * 410.0);
    CHECK(of_tag(*apart, 3, 2) == of_tag(*joined, 3, 2));
    CHECK(totals(*apart).flops == totals(*joined).flops);
    CHECK(apart->memory(Rank{1}) == Bytes{});
    const Partition but_the_first{1, 64, {{0, 0, 1, 0}, {0, 0, 1, 64}, {0, 64, 1, 0}}};  // the root takes part
    const auto rooted = make_kernel("spmm", {{"columns", "64"}, {"idle", "stay-out"}}, but_the_first);
    CHECK(of_tag(*rooted, 2, 1) > 0.0);
    CHECK(of_tag(*rooted, 1, 2) == 0.0);
  }

  TEST_CASE("Matrices that would take minutes to draw are refused") {
    CHECK_THROWS_WITH_AS(
        make_kernel("spmm", {{"columns", "100000"}, {"density", "0.01"}, {"seed", "1"}}, thirds(100000)),
        "spmm: matrices with 'seed' are drawn, and with 100000 columns and a density of 0.01 have 1e+08 non-zeros and "
        "1e+11 products (at most 1e+08 and 1e+10). Leave 'seed' at 0 for expected counts?",
        InputError);
  }

  TEST_CASE("The sparse product refuses to run without shares") {
    CHECK_THROWS_WITH_AS(make_kernel("spmm", {}, 4), "spmm: needs a partition of its columns. Name an algorithm?",
                         InputError);
  }
}
