// Fourier transforms on FFTW: in six steps on one dimension, in slabs on three. Packing what is sent and putting
// together what came is part of the compute steps around an all-to-all.
//
// Checked against FFTW's own transform of all points in one process.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernels/cuts.hpp"
#include "kernels/fft_sides.hpp"
#include "sim/core/error.hpp"
#include "validation/programs/fourier.hpp"
#include "validation/programs/numbers.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

namespace {

using Points = std::vector<Complex>;

Complex input_at(std::size_t number) { return {number_at(1, number, 0), number_at(2, number, 0)}; }

/// `right` from `first` on, of a transform of `total` points.
Verdict compared(const Points& own, const Points& right, std::size_t first, std::size_t total,
                 const Together& together) {
  double worst[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < own.size(); ++i) worst[0] = std::max(worst[0], std::abs(own[i] - right[first + i]));
  for (const Complex& value : right) worst[1] = std::max(worst[1], std::abs(value));
  together.greatest(worst);
  const double steps = std::max(1.0, std::log2(static_cast<double>(total)));
  return {"|X - X of one process| / (eps log2 N |X|)",
          worst[0] / (std::numeric_limits<double>::epsilon() * steps * worst[1]), 16.0};
}

/// All-to-alls whose blocks go straight from rank to rank, and what lies on each side of them.
class Transform : public Worker {
 public:
  explicit Transform(const WorkerInput& input) : me_(index(input.me)), ranks_(input.ranks) {}

  void begin() override { done_ = 0; }
  void iteration(std::uint32_t) override {
    end();
    done_ = 0;
  }
  bool carries(Tag) const override { return true; }
  std::span<const double> outgoing(const Send& send) override { return numbers(out_[index(send.to)]); }
  std::span<double> room(const Recv& recv) override { return numbers(in_[index(recv.from)]); }

 protected:
  static std::span<double> numbers(Points& points) {
    return {reinterpret_cast<double*>(points.data()), 2 * points.size()};
  }
  /// Makes room for an all-to-all: `size(i, j)` points from rank i to rank j.
  /// A rank without points does none of the steps that are counted here.
  static void require_part(const Cuts& cuts, char side) {
    if (cuts.least() == 0)
      throw InputError("fft: a rank has nothing of n{} (computed for real: each has some). Change 'weights'?", side);
  }
  template <class Size>
  void open(Size size) {
    out_.resize(ranks_);
    in_.resize(ranks_);
    for (std::size_t j = 0; j < ranks_; ++j) {
      out_[j].resize(size(me_, j));
      in_[j].resize(j == me_ ? 0 : size(j, me_));
    }
  }
  /// What came from rank i; from myself nothing was sent.
  const Points& from(std::size_t i) const { return i == me_ ? out_[i] : in_[i]; }

  std::size_t me_, ranks_;
  unsigned done_ = 0;  ///< compute steps of this transform
  std::vector<Points> out_, in_;
};

/// N = rows x columns, row by row: columns are transformed, twiddled and transformed along the rows.
class SixStep final : public Transform {
 public:
  explicit SixStep(const WorkerInput& input) : Transform(input), transposed_(input.parameters.boolean("transposed")) {
    const auto [nx, ny, nz] = fft_sides(input.parameters, input.ranks);
    const auto weights = weights_from(input.parameters.text("weights"), input.ranks, "fft: 'weights'");
    rows_ = nz;
    columns_ = nx * ny;
    const Cuts z = cut(nz, input.ranks, weights), x = cut(nx, input.ranks, weights);
    require_part(z, 'z');
    require_part(x, 'x');
    for (std::uint32_t i = 0; i < input.ranks; ++i) {
      row_cuts_.push_back(z.begin(i));
      column_cuts_.push_back(x.begin(i) * ny);
    }
    row_cuts_.push_back(rows_);
    column_cuts_.push_back(columns_);
    data_.resize(own_rows() * columns_);
    lines_.resize(std::max(own_rows() * columns_, own_columns() * rows_));
    result_.resize(transposed_ ? own_rows() * columns_ : own_columns() * rows_);
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = input_at(row_cuts_[me_] * columns_ + i);
    twiddle_.resize(data_.size());
    const double turn = -2.0 * M_PI / static_cast<double>(rows_ * columns_);
    for (std::size_t r = 0; r < own_rows(); ++r)
      for (std::size_t c = 0; c < columns_; ++c)
        twiddle_[r * columns_ + c] = std::polar(1.0, turn * static_cast<double>((row_cuts_[me_] + r) * c));
    down_ = Plan(lines_, {rows_, own_columns(), 1, rows_});
    along_ = Plan(lines_, {columns_, own_rows(), 1, columns_});
  }

  void compute(const Compute&) override {
    switch (done_++) {
      case 0:
        return leave_rows(data_);
      case 1:
        take_columns(lines_);
        down_.run();
        return leave_columns();
      case 2:
        take_rows();
        along_.run();
        if (!transposed_) leave_rows(lines_);
        return;
      default:
        if (transposed_)
          std::copy_n(lines_.begin(), result_.size(), result_.begin());
        else
          take_columns(result_);
    }
  }
  Verdict verdict(const Together& together) const override {
    Points all(rows_ * columns_);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = input_at(i);
    Plan(all, {all.size(), 1, 1, all.size()}).run();
    if (!transposed_) return compared(result_, all, column_cuts_[me_] * rows_, all.size(), together);
    Points turned(all.size());  // the number at (k1, k2) is that of k1 + rows k2
    for (std::size_t k1 = 0; k1 < rows_; ++k1)
      for (std::size_t k2 = 0; k2 < columns_; ++k2) turned[k1 * columns_ + k2] = all[k1 + rows_ * k2];
    return compared(result_, turned, row_cuts_[me_] * columns_, all.size(), together);
  }

 private:
  std::size_t rows_of(std::size_t i) const { return row_cuts_[i + 1] - row_cuts_[i]; }
  std::size_t columns_of(std::size_t i) const { return column_cuts_[i + 1] - column_cuts_[i]; }
  std::size_t own_rows() const { return rows_of(me_); }
  std::size_t own_columns() const { return columns_of(me_); }

  /// From my rows to the columns of all, each of them in one piece.
  void leave_rows(const Points& rows) {
    open([this](std::size_t i, std::size_t j) { return rows_of(i) * columns_of(j); });
    for (std::size_t j = 0; j < ranks_; ++j)
      for (std::size_t r = 0; r < own_rows(); ++r)
        for (std::size_t c = 0; c < columns_of(j); ++c)
          out_[j][c * own_rows() + r] = rows[r * columns_ + column_cuts_[j] + c];
  }
  void take_columns(Points& columns) const {
    for (std::size_t i = 0; i < ranks_; ++i)
      for (std::size_t c = 0; c < own_columns(); ++c)
        std::copy_n(from(i).begin() + static_cast<std::ptrdiff_t>(c * rows_of(i)), rows_of(i),
                    columns.begin() + static_cast<std::ptrdiff_t>(c * rows_ + row_cuts_[i]));
  }
  void leave_columns() {
    open([this](std::size_t i, std::size_t j) { return columns_of(i) * rows_of(j); });
    for (std::size_t j = 0; j < ranks_; ++j)
      for (std::size_t c = 0; c < own_columns(); ++c)
        for (std::size_t r = 0; r < rows_of(j); ++r)
          out_[j][r * own_columns() + c] = lines_[c * rows_ + row_cuts_[j] + r];
  }
  void take_rows() {
    for (std::size_t i = 0; i < ranks_; ++i)
      for (std::size_t r = 0; r < own_rows(); ++r)
        for (std::size_t c = 0; c < columns_of(i); ++c) {
          const std::size_t at = r * columns_ + column_cuts_[i] + c;
          lines_[at] = from(i)[r * columns_of(i) + c] * twiddle_[at];
        }
  }

  bool transposed_;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::size_t> row_cuts_, column_cuts_;  ///< [ranks + 1]
  Points data_, lines_, result_, twiddle_;
  Plan down_, along_;
};

/// Three dimensions, z fastest: planes of x with one rank each, then planes of y.
class Slab final : public Transform {
 public:
  explicit Slab(const WorkerInput& input) : Transform(input), transposed_(input.parameters.boolean("transposed")) {
    const auto sides = fft_sides(input.parameters, input.ranks);
    nx_ = sides[0], ny_ = sides[1], nz_ = sides[2];
    const auto weights = weights_from(input.parameters.text("weights"), input.ranks, "fft: 'weights'");
    x_ = cut(nx_, input.ranks, weights);
    y_ = cut(ny_, input.ranks, weights);
    require_part(x_, 'x');
    require_part(y_, 'y');
    data_.resize(x_size(me_) * ny_ * nz_);
    planes_.resize(data_.size());
    columns_.resize(nx_ * y_size(me_) * nz_);
    for (std::size_t i = 0; i < data_.size(); ++i)
      data_[i] = input_at(x_.begin(static_cast<std::uint32_t>(me_)) * ny_ * nz_ + i);
    along_z_ = Plan(planes_, {nz_, x_size(me_) * ny_, 1, nz_});
    for (std::size_t x = 0; x < x_size(me_); ++x)
      along_y_.emplace_back(planes_, Lines{ny_, nz_, nz_, 1}, x * ny_ * nz_);
    along_x_ = Plan(columns_, {nx_, y_size(me_) * nz_, y_size(me_) * nz_, 1});
  }

  void begin() override {
    Transform::begin();
    to_take_ = false;
  }
  void compute(const Compute&) override {
    switch (done_++) {
      case 0:
        planes_ = data_;
        return along_z_.run();
      case 1:
        for (Plan& plane : along_y_) plane.run();
        return leave_planes();
      default:
        take_columns();
        along_x_.run();
        if (!transposed_) leave_columns();
    }
  }
  /// The last all-to-all has no step behind it.
  void end() override {
    if (!to_take_) return;
    to_take_ = false;
    for (std::size_t i = 0; i < ranks_; ++i)
      for (std::size_t x = 0; x < x_size(me_); ++x)
        std::copy_n(from(i).begin() + static_cast<std::ptrdiff_t>(x * y_size(i) * nz_), y_size(i) * nz_,
                    planes_.begin() + static_cast<std::ptrdiff_t>((x * ny_ + y_begin(i)) * nz_));
  }
  Verdict verdict(const Together& together) const override {
    Points all(nx_ * ny_ * nz_);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = input_at(i);
    Plan::box(all, nx_, ny_, nz_).run();
    if (!transposed_)
      return compared(planes_, all, x_.begin(static_cast<std::uint32_t>(me_)) * ny_ * nz_, all.size(), together);
    Points own(all.size() / ny_ * y_size(me_));
    const std::size_t part = y_size(me_) * nz_;
    for (std::size_t x = 0; x < nx_; ++x)
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>((x * ny_ + y_begin(me_)) * nz_), part,
                  own.begin() + static_cast<std::ptrdiff_t>(x * part));
    return compared(columns_, own, 0, all.size(), together);
  }

 private:
  std::size_t x_size(std::size_t i) const { return x_.size(static_cast<std::uint32_t>(i)); }
  std::size_t y_size(std::size_t i) const { return y_.size(static_cast<std::uint32_t>(i)); }
  std::size_t y_begin(std::size_t i) const { return y_.begin(static_cast<std::uint32_t>(i)); }

  void leave_planes() {
    open([this](std::size_t i, std::size_t j) { return x_size(i) * y_size(j) * nz_; });
    for (std::size_t j = 0; j < ranks_; ++j)
      for (std::size_t x = 0; x < x_size(me_); ++x)
        std::copy_n(planes_.begin() + static_cast<std::ptrdiff_t>((x * ny_ + y_begin(j)) * nz_), y_size(j) * nz_,
                    out_[j].begin() + static_cast<std::ptrdiff_t>(x * y_size(j) * nz_));
  }
  void take_columns() {
    auto to = columns_.begin();
    for (std::size_t i = 0; i < ranks_; ++i) to = std::copy(from(i).begin(), from(i).end(), to);
  }
  void leave_columns() {
    open([this](std::size_t i, std::size_t j) { return y_size(i) * x_size(j) * nz_; });
    auto next = columns_.begin();
    for (std::size_t j = 0; j < ranks_; ++j) {
      const auto end = next + static_cast<std::ptrdiff_t>(out_[j].size());
      std::copy(next, end, out_[j].begin());
      next = end;
    }
    to_take_ = true;
  }

  bool transposed_, to_take_ = false;
  std::size_t nx_ = 0, ny_ = 0, nz_ = 0;
  Cuts x_, y_;
  Points data_, planes_, columns_;
  Plan along_z_, along_x_;
  std::vector<Plan> along_y_;
};

}  // namespace

std::unique_ptr<Worker> make_fft(const WorkerInput& input) {
  require_fftw("fft");
  if (input.parameters.text("form") == "slab") return std::make_unique<Slab>(input);
  return std::make_unique<SixStep>(input);
}

}  // namespace orrery::programs
