/// 2-D Laplacian by a five-point stencil, with borders of any width: the BSP and the MPI program of Meyer's thesis.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, chapter 8; of BSPonMPI: superstep_library.hpp
/// Differs  regions end at the border of the mesh, where the thesis' prediction (figure 8.17) lets them go on; the
///          block copy of the BSP program between iterations is left out, as it is there. Partitions may be any
///          rectangles in the BSP form: each rank sends every other what lies in its border
/// Checked  tests/unit/kernels/stencil_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "kernels/barrier_steps.hpp"
#include "kernels/collectives/collective.hpp"
#include "kernels/grid.hpp"
#include "kernels/partition_of.hpp"
#include "kernels/superstep_library.hpp"

namespace orrery::stencil_kernel {

namespace {

constexpr const char* page =
    R"(A rank owns w x h of N x N points of e bytes and mirrors a border of width b around them. A superstep is b iterations;
iteration i = 1 .. b updates its own points and the border up to the width b - i, so that the last updates its own alone:
5 flops a point, (w + 2(b-i)) (h + 2(b-i)) points away from the border of the mesh.

form bsp: eight messages
  step                      message                            with
  [barrier, or bsp_sync with its message map]
  iterations 1 .. b - 1     -                                  -
  iteration b, own border   -                                  the b outermost lines that others mirror
  irecv, isend              b h, b w (edges), b b (corners)    all whose border holds points of mine, both ways
  iteration b, inside       -                                  while the messages travel ('overlap')
  wait for all
  [allreduce]               8 bytes                            all ranks ('reduction')

with barrier bsponmpi
  iterations 1 .. b         -                                  -
  all-to-all                3 integers                         all ranks: how much will come
  all-to-all                18 integers; 16 B and each border  all ranks: borders travel in it, with no computation beside it

form mpi: four messages in two stages (equal columns and rows of ranks)
  sendrecv, twice           b h                                left and right
  sendrecv, twice           b (w + the borders beside it)      up and down: corners travel with them
  iterations 1 .. b         -                                  -
  [allreduce]               8 bytes                            all ranks

The reduction is of one number in double precision, whatever e is. Figure 8.17 of the source amortises over b the barrier and b - 1 iterations of (l + i)(l + i) points. With the inner part
computed while messages travel, the phase 'communication' holds both: max(communication, inside); 'overlap: false' parts
them, for comparison with models of communication.)";

constexpr const char *bsp_sync = "bsp-sync", *bsponmpi = "bsponmpi";
/// Barriers, and the synchronisations of two libraries: Meyer's with its message map, and BSPonMPI's, which carries the borders.
std::vector<std::string> synchronisations() {
  auto names = barrier_names();
  names.insert(names.end(), {bsp_sync, bsponmpi});
  return names;
}

constexpr Tag halo_tag{1}, barrier_tag{2}, reduction_tag{3}, exchange_tag{4};

/// The rectangle grown by `by` on all sides, within the mesh.
Rectangle grown(const Rectangle& rectangle, std::uint32_t by, std::uint32_t points) {
  const std::uint32_t x = rectangle.x - std::min(by, rectangle.x), y = rectangle.y - std::min(by, rectangle.y);
  const auto end = [&](std::uint32_t to) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{to} + by, points));
  };
  return {x, y, end(rectangle.right()) - x, end(rectangle.bottom()) - y};
}

std::uint64_t shared_area(const Rectangle& a, const Rectangle& b) {
  return std::uint64_t{shared_columns(a, b)} * shared_rows(a, b);
}

/// An iteration of the stencil at so many points.
Compute iteration_of(double points, double width, double height) {
  return {Work::stencil, Flops(5.0 * points), {width, height, 0.0}, Bytes(16.0 * points)};
}

class Stencil final : public Program {
 public:
  explicit Stencil(const KernelInput& input)
      : partition_(input.partition),
        ranks_(input.ranks),
        points_(static_cast<std::uint32_t>(input.parameters.integer("points"))),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        border_(static_cast<std::uint32_t>(input.parameters.integer("border"))),
        element_(input.parameters.bytes("element")),
        mpi_(input.parameters.text("form") == "mpi"),
        overlaps_(input.parameters.boolean("overlap")),
        reduces_(input.parameters.boolean("reduction")),
        computes_(input.parameters.boolean("compute")),
        algorithm_(input.parameters.text("allreduce"), "stencil: 'allreduce'"),
        nodes_(collectives::nodes_of(Group::world(input.ranks), input.layout)),
        exchange_(input.parameters.text("exchange"), "stencil: 'exchange'"),
        library_(input.parameters.text("barrier") == bsp_sync),
        postpones_(input.parameters.text("barrier") == bsponmpi),
        barrier_{.algorithm = library_ || postpones_ ? BarrierAlgorithm::none
                                                     : barrier_algorithm(input.parameters.text("barrier")),
                 .ranks = input.ranks,
                 .tag = barrier_tag} {
    require_partition(input, {points_, points_}, "stencil", "points", "points");
    if (mpi_ && postpones_)
      throw InputError(
          "stencil: 'barrier: bsponmpi' with 'form: mpi' (it carries the borders of 'form: bsp' only). Set 'form: "
          "bsp'?");
    if (mpi_)
      arrange();
    else
      find_neighbours();
  }

  std::string name() const override { return "stencil"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// Two meshes, old and new, with the border.
  Bytes memory(Rank me) const override {
    const Rectangle mine = partition_->of(me);
    if (mine.area() == 0) return Bytes(0.0);
    return 2.0 * static_cast<double>(grown(mine, border_, points_).area()) * element_;
  }

  Generator<Step> steps(Rank me) const override {
    const Rectangle mine = partition_->of(me);
    const SyncPlan library{.ranks = ranks_, .tag = barrier_tag};
    for (std::uint32_t done = 0, k = 0; done < iterations_; ++k) {
      const std::uint32_t width = std::min(border_, iterations_ - done);  // the last superstep may be shorter
      done += width;
      co_yield iteration(k);
      if (library_ || barrier_stages(barrier_) > 0) co_yield phase("barrier");
      if (library_)
        co_yield elements_of(bsp_sync_steps(library, me));
      else
        co_yield elements_of(barrier_steps(barrier_, me));
      if (mpi_)
        co_yield elements_of(mpi_superstep(me, mine, width));
      else if (postpones_)
        co_yield elements_of(postponed_superstep(me, mine, width));
      else
        co_yield elements_of(bsp_superstep(me, mine, width));
      if (!reduces_) continue;
      co_yield phase("communication");
      const collectives::Call call{
          .group = Group::world(ranks_), .me = me, .tag = reduction_tag, .algorithm = algorithm_, .nodes = nodes_};
      co_yield elements_of(collectives::allreduce(call, Bytes(8.0)));
    }
  }

 private:
  struct Neighbour {
    Rank rank{};
    std::uint64_t sent = 0, received = 0;  ///< points
  };
  struct GridPosition {
    std::uint32_t column = 0, row = 0;
  };

  Generator<Step> bsp_superstep(Rank me, Rectangle mine, std::uint32_t width) const {
    co_yield phase("computation");
    for (std::uint32_t i = 1; i < width; ++i)
      if (computes(mine)) co_yield update(grown(mine, width - i, points_));
    const Rectangle inside = inner(mine);
    const bool parts = overlaps_ && inside.area() > 0 && inside.area() < mine.area();
    const double edge_points = static_cast<double>(mine.area() - (parts ? inside.area() : 0));
    if (computes(mine)) co_yield iteration_of(edge_points, mine.width, edge_points / mine.width);
    co_yield phase("communication");
    std::uint32_t request = 0;
    for (const Neighbour& peer : neighbours_[index(me)])
      if (peer.received > 0)
        co_yield irecv(peer.rank, static_cast<double>(peer.received) * element_, halo_tag, RequestId{request++});
    for (const Neighbour& peer : neighbours_[index(me)])
      if (peer.sent > 0)
        co_yield isend(peer.rank, static_cast<double>(peer.sent) * element_, halo_tag, RequestId{request++});
    if (computes(mine) && parts) co_yield update(inside);
    if (request > 0) co_yield wait_all();
  }

  Generator<Step> postponed_superstep(Rank me, Rectangle mine, std::uint32_t width) const {
    co_yield phase("computation");
    for (std::uint32_t i = 1; i <= width; ++i)
      if (computes(mine)) co_yield update(grown(mine, width - i, points_));
    co_yield phase("communication");
    const collectives::Call call{
        .group = Group::world(ranks_), .me = me, .tag = exchange_tag, .algorithm = exchange_, .nodes = nodes_};
    co_yield elements_of(
        bsponmpi_sync_steps(call, collectives::PairSizes::of([this](std::uint64_t from, std::uint64_t to) {
                              return put(from, static_cast<std::uint32_t>(to));
                            })));
  }
  /// Bytes of a border with its header; none for whom it is not.
  std::uint64_t put(std::uint64_t from, std::uint32_t to) const {
    const auto& peers = neighbours_[from];
    const auto found = std::ranges::lower_bound(peers, Rank{to}, {}, &Neighbour::rank);
    if (found == peers.end() || found->rank != Rank{to} || found->sent == 0) return 0;
    return bsponmpi_header + static_cast<std::uint64_t>((static_cast<double>(found->sent) * element_).si());
  }

  Generator<Step> mpi_superstep(Rank me, Rectangle mine, std::uint32_t width) const {
    co_yield phase("communication");
    const auto [column, row] = places_[index(me)];
    const bool left = column > 0, right = column + 1 < columns_.size();
    const bool up = row > 0, down = row + 1 < columns_[column].by_row.size();
    const auto at = [&](std::uint32_t c, std::uint32_t r) { return columns_[c].by_row[r]; };
    const Bytes side = static_cast<double>(border_) * mine.height * element_;
    const Bytes line = static_cast<double>(border_) * (mine.width + border_ * (left + right)) * element_;
    const Rank l = left ? at(column - 1, row) : me, r = right ? at(column + 1, row) : me;
    const Rank u = up ? at(column, row - 1) : me, d = down ? at(column, row + 1) : me;
    co_yield elements_of(shift(me, r, l, side));
    co_yield elements_of(shift(me, l, r, side));
    co_yield elements_of(shift(me, d, u, line));
    co_yield elements_of(shift(me, u, d, line));
    co_yield phase("computation");
    for (std::uint32_t i = 1; i <= width; ++i)
      if (computes(mine)) co_yield update(grown(mine, width - i, points_));
  }

  /// MPI_Sendrecv; nobody at an end is written as myself.
  static Generator<Step> shift(Rank me, Rank to, Rank from, Bytes message) {
    if (from != me) co_yield irecv(from, message, halo_tag, RequestId{0});
    if (to != me) co_yield isend(to, message, halo_tag, RequestId{1});
    if (to != me || from != me) co_yield wait_all();
  }

  bool computes(const Rectangle& mine) const { return computes_ && mine.area() > 0; }
  static Step update(const Rectangle& region) {
    return iteration_of(static_cast<double>(region.area()), region.width, region.height);
  }
  /// Points that nobody mirrors.
  Rectangle inner(const Rectangle& mine) const {
    const std::uint32_t left = mine.x > 0 ? border_ : 0, right = mine.right() < points_ ? border_ : 0;
    const std::uint32_t up = mine.y > 0 ? border_ : 0, down = mine.bottom() < points_ ? border_ : 0;
    if (mine.width <= left + right || mine.height <= up + down) return {};
    return {mine.x + left, mine.y + up, mine.width - left - right, mine.height - up - down};
  }

  /// Whose border holds points of whom. Ranks are tried from left to right, those out of reach left out.
  void find_neighbours() {
    neighbours_.resize(ranks_);
    std::vector<Rank> by_x;
    std::uint32_t widest = 0;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (partition_->rectangles[rank].area() == 0) continue;
      by_x.push_back(Rank{rank});
      widest = std::max(widest, partition_->rectangles[rank].width);
    }
    std::ranges::stable_sort(by_x, {}, [&](Rank rank) { return partition_->of(rank).x; });
    for (const Rank me : by_x) {
      const Rectangle &mine = partition_->of(me), ghost = grown(mine, border_, points_);
      const std::uint32_t from = ghost.x - std::min(ghost.x, widest);
      auto other = std::ranges::lower_bound(by_x, from, {}, [&](Rank rank) { return partition_->of(rank).x; });
      for (; other != by_x.end() && partition_->of(*other).x < ghost.right(); ++other) {
        if (*other == me) continue;
        const Rectangle& theirs = partition_->of(*other);
        const Neighbour found{*other, shared_area(mine, grown(theirs, border_, points_)), shared_area(ghost, theirs)};
        if (found.sent > 0 || found.received > 0) neighbours_[index(me)].push_back(found);
      }
      std::ranges::sort(neighbours_[index(me)], {}, &Neighbour::rank);
    }
  }

  /// Columns and rows of ranks for the MPI form.
  void arrange() {
    std::string defect;
    columns_ = partition_columns(*partition_, defect);
    places_.resize(ranks_);
    std::size_t placed = 0;
    for (std::uint32_t c = 0; c < columns_.size() && defect.empty(); ++c) {
      if (columns_[c].by_row.size() != columns_[0].by_row.size()) defect = "its columns hold unequal numbers of ranks";
      for (std::uint32_t r = 0; r < columns_[c].by_row.size() && defect.empty(); ++r, ++placed) {
        const Rectangle &mine = partition_->of(columns_[c].by_row[r]), &first = partition_->of(columns_[0].by_row[r]);
        if (mine.y != first.y || mine.height != first.height) defect = "its rows of ranks are not straight";
        if ((columns_.size() > 1 && mine.width < border_) || (columns_[c].by_row.size() > 1 && mine.height < border_))
          defect = fmt::format("rank {} has {} x {} points, less than the border of {}", index(columns_[c].by_row[r]),
                               mine.width, mine.height, border_);
        places_[index(columns_[c].by_row[r])] = {c, r};
      }
    }
    if (defect.empty() && placed < ranks_) defect = "some ranks have no points";
    if (!defect.empty())
      throw InputError(
          "stencil: {} (form 'mpi' shifts whole columns and rows of ranks). Use partition "
          "'even-grid', or form 'bsp'?",
          defect);
  }

  std::shared_ptr<const Partition> partition_;
  std::uint32_t ranks_, points_, iterations_, border_;
  Bytes element_;
  bool mpi_, overlaps_, reduces_, computes_;
  collectives::Choice algorithm_;
  collectives::Nodes nodes_;
  collectives::Choice exchange_;  ///< of the borders, where they are postponed
  bool library_;                  ///< synchronises by bsp_sync
  bool postpones_;                ///< by BSPonMPI's
  BarrierPlan barrier_;
  std::vector<std::vector<Neighbour>> neighbours_;  ///< [ranks] form bsp
  std::vector<PartitionColumn> columns_;            ///< form mpi
  std::vector<GridPosition> places_;                ///< [ranks] form mpi
};

GridSize grid_of(const Parameters& parameters) {
  const auto points = static_cast<std::uint32_t>(parameters.integer("points"));
  return {points, points};
}

const bool entered = kernels().add({
    .name = "stencil",
    .summary = "2-D Laplacian with borders of any width: BSP with eight messages, or MPI in two stages",
    .source = "Meyer, doctoral thesis, NTNU, 2012, chapter 8",
    .page = page,
    .parameters = {count_key("points", 1024, "N: the mesh is N x N points", 1, 1e7),
                   word_key("form", "bsp", "program variant", {"bsp", "mpi"}),
                   count_key("iterations", 15, "iterations of the stencil; 'border' iterations form a superstep", 1,
                             1e9),
                   count_key("border", 1, "b: width of the halo", 1, 1e6),
                   bytes_key("element", 8, "size of one point", 1, 1024),
                   flag_key("overlap", true, "bsp: true: compute the inside while messages travel"),
                   flag_key("reduction", false, "true: an allreduce of 8 B per superstep"),
                   word_key("allreduce", "openmpi", "algorithm or selector of this allreduce"),
                   word_key("barrier", "ideal",
                            "barrier before each superstep ('bsp-sync': as kernel bsp-sync; 'bsponmpi': an exchange at "
                            "the end that carries the borders)",
                            synchronisations()),
                   word_key("exchange", "ring",
                            "with barrier bsponmpi: algorithm or selector of the all-to-all that carries the borders"),
                   flag_key("compute", true, "false: no computation")},
    .grid = grid_of,
    .share = [](const Parameters&, ShareSize share) { return iteration_of(share.blocks(), share.columns, share.rows); },
    .measured_shares = [](const Parameters& parameters) { return measured_squares(grid_of(parameters)); },
    .works = {Work::stencil},
    .small = {{"points", "24"}, {"iterations", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Stencil>(input); },
});

}  // namespace

}  // namespace orrery::stencil_kernel
