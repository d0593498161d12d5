/// Sparse matrix product C = A B by columns: A to everybody, columns of B to each, columns of C back.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 4.2
/// Differs  counts of non-zeros are expected values, rounded; the source draws matrices at random
/// Checked  tests/unit/kernels/spmm_test.cpp, tests/contract/every_kernel_test.cpp
#include <cmath>

#include "kernels/collectives/collective.hpp"
#include "kernels/partition_of.hpp"

namespace orrery {

namespace {

constexpr const char* page =
    R"(A, B and C are n x n; A and B have a share s of non-zeros, kept as triplets (row, column, value) of t bytes. Rank i
multiplies A with C_i columns of B; the grid to be partitioned is one column wide and n high, a row for a column of B.

  step         message                              root          flops
  bcast        t s n^2                              0             -
  scatterv     t s n C_i, to rank i                 0             -
  multiply     -                                    -             2 s^2 n^2 C_i   rows of A are indexed ('lookup: indexed')
                                                                  2 s n^2 C_i     A is read for every column ('scan')
  gatherv      t n C_i (1 - exp(-s^2 n)), from i    0             -

An element of C is non-zero unless none of its n products is: (1 - s^2)^n, or exp(-s^2 n). With n = 8192 and s = 0.01 (A is
8.05 MB) that is 56 % of C, 450 MB in all: collecting the result is most of the communication. The text calls the local
work matrix-vector products; which of the two counts its program has must be measured.)";

constexpr Tag bcast_tag{1}, scatter_tag{2}, gather_tag{3};

/// The product with so many columns of B.
Compute product_of(double columns, double n, double density, bool scans, Bytes triplet) {
  const double products = density * n * n * columns * (scans ? 1.0 : density);
  return {Work::spmv, Flops(2.0 * products), {n, columns, 0.0}, products * triplet};
}

class Spmm final : public Program {
 public:
  explicit Spmm(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        n_(static_cast<double>(input.parameters.integer("columns"))),
        density_(input.parameters.number("density")),
        triplet_(input.parameters.bytes("triplet")),
        scans_(input.parameters.text("lookup") == "scan"),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("collectives"), "spmm: 'collectives'"),
        nodes_(collectives::nodes_of(Group::world(input.ranks), input.layout)) {
    require_partition(input, {1, static_cast<std::uint32_t>(n_)}, "spmm", "columns", "columns");
    columns_ = Line(*input.partition).sizes;
    std::vector<std::uint64_t> given, collected;
    const double filled = -std::expm1(-density_ * density_ * n_);
    for (const std::uint64_t columns : columns_) {
      given.push_back(whole(density_ * n_ * static_cast<double>(columns)));
      collected.push_back(whole(filled * n_ * static_cast<double>(columns)));
    }
    given_ = collectives::Shares::of(given);
    collected_ = collectives::Shares::of(collected);
  }

  std::string name() const override { return "spmm"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// A, my columns of B and C; rank 0 the whole of them.
  Bytes memory(Rank me) const override {
    const auto held = [&](const collectives::Shares& shares) {
      return static_cast<double>(me == Rank{0} ? shares.total() : shares.size(static_cast<Member>(me)));
    };
    return (static_cast<double>(whole(density_ * n_ * n_)) + held(given_) + held(collected_)) * triplet_;
  }

  Generator<Step> steps(Rank me) const override {
    const double columns = static_cast<double>(columns_[index(me)]);
    const Step multiply = product_of(columns, n_, density_, scans_, triplet_);
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      co_yield phase("communication");
      co_yield elements_of(
          collectives::bcast(call(me, bcast_tag), static_cast<double>(whole(density_ * n_ * n_)) * triplet_));
      co_yield elements_of(collectives::scatterv(call(me, scatter_tag), given_));
      co_yield phase("computation");
      if (computes_ && columns > 0.0) co_yield multiply;
      co_yield phase("communication");
      co_yield elements_of(collectives::gatherv(call(me, gather_tag), collected_));
    }
  }

 private:
  static std::uint64_t whole(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

  collectives::Call call(Rank me, Tag tag) const {
    collectives::Call made{
        .group = Group::world(ranks_), .me = me, .tag = tag, .algorithm = algorithm_, .nodes = nodes_};
    made.element = triplet_;
    return made;
  }

  std::uint32_t ranks_, repetitions_;
  double n_, density_;
  Bytes triplet_;
  bool scans_, computes_;
  collectives::Choice algorithm_;
  collectives::Nodes nodes_;
  std::vector<std::uint64_t> columns_;     ///< [ranks] of B and C
  collectives::Shares given_, collected_;  ///< triplets
};

GridSize grid_of(const Parameters& parameters) {
  return {1, static_cast<std::uint32_t>(parameters.integer("columns"))};
}

const bool entered = kernels().add({
    .name = "spmm",
    .summary = "sparse matrix product by columns: A broadcast, B scattered, C gathered",
    .source = "Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 4.2",
    .page = page,
    .parameters =
        {{"columns", ParameterKind::integer, std::int64_t{8192}, "n: the matrices are n x n", 1, 1e7, {}},
         {"density", ParameterKind::number, 0.01, "s: share of non-zeros in A and in B", 1e-9, 1, {}},
         {"triplet", ParameterKind::bytes, 12.0, "t: size of row, column and value", 1, 1024, {}},
         {"lookup", ParameterKind::text, std::string("indexed"), "how rows of A are found", 0, 0, {"indexed", "scan"}},
         {"collectives", ParameterKind::text, std::string("openmpi"), "selector of the collectives", 0, 0, {}},
         {"repetitions", ParameterKind::integer, std::int64_t{1}, "products one after another", 1, 1e9, {}},
         {"compute", ParameterKind::boolean, true, "whether to multiply", 0, 1, {}}},
    .grid = grid_of,
    .share =
        [](const Parameters& parameters, ShareSize share) {
          return product_of(share.blocks(), static_cast<double>(parameters.integer("columns")),
                            parameters.number("density"), parameters.text("lookup") == "scan",
                            parameters.bytes("triplet"));
        },
    .measured_shares = [](const Parameters& parameters) { return measured_rows(grid_of(parameters)); },
    .works = {Work::spmv},
    .small = {{"repetitions", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Spmm>(input); },
});

}  // namespace

}  // namespace orrery
