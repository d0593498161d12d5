/// SUMMA: C = A B on N x N blocks of b x b elements, one rectangle of blocks per rank.
///
/// Iteration k, as in Algorithm 1 of the source: [barrier]; owners of block column k of A send their part to every rank
/// with common rows (non-blocking); the owner of block row k of B sends it down its column, rank by rank (blocking);
/// one wait for all; dgemm.
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.1 and Algorithm 1; partition of Beaumont et al.
/// Valid    partitions made of columns of rectangles that reach from the first block row to the last
/// Checked  tests/unit/kernels/summa_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "kernels/barrier_steps.hpp"
#include "kernels/grid.hpp"
#include "kernels/kernel.hpp"
#include "kernels/partition_of.hpp"

namespace orrery::summa_kernel {

namespace {

constexpr const char* page = R"(Iteration k = 0 .. N-1; rank i owns h_i x w_i blocks of b x b elements of e bytes.

  step                      message                         sent by                        how
  pivot column (stage 1)    (rows shared by i and j) b^2 e  owner i of block column k      isend, to j in rank order
  pivot row    (stage 2)    w_c b^2 e                       owner of block row k in        send, to the others of
                                                            column c of rectangles         the column in rank order
  wait for all
  dgemm                     2 b^3 w_i h_i flops             everyone, if it owns blocks    M = h_i b, N = w_i b, K = b

A rank receives in total  b^2 e [h_i (N - w_i) + w_i (N - h_i)]  bytes over the N iterations: N (h_i + w_i) blocks
less its own parts. Memory traffic of a dgemm: e (2 M N + M K + K N) bytes, C read and written and both panels read, each
once: the blocking of the dgemm keeps the rest in caches (assumed). Ranks with an empty rectangle take part in barriers only. The two stages are declared, each as a
sequence per rank: the source composes the non-blocking messages of the pivot column one after another and adds the
pivot row, though one wait ends both. Packing of the pivot column is left out: the source measured it as negligible.
With 'stages: separate' the run does what that sum says: a wait and an ideal barrier part the stages.
With a message barrier its messages form a phase 'barrier' of their own, outside the measured communication.)";

constexpr Tag column_tag{1}, row_tag{2}, barrier_tag{3};

std::uint32_t whole(const KernelInput& input, const char* name) {
  return static_cast<std::uint32_t>(input.parameters.integer(name));
}

/// One iteration's product of a share of h x w blocks of b x b elements.
Compute product_of(ShareSize share, double block, Bytes element) {
  const double m = share.rows * block, n = share.columns * block;
  return {Work::dgemm, Flops(2.0 * m * n * block), {m, n, block}, (2.0 * m * n + m * block + block * n) * element};
}

class Summa final : public Program {
 public:
  explicit Summa(const KernelInput& input)
      : partition_(input.partition),
        ranks_(input.ranks),
        blocks_(whole(input, "blocks")),
        block_(static_cast<double>(input.parameters.integer("block"))),
        element_(input.parameters.bytes("element")),
        block_message_(block_ * block_ * element_),
        computes_(input.parameters.boolean("compute")),
        separate_(input.parameters.text("stages") == "separate"),
        barrier_{.algorithm = barrier_algorithm(input.parameters.text("barrier")),
                 .ranks = input.ranks,
                 .tag = barrier_tag,
                 .first_request = input.ranks} {
    check(input);
    column_of_.resize(ranks_);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (const Rank rank : columns_[c].by_rank) column_of_[index(rank)] = c;
  }

  std::string name() const override { return "summa"; }
  std::uint32_t ranks() const override { return ranks_; }

  Bytes memory(Rank me) const override { return 3.0 * static_cast<double>(partition_->of(me).area()) * block_message_; }

  Generator<Step> steps(Rank me) const override {
    const Rectangle mine = partition_->of(me);
    const bool owns = mine.area() > 0;
    std::size_t pivot = 0;      // group of rectangles that block column k crosses
    std::size_t row_owner = 0;  // who of my column holds block row k
    std::vector<Overlap> peers = overlaps(me, pivot);
    for (std::uint32_t k = 0; k < blocks_; ++k) {
      co_yield iteration(k);
      if (barrier_stages(barrier_) > 0) co_yield phase("barrier");
      co_yield elements_of(barrier_steps(barrier_, me));
      co_yield phase("communication");
      co_yield stage("pivot column", Composition::sequence);
      if (owns && !columns_[pivot].has_column(k)) peers = overlaps(me, ++pivot);
      for (const Overlap& peer : peers) {
        const Bytes message = peer.count * block_message_;
        if (mine.has_column(k)) co_yield isend(peer.peer, message, column_tag, request_for(peer.peer));
        if (!mine.has_column(k)) co_yield irecv(peer.peer, message, column_tag, request_for(peer.peer));
      }
      if (separate_) {
        co_yield wait_all();
        co_yield barrier();
      }
      co_yield stage("pivot row", Composition::sequence);
      if (owns) {
        const PartitionColumn& column = columns_[column_of_[index(me)]];
        while (!partition_->of(column.by_row[row_owner]).has_row(k)) ++row_owner;
        const Rank owner = column.by_row[row_owner];
        const Bytes message = mine.width * block_message_;
        if (owner != me) co_yield recv(owner, message, row_tag);
        if (owner == me)
          for (const Rank to : column.by_rank)
            if (to != me) co_yield send(to, message, row_tag);
      }
      co_yield wait_all();
      co_yield phase("computation");
      if (computes_ && owns) co_yield product_of(mine.size(), block_, element_);
    }
  }

 private:
  static RequestId request_for(Rank peer) { return RequestId{static_cast<std::uint32_t>(peer)}; }

  void check(const KernelInput& input) {
    if (input.partition == nullptr) throw InputError("summa: needs a partition of its blocks. Name an algorithm?");
    const Partition& partition = *input.partition;
    if (partition.columns != blocks_ || partition.rows != blocks_)
      throw InputError(
          "summa: the partition is {} x {} blocks, 'blocks' is {} (they must agree). Set "
          "'blocks' to {}?",
          partition.columns, partition.rows, blocks_, partition.columns);
    if (partition.ranks() != ranks_)
      throw InputError(
          "summa: the partition is for {} ranks, the run has {} (they must agree). Make a "
          "partition for {} ranks?",
          partition.ranks(), ranks_, ranks_);
    std::string defect;
    columns_ = partition_columns(partition, defect);
    if (!defect.empty())
      throw InputError(
          "summa: {} (columns of rectangles must reach from the first row to the last). Use "
          "'beaumont-columns'?",
          defect);
  }

  /// Whom a rank exchanges the pivot column with while it crosses this group, by rank: everybody it shares rows with
  /// when the group is its own, else the members of the group that it shares rows with.
  std::vector<Overlap> overlaps(Rank me, std::size_t group) const {
    const Rectangle& mine = partition_->of(me);
    std::vector<Overlap> peers;
    if (mine.area() == 0) return peers;
    if (group != column_of_[index(me)]) {
      append_row_overlaps(*partition_, columns_[group], mine, peers);
    } else {
      for (std::size_t other = 0; other < columns_.size(); ++other)
        if (other != group) append_row_overlaps(*partition_, columns_[other], mine, peers);
    }
    std::ranges::sort(peers, {}, &Overlap::peer);
    return peers;
  }

  std::shared_ptr<const Partition> partition_;
  std::uint32_t ranks_, blocks_;
  double block_;
  Bytes element_, block_message_;  ///< one block
  bool computes_, separate_;
  BarrierPlan barrier_;
  std::vector<PartitionColumn> columns_;
  std::vector<std::size_t> column_of_;  ///< [ranks]
};

GridSize grid_of(const Parameters& parameters) {
  const auto blocks = static_cast<std::uint32_t>(parameters.integer("blocks"));
  return {blocks, blocks};
}

const bool entered = kernels().add({
    .name = "summa",
    .summary = "matrix product C = A B on rectangles of blocks: pivot column across, pivot row down, dgemm",
    .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.1 and Algorithm 1",
    .page = page,
    .parameters = {count_key("blocks", 256, "N: the matrices are N x N blocks", 1, 1e7),
                   count_key("block", 32, "b: a block is b x b elements", 1, 1e6),
                   bytes_key("element", 8, "size of one element", 1, 1024),
                   word_key("barrier", "ideal", "barrier before each iteration", barrier_names()),
                   flag_key("compute", true, "false: no computation"),
                   word_key("stages", "overlapping",
                            "separate: no rank sends a pivot row before all pivot columns have arrived",
                            {"overlapping", "separate"})},
    .grid = grid_of,
    .share =
        [](const Parameters& parameters, ShareSize share) {
          return product_of(share, static_cast<double>(parameters.integer("block")), parameters.bytes("element"));
        },
    .measured_shares = [](const Parameters& parameters) { return measured_squares(grid_of(parameters)); },
    .works = {Work::dgemm},
    .small = {{"blocks", "24"}},
    .make = [](const KernelInput& input) { return std::make_unique<Summa>(input); },
});

}  // namespace

}  // namespace orrery::summa_kernel
