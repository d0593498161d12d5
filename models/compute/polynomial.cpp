/// Time of a step as a polynomial in its sizes, with coefficients per host and kind of work, and their spread.
///
///   T(M, N, K) = a MNK + b MN + c MK + d NK + e          dgemm;  sigma of the same form
///   T(M, N)    = a MMN, a MN ...                         triangular solves, row swaps, vectors (M = length)
///
///   a .. e     Seconds  s   coefficient per unit of its term
///
/// Source   Cornebize & Legrand, JPDC 166, 2022: dgemm(M, N, K) of each CPU as a polynomial with half-normal noise
/// Valid    sizes like those the coefficients were fitted to; nothing bounds an extrapolation
/// Checked  tests/unit/models/compute/polynomial_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/compute/catalogue.hpp"
#include "models/compute/row_groups.hpp"
#include "models/compute/variability.hpp"
#include "sim/core/error.hpp"

namespace orrery::polynomial_compute_model {

namespace {

constexpr const char* page = R"(T = sum over the columns below of coefficient x term, divided by the cores of the rank.

  column   term                     column   term
  MNK_s    M N K                    M_s      M
  MMN_s    M M N                    N_s      N
  MN_s     M N                      K_s      K
  MK_s     M K                      one_s    1
  NK_s     N K                      flop_s   flops
                                    byte_s   bytes to and from memory

M, N, K are the three numbers of the step's shape: dgemm M, N, K; stencil width and height; other BLAS M, N (vectors: M
is the length). A column named MNK_sd_s, one_sd_s ... holds the standard deviation per unit of its term, from step to
step: sigma is the sum of sd x term. day_spread is the coefficient of variation of the times of a host between days.
At least one term is needed; empty cells are 0. Kinds of work without a row run at peak speed.

Which ranks and which work a row is about: type, node (number within its type), cpu, gpu, cores, rank, work; missing or
empty cells fit everything, and the first row of the file that fits applies. With 'per-host: false' every host gets the
mean of the rows of its type: the homogeneous machine of the same average speed.)";

constexpr std::size_t terms = 11;
constexpr std::array<const char*, terms> term_names{"MNK", "MMN", "MN",  "MK",   "NK",  "M",
                                                    "N",   "K",   "one", "flop", "byte"};

using Coefficients = std::array<double, terms>;

double evaluate(const Coefficients& coefficients, const Compute& work) {
  const auto [m, n, k] = work.shape;
  const Coefficients values{m * n * k,       m * m * n,        m * n, m * k, n * k, m, n, k, 1.0,
                            work.flops.si(), work.traffic.si()};
  double sum = 0.0;
  for (std::size_t t = 0; t < terms; ++t) sum += coefficients[t] * values[t];
  return std::max(sum, 0.0);  // fitted constants may be negative
}

struct RowCoefficients {
  Coefficients time{}, deviation{};
  double day_spread = 0.0;

  RowCoefficients& operator+=(const RowCoefficients& other) {
    for (std::size_t t = 0; t < terms; ++t) {
      time[t] += other.time[t];
      deviation[t] += other.deviation[t];
    }
    day_spread += other.day_spread;
    return *this;
  }
  RowCoefficients& operator/=(double divisor) {
    for (std::size_t t = 0; t < terms; ++t) {
      time[t] /= divisor;
      deviation[t] /= divisor;
    }
    day_spread /= divisor;
    return *this;
  }
};

std::vector<std::string> known_columns() {
  auto columns = selector_columns();
  for (const char* term : term_names) {
    columns.push_back(fmt::format("{}_s", term));
    columns.push_back(fmt::format("{}_sd_s", term));
  }
  columns.emplace_back("day_spread");
  return columns;
}

RowCoefficients read_row(const DataTable& table, const DataTable::Row& row) {
  RowCoefficients read;
  bool any = false;
  for (std::size_t t = 0; t < terms; ++t) {
    const auto time = table.number(row, fmt::format("{}_s", term_names[t]), -1.0, 1e3);
    any = any || time.has_value();
    read.time[t] = time.value_or(0.0);
    read.deviation[t] = table.number(row, fmt::format("{}_sd_s", term_names[t]), -1.0, 1e3).value_or(0.0);
  }
  read.day_spread = table.number(row, "day_spread", 0.0, 0.3).value_or(0.0);
  if (!any)
    throw InputError("{}: no coefficient (at least one of MNK_s, MN_s ... one_s, flop_s). Add 'flop_s'?", row.where);
  return read;
}

class Polynomial final : public MeasuredSpread {
 public:
  explicit Polynomial(const ComputeInput& input)
      : groups_(*input.table, input.platform, input.layout), peaks_(input.platform, input.layout) {
    const DataTable& table = *input.table;
    table.require_known(known_columns());
    for (std::size_t group = 0; group < groups_.groups(); ++group) {
      const auto& rows = groups_.rows(group);
      if (rows.size() > 1)
        throw InputError("{}: is about the same ranks and work as {} (one row for each). Remove one?",
                         table.rows[rows[1]].where, table.rows[rows[0]].where);
      coefficients_.push_back(read_row(table, table.rows[rows[0]]));
    }
    if (!input.parameters.boolean("per-host")) average(table);
    spread_ = std::ranges::any_of(coefficients_, [](const RowCoefficients& row) {
      return row.day_spread > 0.0 || std::ranges::any_of(row.deviation, [](double sd) { return sd > 0.0; });
    });
    text_ = fmt::format("polynomial: {} of '{}' for {}{}; other work at peak speed",
                        coefficients_.size() == 1 ? "coefficients" : fmt::format("{} rows", coefficients_.size()),
                        table.name, groups_.works(),
                        input.parameters.boolean("per-host") ? "" : ", mean over the hosts of a type");
  }

  std::string description() const override { return text_; }

  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const std::uint32_t group = groups_.group_of(rank, compute.work);
    if (group == RowGroups::none) return compute.flops / peaks_.of(rank, compute.work);
    return Seconds(evaluate(coefficients_[group].time, compute) / groups_.cores_of(rank, group));
  }
  Seconds deviation(const Compute& compute, Rank rank) const override {
    const std::uint32_t group = groups_.group_of(rank, compute.work);
    if (group == RowGroups::none) return Seconds{};
    return Seconds(evaluate(coefficients_[group].deviation, compute) / groups_.cores_of(rank, group));
  }
  double day_spread(const Compute& compute, Rank rank) const override {
    const std::uint32_t group = groups_.group_of(rank, compute.work);
    return group == RowGroups::none ? 0.0 : coefficients_[group].day_spread;
  }
  bool has_spread() const override { return spread_; }

 private:
  /// Every group of a kind gets the mean of them.
  void average(const DataTable& table) {
    const auto kinds = groups_.kinds(table);
    std::vector<RowCoefficients> means(coefficients_.size());
    std::vector<double> counts(coefficients_.size());
    for (std::size_t group = 0; group < coefficients_.size(); ++group) {
      means[kinds[group]] += coefficients_[group];
      counts[kinds[group]] += 1.0;
    }
    for (std::size_t kind = 0; kind < means.size(); ++kind) means[kind] /= std::max(counts[kind], 1.0);
    for (std::size_t group = 0; group < coefficients_.size(); ++group) coefficients_[group] = means[kinds[group]];
  }

  RowGroups groups_;
  std::vector<RowCoefficients> coefficients_;  ///< [groups]
  PeakSpeeds peaks_;
  bool spread_ = false;
  std::string text_;
};

const bool entered = compute_models().add({
    .name = "polynomial",
    .summary = "time as a polynomial in the sizes of a step, with coefficients per host and kind of work",
    .source = "Cornebize & Legrand, JPDC 166, 2022; coefficients from the named parameters",
    .page = page,
    .parameters = {flag_key("per-host", true, "false: all hosts of a type get the mean of their rows")},
    .table = ComputeModelEntry::Table::required,
    .make = [](const ComputeInput& input) { return std::make_unique<Polynomial>(input); },
});

}  // namespace

}  // namespace orrery::polynomial_compute_model
