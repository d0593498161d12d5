/// Himeno benchmark: Jacobi iterations for the pressure Poisson equation on a box, on any grid of processes.
///
/// Source   Himeno, himenoBMTxpr (Fortran, MPI), RIKEN; as used by Ichikawa et al. (process allocation on heterogeneous
///          clusters; NP-T models), section 5.1
/// Differs  'weights-i', 'weights-j', 'weights-k' cut the box in unequal parts, which the program cannot
/// Checked  tests/unit/kernels/himeno_test.cpp, tests/contract/every_kernel_test.cpp
#include "kernels/collectives/collective.hpp"
#include "kernels/cuts.hpp"
#include "kernels/kernel.hpp"

namespace orrery::himeno_kernel {

namespace {

constexpr const char* page =
    R"(The box has I x J x K points of e bytes (4 in the program), cut in pi x pj x pk parts. A rank's arrays have i x j x k
points: its own and one layer beyond each side at which it has a neighbour; it computes the inner (i-2)(j-2)(k-2).

  step                  message   with                              work
  Jacobi                -         -                                 34 flops, 56 bytes of memory a point
  irecv, isend, wait    i j e     both neighbours along k           -
  irecv, isend, wait    i k e     both neighbours along j           -
  irecv, isend, wait    j k e     both neighbours along i           -
  allreduce             e         all ranks                         -

The order k, j, i and the waits between them carry values around edges and corners. 56 bytes are 14 arrays of 4 bytes:
13 are read and one is written, which makes the kernel one of memory bandwidth. Sum over the ranks and an iteration:
34 (I-2)(J-2)(K-2) flops; a face between two parts is exchanged both ways, with the layers beyond their sides.
The sizes of the benchmark: XS 32 x 32 x 64, S 64 x 64 x 128, M 128 x 128 x 256, L 256 x 256 x 512, XL 512 x 512 x 1024.)";

constexpr Tag halo_tags[3] = {Tag{1}, Tag{2}, Tag{3}};
constexpr Tag reduction_tag{4};

class Himeno final : public Program {
 public:
  explicit Himeno(const KernelInput& input)
      : ranks_(input.ranks),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        element_(input.parameters.bytes("element")),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("allreduce"), "himeno: 'allreduce'"),
        nodes_(collectives::nodes_of(Group::world(input.ranks), input.layout)),
        grid_(process_grid(input.parameters.text("process-grid"), 3, input.ranks, "himeno: 'process-grid'")),
        cuts_(cut_box(input.parameters, grid_, "himeno", "points", "ijk")) {}

  std::string name() const override { return "himeno"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// a (4), b (3), c (3), p, bnd, wrk1, wrk2.
  Bytes memory(Rank me) const override {
    const Extent size = extent(grid_.place(me));
    return 14.0 * size[0] * size[1] * size[2] * element_;
  }

  Generator<Step> steps(Rank me) const override {
    const auto place = grid_.place(me);
    const Extent size = extent(place);
    for (std::uint32_t k = 0; k < iterations_; ++k) {
      co_yield iteration(k);
      co_yield phase("computation");
      if (computes_) co_yield jacobi(size);
      co_yield phase("communication");
      for (std::size_t d = 3; d-- > 0;) {
        const Bytes face = size[(d + 1) % 3] * size[(d + 2) % 3] * element_;
        auto below = place, above = place;
        const bool has_below = place[d] > 0, has_above = place[d] + 1 < grid_.size(d);
        --below[d];
        ++above[d];
        if (has_below) co_yield irecv(grid_.rank(below), face, halo_tags[d], RequestId{0});
        if (has_above) co_yield irecv(grid_.rank(above), face, halo_tags[d], RequestId{1});
        if (has_below) co_yield isend(grid_.rank(below), face, halo_tags[d], RequestId{2});
        if (has_above) co_yield isend(grid_.rank(above), face, halo_tags[d], RequestId{3});
        if (has_below || has_above) co_yield wait_all();
      }
      const collectives::Call call{
          .group = Group::world(ranks_), .me = me, .tag = reduction_tag, .algorithm = algorithm_, .nodes = nodes_};
      co_yield elements_of(collectives::allreduce(call, element_));
    }
  }

 private:
  using Extent = std::array<double, 3>;

  Extent extent(const ProcessGrid::Place& place) const {
    Extent size{};
    for (std::size_t d = 0; d < 3; ++d)
      size[d] = static_cast<double>(cuts_[d].size(place[d])) + (place[d] > 0) + (place[d] + 1 < grid_.size(d));
    return size;
  }

  static Step jacobi(const Extent& size) {
    Extent inner{};
    for (std::size_t d = 0; d < 3; ++d) inner[d] = std::max(size[d] - 2.0, 0.0);
    const double points = inner[0] * inner[1] * inner[2];
    return compute(Work::stencil, Flops(34.0 * points), inner, Bytes(56.0 * points));
  }

  std::uint32_t ranks_, iterations_;
  Bytes element_;
  bool computes_;
  collectives::Choice algorithm_;
  collectives::Nodes nodes_;
  ProcessGrid grid_;
  std::array<Cuts, 3> cuts_;
};

const bool entered = kernels().add({
    .name = "himeno",
    .summary = "3-D Jacobi iterations on any grid of processes: three face exchanges and an allreduce per iteration",
    .source = "Himeno, himenoBMTxpr, RIKEN; Ichikawa et al. (NP-T models), section 5.1",
    .page = page,
    .parameters = {count_key("points-i", 128, "I: points of the box along i", 3, 1e6),
                   count_key("points-j", 128, "J: along j", 3, 1e6), count_key("points-k", 256, "K: along k", 3, 1e6),
                   word_key("process-grid", "", "pi x pj x pk, as '1x1x8' or '*x1x1' (default: the most cubic)"),
                   word_key("weights-i", "", "shares of the parts along i, '1 2 2' or 'speeds'; default: equal"),
                   word_key("weights-j", "", "along j"), word_key("weights-k", "", "along k"),
                   count_key("iterations", 10, "Jacobi iterations", 1, 1e9),
                   bytes_key("element", 4, "size of one point", 1, 64),
                   word_key("allreduce", "openmpi", "algorithm or selector of the reduction"),
                   flag_key("compute", true, "false: no computation")},
    .works = {Work::stencil},
    .small = {{"iterations", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Himeno>(input); },
});

}  // namespace

}  // namespace orrery::himeno_kernel
