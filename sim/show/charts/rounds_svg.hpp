/// The steps to a partition: speed over rows, a panel for each round, as figures 2 and 6 of Lastovetsky, Reddy, Rychkov
/// & Clarke (DFPA).
///
///   thin lines      known speeds of each rank before the round (piecewise linear, constant outside its points)
///   dashed line     through the origin: the division chosen from these speeds; its slope is 1 / time
///   markers         measurements, joined by a dotted line: straight through the origin when all end at the same time
///   pale curves     the speed functions themselves, if they are given
///
/// Static, as a sheet of panels, or animated, as one panel that shows the rounds in turn (SMIL, no script).
#pragma once

#include <string>
#include <vector>

#include "sim/core/partition_rounds.hpp"

namespace orrery::show {

struct RoundsPicture {
  std::string title;
  std::vector<std::string> rank_names = {};          ///< [ranks]; "rank 3" where missing
  std::vector<std::vector<SpeedPoint>> curves = {};  ///< [ranks] true speeds, densely; empty: not known
  std::size_t ranks_max = 4;                         ///< shown: from the first round's fastest to its slowest
  std::size_t panels_max = 12;                       ///< of a sheet: the first ones and the last
  bool moving = false;
};

/// At least one round.
std::string rounds_svg(const std::vector<PartitionRound>& rounds, const RoundsPicture& picture);

}  // namespace orrery::show
