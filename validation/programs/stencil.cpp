// The Laplacian with borders of width b: u' = (u + u_n + u_s + u_w + u_e) / 5, five operations a point; b iterations to
// an exchange, each on a region one line narrower.
//
// Checked against the whole mesh computed by one process, bit by bit: whatever b is, the result is the same.
#include <map>

#include "validation/programs/field.hpp"
#include "validation/programs/numbers.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

namespace {

constexpr Tag halo_tag{1};

void update(const Field& from, Field& to, const Rectangle& part) {
  const std::ptrdiff_t line = from.line();
  for (std::uint32_t y = part.y; y < part.bottom(); ++y) {
    double* const next = to.at(part.x, y);
    const double* const u = from.at(part.x, y);
    for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(part.width); ++x)
      next[x] = 0.2 * (u[x] + u[x - line] + u[x + line] + u[x - 1] + u[x + 1]);
  }
}

void fill(Field& field, const Rectangle& part) {
  for (std::uint32_t y = part.y; y < part.bottom(); ++y)
    for (std::uint32_t x = part.x; x < part.right(); ++x) *field.at(x, y) = number_at(1, x, y);
}

/// A rectangle grown by so many points on the left, right, above and below, within the mesh.
struct Growth {
  std::uint32_t left = 0, right = 0, up = 0, down = 0;
};
Rectangle grown(const Rectangle& rectangle, const Growth& by, std::uint32_t points) {
  const std::uint32_t x = rectangle.x - std::min(by.left, rectangle.x), y = rectangle.y - std::min(by.up, rectangle.y);
  const std::uint32_t right = std::min(rectangle.right() + by.right, points),
                      bottom = std::min(rectangle.bottom() + by.down, points);
  return {x, y, right - x, bottom - y};
}

class Stencil final : public Worker {
 public:
  explicit Stencil(const WorkerInput& input)
      : partition_(input.partition),
        mine_(input.partition->of(input.me)),
        points_(static_cast<std::uint32_t>(input.parameters.integer("points"))),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        border_(static_cast<std::uint32_t>(input.parameters.integer("border"))),
        mpi_(input.parameters.text("form") == "mpi"),
        overlaps_(input.parameters.boolean("overlap")) {}

  void begin() override {
    now_ = next_ = Field(mine_, border_ + 1);
    fill(now_, around(mine_, border_));
    fill(next_, around(mine_, border_));
    finished_ = true;
  }
  /// A superstep; what the one before has left in `next_` is what this one starts from.
  void iteration(std::uint32_t number) override {
    end();
    width_ = std::min(border_, iterations_ - number * border_);
    done_ = 0;
    edge_done_ = false;
    finished_ = mpi_;
  }
  void end() override {
    if (!finished_) std::swap(now_, next_);
    finished_ = true;
  }

  bool carries(Tag tag) const override { return tag == halo_tag; }
  std::span<const double> outgoing(const Send& send) override {
    const Rectangle& theirs = partition_->of(send.to);
    auto& buffer = out_[send.to];
    current().pack(mpi_ ? shifted(mine_, theirs) : common_part(mine_, around(theirs, border_)), buffer);
    return buffer;
  }
  std::span<double> room(const Recv& recv) override {
    auto& buffer = in_[recv.from];
    buffer.resize(mirrored(recv.from).area());
    return buffer;
  }
  void arrived(const Recv& recv) override { current().unpack(mirrored(recv.from), in_[recv.from]); }

  void compute(const Compute&) override {
    const bool last = done_ + 1 >= width_;
    if (mpi_ || !last) {
      ++done_;
      update(now_, next_, around(mine_, width_ - done_));
      std::swap(now_, next_);
      return;
    }
    const Rectangle inside = inner();
    const bool parts = overlaps_ && inside.area() > 0 && inside.area() < mine_.area();
    if (!parts) {
      update(now_, next_, mine_);
    } else if (edge_done_) {
      update(now_, next_, inside);
    } else {
      update(now_, next_, {mine_.x, mine_.y, mine_.width, inside.y - mine_.y});
      update(now_, next_, {mine_.x, inside.bottom(), mine_.width, mine_.bottom() - inside.bottom()});
      update(now_, next_, {mine_.x, inside.y, inside.x - mine_.x, inside.height});
      update(now_, next_, {inside.right(), inside.y, mine_.right() - inside.right(), inside.height});
    }
    edge_done_ = true;
  }

  Verdict verdict(const Together& together) const override {
    const Rectangle whole{0, 0, points_, points_};
    Field now(whole, 1), next(whole, 1);
    fill(now, whole);
    for (std::uint32_t t = 0; t < iterations_; ++t) {
      update(now, next, whole);
      std::swap(now, next);
    }
    double wrong = static_cast<double>(different(now_, now, mine_));
    together.sum({&wrong, 1});
    return {"points that differ from those of one process", wrong, 0.0};
  }

 private:
  Rectangle around(const Rectangle& part, std::uint32_t by) const { return grown(part, {by, by, by, by}, points_); }
  /// What messages are made of: in form bsp the last iteration of the superstep, in form mpi the state before it.
  Field& current() { return mpi_ ? now_ : next_; }

  Rectangle mirrored(Rank peer) const {
    const Rectangle& theirs = partition_->of(peer);
    return mpi_ ? shifted(theirs, mine_) : common_part(around(mine_, border_), theirs);
  }
  /// Form mpi: the lines that `from` sends to `to`, who is beside it; those that go up and down have the corners in
  /// them.
  Rectangle shifted(const Rectangle& from, const Rectangle& to) const {
    if (to.x >= from.right()) return {from.right() - border_, from.y, border_, from.height};
    if (to.right() <= from.x) return {from.x, from.y, border_, from.height};
    const Rectangle wide = grown(from, {border_, border_, 0, 0}, points_);
    return {wide.x, to.y >= from.bottom() ? from.bottom() - border_ : from.y, wide.width, border_};
  }
  /// Points that nobody mirrors.
  Rectangle inner() const {
    const std::uint32_t left = mine_.x > 0 ? border_ : 0, right = mine_.right() < points_ ? border_ : 0;
    const std::uint32_t up = mine_.y > 0 ? border_ : 0, down = mine_.bottom() < points_ ? border_ : 0;
    if (mine_.width <= left + right || mine_.height <= up + down) return {};
    return {mine_.x + left, mine_.y + up, mine_.width - left - right, mine_.height - up - down};
  }

  std::shared_ptr<const Partition> partition_;
  Rectangle mine_;
  std::uint32_t points_, iterations_, border_;
  bool mpi_, overlaps_;
  std::uint32_t width_ = 0, done_ = 0;  ///< of this superstep
  bool edge_done_ = false, finished_ = true;
  std::map<Rank, std::vector<double>> out_, in_;
  Field now_, next_;
};

}  // namespace

std::unique_ptr<Worker> make_stencil(const WorkerInput& input) { return std::make_unique<Stencil>(input); }

}  // namespace orrery::programs
