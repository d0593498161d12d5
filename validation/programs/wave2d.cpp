// The 2-D wave equation: u(t+1) = c0 u + cn u_n + cs u_s + cw u_w + ce u_e - u(t-1), 5 products and 5 sums a point.
//
// Checked against the whole mesh computed by one process, bit by bit.
#include <map>

#include "kernels/grid.hpp"
#include "validation/programs/field.hpp"
#include "validation/programs/numbers.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

namespace {

constexpr Tag wave_halo_tag{1};

/// The new time step takes the place of the oldest.
void time_step(Field& oldest, const Field& now, const Rectangle& part) {
  constexpr double north = 0.2, south = 0.2, west = 0.15, east = 0.15, here = 2.0 - 2.0 * (0.2 + 0.15);
  const std::ptrdiff_t line = now.line();
  for (std::uint32_t y = part.y; y < part.bottom(); ++y) {
    double* const to = oldest.at(part.x, y);
    const double* const u = now.at(part.x, y);
    for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(part.width); ++x)
      to[x] = here * u[x] + north * u[x - line] + south * u[x + line] + west * u[x - 1] + east * u[x + 1] - to[x];
  }
}

void fill(Field& oldest, Field& now, const Rectangle& part) {
  for (std::uint32_t y = part.y; y < part.bottom(); ++y)
    for (std::uint32_t x = part.x; x < part.right(); ++x) *now.at(x, y) = *oldest.at(x, y) = number_at(1, x, y);
}

/// The points of `mine` that `theirs` touches along an edge.
Rectangle edge(const Rectangle& mine, const Rectangle& theirs) {
  const Rectangle wide{theirs.x - (theirs.x > 0 ? 1 : 0), theirs.y, theirs.width + (theirs.x > 0 ? 2 : 1),
                       theirs.height};
  const Rectangle high{theirs.x, theirs.y - (theirs.y > 0 ? 1 : 0), theirs.width,
                       theirs.height + (theirs.y > 0 ? 2 : 1)};
  const Rectangle beside = common_part(mine, wide);
  return beside.area() > 0 ? beside : common_part(mine, high);
}

class Wave2d final : public Worker {
 public:
  explicit Wave2d(const WorkerInput& input)
      : mine_(input.partition->of(input.me)),
        points_(static_cast<std::uint32_t>(input.parameters.integer("points"))),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))) {
    const auto neighbours = edge_neighbours(*input.partition)[index(input.me)];
    for (const Overlap& neighbour : neighbours) {
      const Rectangle& theirs = input.partition->of(neighbour.peer);
      edges_[neighbour.peer] = {edge(mine_, theirs), edge(theirs, mine_), {}, {}};
    }
  }

  void begin() override {
    oldest_ = now_ = Field(mine_, 1);
    fill(oldest_, now_, mine_);
  }
  bool carries(Tag tag) const override { return tag == wave_halo_tag; }
  std::span<const double> outgoing(const Send& send) override {
    Edge& to = edges_.at(send.to);
    now_.pack(to.mine, to.out);
    return to.out;
  }
  std::span<double> room(const Recv& recv) override {
    Edge& from = edges_.at(recv.from);
    from.in.resize(from.theirs.area());
    return from.in;
  }
  void arrived(const Recv& recv) override {
    const Edge& from = edges_.at(recv.from);
    now_.unpack(from.theirs, from.in);
  }
  void compute(const Compute&) override {
    time_step(oldest_, now_, mine_);
    std::swap(oldest_, now_);
  }
  Verdict verdict(const Together& together) const override {
    const Rectangle whole{0, 0, points_, points_};
    Field oldest(whole, 1), now(whole, 1);
    fill(oldest, now, whole);
    for (std::uint32_t t = 0; t < iterations_; ++t) {
      time_step(oldest, now, whole);
      std::swap(oldest, now);
    }
    double wrong = static_cast<double>(different(now_, now, mine_));
    together.sum({&wrong, 1});
    return {"points that differ from those of one process", wrong, 0.0};
  }

 private:
  struct Edge {
    Rectangle mine, theirs;
    std::vector<double> out, in;
  };

  Rectangle mine_;
  std::uint32_t points_, iterations_;
  std::map<Rank, Edge> edges_;
  Field oldest_, now_;
};

}  // namespace

std::unique_ptr<Worker> make_wave2d(const WorkerInput& input) { return std::make_unique<Wave2d>(input); }

}  // namespace orrery::programs
