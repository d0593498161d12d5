/// Functional performance model: the speed of a process is a function of the size of its work, interpolated between the
/// measured sizes (piecewise linear by default) and constant outside them.
///
///   T = flops / s(x)
///
///   s  FlopsPerSecond  flop/s  speed at size x
///   x  1               1       size of a step: its flops, or its elements M N, or its bytes to and from memory
///
/// Source   Lastovetsky & Reddy, "Data partitioning with a functional performance model of heterogeneous processors",
///          IJHPCA 21(1), 2007; Lastovetsky, Reddy, Rychkov & Clarke 2012
/// Valid    between the smallest and the largest measured size
/// Checked  tests/unit/models/compute/table_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/compute/catalogue.hpp"
#include "models/compute/row_groups.hpp"
#include "models/processor/speed_surface.hpp"
#include "sim/core/error.hpp"

namespace orrery::table_compute_model {

namespace {

constexpr const char* page =
    R"(T = flops / s(x): s is linear (or cubic, akima: interpolation) between the rows of a group, constant before
the first and after the last.

  column             meaning
  size_flop          x is the flops of a step            } exactly
  size_elements      x is M N, of the step's shape       } one of
  size_B             x is its bytes to and from memory   } them,
  size_M, size_N     the two sides of its shape          } or both: a curve by M for each N, linear between the curves
  speed_flop_per_s   the speed at that size: of one core or a GPU; with a cell in 'cores', of the whole rank

Which ranks and which work a row is about: type, node (number within its type), cpu, gpu, cores, rank, work; missing or
empty cells fit everything. Rows with the same cells there are the points of one curve, with ascending sizes; the first
curve of the file that fits applies. Kinds of work without a curve run at peak speed. A curve's sizes are those of a
step of the whole rank, whatever its cores.)";

constexpr std::array<const char*, 3> size_columns{"size_flop", "size_elements", "size_B"};

std::size_t size_column_of(const DataTable& table) {
  std::size_t found = size_columns.size();
  for (std::size_t c = 0; c < size_columns.size(); ++c) {
    if (!table.has(size_columns[c])) continue;
    if (found < size_columns.size())
      throw InputError("{}: has columns '{}' and '{}' (one kind of size). Remove one?", table.name, size_columns[found],
                       size_columns[c]);
    found = c;
  }
  if (found == size_columns.size())
    throw InputError("{}: no column says the size (size_flop, size_elements or size_B). Add 'size_flop'?", table.name);
  return found;
}

SpeedFunction read_curve(const DataTable& table, const std::vector<std::size_t>& rows, const char* size,
                         Interpolation interpolation) {
  std::vector<SpeedPoint> curve;
  for (const std::size_t number : rows) {
    const auto& row = table.rows[number];
    curve.push_back({table.required(row, size, 0.0, 1e30), table.required(row, "speed_flop_per_s", 1.0, 1e21)});
    if (curve.size() > 1 && !(curve.back().size > curve[curve.size() - 2].size))
      throw InputError("{}: '{}' is {:g} after {:g} (the sizes of a curve ascend). Sort the rows?", row.where, size,
                       curve.back().size, curve[curve.size() - 2].size);
  }
  return SpeedFunction(std::move(curve), interpolation, table.rows[rows.front()].where);
}

/// By the two sides of a step's shape: the rows of one N are a curve by M.
SpeedSurface read_surface(const DataTable& table, const std::vector<std::size_t>& rows, Interpolation interpolation) {
  std::map<double, std::vector<std::size_t>> of_width;
  for (const std::size_t number : rows)
    of_width[table.required(table.rows[number], "size_N", 1e-9, 1e30)].push_back(number);
  std::vector<SpeedSurface::Curve> curves;
  curves.reserve(of_width.size());
  for (const auto& [width, numbers] : of_width)
    curves.push_back({width, read_curve(table, numbers, "size_M", interpolation)});
  return SpeedSurface(std::move(curves), table.rows[rows.front()].where);
}

/// Whether sizes are the two sides of the step's shape. Throws InputError where only one of them is there, or another
/// size.
bool in_two_sides(const DataTable& table) {
  const bool m = table.has("size_M"), n = table.has("size_N");
  if (m != n)
    throw InputError("{}: has column '{}' and no '{}' (both sides of a shape). Add it?", table.name,
                     m ? "size_M" : "size_N", m ? "size_N" : "size_M");
  for (const char* other : size_columns)
    if (m && table.has(other))
      throw InputError("{}: has columns 'size_M' and '{}' (one kind of size). Remove one?", table.name, other);
  return m;
}

Interpolation interpolation_of(const std::string& word) {
  return word == "cubic" ? Interpolation::cubic : word == "akima" ? Interpolation::akima : Interpolation::linear;
}

class Table final : public ComputeModel {
 public:
  explicit Table(const ComputeInput& input)
      : groups_(*input.table, input.platform, input.layout),
        two_sides_(in_two_sides(*input.table)),
        size_(two_sides_ ? 0 : size_column_of(*input.table)),
        peaks_(input.platform, input.layout) {
    auto known = selector_columns();
    known.insert(known.end(), {two_sides_ ? "size_M" : size_columns[size_], "size_N", "speed_flop_per_s"});
    if (!two_sides_) std::erase(known, "size_N");
    input.table->require_known(known);
    const std::string& word = input.parameters.text("interpolation");
    for (std::size_t group = 0; two_sides_ && group < groups_.groups(); ++group)
      surfaces_.push_back(read_surface(*input.table, groups_.rows(group), interpolation_of(word)));
    for (std::size_t group = 0; !two_sides_ && group < groups_.groups(); ++group)
      curves_.push_back(read_curve(*input.table, groups_.rows(group), size_columns[size_], interpolation_of(word)));
    text_ = fmt::format("table: speed by {} from '{}', {} {}{}{} for {}; other work at peak speed",
                        two_sides_ ? "size_M and size_N" : size_columns[size_], input.table->name, groups_.groups(),
                        word == "linear" ? "" : word + " ", two_sides_ ? "surface" : "curve",
                        groups_.groups() == 1 ? "" : "s", groups_.works());
  }

  std::string description() const override { return text_; }

  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const std::uint32_t group = groups_.group_of(rank, compute.work);
    if (group == RowGroups::none) return compute.flops / peaks_.of(rank, compute.work);
    const std::array<double, 3> sizes{compute.flops.si(), compute.shape[0] * compute.shape[1], compute.traffic.si()};
    if (two_sides_)
      return compute.flops /
             FlopsPerSecond(groups_.cores_of(rank, group) * surfaces_[group].speed(compute.shape[1], compute.shape[0]));
    return compute.flops / FlopsPerSecond(groups_.cores_of(rank, group) * curves_[group].speed(sizes[size_]));
  }

 private:
  RowGroups groups_;
  bool two_sides_;
  std::size_t size_;
  PeakSpeeds peaks_;
  std::vector<SpeedFunction> curves_;   ///< [groups]
  std::vector<SpeedSurface> surfaces_;  ///< [groups] where sizes have two sides
  std::string text_;
};

const bool entered = compute_models().add({
    .name = "table",
    .summary = "functional performance model: speed by size of the work, piecewise linear, per host or rank",
    .source = "Lastovetsky & Reddy, IJHPCA 21(1), 2007; speeds from the named parameters",
    .page = page,
    .parameters = {word_key("interpolation", "linear",
                            "interpolation between rows: linear, monotone cubic or modified Akima",
                            {"linear", "cubic", "akima"})},
    .table = ComputeModelEntry::Table::required,
    .make = [](const ComputeInput& input) { return std::make_unique<Table>(input); },
});

}  // namespace

}  // namespace orrery::table_compute_model
