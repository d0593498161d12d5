/// C = A B on slices of rows in proportion to the speeds; every rank holds all of B.
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke, "Design and implementation of self-adaptable parallel algorithms for
///          scientific computing on highly heterogeneous HPC platforms", section 3.1 and figure 4
/// Differs  rank-b updates with blocks of b; the source has b = 1. It leaves the distribution out; 'distribute' adds it
/// Checked  tests/unit/kernels/matmul_test.cpp, tests/contract/every_kernel_test.cpp
#include "kernels/collectives/collective.hpp"
#include "kernels/partition_of.hpp"

namespace orrery::matmul_1d_kernel {

namespace {

constexpr const char* page =
    R"(A, B and C are n x n, n = N b; rank i has n_i = b x (its rows of the partition) rows of A and C, and all of B.
The grid to be partitioned is one block wide and N blocks high.

  step                      message                    root      flops
  [scatterv of A            n_i n e, to rank i         0         -           'distribute']
  [bcast of B               n n e                      0         -           'distribute']
  update k = 0 .. N-1       -                          -         2 n_i n b   n_i x n += n_i x b times b x n
  [gatherv of C             n_i n e, from rank i       0         -           'distribute']

The source takes n_i x n elements as the size of the problem, one multiplication and one addition as its unit of work,
and memory for 2 n_i n + n n elements. It has no messages: distribution and collection are left out unless 'distribute'.)";

constexpr Tag scatter_tag{1}, bcast_tag{2}, gather_tag{3};

/// One update of so many rows of C, n = N b wide.
Compute update_of(double rows, double n, double block, Bytes element) {
  return {Work::dgemm,
          Flops(2.0 * rows * n * block),
          {rows, n, block},
          (2.0 * rows * n + rows * block + n * block) * element};
}

/// The slices of A and C and the whole of B are written once.
Compute filling_of(double rows, double n, Bytes element) {
  return {Work::generic, Flops(0.0), {rows, n, 0.0}, (2.0 * rows + n) * n * element};
}

class Matmul1d final : public Program {
 public:
  explicit Matmul1d(const KernelInput& input)
      : ranks_(input.ranks),
        blocks_(static_cast<std::uint32_t>(input.parameters.integer("blocks"))),
        block_(static_cast<double>(input.parameters.integer("block"))),
        element_(input.parameters.bytes("element")),
        distributes_(input.parameters.boolean("distribute")),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("collectives"), "matmul-1d: 'collectives'"),
        nodes_(collectives::nodes_of(Group::world(input.ranks), input.layout)) {
    require_partition(input, {1, blocks_}, "matmul-1d", "blocks", "blocks");
    rows_ = Line(*input.partition).sizes;
    std::vector<std::uint64_t> elements;
    for (const std::uint64_t rows : rows_)
      elements.push_back(rows * blocks_ * static_cast<std::uint64_t>(block_) * static_cast<std::uint64_t>(block_));
    slices_ = collectives::Shares::of(elements);
  }

  std::string name() const override { return "matmul-1d"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// Rows of A and C, and the whole of B.
  Bytes memory(Rank me) const override {
    const double n = blocks_ * block_, mine = static_cast<double>(rows_[index(me)]) * block_;
    return (2.0 * mine + n) * n * element_;
  }

  Generator<Step> steps(Rank me) const override {
    const double n = blocks_ * block_, mine = static_cast<double>(rows_[index(me)]) * block_;
    const Step update = update_of(mine, n, block_, element_);
    co_yield phase("communication");
    if (distributes_) {
      co_yield elements_of(collectives::scatterv(call(me, scatter_tag), slices_));
      co_yield elements_of(collectives::bcast(call(me, bcast_tag), n * n * element_));
    }
    co_yield phase("computation");
    if (computes_ && mine > 0.0)
      for (std::uint32_t k = 0; k < blocks_; ++k) co_yield update;
    if (!distributes_) co_return;
    co_yield phase("communication");
    co_yield elements_of(collectives::gatherv(call(me, gather_tag), slices_));
  }

 private:
  collectives::Call call(Rank me, Tag tag) const {
    collectives::Call made{
        .group = Group::world(ranks_), .me = me, .tag = tag, .algorithm = algorithm_, .nodes = nodes_};
    made.element = element_;
    return made;
  }

  std::uint32_t ranks_, blocks_;
  double block_;
  Bytes element_;
  bool distributes_, computes_;
  collectives::Choice algorithm_;
  collectives::Nodes nodes_;
  std::vector<std::uint64_t> rows_;  ///< [ranks] blocks
  collectives::Shares slices_;
};

GridSize grid_of(const Parameters& parameters) { return {1, static_cast<std::uint32_t>(parameters.integer("blocks"))}; }

const bool entered = kernels().add({
    .name = "matmul-1d",
    .summary = "matrix product on slices of rows sized by speed; messages only to distribute the matrices",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (self-adaptable algorithms, DFPA), section 3.1",
    .page = page,
    .parameters = {count_key("blocks", 64, "N: the matrices are N x N blocks", 1, 1e6),
                   count_key("block", 32, "b: a block is b x b elements", 1, 1e4),
                   bytes_key("element", 8, "size of one element", 1, 1024),
                   flag_key("distribute", false, "true: rank 0 distributes A and B and collects C"),
                   word_key("collectives", "openmpi", "selector of the collectives"),
                   flag_key("compute", true, "false: no computation")},
    .grid = grid_of,
    .share =
        [](const Parameters& parameters, ShareSize share) {
          const auto block = static_cast<double>(parameters.integer("block"));
          return update_of(share.blocks() * block, static_cast<double>(parameters.integer("blocks")) * block, block,
                           parameters.bytes("element"));
        },
    .prepare =
        [](const Parameters& parameters, ShareSize share) {
          const auto block = static_cast<double>(parameters.integer("block"));
          return filling_of(share.blocks() * block, static_cast<double>(parameters.integer("blocks")) * block,
                            parameters.bytes("element"));
        },
    .measured_shares = [](const Parameters& parameters) { return measured_rows(grid_of(parameters)); },
    .works = {Work::dgemm},
    .small = {{"blocks", "24"}},
    .make = [](const KernelInput& input) { return std::make_unique<Matmul1d>(input); },
});

}  // namespace

}  // namespace orrery::matmul_1d_kernel
