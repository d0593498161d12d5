// Linpack: LU with partial pivoting and back substitution, its columns dealt in blocks to the ranks in turn (HPL's grid
// of one process row). A panel is factored by the rank that has it, in HPL's recursion (left, crout or right, NBMIN,
// NDIV).
//
// Checked as HPL does: |A x - b| / (eps (|A| |x| + |b|) N) in the norm of rows, less than 16.
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <limits>

#include "kernels/hpl/steps.hpp"
#include "sim/core/error.hpp"
#include "validation/programs/blas.hpp"
#include "validation/programs/numbers.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

namespace {

using namespace hpl;

/// One panel while its rank factors it: M x jb, the diagonal block above.
class PanelFactors {
 public:
  PanelFactors(const Plan& plan, blas::Part part, std::size_t rows, std::size_t width, std::vector<std::size_t>& pivots)
      : plan_(plan), part_(part), rows_(rows), width_(width), pivots_(pivots) {}

  /// Columns first .. first + n - 1.
  void factor(std::size_t first, std::size_t n) {
    if (n == 1) return factor_column(first);
    const bool leaf = n <= plan_.recursion_stops;
    const std::size_t stops = plan_.recursion_stops, leaves = (n + stops - 1) / stops;
    const std::size_t step = leaf ? 1 : (leaves + plan_.divisions - 1) / plan_.divisions * stops;
    const Factorisation kind = leaf ? plan_.panel_factorisation : plan_.recursive_factorisation;
    for (std::size_t before = 0; before < n;) {
      const std::size_t width = std::min(step, n - before), at = first + before, after = at + width,
                        rest = n - before - width;
      if (kind == Factorisation::left) solve(first, before, at, width);
      if (kind != Factorisation::right) subtract(at, rows_ - at, first, before, at, width);
      factor(at, width);
      if (kind == Factorisation::crout) subtract(at, width, first, before, after, rest);
      if (kind != Factorisation::left) solve(at, width, after, rest);
      if (kind == Factorisation::right) subtract(after, rows_ - after, at, width, after, rest);
      before += width;
    }
  }

 private:
  double* at(std::size_t row, std::size_t column) const { return part_.at + column * part_.next + row; }
  blas::Part from(std::size_t row, std::size_t column) const { return {at(row, column), part_.next}; }

  /// Rows first .. first + n - 1 of `columns` columns from `column` on become rows of U.
  void solve(std::size_t first, std::size_t n, std::size_t column, std::size_t columns) const {
    if (n > 0 && columns > 0) blas::solve_lower(n, columns, from(first, first), from(first, column));
  }
  /// A(row .., column ..) -= L(row .., first ..) U(first .., column ..), n columns of L.
  void subtract(std::size_t row, std::size_t rows, std::size_t first, std::size_t n, std::size_t column,
                std::size_t columns) const {
    if (columns == 1)
      blas::multiply_vector(rows, n, -1.0, from(row, first), at(first, column), at(row, column));
    else
      blas::multiply(rows, columns, n, -1.0, from(row, first), from(first, column), from(row, column));
  }
  void factor_column(std::size_t column) {
    const std::size_t pivot = column + blas::greatest(rows_ - column, at(column, column));
    pivots_[column] = pivot;
    if (pivot != column)
      for (std::size_t c = 0; c < width_; ++c) std::swap(*at(column, c), *at(pivot, c));
    const double scale = 1.0 / *at(column, column);
    double* const below = at(column + 1, column);
    for (std::size_t i = 0; i + column + 1 < rows_; ++i) below[i] *= scale;
  }

  const Plan& plan_;
  blas::Part part_;
  std::size_t rows_, width_;
  std::vector<std::size_t>& pivots_;  ///< [width] rows of the panel
};

class Lu final : public Worker {
 public:
  explicit Lu(const WorkerInput& input)
      : plan_(input.parameters, input.ranks),
        place_(plan_, input.me),
        order_(plan_.order),
        nb_(plan_.block),
        columns_(columns_from(place_, 0)) {
    blas::require("hpl");
  }

  void begin() override {
    a_.resize(order_ * columns_);
    for (std::size_t c = 0; c < columns_; ++c)
      for (std::size_t i = 0; i < order_; ++i) a_[c * order_ + i] = number_at(1, i, global(c));
    part_ = Part::factor;
    k_ = 0;
    panel_ = Panel(place_, 0);
    factored_ = packed_ = solving_ = false;
    if (!there_is(part_)) advance();
    x_.assign(order_, 0.0);
    sums_.clear();
    pending_.clear();
  }

  bool carries(Tag) const override { return true; }

  std::span<const double> outgoing(const Send& send) override {
    const std::size_t count = doubles_of(send.message);
    if (send.tag == move_tag) return {column(columns_ - 1), count};
    if (send.tag == partial_tag) return hand_over(count);
    go_to_cast(send.tag);
    if (panel_.current_column()) pack();
    return message_;
  }
  std::span<double> room(const Recv& recv) override {
    const std::size_t count = doubles_of(recv.message);
    if (recv.tag == move_tag) {
      sums_.resize(order_);
      return sums_;
    }
    if (recv.tag == partial_tag) {
      start_solving();
      incoming_.resize(count);
      return incoming_;
    }
    go_to_cast(recv.tag);
    message_.resize(count);
    return message_;
  }
  void arrived(const Recv& recv) override {
    if (recv.tag == move_tag || recv.tag == partial_tag) return;
    const std::size_t pivots_at = static_cast<std::size_t>(panel_.below + panel_.jb) * panel_.jb;
    pivots_.resize(panel_.jb);
    for (std::size_t i = 0; i < pivots_.size(); ++i) pivots_[i] = static_cast<std::size_t>(message_[pivots_at + i]);
  }

  void compute(const Compute& step) override {
    if (step.work == Work::idamax) go_to(Part::factor);  // a panel begins with it
    if (part_ == Part::factor && step.work != Work::dlacpy && step.work != Work::dlaswp04t) return factor();
    switch (step.work) {
      case Work::dlacpy:
        go_to(Part::pack);
        return pack();
      case Work::dlaswp04t:
        go_to(Part::swap);
        return swap_rows();
      case Work::dtrsm:
        go_to(Part::triangle);
        return blas::solve_lower(panel_.jb, trailing(), lower(), {column(start()) + panel_.j, order_});
      case Work::dgemm:
        go_to(Part::product);
        return blas::multiply(panel_.below, trailing(), panel_.jb, -1.0, below(), {column(start()) + panel_.j, order_},
                              {column(start()) + panel_.j + panel_.jb, order_});
      default:
        solve(step.work);
    }
  }

  Verdict verdict(const Together& together) const override {
    std::vector<double> x = x_, residual(order_, 0.0), sizes(order_, 0.0), right(order_);
    together.sum(x);
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::size_t j = global(c);
      if (j == order_) continue;
      for (std::size_t i = 0; i < order_; ++i) {
        const double value = number_at(1, i, j);
        residual[i] += value * x[j];
        sizes[i] += std::abs(value);
      }
    }
    together.sum(residual);
    together.sum(sizes);
    double difference = 0.0, of_a = 0.0, of_x = 0.0, of_b = 0.0;
    for (std::size_t i = 0; i < order_; ++i) {
      const double b = number_at(1, i, order_);
      difference = std::max(difference, std::abs(residual[i] - b));
      of_a = std::max(of_a, sizes[i]);
      of_x = std::max(of_x, std::abs(x[i]));
      of_b = std::max(of_b, std::abs(b));
    }
    const double epsilon = std::numeric_limits<double>::epsilon() / 2.0;  // HPL's: that of rounding
    const double value = difference / (epsilon * (of_a * of_x + of_b) * static_cast<double>(order_));
    return {"|A x - b| / (eps (|A| |x| + |b|) N)", std::isfinite(value) ? value : 1e300, 16.0};
  }

 private:
  /// What a panel consists of, in order; a rank leaves out what it has no part in.
  enum class Part : std::uint8_t { factor, pack, cast, swap, triangle, product, solve };

  static std::size_t doubles_of(Bytes bytes) { return static_cast<std::size_t>(std::llround(bytes.si() / 8.0)); }
  double* column(std::size_t c) { return a_.data() + c * order_; }
  /// Column of the matrix that my column c is.
  std::size_t global(std::size_t c) const { return ((c / nb_) * plan_.q + place_.column) * nb_ + c % nb_; }
  std::size_t local(std::size_t j) const { return (j / nb_ / plan_.q) * nb_ + j % nb_; }

  std::size_t trailing() const { return columns_from(place_, k_) - (panel_.current_column() ? panel_.jb : 0); }
  std::size_t start() const { return columns_ - trailing(); }

  bool there_is(Part part) const {
    switch (part) {
      case Part::factor:
        return panel_.current_column();
      case Part::pack:
        return panel_.current_column() && plan_.q > 1 && plan_.copies_panel && panel_.below > 0;
      case Part::cast:
        return plan_.q > 1;
      case Part::swap:
      case Part::triangle:
        return trailing() > 0;
      case Part::product:
        return trailing() > 0 && panel_.below > 0;
      default:
        return true;
    }
  }
  /// To the next part that there is.
  void advance() {
    do {
      if (part_ != Part::product) {
        part_ = static_cast<Part>(static_cast<int>(part_) + 1);
      } else if (++k_ < plan_.panels()) {
        panel_ = Panel(place_, k_);
        factored_ = packed_ = false;
        part_ = Part::factor;
      } else {
        part_ = Part::solve;
      }
    } while (!there_is(part_));
  }
  /// Steps come in the kernel's order: what is asked for is what is being done, or comes next.
  void go_to(Part part) {
    if (part_ != part) advance();
    if (part_ != part) throw ReplayError("hpl: a step out of order at panel {}", k_);
  }

  /// A rank without columns to update goes from one panel's broadcast to the next one's.
  void go_to_cast(Tag tag) {
    if (part_ == Part::cast && panel_tag(panel_) != tag) advance();
    go_to(Part::cast);
  }

  void factor() {
    if (factored_) return;  // at the first step of many: nothing is sent between them
    pivots_.resize(panel_.jb);
    PanelFactors(plan_, {column(local(panel_.j)) + panel_.j, order_}, panel_.rows, panel_.jb, pivots_)
        .factor(0, panel_.jb);
    factored_ = true;
  }
  /// L below the diagonal block, the block, the pivots and a flag: HPL's message.
  void pack() {
    if (packed_) return;
    packed_ = true;
    message_.resize(doubles_of(panel_.message()));
    auto to = message_.begin();
    const double* const first = column(local(panel_.j)) + panel_.j;
    for (std::size_t c = 0; c < panel_.jb; ++c) to = std::copy_n(first + c * order_ + panel_.jb, panel_.below, to);
    for (std::size_t c = 0; c < panel_.jb; ++c) to = std::copy_n(first + c * order_, panel_.jb, to);
    for (const std::size_t pivot : pivots_) *to++ = static_cast<double>(pivot);
  }
  blas::ConstPart lower() {
    if (panel_.current_column()) return {column(local(panel_.j)) + panel_.j, order_};
    return {message_.data() + static_cast<std::size_t>(panel_.below) * panel_.jb, panel_.jb};
  }
  blas::ConstPart below() {
    if (panel_.current_column()) return {column(local(panel_.j)) + panel_.j + panel_.jb, order_};
    return {message_.data(), panel_.below};
  }
  void swap_rows() {
    for (std::size_t c = start(); c < columns_; ++c) {
      double* const rows = column(c) + panel_.j;
      for (std::size_t i = 0; i < panel_.jb; ++i) std::swap(rows[i], rows[pivots_[i]]);
    }
  }

  // Back substitution: `sums_` is the right-hand side less what the columns of solved blocks take of it, as far as it
  // is with me; the rows of the next blocks are handed from the rank of one block to that of the next.

  void start_solving() {
    if (solving_) return;
    solving_ = true;
    go_to(Part::solve);
    const std::size_t from = order_ / nb_ % plan_.q, to = (order_ - 1) / nb_ % plan_.q;
    if (place_.column == from && from == to)
      sums_.assign(column(columns_ - 1), column(columns_ - 1) + order_);
    else if (place_.column != to)
      sums_.assign(order_, 0.0);
    block_ = plan_.panels() - 1;
    while (block_ % plan_.q != place_.column && block_ > 0) --block_;
  }
  std::size_t urgent_above(std::size_t above) const {
    return std::min(above, std::max<std::size_t>(plan_.q - 1, 1) * nb_);
  }

  void solve(Work work) {
    start_solving();
    if (work == Work::dtrsv) return solve_block();
    if (work == Work::daxpy) {
      const std::size_t end = (block_ + 1) * nb_;
      for (std::size_t i = 0; i < incoming_.size(); ++i) sums_[end - incoming_.size() + i] += incoming_[i];
      return;
    }
    const Product next = pending_.front();
    pending_.pop_front();
    const std::size_t width = std::min(nb_, order_ - next.block * nb_);
    blas::multiply_vector(next.rows, width, -1.0, {column(local(next.block * nb_)) + next.first, order_},
                          &x_[next.block * nb_], &sums_[next.first]);
  }
  void solve_block() {
    const std::size_t above = block_ * nb_, width = std::min(nb_, order_ - above), urgent = urgent_above(above);
    std::copy_n(&sums_[above], width, &x_[above]);
    blas::solve_upper(width, {column(local(above)) + above, order_}, &x_[above]);
    if (urgent > 0) pending_.push_back({block_, above - urgent, urgent});
    if (above > urgent) pending_.push_back({block_, 0, above - urgent});
    handed_ = above;
    block_ -= std::min<std::size_t>(block_, plan_.q);
  }
  std::span<const double> hand_over(std::size_t count) {
    const auto first = sums_.begin() + static_cast<std::ptrdiff_t>(handed_ - count);
    leaving_.assign(first, first + static_cast<std::ptrdiff_t>(count));
    std::fill_n(first, count, 0.0);
    return leaving_;
  }

  /// A product of the columns of a solved block with some rows above it.
  struct Product {
    std::size_t block, first, rows;
  };

  Plan plan_;
  GridPosition place_;
  std::size_t order_, nb_, columns_;
  std::vector<double> a_;  ///< [order x columns] by columns
  Part part_ = Part::factor;
  std::uint32_t k_ = 0;
  Panel panel_;
  bool factored_ = false, packed_ = false, solving_ = false;
  std::vector<std::size_t> pivots_;
  std::vector<double> message_;
  std::vector<double> x_, sums_, incoming_, leaving_;
  std::size_t block_ = 0;   ///< my next one to be solved
  std::size_t handed_ = 0;  ///< first row of the block that was solved last
  std::deque<Product> pending_;
};

}  // namespace

std::unique_ptr<Worker> make_hpl(const WorkerInput& input) { return std::make_unique<Lu>(input); }

}  // namespace orrery::programs
