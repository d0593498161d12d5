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

  TEST_CASE("The sparse product refuses to run without shares") {
    CHECK_THROWS_WITH_AS(make_kernel("spmm", {}, 4), "spmm: needs a partition of its columns. Name an algorithm?",
                         InputError);
  }
}
