/// C = A B on columns of rectangles in proportion to the speeds: the pivot column is broadcast across, the pivot row
/// down.
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke, "Design and implementation of self-adaptable parallel algorithms for
///          scientific computing on highly heterogeneous HPC platforms", section 3.2 and figure 7; partition of Kalinov
///          & Lastovetsky, JPDC 61(4), 2001
/// Valid    partitions made of columns of rectangles that reach from the first block row to the last
/// Checked  tests/unit/kernels/matmul_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/collectives/collective.hpp"
#include "kernels/grid.hpp"
#include "kernels/partition_of.hpp"

namespace orrery::matmul_2d_kernel {

namespace {

constexpr const char* page =
    R"(Iteration k = 0 .. N-1; rank i owns h_i x w_i blocks of b x b elements of e bytes, in C columns of ranks.
A band is a stretch of block rows that has one owner in every column: bands lie between the y at which any rank begins.

  step                 message               root                        group
  bcast, each band     (rows of band) b^2 e  its owner of block column k one rank of each column: the band's owners
  bcast, each column   w_c b^2 e             its owner of block row k    the ranks of the column
  dgemm                -                     -                           2 b^3 w_i h_i flops: M = h_i b, N = w_i b, K = b

A rank takes part in the broadcasts of all bands that its rows cross, from top to bottom. With C columns the broadcasts
across deliver N (C - 1) b^2 e bytes an iteration, those down the sum of w_c (ranks of c - 1) b^2 e, whatever their
algorithm. 'summa' is the same product with the point-to-point messages of Rico-Gallego et al. 2016.)";

constexpr Tag across_tag{1}, down_tag{2};

/// The product of depth columns of A and rows of B, of a share of h x w blocks of b x b elements.
Compute product_of(ShareSize share, double block, double depth, Bytes element) {
  const double m = share.rows * block, n = share.columns * block;
  return {Work::dgemm, Flops(2.0 * m * n * depth), {m, n, depth}, (2.0 * m * n + (m + n) * depth) * element};
}

class Matmul2d final : public Program {
 public:
  explicit Matmul2d(const KernelInput& input)
      : partition_(input.partition),
        ranks_(input.ranks),
        blocks_(static_cast<std::uint32_t>(input.parameters.integer("blocks"))),
        block_(static_cast<double>(input.parameters.integer("block"))),
        element_(input.parameters.bytes("element")),
        block_message_(block_ * block_ * element_),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("bcast"), "matmul-2d: 'bcast'") {
    require_partition(input, {blocks_, blocks_}, "matmul-2d", "blocks", "blocks");
    std::string defect;
    columns_ = partition_columns(*partition_, defect);
    if (!defect.empty())
      throw InputError(
          "matmul-2d: {} (columns of rectangles must reach from the first row to the last). Use "
          "'beaumont-columns'?",
          defect);
    column_of_.resize(ranks_);
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      for (const Rank rank : columns_[c].by_rank) column_of_[index(rank)] = c;
      down_.push_back(Group::of(columns_[c].by_rank));
      down_nodes_.push_back(collectives::nodes_of(down_.back(), input.layout));
    }
    find_bands(input.layout);
  }

  std::string name() const override { return "matmul-2d"; }
  std::uint32_t ranks() const override { return ranks_; }

  Bytes memory(Rank me) const override { return 3.0 * static_cast<double>(partition_->of(me).area()) * block_message_; }

  Generator<Step> steps(Rank me) const override {
    const Rectangle mine = partition_->of(me);
    const bool owns = mine.area() > 0;
    const std::uint32_t column = column_of_[index(me)];
    std::uint32_t pivot = 0;  // the column of ranks that block column k crosses
    for (std::uint32_t k = 0; k < blocks_; ++k) {
      while (!columns_[pivot].has_column(k)) ++pivot;
      co_yield iteration(k);
      co_yield phase("communication");
      for (const Band& band : bands_) {
        if (!owns || !mine.has_row(band.y)) continue;
        const collectives::Call across{
            .group = band.owners, .me = me, .tag = across_tag, .algorithm = algorithm_, .nodes = band.nodes};
        co_yield elements_of(collectives::bcast(across, band.height * block_message_, pivot));
      }
      if (owns) {
        const collectives::Call down{
            .group = down_[column], .me = me, .tag = down_tag, .algorithm = algorithm_, .nodes = down_nodes_[column]};
        co_yield elements_of(collectives::bcast(down, mine.width * block_message_, row_owner(column, k)));
      }
      co_yield phase("computation");
      if (computes_ && owns) co_yield product_of(mine.size(), block_, block_, element_);
    }
  }

 private:
  struct Band {
    std::uint32_t y = 0, height = 0;
    Group owners;  ///< member c: the owner in column c
    collectives::Nodes nodes;
  };

  void find_bands(const Layout* layout) {
    std::set<std::uint32_t> starts{blocks_};
    for (const auto& column : columns_)
      for (const Rank rank : column.by_row) starts.insert(partition_->of(rank).y);
    for (auto start = starts.begin(); std::next(start) != starts.end(); ++start) {
      std::vector<Rank> owners;
      for (const auto& column : columns_)
        owners.push_back(
            *std::ranges::find_if(column.by_row, [&](Rank rank) { return partition_->of(rank).has_row(*start); }));
      const Group group = Group::of(std::move(owners));
      bands_.push_back({*start, *std::next(start) - *start, group, collectives::nodes_of(group, layout)});
    }
  }

  Member row_owner(std::uint32_t column, std::uint32_t k) const {
    const auto& by_row = columns_[column].by_row;
    const auto below = std::ranges::upper_bound(by_row, k, {}, [&](Rank rank) { return partition_->of(rank).y; });
    return down_[column].member(*std::prev(below));
  }

  std::shared_ptr<const Partition> partition_;
  std::uint32_t ranks_, blocks_;
  double block_;
  Bytes element_;
  Bytes block_message_;  ///< one block
  bool computes_;
  collectives::Choice algorithm_;
  std::vector<PartitionColumn> columns_;
  std::vector<Group> down_;                     ///< [columns]
  std::vector<collectives::Nodes> down_nodes_;  ///< [columns]
  std::vector<std::uint32_t> column_of_;        ///< [ranks]
  std::vector<Band> bands_;                     ///< from top to bottom
};

GridSize grid_of(const Parameters& parameters) {
  const auto blocks = static_cast<std::uint32_t>(parameters.integer("blocks"));
  return {blocks, blocks};
}

const bool entered = kernels().add({
    .name = "matmul-2d",
    .summary = "matrix product on columns of rectangles: pivot column broadcast across, pivot row down",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (self-adaptable algorithms, DFPA), section 3.2 and figure 7",
    .page = page,
    .parameters = {count_key("blocks", 64, "N: the matrices are N x N blocks", 1, 1e6),
                   count_key("block", 32, "b: a block is b x b elements", 1, 1e4),
                   bytes_key("element", 8, "size of one element", 1, 1024),
                   word_key("bcast", "openmpi", "algorithm or selector of the broadcasts"),
                   flag_key("compute", true, "false: no computation"),
                   count_key("benchmark-depth", 0,
                             "columns of A and rows of B in a partitioner's benchmark; 0: one block", 0, 1e4)},
    .grid = grid_of,
    .share =
        [](const Parameters& parameters, ShareSize share) {
          const auto block = static_cast<double>(parameters.integer("block"));
          const auto depth = static_cast<double>(parameters.integer("benchmark-depth"));
          return product_of(share, block, depth > 0.0 ? depth : block, parameters.bytes("element"));
        },
    .prepare =  // the shares of A, B and C are written once
    [](const Parameters& parameters, ShareSize share) {
      const auto block = static_cast<double>(parameters.integer("block"));
      const double m = share.rows * block, n = share.columns * block;
      return Compute{Work::generic, Flops(0.0), {m, n, 0.0}, 3.0 * m * n * parameters.bytes("element")};
    },
    .measured_shares = [](const Parameters& parameters) { return measured_squares(grid_of(parameters)); },
    .works = {Work::dgemm},
    .small = {{"blocks", "24"}},
    .make = [](const KernelInput& input) { return std::make_unique<Matmul2d>(input); },
});

}  // namespace

}  // namespace orrery::matmul_2d_kernel
