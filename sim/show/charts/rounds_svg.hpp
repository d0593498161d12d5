/// How a partition was found: speed over rows, a panel for each round, as figures 2 and 6 of Lastovetsky, Reddy,
/// Rychkov & Clarke (DFPA).
///
///   thin lines      what was known of each rank before the round (piecewise linear, constant outside its points)
///   dashed line     through the origin: the division that was chosen by it; its slope is 1 / time
///   markers         what was measured, joined by a dotted line: straight through the origin once all end together
///   pale curves     the speed functions themselves, where they are given
///
/// Still, as a sheet of panels, or moving, as one panel that shows round after round (SMIL, no script).
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
