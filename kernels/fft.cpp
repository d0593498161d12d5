/// Fourier transforms on distributed data: in each form, all-to-alls between local transforms.
///
/// Source   six-step: Bailey, J. Supercomputing 4, 1990, as in FFTE and HPCC (Takahashi; pzfft1d); slab: FFTW-MPI
///          (Frigo & Johnson, Proc. IEEE 93(2), 2005); pencil: as P3DFFT (Pekurovsky, SIAM J. Sci. Comput. 34(4), 2012)
/// Valid    sides need not be divisible by the ranks: parts are then unequal and the all-to-all is one of vectors
/// Differs  the 12 N / P flops of the six-step's two twiddle factors are one step with the second transforms
/// Checked  tests/unit/kernels/fft_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <vector>

#include "kernels/collectives/collective.hpp"
#include "kernels/cuts.hpp"
#include "kernels/fft_sides.hpp"
#include "kernels/kernel.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::fft_kernel {

namespace {

constexpr const char* page =
    R"(N = nx ny nz points, complex of c = 16 bytes. A transform of length n costs 5 n log2 n flops, half for real data.
x_i, y_i, z_i: what rank (or line of ranks) i has of a side; x + y + z fill the sides. One iteration is one transform.

six-step, 1-D: N as nz x ny x nx; ranks start with z_i
  step             message from i to j    flops
  local transpose  -                      -           2 c bytes a point through memory
  all-to-all       z_i x_j ny c           -
  transforms       -                      5 (x_i ny nz) log2 nz
  all-to-all       x_i z_j ny c           -
  twiddle, transf. -                      12 (nx ny z_i) + 5 (nx ny z_i) log2(nx ny)
  all-to-all       z_i x_j ny c           -           not with 'transposed'
  local transpose  -                      -
slab, 3-D: ranks start with x_i planes; mz = nz, for real data nz / 2 + 1
  transforms       -                      f (x_i ny nz) log2 nz + 5 (x_i ny mz) log2 ny        f = 5, real 2.5
  all-to-all       x_i y_j mz c           -
  transforms       -                      5 (nx y_i mz) log2 nx
  all-to-all       y_i x_j mz c           -           not with 'transposed'
pencil, 3-D: P = P1 x P2, rank = p1 P2 + p2; ranks start with y_p1 z_p2 pencils; mx = nx, for real data nx / 2 + 1
  transforms       -                      f (nx y z) log2 nx
  all-to-all of P1 y_i x_j z c            -
  transforms       -                      5 (x ny z) log2 ny
  all-to-all of P2 z_i y_j x c            -
  transforms       -                      5 (x y nz) log2 nz
  both all-to-alls back                   -           not with 'transposed'
'back' (pencil, with 'transposed') has the inverse follow, from where the result lies: the same steps the other way
round. 'packed' copies points into messages before each all-to-all of pencils and out of them after it: 2 c bytes a
point through memory each.

With equal parts every block is 16 N / P^2 (six-step, slab), 16 N / (P P1) and 16 N / (P P2) (pencil), and each rank sends
16 (N / P) (1 - 1 / P) bytes to others. With 'log2-points' m of the six-step N = 2^m is split as HPCC does: log2 nz =
max(log2 P, (m + 1) / 3), log2 nx = max(log2 P, (m - log2 nz + 1) / 2).)";

constexpr Bytes complex_number{16.0};
constexpr Tag tags[4] = {Tag{1}, Tag{2}, Tag{3}, Tag{4}};

/// Two ways to cut a box of points; an all-to-all leads from one to the other.
struct Exchange {
  Group group;
  std::shared_ptr<const Cuts> from, to;
  std::uint64_t depth = 1;  ///< points that a pair of planes has in common
  collectives::Nodes nodes;
};

class Fft final : public Program {
 public:
  explicit Fft(const KernelInput& input)
      : ranks_(input.ranks),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        form_(input.parameters.text("form")),
        real_(input.parameters.text("data") == "real"),
        transposed_(input.parameters.boolean("transposed")),
        back_(input.parameters.boolean("back")),
        packed_(input.parameters.boolean("packed")),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("alltoall"), "fft: 'alltoall'") {
    for (std::size_t d = 0; d < 3; ++d)
      n_[d] = static_cast<std::uint64_t>(input.parameters.integer(std::string("n") + "xyz"[d]));
    if (form_ != "pencil" && (back_ || packed_))
      throw InputError("fft: '{}' in form '{}' (pencil knows it). Choose 'pencil'?", back_ ? "back" : "packed", form_);
    if (back_ && !transposed_)
      throw InputError("fft: 'back' starts from a transposed result ('transposed' is false). Set it?");
    if (form_ == "pencil")
      plan_pencil(input.parameters);
    else
      plan_line(input.parameters);
    know_nodes(input.layout);
  }

  std::string name() const override { return "fft"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// My points twice: an all-to-all does not work in place.
  Bytes memory(Rank me) const override {
    double points = 0.0;
    if (form_ == "pencil") {
      const auto [p1, p2, none] = grid_.place(me);
      points = product(x_->size(p1), n_[1], z_->size(p2));
    } else if (form_ == "slab") {
      points = product(x_->size(static_cast<Member>(me)), n_[1], half(n_[2]));
    } else {
      points = product(n_[0], n_[1], z_->size(static_cast<Member>(me)));
    }
    return 2.0 * points * complex_number;
  }

  Generator<Step> steps(Rank me) const override {
    for (std::uint32_t k = 0; k < iterations_; ++k) {
      co_yield iteration(k);
      if (form_ == "six-step")
        co_yield elements_of(six_step(me));
      else if (form_ == "slab")
        co_yield elements_of(slab(me));
      else
        co_yield elements_of(pencil(me));
    }
  }

 private:
  using Count = std::uint64_t;

  Generator<Step> six_step(Rank me) const {
    const auto i = static_cast<Member>(me);
    const double by_z = product(n_[0], n_[1], z_->size(i)), by_x = product(x_->size(i), n_[1], n_[2]);
    const Exchange there{Group::world(ranks_), z_, x_, n_[1], nodes_[0]},
        back{Group::world(ranks_), x_, z_, n_[1], nodes_[0]};
    co_yield elements_of(copy(by_z));
    co_yield elements_of(exchange(me, there, 0));
    co_yield elements_of(transforms(by_x, n_[2], 5.0));
    co_yield elements_of(exchange(me, back, 1));
    const double side = static_cast<double>(n_[0] * n_[1]);
    co_yield elements_of(work(12.0 * by_z + 5.0 * by_z * portable::log2(side), side, by_z));
    if (!transposed_) co_yield elements_of(exchange(me, there, 2));
    co_yield elements_of(copy(transposed_ ? by_z : by_x));
  }

  Generator<Step> slab(Rank me) const {
    const auto i = static_cast<Member>(me);
    const Count depth = half(n_[2]);
    const Exchange there{Group::world(ranks_), x_, y_, depth, nodes_[0]},
        back{Group::world(ranks_), y_, x_, depth, nodes_[0]};
    co_yield elements_of(first_transforms(product(x_->size(i), n_[1], n_[2]), n_[2]));
    co_yield elements_of(transforms(product(x_->size(i), n_[1], depth), n_[1], 5.0));
    co_yield elements_of(exchange(me, there, 0));
    co_yield elements_of(transforms(product(n_[0], y_->size(i), depth), n_[0], 5.0));
    if (!transposed_) co_yield elements_of(exchange(me, back, 1));
  }

  Generator<Step> pencil(Rank me) const {
    const auto [p1, p2, none] = grid_.place(me);
    const Count x = x_->size(p1), y1 = y_->size(p1), y2 = y2_->size(p2), z = z_->size(p2);
    const Group first = first_line(p2), second = second_line(p1);
    const collectives::Nodes &of_first = nodes_[p2], &of_second = nodes_[grid_.size(1) + p1];
    const Exchange to_y{first, y_, x_, z, of_first}, to_z{second, z_, y2_, x, of_second},
        from_z{second, y2_, z_, x, of_second}, from_y{first, x_, y_, z, of_first};
    const double along_x = product(half(n_[0]), y1, z), along_y = product(x, n_[1], z), along_z = product(x, y2, n_[2]);
    co_yield elements_of(first_transforms(product(n_[0], y1, z), n_[0]));
    co_yield elements_of(moved(me, to_y, 0, along_x, along_y));
    co_yield elements_of(transforms(along_y, n_[1], 5.0));
    co_yield elements_of(moved(me, to_z, 1, along_y, along_z));
    co_yield elements_of(transforms(along_z, n_[2], 5.0));
    if (transposed_ && !back_) co_return;
    if (back_) co_yield elements_of(transforms(along_z, n_[2], 5.0));
    co_yield elements_of(moved(me, from_z, 2, along_z, along_y));
    if (back_) co_yield elements_of(transforms(along_y, n_[1], 5.0));
    co_yield elements_of(moved(me, from_y, 3, along_y, along_x));
    if (back_) co_yield elements_of(first_transforms(product(n_[0], y1, z), n_[0]));
  }

  /// An all-to-all, and what is copied into its messages and out of them.
  Generator<Step> moved(Rank me, Exchange plan, std::size_t number, double before, double after) const {
    if (packed_) co_yield elements_of(copy(before));
    co_yield elements_of(exchange(me, plan, number));
    if (packed_) co_yield elements_of(copy(after));
  }

  Generator<Step> exchange(Rank me, Exchange plan, std::size_t number) const {
    co_yield phase("communication");
    collectives::Call call{.group = plan.group, .me = me, .tag = tags[number], .algorithm = algorithm_};
    call.nodes = plan.nodes;
    call.element = complex_number;
    // Both all-to-alls of a pencil are one operation, as one algorithm is named for them.
    const bool equal = form_ == "pencil" ? x_->equal() && y_->equal() && y2_->equal() && z_->equal()
                                         : plan.from->equal() && plan.to->equal();
    if (equal) {
      const double points = product(plan.from->size(0), plan.to->size(0), plan.depth);
      co_yield elements_of(collectives::alltoall(call, points * complex_number));
    } else {
      const auto size = [from = plan.from, to = plan.to, depth = plan.depth](Member i, Member j) {
        return from->size(i) * to->size(j) * depth;
      };
      co_yield elements_of(collectives::alltoallv(call, collectives::PairSizes::of(size)));
    }
  }

  Group first_line(std::uint32_t p2) const { return Group::strided(Rank{p2}, grid_.size(1), grid_.size(0)); }
  Group second_line(std::uint32_t p1) const { return Group::strided(Rank{p1 * grid_.size(1)}, 1, grid_.size(1)); }
  /// Of all ranks, or of the lines of a grid: P2 of P1 ranks, then P1 of P2.
  void know_nodes(const Layout* layout) {
    if (form_ != "pencil") {
      nodes_.push_back(collectives::nodes_of(Group::world(ranks_), layout));
      return;
    }
    for (std::uint32_t p2 = 0; p2 < grid_.size(1); ++p2)
      nodes_.push_back(collectives::nodes_of(first_line(p2), layout));
    for (std::uint32_t p1 = 0; p1 < grid_.size(0); ++p1)
      nodes_.push_back(collectives::nodes_of(second_line(p1), layout));
  }

  /// `points` in transforms of length n.
  Generator<Step> transforms(double points, Count n, double factor) const {
    return work(factor * points * portable::log2(static_cast<double>(n)), static_cast<double>(n), points);
  }
  /// Of `points` that may be real, half as many bytes then.
  Generator<Step> first_transforms(double points, Count n) const {
    const double flops = (real_ ? 2.5 : 5.0) * points * portable::log2(static_cast<double>(n));
    return work(flops, static_cast<double>(n), real_ ? points / 2.0 : points);
  }
  Generator<Step> work(double flops, double length, double points) const {
    co_yield phase("computation");
    if (computes_ && points > 0.0) co_yield step_of(Work::fft, flops, length, points);
  }
  Generator<Step> copy(double points) const {
    co_yield phase("computation");
    if (computes_ && points > 0.0) co_yield step_of(Work::copy, 0.0, points, points);
  }
  static Step step_of(Work kind, double flops, double length, double points) {
    return compute(kind, Flops(flops), {length, points / length, 0.0}, 2.0 * points * complex_number);
  }
  static double product(Count a, Count b, Count c) { return static_cast<double>(a) * static_cast<double>(b * c); }
  Count half(Count n) const { return real_ ? n / 2 + 1 : n; }

  std::shared_ptr<const Cuts> parts(Count n, std::uint32_t ranks, const std::vector<double>& weights, char side) const {
    if (n < ranks)
      throw InputError("fft: {} ranks share n{} = {} (no more ranks than planes in form '{}'). Enlarge 'n{}'?", ranks,
                       side, n, form_, side);
    return std::make_shared<const Cuts>(cut(n, ranks, weights));
  }

  void plan_line(const Parameters& parameters) {
    const auto weights = weights_from(parameters.text("weights"), ranks_, "fft: 'weights'");
    if (!parameters.text("weights-2").empty())
      throw InputError("fft: 'weights-2' cuts along P2 (form 'pencil' has it). Remove it?");
    if (form_ == "six-step") {
      if (real_) throw InputError("fft: 'data' is 'real' in form 'six-step' (slab and pencil know it). Choose 'slab'?");
      n_ = fft_sides(parameters, ranks_);
      z_ = parts(n_[2], ranks_, weights, 'z');
    } else {
      y_ = parts(n_[1], ranks_, weights, 'y');
    }
    x_ = parts(n_[0], ranks_, weights, 'x');
  }

  void plan_pencil(const Parameters& parameters) {
    grid_ = process_grid(parameters.text("process-grid"), 2, ranks_, "fft: 'process-grid'");
    const auto first = weights_from(parameters.text("weights"), grid_.size(0), "fft: 'weights'");
    const auto second = weights_from(parameters.text("weights-2"), grid_.size(1), "fft: 'weights-2'");
    x_ = parts(half(n_[0]), grid_.size(0), first, 'x');
    y_ = parts(n_[1], grid_.size(0), first, 'y');
    y2_ = parts(n_[1], grid_.size(1), second, 'y');
    z_ = parts(n_[2], grid_.size(1), second, 'z');
  }

  std::uint32_t ranks_, iterations_;
  std::string form_;
  bool real_, transposed_, back_, packed_, computes_;
  collectives::Choice algorithm_;
  std::array<Count, 3> n_{};
  ProcessGrid grid_;
  std::shared_ptr<const Cuts> x_, y_, z_, y2_;
  std::vector<collectives::Nodes> nodes_;
};

/// What benchmarks of transforms print: the mean time of one, with its inverse where that follows.
std::vector<Metric> metrics(const Parameters& parameters, const RunResult& run) {
  return {{"transform", run.makespan.si() / static_cast<double>(parameters.integer("iterations")), "s"}};
}

const bool entered = kernels().add({
    .name = "fft",
    .summary = "Fourier transform: 1-D in six steps, 3-D in slabs or pencils; all-to-alls between local transforms",
    .source = "Bailey, J. Supercomputing 4, 1990 (FFTE, HPCC: pzfft1d); Frigo & Johnson, Proc. IEEE 93(2), 2005; "
              "Pekurovsky, SIAM J. Sci. Comput. 34(4), 2012",
    .page = page,
    .parameters = {word_key("form", "six-step", "algorithm", {"six-step", "slab", "pencil"}),
                   count_key("nx", 128, "points along x", 1, 1e6), count_key("ny", 128, "points along y", 1, 1e6),
                   count_key("nz", 128, "points along z", 1, 1e6),
                   count_key("log2-points", 0, "six-step: 2^m points, split as HPCC does; 0: nx ny nz", 0, 50),
                   word_key("data", "complex", "complex, or real: r2c", {"complex", "real"}),
                   flag_key("transposed", false, "true: leave the result transposed, with fewer all-to-alls"),
                   flag_key("back", false,
                            "pencil: true: an inverse transform follows each, from the transposed result"),
                   flag_key("packed", false, "pencil: true: copy points into and out of messages"),
                   word_key("process-grid", "", "pencil: P1xP2 (default: the most square)"),
                   word_key("weights", "", "shares of the ranks (pencil: of P1), '1 2 2' or 'speeds'; default: equal"),
                   word_key("weights-2", "", "pencil: shares along P2"),
                   word_key("alltoall", "openmpi", "algorithm or selector of the all-to-alls"),
                   count_key("iterations", 1, "number of transforms in sequence", 1, 1e9),
                   flag_key("compute", true, "false: no computation")},
    .works = {Work::fft, Work::copy},
    .small = {{"iterations", "3"}},
    .metrics = metrics,
    .make = [](const KernelInput& input) { return std::make_unique<Fft>(input); },
});

}  // namespace

}  // namespace orrery::fft_kernel
