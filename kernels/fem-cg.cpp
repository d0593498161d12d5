/// Finite elements: conjugate gradients with localised incomplete Cholesky on a box of hexahedra, three unknowns a
/// node.
///
/// Source   Nakajima, hpcmw-solver-test (GeoFEM), 2003, as used by Ichikawa et al. (process allocation on heterogeneous
///          clusters; NP-T models), section 5.2, which gives the orders of its parts; structure of the solver: standard
/// Differs  any box on any grid of processes, cut equally or by weights; the program wants N to be a multiple of P
/// Checked  tests/unit/kernels/fem-cg_test.cpp, tests/contract/every_kernel_test.cpp
#include "kernels/collectives/collective.hpp"
#include "kernels/cuts.hpp"
#include "kernels/kernel.hpp"

namespace orrery::fem_cg_kernel {

namespace {

constexpr const char* page =
    R"(X x Y x Z nodes with 3 unknowns of 8 bytes each, cut in px x py x pz parts; a rank has n = x y z of them. Every node is
coupled with 27 (itself and its neighbours in the hexahedra around it) by blocks of 3 x 3.

  step                        message             with                    flops
  z = M^-1 r                  -                   -                       486 n   26 blocks forward or back, one solved
  rho = r z                   -                   -                       6 n
  allreduce                   8                   all ranks
  p = z + beta p              -                   -                       6 n
  irecv, isend, wait          24 x nodes of the   up to 26 neighbours     -       face, edge or corner, both ways
                              interface
  q = A p                     -                   -                       486 n   2 x 9 x 27
  p q                         -                   -                       6 n
  allreduce                   8                   all ranks
  x += alpha p, r -= alpha q  -                   -                       12 n
  r r                         -                   -                       6 n
  allreduce                   8                   all ranks

1008 n flops, one exchange and three reductions an iteration. The preconditioner is local to each rank (block Jacobi
over the ranks) and needs no messages. Memory traffic: 76 bytes a block (nine numbers and an index), 24 a node and vector.)";

constexpr Tag halo_tag{1}, reduction_tag{2};
constexpr Bytes node_bytes{24.0}, block_bytes{76.0};

class FemCg final : public Program {
 public:
  explicit FemCg(const KernelInput& input)
      : ranks_(input.ranks),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("allreduce"), "fem-cg: 'allreduce'"),
        nodes_(collectives::nodes_of(Group::world(input.ranks), input.layout)),
        grid_(process_grid(input.parameters.text("process-grid"), 3, input.ranks, "fem-cg: 'process-grid'")),
        cuts_(cut_box(input.parameters, grid_, "fem-cg", "nodes", "xyz")) {}

  std::string name() const override { return "fem-cg"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// 27 blocks a node, and the vectors x, r, z, p and q.
  Bytes memory(Rank me) const override { return nodes_of(grid_.place(me)) * (27.0 * block_bytes + 5.0 * node_bytes); }

  Generator<Step> steps(Rank me) const override {
    const auto place = grid_.place(me);
    const double n = nodes_of(place);
    const std::vector<Neighbour> neighbours = neighbours_of(place);
    for (std::uint32_t k = 0; k < iterations_; ++k) {
      co_yield iteration(k);
      co_yield phase("computation");
      co_yield elements_of(blocks(26.0, 18.0, n));  // a solved block costs as much as a multiplied one: 18 flops
      co_yield elements_of(dot(n));
      co_yield elements_of(reduce(me));
      co_yield elements_of(axpy(1.0, n));
      co_yield elements_of(exchange(neighbours));
      co_yield elements_of(blocks(27.0, 0.0, n));
      co_yield elements_of(dot(n));
      co_yield elements_of(reduce(me));
      co_yield elements_of(axpy(2.0, n));
      co_yield elements_of(dot(n));
      co_yield elements_of(reduce(me));
    }
  }

 private:
  double nodes_of(const ProcessGrid::Place& place) const {
    double n = 1.0;
    for (std::size_t d = 0; d < 3; ++d) n *= static_cast<double>(cuts_[d].size(place[d]));
    return n;
  }

  struct Neighbour {
    Rank rank{};
    Bytes message;
  };

  std::vector<Neighbour> neighbours_of(const ProcessGrid::Place& place) const {
    std::vector<Neighbour> found;
    for (int offset = 0; offset < 27; ++offset) {
      const std::array<int, 3> step{offset / 9 - 1, offset / 3 % 3 - 1, offset % 3 - 1};
      ProcessGrid::Place theirs = place;
      double nodes = 1.0;
      bool inside = offset != 13;
      for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t at = std::int64_t{place[d]} + step[d];
        inside = inside && at >= 0 && at < std::int64_t{grid_.size(d)};
        theirs[d] = static_cast<std::uint32_t>(at);
        if (step[d] == 0) nodes *= static_cast<double>(cuts_[d].size(place[d]));
      }
      if (inside) found.push_back({grid_.rank(theirs), nodes * node_bytes});
    }
    return found;  // in rank order, since the last dimension is the fastest
  }

  static Generator<Step> exchange(const std::vector<Neighbour>& neighbours) {
    co_yield phase("communication");
    std::uint32_t request = 0;
    for (const auto& [rank, message] : neighbours) co_yield irecv(rank, message, halo_tag, RequestId{request++});
    for (const auto& [rank, message] : neighbours) co_yield isend(rank, message, halo_tag, RequestId{request++});
    if (request > 0) co_yield wait_all();
    co_yield phase("computation");
  }

  Generator<Step> reduce(Rank me) const {
    co_yield phase("communication");
    const collectives::Call call{
        .group = Group::world(ranks_), .me = me, .tag = reduction_tag, .algorithm = algorithm_, .nodes = nodes_};
    co_yield elements_of(collectives::allreduce(call, Bytes(8.0)));
    co_yield phase("computation");
  }

  Generator<Step> blocks(double per_node, double extra_flops, double n) const {
    if (computes_)
      co_yield step_of(Work::spmv, (18.0 * per_node + extra_flops) * n, n,
                       n * (per_node * block_bytes + 2.0 * node_bytes));
  }
  Generator<Step> dot(double n) const {
    if (computes_) co_yield step_of(Work::ddot, 6.0 * n, 3.0 * n, 2.0 * n * node_bytes);
  }
  Generator<Step> axpy(double vectors, double n) const {
    if (computes_) co_yield step_of(Work::daxpy, 6.0 * vectors * n, 3.0 * vectors * n, 3.0 * vectors * n * node_bytes);
  }
  static Step step_of(Work kind, double flops, double size, Bytes traffic) {
    return compute(kind, Flops(flops), {size, 0.0, 0.0}, traffic);
  }

  std::uint32_t ranks_, iterations_;
  bool computes_;
  collectives::Choice algorithm_;
  collectives::Nodes nodes_;
  ProcessGrid grid_;
  std::array<Cuts, 3> cuts_;
};

const bool entered = kernels().add({
    .name = "fem-cg",
    .summary = "finite elements in 3-D by conjugate gradients: one halo exchange and three allreduces per iteration",
    .source = "Nakajima, hpcmw-solver-test, 2003; Ichikawa et al. (NP-T models), section 5.2",
    .page = page,
    .parameters = {count_key("nodes-x", 64, "X: nodes of the box along x", 1, 1e6),
                   count_key("nodes-y", 64, "Y: along y", 1, 1e6), count_key("nodes-z", 64, "Z: along z", 1, 1e6),
                   word_key("process-grid", "", "px x py x pz, as '1x1x8' (default: the most cubic)"),
                   word_key("weights-x", "", "shares of the parts along x, '1 2 2' or 'speeds'; default: equal"),
                   word_key("weights-y", "", "along y"), word_key("weights-z", "", "along z"),
                   count_key("iterations", 10, "iterations of the solver", 1, 1e9),
                   word_key("allreduce", "openmpi", "algorithm or selector of the reductions"),
                   flag_key("compute", true, "false: no computation")},
    .works = {Work::spmv, Work::ddot, Work::daxpy},
    .small = {{"iterations", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<FemCg>(input); },
});

}  // namespace

}  // namespace orrery::fem_cg_kernel
