/// The rows of a parameter table that apply to a rank and a kind of work.
///
///   type   node type, by name                  node   number of the node within its type, from 0
///   cpu    socket of the node, or any          gpu    GPU of the node, or 'any'
///   cores  cores of the rank                   rank   number of the rank
///   work   kind of work: dgemm, stencil, fft ...
///
/// Every column may be missing, and a cell may be empty or '*': the row then matches every value. Rows with equal cells
/// in these columns form a group (the points of a curve, the levels of a memory). For each rank and kind of work the
/// first matching group of the file applies. So special rows come first, general ones last.
///
/// A row without `cores` has parameters of one core (a rank on k cores is k times as fast) or of a whole GPU. A row
/// with `cores` matches ranks on that many cores and has parameters of the whole rank.
/// Checked  tests/unit/models/compute/parameters_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/data_table.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/step.hpp"

namespace orrery {

/// The columns above; a model adds those of its parameters.
std::vector<std::string> selector_columns();

class RowGroups {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Throws InputError for an unknown type or kind of work, and if for some kind of work only some ranks have rows: a
  /// forgotten host must not silently run at peak speed.
  RowGroups(const DataTable& table, const Platform& platform, const Layout& layout);

  std::size_t groups() const { return rows_.size(); }
  const std::vector<std::size_t>& rows(std::size_t group) const { return rows_[group]; }
  std::uint32_t group_of(Rank rank, Work work) const {
    return of_class_[class_of_[index(rank)]][static_cast<std::size_t>(work)];
  }
  /// The speed of the rank relative to the group's parameters.  [ranks]
  double cores_of(Rank rank, std::uint32_t group) const { return whole_rank_[group] ? 1.0 : cores_[index(rank)]; }
  /// "dgemm, dtrsm" or "all work": the kinds of work in the table.
  std::string works() const;
  /// Groups that differ only in node, cpu, gpu number and rank share a number: hosts of one kind.  [groups]
  std::vector<std::uint32_t> kinds(const DataTable& table) const;

 private:
  struct Filter;
  using ByWork = std::array<std::uint32_t, work_kinds>;

  void place_ranks(const std::vector<Filter>& filters, const Platform& platform, const Layout& layout);
  void require_whole(const DataTable& table, const Platform& platform, const Layout& layout) const;

  std::vector<std::vector<std::size_t>> rows_;  ///< [groups] row numbers
  std::vector<bool> whole_rank_;                ///< [groups]
  std::vector<std::uint32_t> class_of_;         ///< [ranks]
  std::vector<ByWork> of_class_;                ///< [classes of equal ranks]
  std::vector<double> cores_;                   ///< [ranks] 1 for a GPU
};

}  // namespace orrery
