/// Sparse matrix product C = A B by columns: A to all ranks, some columns of B to each, columns of C back.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 4.2
/// Differs  without a seed counts of non-zeros are expected values, rounded; the source draws matrices at random
/// Checked  tests/unit/kernels/spmm_test.cpp, tests/contract/every_kernel_test.cpp
#include <cmath>

#include "kernels/collectives/collective.hpp"
#include "kernels/partition_of.hpp"
#include "kernels/sparse_product.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::spmm_kernel {

namespace {

constexpr const char* page =
    R"(A, B and C are n x n; A and B have a share s of non-zeros, kept as triplets (row, column, value) of t bytes. Rank i
multiplies A with C_i columns of B; the grid to be partitioned is one column wide and n high, a row for a column of B.

  step         message                              root          flops
  bcast        t s n^2                              0             -
  scatterv     t s n C_i, to rank i                 0             -
  multiply     -                                    -             2 s^2 n^2 C_i   rows of A are indexed ('lookup: indexed')
                                                                  2 s n^2 C_i     A is read for every column ('scan')
                                                                  2 s n^2 C_i log2(1 + s n) + 2 s^2 n^2 C_i   for each
                                                                  column and element of A its partner is searched
                                                                  in the column ('search'; a comparison counts 2)
  gatherv      t n C_i (1 - exp(-s^2 n)), from i    0             -

An element of C is non-zero unless none of its n products is: (1 - s^2)^n, or exp(-s^2 n). With n = 8192 and s = 0.01 (A is
8.05 MB) that is 56 % of C, 450 MB in all: collecting the result is most of the communication. The text calls the local
work matrix-vector products; which of the three counts its program has must be measured.

Ranks without columns take part all the same and are sent A ('idle: join'), or stay out of it ('stay-out'), as in a communicator
of those that have work.

These are expected values. With a 'seed' two matrices of round(s n^2) non-zeros are drawn, and every chunk of columns has the
counts that it has: non-zeros of its columns of B and C, and products, so equal chunks differ by the luck of the draw.)";

constexpr Tag bcast_tag{1}, scatter_tag{2}, gather_tag{3};

enum class Lookup : std::uint8_t { indexed, scan, search };

Lookup lookup_of(const Parameters& parameters) {
  const std::string& text = parameters.text("lookup");
  return text == "indexed" ? Lookup::indexed : text == "scan" ? Lookup::scan : Lookup::search;
}

/// What a chunk of columns of B amounts to.
struct Chunk {
  double columns = 0.0, given = 0.0, collected = 0.0, products = 0.0, searched = 0.0;
};

Compute product_of(const Chunk& chunk, double n, double of_a, Lookup lookup, Bytes triplet) {
  const double scanned = of_a * chunk.columns;
  const double steps = lookup == Lookup::indexed ? chunk.products
                       : lookup == Lookup::scan  ? scanned
                                                 : chunk.searched + chunk.products;
  const double read = lookup == Lookup::indexed ? chunk.products : scanned;
  return {Work::spmv, Flops(2.0 * steps), {n, chunk.columns, 0.0}, read * triplet};
}

/// Of a number of columns that need not be whole.
Chunk expected_chunk(double columns, double n, double density) {
  const double of_column = density * n;
  return {columns, of_column * columns, -portable::expm1(-density * density * n) * n * columns,
          density * n * n * columns * density, density * n * n * portable::log2(1.0 + of_column) * columns};
}

Chunk drawn_chunk(const ProductCounts& counts, std::uint64_t first, std::uint64_t columns) {
  const auto sum = [&](const std::vector<double>& before) { return before[first + columns] - before[first]; };
  return {static_cast<double>(columns), sum(counts.given_before), sum(counts.collected_before),
          sum(counts.products_before), sum(counts.searched_before)};
}

class Spmm final : public Program {
 public:
  explicit Spmm(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        n_(static_cast<double>(input.parameters.integer("columns"))),
        density_(input.parameters.number("density")),
        triplet_(input.parameters.bytes("triplet")),
        lookup_(lookup_of(input.parameters)),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("collectives"), "spmm: 'collectives'"),
        group_(Group::world(input.ranks)) {
    const auto n = static_cast<std::uint32_t>(n_);
    require_partition(input, {1, n}, "spmm", "columns", "columns");
    const auto seed = static_cast<std::uint64_t>(input.parameters.integer("seed"));
    const auto counts = seed > 0 ? drawn_product(n, density_, seed) : nullptr;
    of_a_ = counts ? counts->of_a : density_ * n_ * n_;
    const bool all = input.parameters.text("idle") == "join";
    std::vector<std::uint64_t> given, collected;
    std::vector<Rank> members;
    for (const Rectangle& mine : input.partition->rectangles) {
      const auto columns = mine.area();
      const Rank rank{static_cast<std::uint32_t>(chunks_.size())};
      chunks_.push_back(counts ? drawn_chunk(*counts, mine.y, columns)
                               : expected_chunk(static_cast<double>(columns), n_, density_));
      if (!all && columns == 0 && rank != Rank{0}) continue;
      members.push_back(rank);
      given.push_back(whole(chunks_.back().given));
      collected.push_back(whole(chunks_.back().collected));
    }
    if (members.size() < input.ranks) group_ = Group::of(std::move(members));
    nodes_ = collectives::nodes_of(group_, input.layout);
    given_ = collectives::Shares::of(given);
    collected_ = collectives::Shares::of(collected);
  }

  std::string name() const override { return "spmm"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// A, my columns of B and C; rank 0 the whole of them; nothing of a rank that stays out.
  Bytes memory(Rank me) const override {
    if (!group_.contains(me)) return {};
    const auto held = [&](const collectives::Shares& shares) {
      return static_cast<double>(me == Rank{0} ? shares.total() : shares.size(group_.member(me)));
    };
    return (static_cast<double>(whole(of_a_)) + held(given_) + held(collected_)) * triplet_;
  }

  Generator<Step> steps(Rank me) const override {
    if (!group_.contains(me)) co_return;
    const Chunk& mine = chunks_[index(me)];
    const Step multiply = product_of(mine, n_, of_a_, lookup_, triplet_);
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      co_yield phase("communication");
      co_yield elements_of(collectives::bcast(call(me, bcast_tag), static_cast<double>(whole(of_a_)) * triplet_));
      co_yield elements_of(collectives::scatterv(call(me, scatter_tag), given_));
      co_yield phase("computation");
      if (computes_ && mine.columns > 0.0) co_yield multiply;
      co_yield phase("communication");
      co_yield elements_of(collectives::gatherv(call(me, gather_tag), collected_));
    }
  }

 private:
  static std::uint64_t whole(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

  collectives::Call call(Rank me, Tag tag) const {
    collectives::Call made{.group = group_, .me = me, .tag = tag, .algorithm = algorithm_, .nodes = nodes_};
    made.element = triplet_;
    return made;
  }

  std::uint32_t ranks_, repetitions_;
  double n_, density_, of_a_ = 0.0;
  Bytes triplet_;
  Lookup lookup_;
  bool computes_;
  collectives::Choice algorithm_;
  Group group_;  ///< who takes part
  collectives::Nodes nodes_;
  std::vector<Chunk> chunks_;              ///< [ranks]
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
    .parameters = {count_key("columns", 8192, "n: the matrices are n x n", 1, 1e7),
                   number_key("density", 0.01, "s: fraction of non-zeros in A and B", 1e-9, 1),
                   bytes_key("triplet", 12, "t: size of row, column and value", 1, 1024),
                   word_key("lookup", "indexed", "search for rows of A", {"indexed", "scan", "search"}),
                   word_key("idle", "join", "whether ranks without columns take part", {"join", "stay-out"}),
                   count_key("seed", 0, "seed of random matrices; 0: use expected counts", 0, 1e9),
                   word_key("collectives", "openmpi", "selector of the collectives"),
                   count_key("repetitions", 1, "number of products in sequence", 1, 1e9),
                   flag_key("compute", true, "false: no computation")},
    .grid = grid_of,
    .share =
        [](const Parameters& parameters, ShareSize share) {
          const auto n = static_cast<double>(parameters.integer("columns"));
          const double density = parameters.number("density");
          return product_of(expected_chunk(share.blocks(), n, density), n, density * n * n, lookup_of(parameters),
                            parameters.bytes("triplet"));
        },
    .measured_shares = [](const Parameters& parameters) { return measured_rows(grid_of(parameters)); },
    .works = {Work::spmv},
    .small = {{"repetitions", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Spmm>(input); },
});

}  // namespace

}  // namespace orrery::spmm_kernel
