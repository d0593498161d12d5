// SUMMA: C += (pivot column of A) (pivot row of B) on a rectangle of blocks, one dgemm an iteration.
//
// Checked by a vector of random numbers: C x against A (B x), of which C, A and B are never brought together.
#include <cmath>
#include <limits>

#include "validation/programs/blas.hpp"
#include "validation/programs/numbers.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

namespace {

constexpr Tag column_tag{1}, row_tag{2};
constexpr std::uint64_t of_a = 1, of_b = 2, of_x = 3;

class Summa final : public Worker {
 public:
  explicit Summa(const WorkerInput& input)
      : partition_(input.partition),
        blocks_(input.partition->of(input.me)),
        b_(static_cast<std::size_t>(input.parameters.integer("block"))),
        order_(static_cast<std::size_t>(input.parameters.integer("blocks")) * b_),
        rows_(blocks_.height * b_),
        columns_(blocks_.width * b_),
        pivot_column_(rows_ * b_),
        pivot_row_(b_ * columns_) {
    blas::require("summa");
  }

  void begin() override {
    a_.resize(rows_ * columns_);
    b_matrix_.resize(rows_ * columns_);
    c_.assign(rows_ * columns_, 0.0);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) {
        a_[i * columns_ + j] = number_at(of_a, first_row() + i, first_column() + j);
        b_matrix_[i * columns_ + j] = number_at(of_b, first_row() + i, first_column() + j);
      }
  }
  /// The part of the pivot column that is mine stands by itself, row after row, so that what a rank shares rows of gets
  /// is one piece. Before the iteration's barrier: the source counts it to no phase.
  void iteration(std::uint32_t k) override {
    k_ = k;
    if (!blocks_.has_column(k)) return;
    const std::size_t from = (k - blocks_.x) * b_;
    for (std::size_t i = 0; i < rows_; ++i) std::copy_n(&a_[i * columns_ + from], b_, &pivot_column_[i * b_]);
  }
  bool carries(Tag tag) const override { return tag == column_tag || tag == row_tag; }
  std::span<const double> outgoing(const Send& send) override {
    return send.tag == column_tag ? shared_with(send.to) : own_row();
  }
  std::span<double> room(const Recv& recv) override {
    return recv.tag == column_tag ? shared_with(recv.from) : std::span<double>(pivot_row_);
  }
  /// By rows, a product is that of the transposed ones in turn by columns: C' += B' A'.
  void compute(const Compute&) override {
    const std::span<const double> row = blocks_.has_row(k_) ? own_row() : std::span<const double>(pivot_row_);
    blas::multiply(columns_, rows_, b_, 1.0, {row.data(), columns_}, {pivot_column_.data(), b_}, {c_.data(), columns_});
  }
  Verdict verdict(const Together& together) const override {
    std::vector<double> x(order_), sizes(order_);
    for (std::size_t i = 0; i < order_; ++i) {
      x[i] = number_at(of_x, i, 0);
      sizes[i] = std::abs(x[i]);
    }
    const auto by_b = times(b_matrix_, x, false, together), by_ab = times(a_, by_b, false, together),
               by_c = times(c_, x, false, together);
    const auto bound = times(a_, times(b_matrix_, sizes, true, together), true, together);
    double difference = 0.0, size = 0.0;
    for (std::size_t i = 0; i < order_; ++i) {
      difference = std::max(difference, std::abs(by_c[i] - by_ab[i]));
      size = std::max(size, bound[i]);
    }
    const double epsilon = std::numeric_limits<double>::epsilon();
    return {"|C x - A (B x)| / (eps N |A| |B| |x|)", difference / (epsilon * static_cast<double>(order_) * size), 1.0};
  }

 private:
  std::size_t first_row() const { return blocks_.y * b_; }
  std::size_t first_column() const { return blocks_.x * b_; }
  std::span<double> own_row() { return {&b_matrix_[(k_ - blocks_.y) * b_ * columns_], b_ * columns_}; }
  /// Of the pivot column the rows that a rank and I have in common.
  std::span<double> shared_with(Rank peer) {
    const Rectangle& theirs = partition_->of(peer);
    const std::uint32_t first = std::max(blocks_.y, theirs.y) - blocks_.y;
    return {&pivot_column_[first * b_ * b_], shared_rows(blocks_, theirs) * b_ * b_};
  }
  /// The whole matrix times x, or the magnitudes of its elements times x.
  std::vector<double> times(const std::vector<double>& part, const std::vector<double>& x, bool magnitudes,
                            const Together& together) const {
    std::vector<double> y(order_, 0.0);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) {
        const double value = part[i * columns_ + j];
        y[first_row() + i] += (magnitudes ? std::abs(value) : value) * x[first_column() + j];
      }
    together.sum(y);
    return y;
  }

  std::shared_ptr<const Partition> partition_;
  Rectangle blocks_;
  std::size_t b_, order_, rows_, columns_;
  std::uint32_t k_ = 0;
  std::vector<double> a_, b_matrix_, c_;          ///< [rows x columns] by rows
  std::vector<double> pivot_column_, pivot_row_;  ///< [rows x b], [b x columns] by rows
};

}  // namespace

std::unique_ptr<Worker> make_summa(const WorkerInput& input) { return std::make_unique<Summa>(input); }

}  // namespace orrery::programs
