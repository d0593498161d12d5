/// Which rows of a table of parameters are about which ranks, for which kind of work.
///
///   type   node type, by name                  node   number of the node within its type, from 0
///   cpu    socket of the node, or any          gpu    GPU of the node, or 'any'
///   cores  cores of the rank                   rank   number of the rank
///   work   kind of work: dgemm, stencil, fft ...
///
/// Every column may be missing, and a cell may be empty or '*': the row then fits whatever stands there. Rows with
/// equal cells in these columns form a group (the points of a curve, the levels of a memory); for each rank and kind of
/// work the first group of the file that fits applies. So the special comes first, the general last.
///
/// A row without `cores` states parameters of one core (a rank on k cores is k times as fast) or of a whole GPU; a row
/// with `cores` fits ranks on that many cores and states parameters of the whole rank. Checked
/// tests/unit/models/compute/parameters_test.cpp
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

/// The columns above, to which a model adds those of its parameters.
std::vector<std::string> selector_columns();

class RowGroups {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Throws InputError for an unknown type or kind of work, and when for some kind of work some ranks have rows and
  /// others have not: a forgotten host must not run at peak speed in silence.
  RowGroups(const DataTable& table, const Platform& platform, const Layout& layout);

  std::size_t groups() const { return rows_.size(); }
  const std::vector<std::size_t>& rows(std::size_t group) const { return rows_[group]; }
  std::uint32_t group_of(Rank rank, Work work) const {
    return of_class_[class_of_[index(rank)]][static_cast<std::size_t>(work)];
  }
  /// How many times as fast as the group's parameters the rank is.  [ranks]
  double cores_of(Rank rank, std::uint32_t group) const { return whole_rank_[group] ? 1.0 : cores_[index(rank)]; }
  /// "dgemm, dtrsm" or "all work": what the table is about.
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
