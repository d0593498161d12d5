// Which rows of a table of parameters apply to which ranks, and what is refused, on the model 'polynomial'.
#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "two_types.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

const Compute gemm{Work::dgemm, Flops(2e3), {10, 10, 10}};
double dgemm_s(const std::string& csv, std::uint32_t rank) {
  return seconds(*compute_model("polynomial", csv), gemm, rank);
}
void polynomial(const std::string& csv) { compute_model("polynomial", csv); }

}  // namespace

TEST_SUITE("models/compute/parameters") {
  TEST_CASE("The first row that fits a rank applies to it") {
    const std::string csv =
        "type,node,cpu,gpu,rank,MNK_s\n"
        "small,1,1,,,5e-9\n"
        "small,,,,,6e-9\n"
        ",,,any,,7e-9\n"
        ",,,,0,8e-9\n";
    CHECK(dgemm_s(csv, 0) == near(8e-6 / 5));
    CHECK(dgemm_s(csv, 1) == near(7e-6));
    CHECK(dgemm_s(csv, 2) == near(5e-6 / 3));
  }

  TEST_CASE("A row that names the cores states parameters of the whole rank") {
    const std::string csv = "cores,MNK_s\n3,1e-9\n*,2e-9\n";
    CHECK(dgemm_s(csv, 2) == near(1e-6));
    CHECK(dgemm_s(csv, 0) == near(2e-6 / 5));
  }

  TEST_CASE("A rank that no row fits while others have one is refused and named") {
    CHECK_THROWS_WITH_AS(polynomial("type,work,MNK_s\nbig,dgemm,1e-9\n"),
                         "f.csv: no row fits rank 2 (node 'small-1', cpu 1, 3 cores) for dgemm work, though others "
                         "have one. Add a row for it?",
                         InputError);
    CHECK_THROWS_WITH_AS(polynomial("node,MNK_s\n9,1e-9\n"),
                         "f.csv: no row fits any rank of the layout (see the columns type, node, cpu, gpu, cores, "
                         "rank, work). Check them?",
                         InputError);
  }

  TEST_CASE("Rows about unknown things are refused with file and line") {
    CHECK_THROWS_WITH_AS(polynomial("type,MNK_s\nbig,1e-9\nsmal,1e-9\n"),
                         "f.csv:3: platform 'two' has no node type 'smal' (known: big, small). Did you mean 'small'?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        polynomial("work,MNK_s\ndgem,1e-9\n"),
        "f.csv:2: unknown kind of work 'dgem' (known: copy, daxpy, ddot, dgemm, dgemv, dlacpy, dlaswp01t, "
        "dlaswp02n, dlaswp03t, dlaswp04t, dlatcpy, dscal, dtrsm, dtrsv, fft, generic, idamax, "
        "reduction, spmv, stencil). Did you mean 'dgemm'?",
        InputError);
    CHECK_THROWS_WITH_AS(polynomial("cpu,gpu,MNK_s\n0,0,1e-9\n"),
                         "f.csv:2: names a 'cpu' and a 'gpu' (a rank runs on one of them). Leave one empty?",
                         InputError);
    CHECK_THROWS_WITH_AS(polynomial("node,MNK_s\n1.5,1e-9\n"), "f.csv:2: 'node' is '1.5' (a whole number). Write '2'?",
                         InputError);
    CHECK_THROWS_WITH_AS(polynomial("MNK_s\nfast\n"),
                         "f.csv:2: 'MNK_s' is 'fast' (a number from -1 to 1000). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(
        polynomial("MNK_s,MN\n1e-9,2\n"),
        "f.csv: unknown column 'MN' (known: K_s, K_sd_s, MK_s, MK_sd_s, MMN_s, MMN_sd_s, MNK_s, MNK_sd_s, MN_s, "
        "MN_sd_s, M_s, M_sd_s, NK_s, NK_sd_s, N_s, N_sd_s, byte_s, byte_sd_s, cores, cpu, day_spread, "
        "flop_s, flop_sd_s, gpu, node, one_s, one_sd_s, rank, type, work). Did you mean 'MN_s'?",
        InputError);
  }

  TEST_CASE("A model that needs parameters says so and one that reads none refuses them") {
    CHECK_THROWS_WITH_AS(polynomial(""),
                         "here: compute model 'polynomial' needs parameters (a CSV file, or rows in the scenario). Add "
                         "'parameters: FILE.csv'?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        compute_model("constant", "MNK_s\n1\n"),
        "here: compute model 'constant' reads no parameters ('polynomial', 'roofline' and 'table' do). "
        "Choose one of them?",
        InputError);
  }
}
