/// Inner product of two distributed vectors as in bspinprod: each rank sends its local sum to all, and adds all sums.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 3.1, equations 3.4 to 3.7 (bspinprod of BSPedupack, Bisseling)
/// Checked  tests/unit/kernels/inner-product_test.cpp, tests/contract/every_kernel_test.cpp
#include "kernels/barrier_steps.hpp"
#include "kernels/partition_of.hpp"

namespace orrery::inner_product_kernel {

namespace {

constexpr const char* page =
    R"(Two vectors of N elements of e bytes; rank i has n_i of each. The grid to be partitioned is 1 wide and N high.

  step             message            flops    equation
  local sum        -                  2 n_i    3.4, where n_i = N / p
  irecv, isend     e to every other   -        3.5: a 1-relation, each puts one word everywhere
  wait for all
  [barrier]        -                  -        ends the superstep
  sum of sums      -                  p        3.6

Equation 3.7 predicts (2 N / p + l + g + l + p) / r; the source measured up to five orders of magnitude more and takes
the difference as the case for its own models. N is 10^8 there, with the median of 100 repetitions.)";

constexpr Tag sum_tag{1}, barrier_tag{2};

/// The sum of so many products.
Compute sum_of(double elements, Bytes element) {
  return {Work::ddot, Flops(2.0 * elements), {elements, 0.0, 0.0}, 2.0 * elements * element};
}

class InnerProduct final : public Program {
 public:
  explicit InnerProduct(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        element_(input.parameters.bytes("element")),
        computes_(input.parameters.boolean("compute")),
        barrier_{.algorithm = barrier_algorithm(input.parameters.text("barrier")),
                 .ranks = input.ranks,
                 .tag = barrier_tag,
                 .first_request = 2 * input.ranks} {
    const auto elements = static_cast<std::uint32_t>(input.parameters.integer("elements"));
    require_partition(input, {1, elements}, "inner-product", "elements", "elements");
    sizes_ = Line(*input.partition).sizes;
  }

  std::string name() const override { return "inner-product"; }
  std::uint32_t ranks() const override { return ranks_; }

  Bytes memory(Rank me) const override { return 2.0 * static_cast<double>(sizes_[index(me)]) * element_; }

  Generator<Step> steps(Rank me) const override {
    const double n = static_cast<double>(sizes_[index(me)]), p = ranks_;
    const Step local = sum_of(n, element_);
    const Step global = compute(Work::ddot, Flops(p), {p, 0.0, 0.0}, p * element_);
    const auto mine = static_cast<std::uint32_t>(me);
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      co_yield phase("computation");
      if (computes_ && n > 0.0) co_yield local;
      co_yield phase("communication");
      std::uint32_t request = 0;
      // From the next rank on, round the ring: not all to the same rank at once.
      for (std::uint32_t d = 1; d < ranks_; ++d)
        co_yield irecv(Rank{(mine + ranks_ - d) % ranks_}, element_, sum_tag, RequestId{request++});
      for (std::uint32_t d = 1; d < ranks_; ++d)
        co_yield isend(Rank{(mine + d) % ranks_}, element_, sum_tag, RequestId{request++});
      if (request > 0) co_yield wait_all();
      if (barrier_stages(barrier_) > 0) co_yield phase("barrier");
      co_yield elements_of(barrier_steps(barrier_, me));
      co_yield phase("computation");
      if (computes_) co_yield global;
    }
  }

 private:
  std::uint32_t ranks_, repetitions_;
  Bytes element_;
  bool computes_;
  BarrierPlan barrier_;
  std::vector<std::uint64_t> sizes_;  ///< [ranks]
};

GridSize grid_of(const Parameters& parameters) {
  return {1, static_cast<std::uint32_t>(parameters.integer("elements"))};
}

const bool entered = kernels().add({
    .name = "inner-product",
    .summary = "inner product: local sums, each sent to every other rank, summed everywhere",
    .source = "Meyer, doctoral thesis, NTNU, 2012, section 3.1, equations 3.4 to 3.7",
    .page = page,
    .parameters = {count_key("elements", 100'000'000, "N: elements of each vector", 1, 4e9),
                   bytes_key("element", 8, "size of one element", 1, 1024),
                   count_key("repetitions", 10, "number of products in sequence", 1, 1e9),
                   word_key("barrier", "ideal", "barrier after the exchange", barrier_names()),
                   flag_key("compute", true, "false: no computation")},
    .grid = grid_of,
    .share = [](const Parameters& parameters,
                ShareSize share) { return sum_of(share.blocks(), parameters.bytes("element")); },
    .measured_shares = [](const Parameters& parameters) { return measured_rows(grid_of(parameters)); },
    .works = {Work::ddot},
    .small = {{"repetitions", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<InnerProduct>(input); },
});

}  // namespace

}  // namespace orrery::inner_product_kernel
