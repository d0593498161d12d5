/// The 2-D wave equation by finite differences: each rank sends the edge of its rectangle to every rank it touches.
///
/// Iteration: [barrier]; irecv and isend for every neighbour; one wait for all; stencil.
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.2, equations 12 to 14
/// Differs  the source does not print the number of iterations T: 100 is assumed
/// Checked  tests/unit/kernels/wave2d_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include "kernels/barrier_steps.hpp"
#include "kernels/grid.hpp"
#include "kernels/kernel.hpp"
#include "kernels/partition_of.hpp"

namespace orrery::wave2d_kernel {

namespace {

constexpr const char* page = R"(Iteration t = 0 .. T-1; rank i owns h_i x w_i points of an N x N mesh, e bytes each.

  step             message                            sent by
  irecv, isend     (edge shared by i and j) e         every i to every rank j its rectangle touches along an edge
  wait for all
  stencil          10 w_i h_i flops,                  everyone, if it owns points (equation 12: 5 products, 5 sums)
                   3 e w_i h_i bytes of memory

Memory traffic: the two time steps before are read and one is written, each point once: the rows of the stencil stay in
a cache (assumed), and the new step takes the place of the oldest, so that a store needs no read before it.

One message per neighbour; corners do not count, since the stencil has five points. In total a rank sends, per
iteration, e times the part of its perimeter that is not on the border of the mesh. Receives are posted first, then
sends, each in rank order; they form a set (equations 13 and 14), which is what non-blocking steps give by themselves.

Equation 13 for rank 1 of figure 9 prints seven terms, T1(64) T1(48) T0(64) T0(64) T0(64) T1(96) T0(16), for the six
neighbours 2, 4, 3, 6, 0, 5. One T0(64) is printed once too often: read clockwise, the six terms are the top (64),
the right side (48 + 64), the bottom (64) and the left side (96 + 16), and both sides add up to the same 112 points;
with a third T0(64) no two sides of a rectangle agree. So rank 1 is 64 wide and 112 high, and sends six messages.)";

constexpr Tag halo_tag{1}, barrier_tag{2};

/// One time step of a share of w x h points.
Compute time_step(ShareSize share, Bytes element) {
  const double width = share.columns, height = share.rows;
  return {Work::stencil, Flops(10.0 * width * height), {width, height, 0.0}, 3.0 * width * height * element};
}

class Wave2d final : public Program {
 public:
  explicit Wave2d(const KernelInput& input)
      : partition_(input.partition),
        ranks_(input.ranks),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        element_(input.parameters.bytes("element")),
        computes_(input.parameters.boolean("compute")),
        barrier_{.algorithm = barrier_algorithm(input.parameters.text("barrier")),
                 .ranks = input.ranks,
                 .tag = barrier_tag,
                 .first_request = 2 * input.ranks} {
    check(input);
    neighbours_ = edge_neighbours(*partition_);
  }

  std::string name() const override { return "wave2d"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// Two time steps: the new one takes the place of the oldest.
  Bytes memory(Rank me) const override { return 2.0 * static_cast<double>(partition_->of(me).area()) * element_; }

  Generator<Step> steps(Rank me) const override {
    const Rectangle mine = partition_->of(me);
    const auto& neighbours = neighbours_[index(me)];
    for (std::uint32_t t = 0; t < iterations_; ++t) {
      co_yield iteration(t);
      if (barrier_stages(barrier_) > 0) co_yield phase("barrier");
      co_yield elements_of(barrier_steps(barrier_, me));
      co_yield phase("communication");
      std::uint32_t request = 0;
      for (const Overlap& edge : neighbours)
        co_yield irecv(edge.peer, edge.count * element_, halo_tag, RequestId{request++});
      for (const Overlap& edge : neighbours)
        co_yield isend(edge.peer, edge.count * element_, halo_tag, RequestId{request++});
      co_yield wait_all();
      co_yield phase("computation");
      if (computes_ && mine.area() > 0) co_yield time_step(mine.size(), element_);
    }
  }

 private:
  void check(const KernelInput& input) const {
    if (input.partition == nullptr) throw InputError("wave2d: needs a partition of its points. Name an algorithm?");
    const auto points = static_cast<std::uint32_t>(input.parameters.integer("points"));
    if (partition_->columns != points || partition_->rows != points)
      throw InputError(
          "wave2d: the partition is {} x {} points, 'points' is {} (they must agree). Set "
          "'points' to {}?",
          partition_->columns, partition_->rows, points, partition_->columns);
    if (partition_->ranks() != ranks_)
      throw InputError(
          "wave2d: the partition is for {} ranks, the run has {} (they must agree). Make a "
          "partition for {} ranks?",
          partition_->ranks(), ranks_, ranks_);
  }

  std::shared_ptr<const Partition> partition_;
  std::uint32_t ranks_, iterations_;
  Bytes element_;
  bool computes_;
  BarrierPlan barrier_;
  std::vector<std::vector<Overlap>> neighbours_;  ///< [ranks]
};

GridSize grid_of(const Parameters& parameters) {
  const auto points = static_cast<std::uint32_t>(parameters.integer("points"));
  return {points, points};
}

const bool entered = kernels().add({
    .name = "wave2d",
    .summary = "2-D wave equation: halo exchange with every rank that shares an edge, then a five-point stencil",
    .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.2, equations 12 to 14",
    .page = page,
    .parameters = {count_key("points", 256, "N: the mesh is N x N points", 1, 1e7),
                   count_key("iterations", 100, "T: time steps (assumed, not printed)", 1, 1e9),
                   bytes_key("element", 8, "size of one point", 1, 1024),
                   word_key("barrier", "ideal", "barrier before each iteration", barrier_names()),
                   flag_key("compute", true, "false: no computation")},
    .grid = grid_of,
    .share = [](const Parameters& parameters,
                ShareSize share) { return time_step(share, parameters.bytes("element")); },
    .measured_shares = [](const Parameters& parameters) { return measured_squares(grid_of(parameters)); },
    .works = {Work::stencil},
    .small = {{"points", "24"}, {"iterations", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Wave2d>(input); },
});

}  // namespace

}  // namespace orrery::wave2d_kernel
