/// Bodies that all attract each other: blocks of bodies travel once around a ring of ranks.
///
/// Source   Fox et al., Solving Problems on Concurrent Processors, 1988, chapter 9; 20 flops a pair: Nyland, Harris &
///          Prins, GPU Gems 3, 2007, chapter 31
/// Checked  tests/unit/kernels/nbody-ring_test.cpp, tests/contract/every_kernel_test.cpp
#include "kernels/partition_of.hpp"

namespace orrery::nbody_ring_kernel {

namespace {

constexpr const char* page =
    R"(N bodies of m bytes (mass and place); rank i has n_i of them. The grid to be partitioned is 1 wide and N high.
Step s = 0 .. p-1: rank i holds a copy of the block of rank j = (i - s) mod p.

  step             message           with             flops
  irecv            n_(j-1) m         (i - 1) mod p    -           s < p - 1
  isend            n_j m             (i + 1) mod p    -           s < p - 1
  forces           -                 -                f n_i n_j   f n_i (n_i - 1) in step 0
  wait for both

p (p - 1) messages and (p - 1) N m bytes an iteration, f N (N - 1) flops in all. Forces are computed while the block
travels on ('overlap'): the phase 'communication' is the whole way round and holds both, but the forces of the last step.
'overlap: false' waits first; each step is then a phase, in which ranks also wait for those that compute longer.)";

constexpr Tag block_tag{1};

class NbodyRing final : public Program {
 public:
  explicit NbodyRing(const KernelInput& input)
      : ranks_(input.ranks),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        body_(input.parameters.bytes("body")),
        pair_(input.parameters.number("pair-flops")),
        overlaps_(input.parameters.boolean("overlap")),
        computes_(input.parameters.boolean("compute")) {
    const auto bodies = static_cast<std::uint32_t>(input.parameters.integer("bodies"));
    require_partition(input, {1, bodies}, "nbody-ring", "bodies", "bodies");
    sizes_ = Line(*input.partition).sizes;
  }

  std::string name() const override { return "nbody-ring"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// My bodies, the block that I hold and the one that comes.
  Bytes memory(Rank me) const override {
    const auto greatest = static_cast<double>(std::ranges::max(sizes_));
    return (static_cast<double>(sizes_[index(me)]) + (ranks_ > 1 ? 2.0 : 0.0) * greatest) * body_;
  }

  Generator<Step> steps(Rank me) const override {
    const auto mine = static_cast<std::uint32_t>(me);
    const Rank next{(mine + 1) % ranks_}, before{(mine + ranks_ - 1) % ranks_};
    for (std::uint32_t k = 0; k < iterations_; ++k) {
      co_yield iteration(k);
      for (std::uint32_t s = 0; s < ranks_; ++s) {
        const std::uint32_t held = (mine + ranks_ - s) % ranks_, coming = (held + ranks_ - 1) % ranks_;
        const Step forces = forces_between(mine, held);
        const bool computes = computes_ && std::get<Compute>(forces).flops.si() > 0.0;
        const bool last = s + 1 == ranks_, beside = overlaps_ && !last;
        if (s == 0 || (computes_ && !overlaps_)) co_yield phase("communication");
        if (!last) {
          co_yield irecv(before, message(coming), block_tag, RequestId{0});
          co_yield isend(next, message(held), block_tag, RequestId{1});
          if (beside && computes) co_yield forces;
          co_yield wait_all();
        }
        if (computes_ && !beside) co_yield phase("computation");
        if (computes && !beside) co_yield forces;
      }
    }
  }

 private:
  Bytes message(std::uint32_t rank) const { return static_cast<double>(sizes_[rank]) * body_; }

  Step forces_between(std::uint32_t mine, std::uint32_t held) const {
    const double own = static_cast<double>(sizes_[mine]), others = static_cast<double>(sizes_[held]);
    const double pairs = own * (mine == held ? std::max(others - 1.0, 0.0) : others);
    return compute(Work::generic, Flops(pair_ * pairs), {own, others, 0.0}, (own + others) * body_);
  }

  std::uint32_t ranks_, iterations_;
  Bytes body_;
  double pair_;
  bool overlaps_, computes_;
  std::vector<std::uint64_t> sizes_;  ///< [ranks]
};

/// The forces of all bodies on a share of them, which an iteration works off block by block.
Compute forces_on(const Parameters& parameters, ShareSize share) {
  const double own = share.blocks(), all = static_cast<double>(parameters.integer("bodies"));
  return {Work::generic,
          Flops(parameters.number("pair-flops") * (own * std::max(all - 1.0, 0.0))),
          {own, all, 0.0},
          (own + all) * parameters.bytes("body")};
}

GridSize grid_of(const Parameters& parameters) { return {1, static_cast<std::uint32_t>(parameters.integer("bodies"))}; }

const bool entered = kernels().add({
    .name = "nbody-ring",
    .summary = "forces between all pairs of bodies: blocks of bodies travel around a ring of ranks",
    .source = "Fox et al., Solving Problems on Concurrent Processors, 1988, chapter 9",
    .page = page,
    .parameters = {count_key("bodies", 16384, "N: total number of bodies", 1, 4e9),
                   bytes_key("body", 32, "bytes of mass and position of one body", 1, 4096),
                   number_key("pair-flops", 20, "f: flops of one pair", 1, 1e6),
                   count_key("iterations", 4, "time steps", 1, 1e9),
                   flag_key("overlap", true, "true: compute while blocks travel"),
                   flag_key("compute", true, "false: no computation")},
    .grid = grid_of,
    .share = forces_on,
    .measured_shares = [](const Parameters& parameters) { return measured_rows(grid_of(parameters)); },
    .small = {{"iterations", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<NbodyRing>(input); },
});

}  // namespace

}  // namespace orrery::nbody_ring_kernel
